"""What chooses registers, numbers and statements."""

import random
from typing import NamedTuple

from .program import F32, F64, PRED, R32, Step, bits_of, kind_of, variable

SMALL = (0, 1, 2, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 255, 256, 0x105, 0xffffffff)
SINGLES = (0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000,
           0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x4b000001, 0xcf000000, 0x4f800000, 0x477fe000, 0x33800000)
DOUBLES = (0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbfe0000000000000, 0x7ff0000000000000,
           0x7ff8000000000000, 0x0000000000000001, 0x7fefffffffffffff, 0x3ca0000000000000, 0x41dfffffffc00000,
           0xc3e0000000000000, 0x36a0000000000000, 0x47efffffefffffff)
DECIMALS = ("1.5", "-0.25", "3.0", "100.0", "-1.0", "2.5e-3", "0.5")


class Operand(NamedTuple):
    """A source, as both texts have it."""

    ptx: str
    cpp: str


def number_of(type_name, bits):
    """A number of f32 or f64 with these bits."""
    digits = f"0f{bits:08X}" if type_name == "f32" else f"0d{bits:016X}"
    return Operand(digits, f"isa::fromBits<isa::{type_name}>(0x{bits:x}ull)")


def of_register(name):
    return Operand(name, variable(name))


class Draft:
    """A statement while it is made: the lines of both texts."""

    def __init__(self, maker):
        self.maker = maker
        self.ptx, self.cpp = [], []
        self.written = set()

    def target(self, kind):
        """A register that the statement writes."""
        name = self.maker.target(kind)
        self.written.add(name)
        return name

    def step(self, ptx, cpp, can_be_guarded=True):
        """The statement; its last line is `ptx`, which means `cpp`."""
        self.ptx.append(ptx + ";")
        self.cpp.append(cpp + ";")
        return self.done(can_be_guarded)

    def done(self, can_be_guarded=True):
        guard = ""
        if can_be_guarded and self.maker.chance(0.12):
            guards = [name for name in self.maker.names(PRED) if name not in self.written]
            guard = self.maker.pick("", "!") + self.maker.pick(guards) if guards else ""
        return Step(self.ptx, self.cpp, guard)

    def integer(self, type_name, immediates=0.3):
        """A source of an integer type; pairs are in registers that are declared as bits."""
        maker, bits = self.maker, bits_of(type_name)
        if type_name.endswith("x2"):
            return of_register(maker.pick(maker.plain))
        if type_name != "pred" and maker.chance(immediates):
            return maker.immediate(bits)
        return of_register(maker.register(kind_of(type_name)))

    def float(self, type_name):
        maker = self.maker
        if type_name not in ("f32", "f64") or maker.chance(0.8):
            return of_register(maker.register(kind_of(type_name)))
        if maker.chance(0.25):
            text = maker.pick(DECIMALS)
            return Operand(text, text + ("f" if type_name == "f32" else ""))
        bits = maker.pick(SINGLES if type_name == "f32" else DOUBLES)
        return number_of(type_name, bits)

    def source(self, type_name):
        is_float = "f" in type_name
        return self.float(type_name) if is_float else self.integer(type_name)

    def small(self, most=0xffffffff):
        """32 bits that are below 128, as often as not; if it is a number, then up to `most`."""
        maker = self.maker
        if maker.chance(0.5):
            number = maker.pick([number for number in SMALL if number <= most])
            return Operand(maker.spell(number, 32), f"0x{number:x}u")
        name = maker.register(R32)
        if maker.chance(0.2):
            return of_register(name)
        mask, temporary = maker.pick(31, 63, 127), maker.temporary(R32)
        self.ptx.append(f"and.b32 {temporary}, {name}, {mask};")
        return Operand(temporary, f"({variable(name)} & {mask})")

    def divisor(self, type_name):
        """Neither 0 nor -1, by which the smallest number has no quotient."""
        maker, bits = self.maker, bits_of(type_name)
        if maker.chance(0.3):
            number = maker.pick(1, 2, 3, 7, 10, 16, 255, 1000)
            return Operand(str(number), str(number))
        name, kind = maker.register(kind_of(type_name)), kind_of(type_name)
        temporary = maker.temporary(kind)
        self.ptx += [f"and.b{bits} {temporary}, {name}, -3;", f"or.b{bits} {temporary}, {temporary}, 1;"]
        return Operand(temporary, f"(({variable(name)} & ~isa::u{bits}(2)) | 1)")

    def bits(self, kind, name):
        """The bits of a floating-point register as an integer, always the same where it holds no number. LLVM drops a
        `selp.f32` that only changes which NaN it is, so integers are compared where there is one."""
        maker, type_name = self.maker, kind_of_float(kind)
        test, word = maker.temporary(PRED), maker.temporary(kind_of(f"b{kind.bits}"))
        if kind in (F32, F64):
            size, bits = maker.temporary(kind_of(f"b{kind.bits}")), kind.bits
            most, infinity = (1 << (bits - 1)) - 1, 0x7f800000 if kind is F32 else 0x7ff0000000000000
            self.ptx += [f"mov.b{bits} {word}, {name};", f"and.b{bits} {size}, {word}, 0x{most:x};",
                         f"setp.gt.u{bits} {test}, {size}, 0x{infinity:x};",
                         f"selp.b{bits} {word}, 0x{most:x}, {word}, {test};"]
        elif kind.bits == 16:
            self.ptx += [f"setp.nan.{type_name} {test}, {name}, {name};", f"selp.b16 {word}, 0x7FFF, {name}, {test};"]
        else:
            other, halves = maker.temporary(PRED), [maker.temporary(kind_of("b16")) for _ in range(2)]
            self.ptx += [f"setp.nan.{type_name} {test}|{other}, {name}, {name};",
                         f"mov.b32 {{{halves[0]}, {halves[1]}}}, {name};",
                         f"selp.b16 {halves[0]}, 0x7FFF, {halves[0]}, {test};",
                         f"selp.b16 {halves[1]}, 32767, {halves[1]}, {other};",
                         f"mov.b32 {word}, {{{halves[0]}, {halves[1]}}};"]
        return Operand(word, f"isa::clean<isa::{type_name}>({variable(name)})")

    def with_sign(self, type_name):
        """A floating-point register whose sign counts, which is open where an instruction has given no number."""
        word = self.bits(kind_of(type_name), self.maker.register(kind_of(type_name)))
        pair = type_name.endswith("x2")
        return Operand(word.ptx, f"isa::u32({word.cpp})" if pair else f"isa::fromBits<isa::{type_name}>({word.cpp})")

    def word(self, kind, name):
        """The register's bits, whatever it holds."""
        return self.bits(kind, name) if kind.prefix[0] in "fhb" else of_register(name)


