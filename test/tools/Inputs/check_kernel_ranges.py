"""Do the ranges hold by which `utils/random-kernels.py` decides what is defined, and how many elements arrays need?

Draws expressions and conditions of variables of all integer types, computes them as C++ does for values of the
variables within their ranges, and expects that
  * what is taken for defined is, and each value lies in its range;
  * where a condition is true (or false), the environment that is refined by it still holds the values.
Runs work items of generated kernels, and expects that
  * they do nothing that is not defined, and stay within the extents of their launches.

  check_kernel_ranges.py DIRECTORY-OF-KERNELFUZZ DRAWS KERNELS
"""

import random
import sys

sys.path.insert(0, sys.argv[1])

from kernelfuzz import tree  # noqa: E402
from kernelfuzz.generate import EDGES, Scope, kernel_of  # noqa: E402
from kernelfuzz.ranges import MOST_TRIPS, Ranges, environment, extents_of  # noqa: E402
from kernelfuzz.tree import Assign, Binary, Compare, Const, Logic, Var  # noqa: E402

# Conditions of each draw, and values of the variables for each of them.
CONDITIONS, POINTS = 4, 12
# Work items of each launch.
ITEMS = 6


def wrapped(value, kind):
    """`value` after conversion to `kind`."""
    if kind is tree.BOOL:
        return int(value != 0)
    value &= (1 << kind.bits) - 1
    return value - (1 << kind.bits) if value > kind.high else value


def computed(op, a, b, kind):
    """`a op b` in `kind`; fails where C++ does not define it."""
    if op in ("/", "%"):
        assert b != 0, "division by zero"
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        value = quotient if op == "/" else a - quotient * b
        assert kind.low <= quotient <= kind.high, "division overflows"
        return value
    if op in ("<<", ">>"):
        assert 0 <= b < kind.bits, "shift"
        value = a << b if op == "<<" else a >> b
    else:
        value = {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]
    assert not kind.signed or kind.low <= value <= kind.high, f"overflow of {op}"
    return wrapped(value, kind)


class Machine:
    """Computes expressions as C++ does; `values` are those of the variables. Floating-point numbers are None, and what
    is loaded is any number of its type."""

    def __init__(self, values, extents=None, random=None):
        self.values, self.extents, self.random = dict(values), extents, random

    def of(self, node):
        return getattr(self, type(node).__name__)(node)

    def operand(self, node, kind):
        value = self.of(node)
        return None if kind.is_float else wrapped(value, kind)

    def Const(self, node):
        return None if node.type.is_float else node.value

    def Var(self, node):
        return self.values[node.name] if node.meaning is None else self.of(node.meaning)

    def Cast(self, node):
        return self.operand(node.value, node.type)

    def Binary(self, node):
        a = self.operand(node.a, node.type)
        b = self.of(node.b) if node.op in ("<<", ">>") else self.operand(node.b, node.type)
        return None if node.type.is_float else computed(node.op, a, b, node.type)

    def MinMax(self, node):
        a, b = self.operand(node.a, node.type), self.operand(node.b, node.type)
        return None if node.type.is_float else (min if node.op == "min" else max)(a, b)

    def Compare(self, node):
        kind = tree.common(node.a.type, node.b.type)
        a, b = self.operand(node.a, kind), self.operand(node.b, kind)
        if kind.is_float:
            return self.random.randint(0, 1)
        return int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[node.op])

    def Logic(self, node):
        a = self.of(node.a)
        if node.op == "!":
            return 1 - a
        return a if a == (node.op == "||") else self.of(node.b)

    def Select(self, node):
        return self.operand(node.a if self.of(node.condition) else node.b, node.type)

    def Load(self, node):
        place = self.of(node.index) + (self.of(node.base) if node.base is not None else 0)
        size = node.array.size or self.extents[node.array.name]
        assert 0 <= place < size, f"{node} is element {place} of {size}"
        return self.any(node.type)

    def Call(self, node):
        for argument in node.arguments:
            self.of(argument)
        return self.any(node.type)

    def any(self, kind):
        return None if kind.is_float or not kind.bits else \
            self.random.choice([kind.low, kind.high, self.random.randint(kind.low, kind.high)])


class Leaves(Exception):
    """`return`, `break` or `continue`, by its word."""


