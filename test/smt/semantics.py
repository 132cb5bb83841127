"""The meaning of integer arithmetic in MLIR, for all inputs, as formulas of Z3.

Reads kernels in MLIR's generic form and gives, for each of their stores, when it happens and which element it writes. A value is its
bits and whether it is poison; what is undefined (a division by zero, a branch or a store that depends on poison) is undefined behaviour of
the kernel. `affine.apply` computes with integers: a part of its sum that leaves 64 bits is poison. Subscripts make addresses modulo 2^64,
whether of a parameter or of a view of one; only what they divide must not leave 64 bits.
"""

import re
from dataclasses import dataclass, field

import z3

INDEX_BITS = 64
MOST_THREADS = 1024
MOST_WORK_ITEMS = 1 << 31
PREDICATES = [
    lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
    z3.ULT, z3.ULE, z3.UGT, z3.UGE]


@dataclass
class Op:
    results: list
    name: str
    operands: list
    attributes: str
    operand_types: list
    result_types: list
    regions: list = field(default_factory=list)


@dataclass
class Value:
    bits: z3.BitVecRef
    poison: z3.BoolRef


@dataclass
class View:
    """Of an array: where an element is, `offset + subscripts * strides`."""
    offset: z3.BitVecRef
    strides: list


@dataclass
class Store:
    happens: z3.BoolRef
    element: Value


@dataclass
class Meaning:
    stores: list
    undefined: z3.BoolRef


OP = re.compile(r'\s*(?:(?P<results>[%\w, :]+) = )?"(?P<name>[\w.]+)"\((?P<operands>[^)]*)\)(?: <\{(?P<attributes>.*?)\}>)?'
                r'(?: \((?P<open>\{))?(?: : (?P<types>.*))?$')


def names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


def set_types(op, types):
    operands, results = re.match(r"\((.*)\) -> (.*)$", types).groups()
    op.operand_types, op.result_types = names(operands), names(results.strip("()"))


def parse_region(lines):
    """Operations up to the end of the region, and the line that ends it."""
    body, arguments = [], []
    for line in lines:
        text = line.strip()
        if text.startswith("^"):
            arguments = re.findall(r"(%\w+): ([^,)]+)", text)
            continue
        if text.startswith("}"):
            return arguments, body, text
        found = OP.match(line)
        if not found:
            raise ValueError(f"cannot read '{text}'")
        op = Op(names(found["results"] or ""), found["name"], names(found["operands"]), found["attributes"] or "", [], [])
        if found["open"]:
            end = "}, {"
            while end == "}, {":
                *region, end = parse_region(lines)
                op.regions.append(region)
            op.attributes += end
            set_types(op, re.search(r" : (\([^()]*\) -> .*)$", end)[1])
        else:
            set_types(op, found["types"])
        body.append(op)
    return arguments, body, ""


def parse_kernels(text):
    """The kernels of a module by name, and its affine maps."""
    maps = dict(re.findall(r"^(#\w+) = affine_map<(.*)>$", text, re.M))
    lines = iter(line for line in text.splitlines() if line and not line.startswith("#"))
    _, (module,), _ = parse_region(lines)
    kernels = {}
    pending = [module]
    while pending:
        op = pending.pop()
        if op.name == "gpu.func":
            kernels[re.search(r'sym_name = "(\w+)"', op.attributes)[1]] = op.regions[0]
            continue
        for _, body in op.regions:
            pending += body
    return kernels, maps


def bits_of(type_name):
    return INDEX_BITS if type_name == "index" else int(type_name[1:])


def number(value, bits):
    return z3.BitVecVal(value, bits)


