"""Expressions and statements of a kernel, and how they are written in CUDA C++."""

import functools
from dataclasses import dataclass, field, fields, replace
from typing import Optional


@dataclass(eq=False)
class Type:
    """An arithmetic type, of which there is one object; `bits` of a floating-point type order it."""

    name: str
    bits: int
    signed: bool = True
    is_float: bool = False

    def __post_init__(self):
        self.low = -(1 << (self.bits - 1)) if self.signed and self.bits else 0
        self.high = (1 << (self.bits - self.signed)) - 1 if self.bits else 0

    def __deepcopy__(self, memo):
        return self

    def holds(self, span):
        return self.low <= span[0] and span[1] <= self.high


CHAR, UCHAR = Type("signed char", 8), Type("unsigned char", 8, False)
SHORT, USHORT = Type("short", 16), Type("unsigned short", 16, False)
INT, UINT = Type("int", 32), Type("unsigned", 32, False)
LONG, ULONG = Type("long", 64), Type("size_t", 64, False)
LLONG, ULLONG = Type("long long", 64), Type("unsigned long long", 64, False)
BOOL = Type("bool", 1, False)
HALF, FLOAT, DOUBLE = (Type(name, bits, True, True) for name, bits in [("__half", 16), ("float", 32), ("double", 64)])
INTEGERS = [CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG]
RANK = [INT, UINT, LONG, ULONG, LLONG, ULLONG]


def promoted(kind):
    return INT if not kind.is_float and kind.bits < 32 else kind


@functools.lru_cache(maxsize=None)
def common(a, b):
    """The type in which C computes with values of both."""
    a, b = promoted(a), promoted(b)
    if a.is_float or b.is_float:
        return max((kind for kind in (a, b) if kind.is_float), key=lambda kind: kind.bits)
    low, high = sorted((a, b), key=RANK.index)
    # `long long` cannot hold all of `unsigned long`.
    return ULLONG if high is LLONG and low is ULONG else high


# ---------------------------------------------------------------------------------------------------------------------
# Expressions. Each has a `type`; `children` are the operands.
# ---------------------------------------------------------------------------------------------------------------------

class Node:
    """Anything in a kernel's tree."""

    def children(self):
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, list):
                yield from value

    def walk(self):
        yield self
        for child in self.children():
            yield from child.walk()


@dataclass(eq=False)
class Const(Node):
    value: object
    type: Type

    def __str__(self):
        if self.type.is_float:
            return f"(__half){self.value}.0f" if self.type == HALF else \
                f"{self.value}.0{'f' if self.type == FLOAT else ''}"
        suffix = {UINT: "u", LONG: "l", LLONG: "ll", ULONG: "ul", ULLONG: "ull"}.get(self.type, "")
        text = f"{self.value}{suffix}" if self.value >= 0 else f"({self.value}{suffix})"
        return text if self.type.bits >= 32 else f"({self.type.name}){text}"


@dataclass(eq=False)
class Var(Node):
    """A variable, parameter or built-in; `meaning` is the condition that an immutable bool stands for."""

    name: str
    type: Type
    meaning: Optional["Node"] = None

    def children(self):
        return iter(())

    def __str__(self):
        return self.name


@dataclass(eq=False)
class Cast(Node):
    type: Type
    value: Node

    def __str__(self):
        return f"({self.type.name}){self.value}" if isinstance(self.value, (Var, Select, Load, Binary, Compare, MinMax)) \
            else f"({self.type.name})({self.value})"


@dataclass(eq=False)
class Binary(Node):
    op: str
    a: Node
    b: Node

    @property
    def type(self):
        return promoted(self.a.type) if self.op in ("<<", ">>") else common(self.a.type, self.b.type)

    def __str__(self):
        return f"({self.a} {self.op} {self.b})"


@dataclass(eq=False)
class MinMax(Node):
    op: str
    a: Node
    b: Node

    @property
    def type(self):
        return common(self.a.type, self.b.type)

    def __str__(self):
        return f"{self.op}({self.a}, {self.b})"


@dataclass(eq=False)
class Compare(Node):
    op: str
    a: Node
    b: Node
    type = BOOL

    def __str__(self):
        return f"({self.a} {self.op} {self.b})"


@dataclass(eq=False)
class Logic(Node):
    """`&&` or `||` of two conditions, or `!` of the first."""

    op: str
    a: Node
    b: Optional[Node] = None
    type = BOOL

    def __str__(self):
        return f"!{self.a}" if self.op == "!" else f"({self.a} {self.op} {self.b})"


@dataclass(eq=False)
class Select(Node):
    condition: Node
    a: Node
    b: Node

    @property
    def type(self):
        return self.a.type if self.a.type == self.b.type else common(self.a.type, self.b.type)

    def __str__(self):
        return f"({self.condition} ? {self.a} : {self.b})"


@dataclass(eq=False)
class Array:
    """An array parameter, or with `size` a workgroup array; with `space` too a variable of the module. `struct` declares
    the type of its elements."""

    name: str
    element: Type
    const: bool = True
    restrict: bool = False
    size: Optional[int] = None
    field: str = ""
    struct: str = ""
    space: str = ""


@dataclass(eq=False)
class Load(Node):
    """`array[index]`, or `(array + base)[index]`."""

    array: Array
    index: Node
    base: Optional[Node] = None

    @property
    def type(self):
        return self.array.element

    def __str__(self):
        start = f"({self.array.name} + {self.base})" if self.base else self.array.name
        return f"{start}[{self.index}]" + (f".{self.array.field}" if self.array.field else "")


@dataclass(eq=False)
class Call(Node):
    """A function of the library whose operands may have any value, such as `fabsf` or a shuffle."""

    name: str
    arguments: list
    type: Type

    def __str__(self):
        return f"{self.name}({', '.join(map(str, self.arguments))})"


