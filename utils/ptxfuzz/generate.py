"""The program of a seed."""

import random
import struct

from . import control, memory
from .maker import Maker, Operand
from .program import (BF16, BF16X2, F16, F16X2, F32, F64, H16, PRED, R32, R64, Place, Program, Register,
                      Table, bits_of, names_in)

COUNTS = {H16: 5, R32: 8, R64: 5, F16: 4, BF16: 3, F32: 5, F64: 4, F16X2: 3, BF16X2: 2, PRED: 5}


# Of tables; all have an exact f32.
FLOATS = (0.0, -0.0, 1.0, -2.5, 2.0 ** 100, 2.0 ** -126, 2.0 ** -149, float.fromhex("0x1.fffffep127"), 16777215.0)


def registers_of(rng):
    """Of each kind either all with one type, which are declared as a range then, or each with its own."""
    registers = []
    for kind, count in COUNTS.items():
        types = [rng.choice(kind.declared)] * count if rng.random() < 0.6 else rng.choices(kind.declared, k=count)
        registers += [Register(f"%{kind.prefix}{n}", kind, type_name) for n, type_name in enumerate(types)]
    return registers


def number_of_table(rng, type_name):
    """As PTX and as C++ have it."""
    if type_name in ("f32", "f64"):
        number = rng.choice([value.hex() for value in FLOATS])
        value = float.fromhex(number)
        word = struct.pack(">f" if type_name == "f32" else ">d", value).hex().upper()
        return Operand(("0f" if type_name == "f32" else "0d") + word, number + ("f" if type_name == "f32" else ""))
    size = bits_of(type_name)
    number = rng.choice((rng.getrandbits(size), rng.randint(0, 9), (1 << size) - 1, 1 << (size - 1))) % (1 << size)
    if type_name[0] == "s" and number >> (size - 1):
        number -= 1 << size
    cpp = f"isa::{type_name}({number % (1 << size)}ull)"
    return Operand(str(number) if number < 0 or rng.random() < 0.5 else hex(number), cpp)


def tables_of(rng):
    tables = []
    for number in range(rng.choice((0, 1, 1, 2))):
        type_name = rng.choice(("u8", "s8", "b8", "u16", "s16", "u32", "s32", "b32", "u64", "s64", "b64", "b16",
                                "f32", "f64"))
        values = tuple(number_of_table(rng, type_name) for _ in range(rng.choice((2, 4, 8, 16))))
        tables.append(Table(f"KERNEL_t{number}", rng.choice(("const", "global")), type_name, values,
                            rng.random() < 0.5))
    return tables


def program_of(seed):
    """The program of a seed, always the same."""
    rng = random.Random(seed)
    grid, block = rng.choice(((1, 1), (2, 1), (3, 1), (1, 2))), rng.choice(((32, 1), (64, 1), (96, 1), (16, 2), (8, 8)))
    bounds = ("", "", f" .maxntid {block[0]}, {block[1]}, 1", f" .reqntid {block[0]}, {block[1]}",
              f" .maxntid {block[0] * block[1]} .minnctapersm 2")
    style = {"row": 48, "end": rng.choice(("ret;", "exit;", "ret.uni;")), "bounds": rng.choice(bounds),
             "vector": rng.choice((1, 2, 4))}
    program = Program(seed, [], registers_of(rng), [], [], tables_of(rng), grid, block, style)
    for number in range(rng.choice((0, 0, 1, 2))):
        program.functions.append(control.function(rng, program, number))
    maker = Maker(rng, program.registers, program)
    program.body = [memory.first_values(maker)] + control.body(maker, rng.choice((2, 3, 4, 6, 8, 12, 20)))
    if not any("frame" in line for node in program.body[1:] for line in node.ptx_lines(Place())):
        del program.body[0]
    named = names_in(line for node in program.body for line in node.ptx_lines(Place()))
    program.outputs = [register.name for register in program.registers if register.name in named]
    return program