class Interpreter:
    """Runs one kernel on symbols; kernels that are compared share `inputs`."""

    def __init__(self, maps, inputs):
        self.maps, self.inputs = maps, inputs
        self.values, self.stores, self.undefined = {}, [], []

    def run(self, arguments, body):
        for position, (name, type_name) in enumerate(arguments):
            if re.fullmatch(r"i\d+", type_name):
                self.values[name] = self.input(f"argument{position}", bits_of(type_name))
            else:
                self.values[name] = View(number(0, INDEX_BITS), [number(1, INDEX_BITS)])
        self.block(body, z3.BoolVal(True))
        return Meaning(self.stores, z3.Or(self.undefined))

    def input(self, name, bits):
        if name not in self.inputs:
            self.inputs[name] = z3.BitVec(name, bits)
        return Value(self.inputs[name], z3.BoolVal(False))

    def block(self, body, reached):
        for op in body:
            self.operation(op, reached)

    def operation(self, op, reached):
        if op.name in ("gpu.return", "scf.yield"):
            return
        if op.name == "scf.if":
            return self.branch(op, reached)
        if op.name in ("memref.store", "affine.store"):
            element = self.element(op)
            self.undefined.append(z3.And(reached, element.poison))
            self.stores.append(Store(reached, element))
            return
        self.values[op.results[0]] = self.compute(op, reached)

    def element(self, op):
        """Which one `op` stores to."""
        view, *operands = (self.values[name] for name in op.operands[1:])
        subscripts, poison = [operand.bits for operand in operands], z3.Or([operand.poison for operand in operands])
        if op.name == "affine.store":
            terms = self.affine(op, subscripts)
            subscripts, poison = [term.bits for term in terms], z3.Or(poison, *(failure for term in terms for failure in term.failures))
        return Value(view.offset + sum(at * stride for at, stride in zip(subscripts, view.strides, strict=True)), poison)

    def view(self, op):
        """`memref.reinterpret_cast`; what is not static follows the array among the operands."""
        static = {kind: [int(value) for value in values.split(",") if value]
                  for kind, values in re.findall(r"static_(\w+) = array<i64:? ?([^>]*)>", op.attributes)}
        dynamic = iter(self.values[name].bits for name in op.operands[1:])
        lists = {kind: [next(dynamic) if value == -(1 << 63) else number(value, INDEX_BITS) for value in static[kind]]
                 for kind in ("offsets", "sizes", "strides")}
        return View(lists["offsets"][0], lists["strides"])

    def branch(self, op, reached):
        condition = self.values[op.operands[0]]
        self.undefined.append(z3.And(reached, condition.poison))
        taken = condition.bits == 1
        for way, (_, body) in zip((taken, z3.Not(taken)), op.regions):
            self.block(body, z3.And(reached, way))

    def compute(self, op, reached):
        if op.name.startswith("gpu."):
            return self.identifier(op)
        if op.name == "arith.constant":
            return self.constant(op)
        if op.name == "memref.reinterpret_cast":
            return self.view(op)
        operands = [self.values[name] for name in op.operands]
        poison = z3.Or([operand.poison for operand in operands])
        if op.name == "arith.select":
            condition, chosen, other = operands
            return Value(z3.If(condition.bits == 1, chosen.bits, other.bits),
                         z3.Or(condition.poison, z3.If(condition.bits == 1, chosen.poison, other.poison)))
        if op.name == "affine.apply":
            (term,) = self.affine(op, [operand.bits for operand in operands])
            return Value(term.bits, z3.Or(poison, *term.failures, *term.wraps))
        if op.name == "arith.cmpi":
            holds = PREDICATES[int(re.search(r"predicate = (\d+)", op.attributes)[1])](operands[0].bits, operands[1].bits)
            return Value(z3.If(holds, number(1, 1), number(0, 1)), poison)
        if len(operands) == 1:
            return self.cast(op, operands[0])
        return self.binary(op, operands[0].bits, operands[1].bits, poison, reached)

    def identifier(self, op):
        if op.name == "gpu.global_id":
            block, size, thread = (self.identifier(Op([], name, [], op.attributes, [], []))
                                   for name in ("gpu.block_id", "gpu.block_dim", "gpu.thread_id"))
            return Value(block.bits * size.bits + thread.bits, z3.BoolVal(False))
        value = self.input(op.name + re.search(r"dim (\w)", op.attributes)[1], INDEX_BITS)
        return value

    def launch(self):
        """What holds of every launch: a block has 1 to 1024 threads along x, a grid fewer than 2^31 work items."""
        block, size, thread = (self.input(f"gpu.{name}x", INDEX_BITS).bits for name in ("block_id", "block_dim", "thread_id"))
        return z3.And(size >= 1, size <= MOST_THREADS, thread >= 0, thread < size, block >= 0, block < MOST_WORK_ITEMS,
                      block * size + size < MOST_WORK_ITEMS)

    def constant(self, op):
        text = re.search(r"value = (-?\w+)", op.attributes)[1]
        value = {"true": 1, "false": 0}.get(text)
        return Value(number(int(text) if value is None else value, bits_of(op.result_types[0])), z3.BoolVal(False))

    def cast(self, op, operand):
        source, target = bits_of(op.operand_types[0]), bits_of(op.result_types[0])
        bits, poison = operand.bits, operand.poison
        if target > source:
            extend = z3.ZeroExt if op.name in ("arith.extui", "arith.index_castui") else z3.SignExt
            return Value(extend(target - source, bits), poison)
        narrow = z3.Extract(target - 1, 0, bits)
        if "nsw" in op.attributes:
            poison = z3.Or(poison, z3.SignExt(source - target, narrow) != bits)
        if "nuw" in op.attributes:
            poison = z3.Or(poison, z3.ZeroExt(source - target, narrow) != bits)
        return Value(narrow, poison)

    def binary(self, op, a, b, poison, reached):
        kind, bits = op.name.removeprefix("arith."), a.size()
        zero, least = number(0, bits), number(1 << (bits - 1), bits)
        nsw, nuw = "nsw" in op.attributes, "nuw" in op.attributes
        failures = []
        if kind in ("divsi", "remsi", "floordivsi", "ceildivsi"):
            self.undefined.append(z3.And(reached, z3.Or(b == zero, z3.And(a == least, b == -1))))
        elif kind in ("divui", "remui", "ceildivui"):
            self.undefined.append(z3.And(reached, b == zero))
        elif kind in ("shli", "shrsi", "shrui"):
            failures.append(z3.UGE(b, bits))
        quotient, remainder = a / b, z3.SRem(a, b)
        rounds = remainder != 0
        results = {
            "addi": lambda: a + b, "subi": lambda: a - b, "muli": lambda: a * b, "andi": lambda: a & b, "ori": lambda: a | b,
            "xori": lambda: a ^ b, "shli": lambda: a << b, "shrsi": lambda: a >> b, "shrui": lambda: z3.LShR(a, b),
            "divsi": lambda: quotient, "remsi": lambda: remainder, "divui": lambda: z3.UDiv(a, b), "remui": lambda: z3.URem(a, b),
            "floordivsi": lambda: z3.If(z3.And(rounds, (a < 0) != (b < 0)), quotient - 1, quotient),
            "ceildivsi": lambda: z3.If(z3.And(rounds, (a < 0) == (b < 0)), quotient + 1, quotient),
            "minsi": lambda: z3.If(a < b, a, b), "maxsi": lambda: z3.If(a > b, a, b),
            "minui": lambda: z3.If(z3.ULT(a, b), a, b), "maxui": lambda: z3.If(z3.UGT(a, b), a, b)}
        result = results[kind]()
        if nsw or nuw:
            failures += self.wraps(kind, a, b, result, nsw, nuw)
        if "isExact" in op.attributes and kind in ("shrsi", "shrui"):
            failures.append(result << b != a)
        elif "isExact" in op.attributes:
            failures.append(result * b != a)
        return Value(result, z3.Or(poison, *failures))

    @staticmethod
    def wraps(kind, a, b, result, nsw, nuw):
        if kind == "shli":
            return [result >> b != a] * nsw + [z3.LShR(result, b) != a] * nuw
        signed = {"addi": lambda: [z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b)],
                  "subi": lambda: [z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True)],
                  "muli": lambda: [z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b)]}
        unsigned = {"addi": lambda: [z3.BVAddNoOverflow(a, b, False)], "subi": lambda: [z3.BVSubNoUnderflow(a, b, False)],
                    "muli": lambda: [z3.BVMulNoOverflow(a, b, False)]}
        kept = (signed[kind]() if nsw else []) + (unsigned[kind]() if nuw else [])
        return [z3.Not(condition) for condition in kept]

    def affine(self, op, operands):
        """The values of the operation's map."""
        name = re.search(r"map = (#\w+|affine_map<.*>)", op.attributes)[1]
        header, results = self.maps.get(name, name.removeprefix("affine_map<").removesuffix(">")).split(" -> ", 1)
        variables = dict(zip(re.findall(r"[ds]\d+", header), (AffineTerm(bits) for bits in operands), strict=True))
        for affine_name, operator in (("floordiv", "//"), ("ceildiv", "@"), ("mod", "%")):
            results = re.sub(rf"\b{affine_name}\b", operator, results)
        return [AffineTerm.of(value) for value in eval(results.removesuffix(")") + ",)", {"__builtins__": {}}, variables)]