# ---------------------------------------------------------------------------------------------------------------------
# Statements. `lines` are their text without indentation of their own.
# ---------------------------------------------------------------------------------------------------------------------

def indented(statements):
    return ["  " + line for statement in statements for line in statement.lines()]


@dataclass(eq=False)
class Declare(Node):
    var: Var
    value: Node
    mutable: bool = False

    def lines(self):
        return [f"{self.var.type.name} {self.var} = {self.value};"]


@dataclass(eq=False)
class Assign(Node):
    """To a mutable variable."""

    var: Var
    op: str
    value: Node

    def lines(self):
        return [f"{self.var} {self.op} {self.value};"]


@dataclass(eq=False)
class Store(Node):
    target: Load
    op: str
    value: Node

    def lines(self):
        return [f"{self.target} {self.op} {self.value};"]


@dataclass(eq=False)
class AtomicAdd(Node):
    target: Load
    value: Node

    def lines(self):
        return [f"atomicAdd(&{self.target}, {self.value});"]


@dataclass(eq=False)
class If(Node):
    """`is_while`: written as a loop that ends behind its first iteration."""

    condition: Node
    then: list
    otherwise: list = field(default_factory=list)
    is_while: bool = False

    def lines(self):
        if self.is_while:
            return [f"while ({self.condition}) {{"] + indented(self.then) + ["  break;", "}"]
        last = ["} else {"] + indented(self.otherwise) if self.otherwise else []
        return [f"if ({self.condition}) {{"] + indented(self.then) + last + ["}"]


@dataclass(eq=False)
class Jump(Node):
    """`return`, `break` or `continue`."""

    word: str

    def lines(self):
        return [self.word + ";"]


@dataclass(eq=False)
class Barrier(Node):
    def lines(self):
        return ["__syncthreads();"]


@dataclass(eq=False)
class For(Node):
    """A loop of `kind`: `up` and `down` by `step`, `double`, `halve`; `spelling` is `for` or `while`."""

    var: Var
    start: Node
    bound: Node
    step: Node
    body: list
    kind: str = "up"
    spelling: str = "for"

    def head(self):
        name, kind = self.var.name, self.var.type
        if self.kind == "down":
            # Down to 0 from the bound.
            if kind.signed:
                return f"{kind.name} {name} = {self.bound} - 1", f"{name} >= 0", f"--{name}"
            return f"{kind.name} {name} = {self.bound}", f"{name}-- > 0", ""
        if self.kind == "halve":
            return f"{kind.name} {name} = {self.start}", f"{name} > 0", f"{name} >>= 1"
        step = f"{name} *= 2" if self.kind == "double" else f"{name} += {self.step}"
        return f"{kind.name} {name} = {self.start}", f"{name} < {self.bound}", step

    def lines(self):
        start, condition, step = self.head()
        if self.spelling == "while" and step:
            return ["{", f"  {start};", f"  while ({condition}) {{"] + ["  " + line for line in indented(self.body)] + \
                [f"    {step};", "  }", "}"]
        return [f"for ({start}; {condition}; {step}) {{"] + indented(self.body) + ["}"]


# ---------------------------------------------------------------------------------------------------------------------
# Kernels and launches.
# ---------------------------------------------------------------------------------------------------------------------

@dataclass
class Launch:
    """Values of the scalar parameters, geometry, and which array stands for which."""

    scalars: dict
    grid: tuple
    block: tuple
    same: dict = field(default_factory=dict)


@dataclass
class Kernel:
    seed: int
    target: str
    arrays: list
    scalars: list
    body: list
    launches: list
    shared: list = field(default_factory=list)
    domain: list = field(default_factory=list)
    variables: list = field(default_factory=list)

    @property
    def name(self):
        return f"f{self.seed}"

    def nodes(self):
        for statement in self.body:
            yield from statement.walk()

    def host_code(self, parameters):
        """
        A function that launches the kernel in blocks as its first launch has: the compiler then knows of them. What
        shares memory has one as often as not.
        """
        if self.seed % (2 if self.shared else 5) or not self.launches:
            return []
        arguments = ", ".join(item.name for item in [*self.arrays, *self.scalars])
        block = ", ".join(map(str, self.launches[0].block))
        return [f"void host_{self.name}({', '.join(parameters)}) {{ {self.name}<<<1, dim3({block})>>>({arguments}); }}"]

    def source(self):
        """The kernel's text. Extents of arrays are given with each launch."""
        parameters = [f"{'const ' if array.const else ''}{array.struct or array.element.name} *"
                      f"{'__restrict__ ' if array.restrict else ''}{array.name}" for array in self.arrays]
        parameters += [f"{scalar.type.name} {scalar.name}" for scalar in self.scalars]
        lines = [f"#pragma gpuopt domain({', '.join(self.domain)})"] if self.domain else []
        lines += [f"__global__ void {self.name}({', '.join(parameters)}) {{"]
        lines += [f"  __shared__ {array.element.name} {array.name}[{array.size}];" for array in self.shared]
        lines += indented(self.body) + ["}", *self.host_code(parameters), ""]
        for variable in self.variables:
            # Kernels of one file share no names.
            name = f"{self.name}_{variable.name}"
            lines = [f"{variable.space} {variable.element.name} {name}[{variable.size}];",
                     f"#define {variable.name} {name}", *lines, f"#undef {variable.name}", ""]
        return "\n".join(lines)

    def with_(self, **changes):
        return replace(self, **changes)


STRUCTS = {
    "Point": "struct Point { float x, y; int id; };",
    "Cell": "struct Cell { unsigned char kind; short level; unsigned weight; };",
}
PREAMBLE = "#include <cuda_fp16.h>\n" + "\n".join(STRUCTS.values()) + "\n"