def kind_of_float(kind):
    return {"f": "f32", "fd": "f64", "h": "f16", "hb": "bf16", "hh": "f16x2", "bb": "bf16x2"}[kind.prefix]


class Maker:
    """Makes the statements of one function. `uniform`: all threads of a block run what is made."""

    def __init__(self, rng: random.Random, registers, program):
        self.rng, self.program = rng, program
        self.by_kind = {}
        for register in registers:
            self.by_kind.setdefault(register.kind, []).append(register.name)
        # Registers of 32 bits that are declared as such, without a sign.
        self.plain = [register.name for register in registers if register.kind is R32 and register.type == "b32"]
        self.queues = {}
        self.temporaries = {}
        self.uniform = True
        self.is_kernel = True

    def pick(self, *options):
        return self.rng.choice(options[0] if len(options) == 1 else options)

    def chance(self, probability):
        return self.rng.random() < probability

    def number(self, least, most):
        return self.rng.randint(least, most)

    def names(self, kind):
        return self.by_kind[kind]

    def register(self, kind):
        return self.pick(self.by_kind[kind])

    def target(self, kind):
        """Each in turn, so that results last."""
        queue = self.queues.setdefault(kind, [])
        if not queue:
            queue += self.by_kind[kind]
            self.rng.shuffle(queue)
        return queue.pop()

    def temporary(self, kind):
        number = self.temporaries.get(kind, 0)
        self.temporaries[kind] = number + 1
        return f"%t{kind.prefix}{number}"

    def spell(self, number, bits):
        """An integer as PTX writes it, in one of its forms."""
        forms = [str(number), f"0x{number:x}", f"0x{number:X}"]
        if number >> (bits - 1):
            forms += [str(number - (1 << bits))] * 3
        if number < 1 << 20:
            forms += [f"0b{number:b}", f"0{number:o}"]
        return self.pick(forms) if self.chance(0.7) else forms[0]

    def immediate(self, bits):
        least, mask = 1 << (bits - 1), (1 << bits) - 1
        number = self.pick(self.number(0, 9), self.number(0, mask), mask, least, least - 1, mask - self.number(0, 300),
                           1 << self.number(0, bits - 1), self.number(0, 65535)) & mask
        return Operand(self.spell(number, bits), f"0x{number:x}ull")

    def draft(self):
        return Draft(self)
