"""Registers, statements and blocks of a program, and how they are written in PTX and in C++."""

import itertools
import pathlib
import re
from dataclasses import dataclass, field, replace

HELPERS = pathlib.Path(__file__).with_name("helpers.cuh")
NAME = re.compile(r"%[a-z]+\d+")


@dataclass(frozen=True)
class Kind:
    """What a register holds, of which there is one object. `move` is the type of `mov` for it, `cpp` the one of its
    variable, and `declared` are the types that it may be declared with."""

    prefix: str
    bits: int
    move: str
    cpp: str
    declared: tuple

    def __deepcopy__(self, memo):
        return self


H16 = Kind("rs", 16, "b16", "isa::u16", ("b16", "u16", "s16"))
R32 = Kind("r", 32, "b32", "isa::u32", ("b32", "u32", "s32"))
R64 = Kind("rd", 64, "b64", "isa::u64", ("b64", "u64", "s64"))
F16 = Kind("h", 16, "b16", "isa::u16", ("b16", "f16"))
BF16 = Kind("hb", 16, "b16", "isa::u16", ("b16",))
F32 = Kind("f", 32, "f32", "float", ("b32", "f32"))
F64 = Kind("fd", 64, "f64", "double", ("b64", "f64"))
F16X2 = Kind("hh", 32, "b32", "isa::u32", ("b32", "f16x2"))
BF16X2 = Kind("bb", 32, "b32", "isa::u32", ("b32",))
PRED = Kind("p", 1, "pred", "bool", ("pred",))
KINDS = (H16, R32, R64, F16, BF16, F32, F64, F16X2, BF16X2, PRED)
WORDS = {16: H16, 32: R32, 64: R64}
FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64, "f16x2": F16X2, "bf16x2": BF16X2}


def kind_of(type_name):
    """The kind of the registers for numbers of this type."""
    if type_name in FLOATS:
        return FLOATS[type_name]
    if type_name == "pred":
        return PRED
    return R32 if type_name.endswith("x2") else WORDS[max(16, bits_of(type_name))]


def bits_of(type_name):
    return 1 if type_name == "pred" else 32 if type_name.endswith("x2") else int(type_name.lstrip("busf"))


def variable(register):
    """The C++ variable for `%r3`."""
    return register[1:]


@dataclass
class Place:
    """What numbers the labels of a text."""

    labels: itertools.count = field(default_factory=lambda: itertools.count(1))


def indented(lines):
    return ["  " + line for line in lines]


@dataclass
class Step:
    """An instruction, or some that belong together. `guard` is a predicate before all of them, perhaps with `!`."""

    ptx: list
    cpp: list
    guard: str = ""

    def ptx_lines(self, _):
        return [f"@{self.guard} {line}" if self.guard else line for line in self.ptx]

    def cpp_lines(self):
        if not self.guard:
            return self.cpp
        condition = self.guard.replace("%", "")
        return [f"if ({condition}) {{", *indented(self.cpp), "}"]

    def blocks(self):
        return []


def ptx_of(body, place):
    return [line for node in body for line in node.ptx_lines(place)]


def cpp_of(body):
    return [line for node in body for line in node.cpp_lines()]


@dataclass
class If:
    """`is_local`: in a scope of its own, in which labels have names that others have, too."""

    condition: str
    negated: bool
    then: list
    otherwise: list
    is_local: bool = False
    uniform: str = ""

    def ptx_lines(self, place):
        number = "" if self.is_local else next(place.labels)
        other, end = f"$Else{number}", f"$End{number}"
        skip = "" if self.negated else "!"
        lines = [f"@{skip}{self.condition} bra{self.uniform} {other if self.otherwise else end};",
                 *ptx_of(self.then, place)]
        if self.otherwise:
            lines += [f"bra.uni {end};", f"{other}:", *ptx_of(self.otherwise, place)]
        lines += [f"{end}:"]
        return ["{", *indented(lines), "}"] if self.is_local else lines

    def cpp_lines(self):
        condition = ("!" if self.negated else "") + variable(self.condition)
        lines = [f"if ({condition}) {{", *indented(cpp_of(self.then))]
        if self.otherwise:
            lines += ["} else {", *indented(cpp_of(self.otherwise))]
        return [*lines, "}"]

    def blocks(self):
        return [self.then, self.otherwise]


