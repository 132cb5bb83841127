"""Which values expressions can have in a launch; refuses what may be undefined.

A range is a pair of integers; an environment gives those of the variables, and is None where nothing can run. Signed
overflow, division by zero, shifts by too much, negative subscripts and loops that would not end are `Undefined`.
"""

from . import tree
from .tree import BOOL, Binary, Compare, Logic, MinMax, Select, Var, Cast, Const, Load, Call, common, promoted

# Elements of an array, iterations of a loop and of all loops of a work item.
MOST_ELEMENTS = 1 << 15
MOST_TRIPS = 300


class Undefined(Exception):
    """The program may do what C++ does not define, or what would take too long."""


def converted(span, kind):
    """The range of a value of `span` after conversion to `kind`: exact where all of it wraps alike."""
    low, high = span
    if kind.low <= low and high <= kind.high:
        return span
    if kind is BOOL:
        return int(low > 0 or high < 0), int(low != 0 or high != 0)
    size = 1 << kind.bits
    turns = (low - kind.low) // size
    if (high - kind.low) // size == turns:
        return low - turns * size, high - turns * size
    return kind.low, kind.high


def fitted(span, kind, what):
    if kind.holds(span):
        return span
    if kind.signed:
        raise Undefined(f"overflow of {what}")
    return converted(span, kind)