class AffineTerm:
    """A part of an affine expression; divisors are positive constants. `wraps` says when a sum in it leaves 64 bits, `failures` when that is
    divided."""

    def __init__(self, bits, wraps=(), failures=()):
        self.bits, self.wraps, self.failures = bits, list(wraps), list(failures)

    @staticmethod
    def of(value):
        return value if isinstance(value, AffineTerm) else AffineTerm(number(value, INDEX_BITS))

    def combine(self, other, result, *kept):
        other = AffineTerm.of(other)
        return AffineTerm(result, self.wraps + other.wraps + [z3.Not(condition) for condition in kept], self.failures + other.failures)

    def quotient(self, result):
        return AffineTerm(result, [], self.failures + self.wraps)

    def __add__(self, other):
        b = AffineTerm.of(other).bits
        return self.combine(other, self.bits + b, z3.BVAddNoOverflow(self.bits, b, True), z3.BVAddNoUnderflow(self.bits, b))

    def __sub__(self, other):
        b = AffineTerm.of(other).bits
        return self.combine(other, self.bits - b, z3.BVSubNoOverflow(self.bits, b), z3.BVSubNoUnderflow(self.bits, b, True))

    def __mul__(self, other):
        b = AffineTerm.of(other).bits
        return self.combine(other, self.bits * b, z3.BVMulNoOverflow(self.bits, b, True), z3.BVMulNoUnderflow(self.bits, b))

    def __neg__(self):
        return AffineTerm.of(0) - self

    def __radd__(self, other):
        return AffineTerm.of(other) + self

    def __rsub__(self, other):
        return AffineTerm.of(other) - self

    __rmul__ = __mul__

    def __floordiv__(self, other):
        quotient, remainder = self.bits / other, z3.SRem(self.bits, other)
        return self.quotient(z3.If(remainder < 0, quotient - 1, quotient))

    def __matmul__(self, other):  # `ceildiv`
        quotient, remainder = self.bits / other, z3.SRem(self.bits, other)
        return self.quotient(z3.If(remainder > 0, quotient + 1, quotient))

    def __mod__(self, other):
        remainder = z3.SRem(self.bits, other)
        return self.quotient(z3.If(remainder < 0, remainder + other, remainder))


def refutation(source, target, maps, timeout_ms):
    """None where `target` does what `source` does for all inputs, else a counterexample or 'unknown'."""
    inputs = {}
    old_run, new_run = Interpreter(maps[0], inputs), Interpreter(maps[1], inputs)
    before, after = old_run.run(*source), new_run.run(*target)
    wrong = [after.undefined]
    if len(before.stores) == len(after.stores):
        for old, new in zip(before.stores, after.stores):
            wrong += [old.happens != new.happens, z3.And(old.happens, old.element.bits != new.element.bits)]
    elif after.stores:
        return "another number of stores"
    else:
        wrong += [old.happens for old in before.stores]
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", timeout_ms)
    solver.add(old_run.launch(), z3.Not(before.undefined), z3.Or(wrong))
    result = solver.check()
    if result == z3.unsat:
        return None
    return "unknown" if result == z3.unknown else str(solver.model())