@dataclass
class Loop:
    """Runs `count` times, a number or what the lowest two bits of a register say; with `exit`, a predicate, perhaps
    fewer times. `tests_first`: where it begins."""

    count: str
    body: list
    counter: str
    condition: str
    exit: str = ""
    tests_first: bool = False

    def ptx_lines(self, place):
        number = next(place.labels)
        is_register = self.count.startswith("%")
        start = f"and.b32 {self.counter}, {self.count}, 3;" if is_register else f"mov.u32 {self.counter}, {self.count};"
        body = indented(ptx_of(self.body, place))
        leave, label = f"$Behind{number}", f"$Loop{number}"
        body += [f"@{self.exit} bra {leave};"] * bool(self.exit) + [f"add.s32 {self.counter}, {self.counter}, -1;"]
        last = -1 if is_register else 0
        if self.tests_first:
            return [start, f"{label}:", f"setp.le.s32 {self.condition}, {self.counter}, {last};",
                    f"@{self.condition} bra {leave};", *body, f"bra.uni {label};", f"{leave}:"]
        return [start, f"{label}:", *body, f"setp.gt.s32 {self.condition}, {self.counter}, {last};",
                f"@{self.condition} bra {label};", f"{leave}:"]

    def cpp_lines(self):
        name = variable(self.counter)
        count = f"int({variable(self.count)} & 3) + 1" if self.count.startswith("%") else self.count
        leave = [f"  if ({self.exit.replace('%', '')})", "    break;"] * bool(self.exit)
        return [f"for (int {name} = {count}; {name} > 0; --{name}) {{", *indented(cpp_of(self.body)), *leave, "}"]

    def blocks(self):
        return [self.body]


@dataclass
class Switch:
    """A table of branches, by the lowest bits of `selector`. Behind a case the next one follows, or the end where
    `leaves` says so."""

    selector: str
    index: str
    cases: list
    leaves: list

    def ptx_lines(self, place):
        number = next(place.labels)
        names = [f"$Case{number}_{i}" for i in range(len(self.cases))]
        lines = [f"and.b32 {self.index}, {self.selector}, {len(self.cases) - 1};",
                 f"$Table{number}: .branchtargets {', '.join(names)};", f"brx.idx {self.index}, $Table{number};"]
        for name, case, leaves in zip(names, self.cases, self.leaves):
            lines += [f"{name}:", *indented(ptx_of(case, place))] + [f"bra $Behind{number};"] * leaves
        return [*lines, f"$Behind{number}:"]

    def cpp_lines(self):
        lines = [f"switch ({variable(self.selector)} & {len(self.cases) - 1}) {{"]
        for number, (case, leaves) in enumerate(zip(self.cases, self.leaves)):
            lines += [f"case {number}: {{", *indented(cpp_of(case)), "}"] + ["  break;"] * leaves
        return [*lines, "}"]

    def blocks(self):
        return self.cases


@dataclass
class Scope:
    """In it, `name` is another register, which begins as `first`; `last` is assigned it in the end."""

    kind: Kind
    name: str
    first: str
    last: str
    body: list

    def ptx_lines(self, place):
        move = f"mov.{self.kind.move}"
        return ["{", f"  .reg .{self.kind.declared[0]} {self.name};", f"  {move} {self.name}, {self.first};",
                *indented(ptx_of(self.body, place)), f"  {move} {self.last}, {self.name};", "}"]

    def cpp_lines(self):
        name = variable(self.name)
        return ["{", f"  {self.kind.cpp} {name} = {variable(self.first)};", *indented(cpp_of(self.body)),
                f"  {variable(self.last)} = {name};", "}"]

    def blocks(self):
        return [self.body]


def nodes_of(body):
    """All statements and blocks, outer ones first."""
    for node in body:
        yield node
        for block in node.blocks():
            yield from nodes_of(block)


@dataclass(frozen=True)
class Register:
    """`type` is what it is declared with."""

    name: str
    kind: Kind
    type: str


@dataclass
class Function:
    """A function of a file. `first` are the statements before the body, by which its registers get values. `space` is
    where parameters and the result are."""

    name: str
    parameters: list
    result: Register
    registers: list
    first: list
    body: list
    space: str = ".param"


@dataclass(frozen=True)
class Table:
    """A variable of the module with numbers, which are written as PTX and as C++ have them. One that is visible others
    may change before the kernel runs, as checks do."""

    name: str
    space: str
    type: str
    values: tuple
    is_visible: bool

    def ptx(self):
        values = ", ".join(value.ptx for value in self.values)
        word = ".visible " if self.is_visible else ""
        return f"{word}.{self.space} .align 8 .{self.type} {self.name}[{len(self.values)}] = {{{values}}};"

    def cpp(self):
        word = "__constant__" if self.space == "const" else "__device__"
        values = ", ".join(value.cpp for value in self.values)
        word += "" if self.is_visible else " const"
        return f"{word} isa::{self.type} {self.name}[{len(self.values)}] = {{{values}}};"


@dataclass
class Program:
    seed: int
    body: list
    registers: list
    outputs: list
    functions: list
    tables: list
    grid: tuple
    block: tuple
    style: dict

    @property
    def name(self):
        return f"k{self.seed}"

    @property
    def launches(self):
        """There is one, which `grid` and `block` say."""
        return [self.block]

    @property
    def threads(self):
        """Of a block, and of all."""
        block = self.block[0] * self.block[1]
        return block, block * self.grid[0] * self.grid[1]

    def nodes(self):
        yield from nodes_of(self.body)
        for function in self.functions:
            yield from nodes_of(function.body)

    def with_(self, **changes):
        return replace(self, **changes)


def names_in(lines):
    return {name for line in lines for name in NAME.findall(line)}