def truncating(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def divisor(a, b, kind):
    if b[0] <= 0 <= b[1] or (kind.signed and a[0] == kind.low and b[0] <= -1 <= b[1]):
        raise Undefined("division")


def divide(a, b, kind):
    divisor(a, b, kind)
    ends = [truncating(x, y) for x in a for y in b]
    return min(ends), max(ends)


def remainder(a, b, kind):
    divisor(a, b, kind)
    if a[0] == a[1] and b[0] == b[1]:
        rest = a[0] - truncating(a[0], b[0]) * b[0]
        return rest, rest
    if 0 <= a[0] and a[1] < b[0]:
        return a
    most = max(abs(b[0]), abs(b[1])) - 1
    return max(a[0], -most) if a[0] < 0 else 0, min(a[1], most) if a[1] > 0 else 0


def shift(op, a, b, kind):
    if b[0] < 0 or b[1] >= kind.bits:
        raise Undefined("shift")
    if op == ">>":
        ends = [x >> y for x in a for y in b]
        return min(ends), max(ends)
    if kind.signed and a[0] < 0:
        raise Undefined("shift of a negative number")
    return fitted((a[0] << b[0], a[1] << b[1]), kind, "<<")


def bitwise(op, a, b, kind):
    if a[0] == a[1] and b[0] == b[1]:
        value = {"&": a[0] & b[0], "|": a[0] | b[0], "^": a[0] ^ b[0]}[op]
        return value, value
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(span[1] for span in (a, b) if span[0] >= 0)
    if a[0] >= 0 and b[0] >= 0:
        return 0, (1 << max(a[1], b[1]).bit_length()) - 1
    return kind.low, kind.high


def arithmetic(op, a, b, kind):
    if op == "/":
        return divide(a, b, kind)
    if op == "%":
        return remainder(a, b, kind)
    if op in "&|^":
        return bitwise(op, a, b, kind)
    if op == "+":
        span = a[0] + b[0], a[1] + b[1]
    elif op == "-":
        span = a[0] - b[1], a[1] - b[0]
    else:
        ends = [x * y for x in a for y in b]
        span = min(ends), max(ends)
    return fitted(span, kind, op)


def compared(op, a, b):
    """(0, 0), (1, 1) or (0, 1)."""
    if op in ("==", "!="):
        never, always = a[1] < b[0] or b[1] < a[0], a[0] == a[1] == b[0] == b[1]
        if op == "!=":
            never, always = always, never
    else:
        if op in (">", ">="):
            a, b, op = b, a, "<" if op == ">" else "<="
        strict = op == "<"
        always = a[1] < b[0] or (not strict and a[1] <= b[0])
        never = a[0] > b[1] or (strict and a[0] >= b[1])
    return int(always), int(not never)


class Ranges:
    """What a launch makes of expressions, and how far it reaches into the arrays."""

    def __init__(self, extents=None):
        self.extents = {} if extents is None else extents

    def of(self, node, env):
        """The range of `node`; None for floating point."""
        return getattr(self, type(node).__name__)(node, env)

    def Const(self, node, env):
        return None if node.type.is_float else (node.value, node.value)

    def Var(self, node, env):
        if node.type.is_float:
            return None
        return env.get(node.name) or (node.type.low, node.type.high)

    def Cast(self, node, env):
        span = self.of(node.value, env)
        if node.type.is_float:
            return None
        if span is None:
            raise Undefined("float to integer")
        return converted(span, node.type)

    def Binary(self, node, env):
        a, b = self.of(node.a, env), self.of(node.b, env)
        kind = node.type
        if kind.is_float:
            return None
        if node.op in ("<<", ">>"):
            return shift(node.op, converted(a, kind), b, kind)
        return arithmetic(node.op, converted(a, kind), converted(b, kind), kind)

    def MinMax(self, node, env):
        a, b = self.of(node.a, env), self.of(node.b, env)
        if node.type.is_float:
            return None
        a, b = converted(a, node.type), converted(b, node.type)
        pick = min if node.op == "min" else max
        return pick(a[0], b[0]), pick(a[1], b[1])

    def Compare(self, node, env):
        a, b = self.of(node.a, env), self.of(node.b, env)
        if a is None or b is None:
            return 0, 1
        kind = common(node.a.type, node.b.type)
        return compared(node.op, converted(a, kind), converted(b, kind))

    def Logic(self, node, env):
        a = self.of(node.a, env)
        if node.op == "!":
            return 1 - a[1], 1 - a[0]
        goes_on = node.op == "&&"
        inner = self.refined(node.a, goes_on, env)
        if inner is None:
            return a
        b = self.of(node.b, inner)
        return (a[0] & b[0], a[1] & b[1]) if goes_on else (a[0] | b[0], a[1] | b[1])

    def Select(self, node, env):
        self.of(node.condition, env)
        spans = []
        for value, truth in ((node.a, True), (node.b, False)):
            inner = self.refined(node.condition, truth, env)
            if inner is not None:
                span = self.of(value, inner)
                spans.append(span and converted(span, node.type))
        if node.type.is_float:
            return None
        return min(span[0] for span in spans), max(span[1] for span in spans)

    def Load(self, node, env):
        low, high = self.of(node.index, env)
        if node.base is not None:
            base = self.of(node.base, env)
            if base[0] < 0:
                raise Undefined("a pointer before its array")
            low, high = low + base[0], max(high, 0) + base[1]
        if low < 0 or high >= (node.array.size or MOST_ELEMENTS):
            raise Undefined("subscript")
        if not node.array.size:
            self.extents[node.array.name] = max(self.extents.get(node.array.name, 0), high + 1)
        return None if node.type.is_float else (node.type.low, node.type.high)

    def Call(self, node, env):
        for argument in node.arguments:
            self.of(argument, env)
        return None if node.type.is_float else (node.type.low, node.type.high)

    # -----------------------------------------------------------------------------------------------------------------

    def refined(self, condition, truth, env):
        """The environment where `condition` is `truth`; None where it cannot be."""
        if isinstance(condition, Var) and condition.meaning is not None:
            return self.refined(condition.meaning, truth, env)
        if isinstance(condition, Logic):
            return self.refined_logic(condition, truth, env)
        span = self.of(condition, env)
        if span == (int(not truth), int(not truth)):
            return None
        if not isinstance(condition, Compare) or condition.a.type.is_float or condition.b.type.is_float:
            return env
        op = condition.op
        if not truth:
            op = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[op]
        flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        kind = common(condition.a.type, condition.b.type)
        env = self.bounded(condition.a, op, converted(self.of(condition.b, env), kind), kind, env)
        return env and self.bounded(condition.b, flipped, converted(self.of(condition.a, env), kind), kind, env)

    def refined_logic(self, condition, truth, env):
        if condition.op == "!":
            return self.refined(condition.a, not truth, env)
        if (condition.op == "&&") == truth:
            inner = self.refined(condition.a, truth, env)
            return inner and self.refined(condition.b, truth, inner)
        # Either the first decides, or the second.
        one = self.refined(condition.a, truth, env)
        other = self.refined(condition.a, not truth, env)
        other = other and self.refined(condition.b, truth, other)
        if one is None or other is None:
            return one or other
        return {name: (min(one[name][0], other[name][0]), max(one[name][1], other[name][1])) for name in env}

    def bounded(self, node, op, bound, kind, env):
        """`env` where `node`, converted to `kind`, is `op` `bound`."""
        conversions = [kind]
        while isinstance(node, Cast):
            conversions.insert(0, node.type)
            node = node.value
        if not isinstance(node, Var) or node.name not in env:
            return env
        span = env[node.name]
        low, high = {"<": (kind.low, bound[1] - 1), "<=": (kind.low, bound[1]), ">": (bound[0] + 1, kind.high),
                     ">=": (bound[0], kind.high), "==": bound}.get(op, (kind.low, kind.high))
        for step in conversions:
            if step.holds(span):
                continue
            # Negative numbers become greater than all that are allowed, unless they are below -2^(bits - 1).
            if step.signed or span[1] > step.high or len(conversions) > 2 or high >= step.high // 2 or \
                    span[0] < -(step.high // 2) - 1:
                return env
            span = max(span[0], 0), span[1]
        new = max(span[0], low), min(span[1], high)
        return {**env, node.name: new} if new[0] <= new[1] else None


class Flow(Ranges):
    """Runs statements on ranges: `block` gives the environment behind them, None where none gets there."""

    def block(self, statements, env):
        for statement in statements:
            if env is None:
                return None
            env = getattr(self, type(statement).__name__)(statement, env)
        return env

    def Declare(self, node, env):
        span = self.of(node.value, env)
        if node.mutable or span is None:
            return env
        return {**env, node.var.name: converted(span, node.var.type)}

    def Assign(self, node, env):
        value = node.value if node.op == "=" else Binary(node.op[:-1], node.var, node.value)
        self.of(value, env)
        return env

    def Store(self, node, env):
        value = node.value if node.op == "=" else Binary(node.op[:-1], node.target, node.value)
        self.of(value, env)
        self.of(node.target, env)
        return env

    def AtomicAdd(self, node, env):
        self.of(node.value, env)
        self.of(node.target, env)
        return env

    def If(self, node, env):
        self.of(node.condition, env)
        ends = []
        for truth, body in ((True, node.then), (False, node.otherwise)):
            inner = self.refined(node.condition, truth, env)
            ends.append(inner and self.block(body, inner))
        if None in ends:
            return ends[0] or ends[1]
        return {name: (min(ends[0][name][0], ends[1][name][0]), max(ends[0][name][1], ends[1][name][1]))
                for name in env}

    def Jump(self, node, env):
        return None

    def Barrier(self, node, env):
        return env

    def For(self, node, env):
        kind = node.var.type
        first = converted(self.of(node.start, env), kind)
        if node.kind == "halve":
            inside, trips = (1, first[1]), first[1].bit_length()
        elif node.kind == "down":
            bound = fitted(self.of(node.bound, env), kind, "a bound")
            inside, trips = (0, bound[1] - 1), bound[1]
            if kind.signed:
                # Where the bound has no sign, 0 - 1 does not end the loop.
                bound = fitted(self.of(Binary("-", node.bound, Const(1, tree.INT)), env), kind, "a bound")
                inside, trips = (0, bound[1]), bound[1] + 1
        else:
            inside, trips = self.upward(node, first, env)
        if first[0] < 0:
            raise Undefined("a loop that starts below 0")
        if trips > MOST_TRIPS:
            raise Undefined("a long loop")
        if inside[0] <= inside[1]:
            self.block(node.body, {**env, node.var.name: inside})
        return env

    def upward(self, node, first, env):
        kind = node.var.type
        bound = converted(self.of(node.bound, env), common(kind, node.bound.type))
        inside = first[0], bound[1] - 1
        if node.kind == "double":
            if first[0] < 1 or 2 * inside[1] > kind.high:
                raise Undefined("doubling")
            return inside, max(0, inside[1]).bit_length()
        step = self.of(node.step, env)
        if step[0] < 1 or inside[1] + step[1] > kind.high:
            raise Undefined("a loop that does not end")
        return inside, (inside[1] - inside[0]) // step[0] + 1


BUILT_INS = {f"{place}.{dim}": Var(f"{place}.{dim}", tree.UINT)
             for place in ("threadIdx", "blockIdx", "blockDim", "gridDim") for dim in "xyz"}


def environment(launch):
    env = {name: (value, value) for name, value in launch.scalars.items()}
    for index, dim in enumerate("xyz"):
        env[f"threadIdx.{dim}"] = 0, launch.block[index] - 1
        env[f"blockIdx.{dim}"] = 0, launch.grid[index] - 1
        env[f"blockDim.{dim}"] = (launch.block[index],) * 2
        env[f"gridDim.{dim}"] = (launch.grid[index],) * 2
    return env


def extents_of(kernel, launch):
    """How many elements each array needs; raises Undefined where the launch may do what is not defined."""
    flow = Flow()
    flow.block(kernel.body, environment(launch))
    return {array.name: flow.extents.get(array.name, 0) for array in kernel.arrays}