class WorkItem(Machine):
    """Runs statements."""

    def run(self, statements):
        for statement in statements:
            self.of(statement)

    def Declare(self, node):
        self.values[node.var.name] = self.operand(node.value, node.var.type)

    def Assign(self, node):
        value = node.value if node.op == "=" else Binary(node.op[:-1], node.var, node.value)
        self.values[node.var.name] = self.operand(value, node.var.type)

    def Store(self, node):
        self.of(node.target)
        self.operand(node.value if node.op == "=" else Binary(node.op[:-1], node.target, node.value), node.target.type)

    def AtomicAdd(self, node):
        self.of(node.target)
        self.of(node.value)

    def If(self, node):
        self.run(node.then if self.of(node.condition) else node.otherwise)

    def Jump(self, node):
        raise Leaves(node.word)

    def Barrier(self, node):
        pass

    def For(self, node):
        # Down to 0 with the decrement in front of the body, or behind it where the variable has a sign.
        var, one, is_down = node.var, Const(1, tree.INT), node.kind == "down"
        steps_first = is_down and not var.type.signed
        start = node.start if not is_down else node.bound if steps_first else Binary("-", node.bound, one)
        goes_on = Compare("<", var, node.bound)
        if is_down or node.kind == "halve":
            goes_on = Compare(">=" if is_down and not steps_first else ">", var, Const(0, tree.INT))
        step = {"down": Binary("-", var, one), "halve": Binary(">>", var, one),
                "double": Binary("*", var, Const(2, tree.INT))}.get(node.kind, Binary("+", var, node.step))
        self.Assign(Assign(var, "=", start))
        for _ in range(2 * MOST_TRIPS):
            if not self.of(goes_on):
                return
            if steps_first:
                self.Assign(Assign(var, "=", step))
            if self.is_left_by(node.body):
                return
            if not steps_first:
                self.Assign(Assign(var, "=", step))
        raise AssertionError(f"a loop over {var} goes on and on")

    def is_left_by(self, body):
        """Runs the body of a loop; whether that ends the loop."""
        try:
            self.run(body)
        except Leaves as leaves:
            if str(leaves) == "return":
                raise
            return str(leaves) == "break"
        return False


class Draw(Scope):
    """Variables with ranges, and what the generator makes of them."""

    def __init__(self, seed):
        super().__init__(seed)
        self.env = {}
        for _ in range(4):
            kind = self.pick(tree.INTEGERS)
            var = Var(self.name("v"), kind)
            self.env[var.name] = self.span(kind)
            self.atoms.append(var)
        self.envs = [self.env]

    def near(self, kind):
        """A number of `kind` at which something may go wrong, or any."""
        if self.chance(0.2):
            return self.random.randint(kind.low, kind.high)
        return min(max(self.pick(EDGES + [kind.low, kind.high]) + self.pick(-2, -1, 0, 0, 0, 1, 2), kind.low), kind.high)

    def span(self, kind):
        low = self.near(kind)
        high = self.pick(low, low, min(low + self.pick(1, 5, 300), kind.high), self.near(kind))
        return min(low, high), max(low, high)

    def written(self, values):
        return ", ".join(f"{atom.type.name} {atom} = {values[atom.name]} of {self.env[atom.name]}" for atom in self.atoms)


def check_node(env, node, values):
    """Fails where `values` of the variables give one that is not in the range of `node`."""
    span, value = Ranges().of(node, env), Machine(values).of(node)
    assert span[0] <= value <= span[1], f"it is {value}, which is not in {span}"


def check_condition(env, condition, values):
    """Fails where the environment behind a guard is without `values` that pass it. Returns whether it says anything."""
    check_node(env, condition, values)
    truth = bool(Machine(values).of(condition))
    inner = Ranges().refined(condition, truth, env)
    assert inner is not None, f"it is taken for never {truth}"
    for name, (low, high) in inner.items():
        assert low <= values[name] <= high, f"where it is {truth}, {name} is taken for one of {low, high}"
    return inner != env


def check_draw(seed):
    """How many values, and how many refinements, were compared."""
    draw, compared, refined = Draw(seed), 0, 0
    nodes = [draw.integer(), draw.relative(draw.atom())]
    conditions = [draw.condition(draw.pick(0, 1, 2)) for _ in range(CONDITIONS)]
    conditions.append(Logic("!", Var("flag", tree.BOOL, conditions[0])))
    points = [values_of(draw.env, draw.random) for _ in range(POINTS)]
    for node in filter(draw.defined, nodes + conditions):
        for values in points:
            try:
                if node in nodes:
                    check_node(draw.env, node, values)
                    compared += 1
                else:
                    refined += check_condition(draw.env, node, values)
            except AssertionError as error:
                sys.exit(f"seed {seed}: {node}: {error}; {draw.written(values)}")
    return compared, refined


def values_of(env, chooser):
    """A value for each variable of `env`: an end of its range, or one between."""
    return {name: chooser.choice([low, high, chooser.randint(low, high)]) for name, (low, high) in env.items()}


def check_kernel(seed):
    """Runs some work items of each launch of the kernel of a seed; returns how many."""
    kernel, chooser = kernel_of(seed), random.Random(seed)
    for launch in kernel.launches:
        extents = extents_of(kernel, launch)
        for _ in range(ITEMS):
            item = WorkItem(values_of(environment(launch), chooser), extents, chooser)
            try:
                item.run(kernel.body)
            except Leaves:
                pass
            except AssertionError as error:
                sys.exit(f"kernel {seed}: {error}; {launch}, {item.values}")
    return ITEMS * len(kernel.launches)


def main():
    draws, kernels = int(sys.argv[2]), int(sys.argv[3])
    compared, refined = map(sum, zip(*map(check_draw, range(draws))))
    assert refined >= draws, "hardly any condition says anything"
    items = sum(map(check_kernel, range(kernels)))
    print(f"{compared} values of integers, {refined} refinements and {items} work items agree with the ranges")


main()
