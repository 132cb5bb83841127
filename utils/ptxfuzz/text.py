"""A program's text in PTX and in C++."""

import re

from .maker import Maker
from .memory import (CELLS, CELLS_OF_THREAD, FRAME_BYTES, IN, OWN_CELLS, OWN_WIDE, ROW_DOUBLES, ROW_IN, ROW_OUT,
                     ROW_SINGLES, WIDE, WIDE_OF_THREAD)
from .program import F32, F64, HELPERS, KINDS, PRED, R32, Place, cpp_of, indented, names_in, ptx_of, variable

HEADER = [".version 9.0", ".target sm_100a", ".address_size 64", ""]
PARAMETERS = ("in", "singles", "doubles", "out", "cells", "wide")
CPP_PARAMETERS = ("const unsigned *in, const float *singles, const double *doubles, unsigned *out, unsigned *cells, "
                  "unsigned long long *wide")
SIGNATURE = "u32* in, f32* singles, f64* doubles, u32* out, u32* cells, u64* wide"
# Elements that a thread reads of each array.
SINGLES_OF_THREAD, DOUBLES_OF_THREAD = 8, 4
TEMPORARY = re.compile(r"%t(" + "|".join(sorted((kind.prefix for kind in KINDS), key=len, reverse=True)) + r")(\d+)\b")


def used_registers(program):
    """Those that a statement names or whose value is stored."""
    named = names_in(line for node in program.body for line in [*node.ptx_lines(Place())]) | set(program.outputs)
    return [register for register in program.registers if register.name in named]


class Body:
    """Lines of both texts."""

    def __init__(self):
        self.ptx, self.cpp = [], []

    def add(self, ptx, cpp=""):
        self.ptx += [ptx + ";"]
        self.cpp += [cpp + ";"] if cpp else []


# ---------------------------------------------------------------------------------------------------------------------
# What a thread reads first, and what it stores in the end.
# ---------------------------------------------------------------------------------------------------------------------

def input_words(registers):
    """Where the values of registers begin in a thread's row: (register, element of the row), and all words."""
    places, at = [], 1
    for register in sorted(registers, key=lambda register: -register.kind.bits):
        if register.kind in (F32, F64, PRED):
            continue
        places.append((register, at if register.kind.bits <= 32 else at + at % 2))
        at = places[-1][1] + max(1, register.kind.bits // 32)
    return places


def read_integers(program, registers, body):
    """From the row of words; the first of which is for predicates."""
    row = program.style["row"]
    places = read_vectors(program, input_words(registers), body)
    for register, at in places:
        name, bits = variable(register.name), register.kind.bits
        word = f"in[row * {row} + {at}]"
        if bits == 64:
            body.add(f"ld.global.b64 {register.name}, [{ROW_IN}+{4 * at}]",
                     f"{name} = {word} | isa::u64(in[row * {row} + {at + 1}]) << 32")
        else:
            body.add(f"ld.global.b{bits} {register.name}, [{ROW_IN}+{4 * at}]", f"{name} = {word}")


def read_vectors(program, places, body):
    """Words that lie together, at once; what is left is the result."""
    count, row = program.style["vector"], program.style["row"]
    words = {at: register for register, at in places if register.kind is R32}
    while count > 1 and (start := next((at for at in words if at % count == 0 and all(
            at + n in words for n in range(count))), None)) is not None:
        names = [words.pop(start + n).name for n in range(count)]
        body.add(f"ld.global.v{count}.b32 {{{', '.join(names)}}}, [{ROW_IN}+{4 * start}]")
        body.cpp += [f"{variable(name)} = in[row * {row} + {start + n}];" for n, name in enumerate(names)]
    return [(register, at) for register, at in places if register.kind is not R32 or at in words]


def read_predicates(program, registers, body):
    conditions = [register for register in registers if register.kind is PRED]
    if conditions:
        body.add(f"ld.global.u32 %bits0, [{ROW_IN}]")
    for number, register in enumerate(conditions):
        body.add(f"and.b32 %bits1, %bits0, {1 << number}")
        body.add(f"setp.ne.u32 {register.name}, %bits1, 0",
                 f"{variable(register.name)} = in[row * {program.style['row']}] >> {number} & 1")


def read_floats(registers, body, kind, array, base, count):
    size = kind.bits // 8
    numbers = [register for register in registers if register.kind is kind]
    for number, register in enumerate(numbers):
        body.add(f"ld.global.{kind.move} {register.name}, [{base}+{number * size}]",
                 f"{variable(register.name)} = {array}[row * {count} + {number}]")


def store_word(body, at, words, ptx, cpp):
    body.add(f"st.global.b32 [{ROW_OUT}+{4 * at}], {ptx}", f"out[row * {words} + {at}] = {cpp}")


def output_words(program):
    """Words of a thread's row, whose rows begin at multiples of 8 bytes."""
    registers = [register for register in program.registers if register.name in program.outputs]
    words = sum(max(1, register.kind.bits // 32) for register in registers if register.kind is not PRED)
    words += any(register.kind is PRED for register in registers)
    return max(2, words + words % 2)


def output_places(program):
    """Where the values of registers begin in a thread's row: (register, element of the row). Predicates share the one
    behind all others."""
    registers = [register for register in program.registers if register.name in program.outputs]
    places, at = [], 0
    for register in sorted(registers, key=lambda register: -register.kind.bits):
        places.append((register, at))
        at += register.kind.bits // 32 if register.kind.bits >= 32 else register.kind is not PRED
    return places


def outputs_at(program, element):
    """The registers whose values are in this element of the array of results."""
    at = element % output_words(program)
    return [register.name for register, place in output_places(program)
            if place <= at < place + max(1, register.kind.bits // 32)]


def store_register(register, at, words, maker, body):
    draft = maker.draft()
    source = draft.word(register.kind, register.name)
    body.ptx += draft.ptx
    if register.kind.bits == 64:
        body.add(f"st.global.b64 [{ROW_OUT}+{4 * at}], {source.ptx}", f"out[row * {words} + {at}] = {source.cpp}")
        body.cpp.append(f"out[row * {words} + {at + 1}] = {source.cpp} >> 32;")
    elif register.kind.bits == 16:
        body.add(f"cvt.u32.u16 %bits1, {source.ptx}")
        store_word(body, at, words, "%bits1", source.cpp)
    else:
        store_word(body, at, words, source.ptx, source.cpp)


def store_registers(program, maker, body):
    """The bits of all registers; those that are no number always the same."""
    words, places = output_words(program), output_places(program)
    for register, at in places:
        if register.kind is not PRED:
            store_register(register, at, words, maker, body)
    conditions = [register for register, _ in places if register.kind is PRED]
    end = sum(max(1, register.kind.bits // 32) for register, _ in places if register.kind is not PRED)
    if conditions:
        store_predicates(conditions, end, words, body)
    if end + bool(conditions) < words:
        store_word(body, words - 1, words, "0", "0")


def store_predicates(conditions, at, words, body):
    body.add("mov.b32 %bits0, 0")
    for number, register in enumerate(conditions):
        body.add(f"selp.b32 %bits1, {1 << number}, 0, {register.name}")
        body.add("or.b32 %bits0, %bits0, %bits1")
    value = " | ".join(f"{variable(register.name)} << {number}" for number, register in enumerate(conditions))
    store_word(body, at, words, "%bits0", value)


# ---------------------------------------------------------------------------------------------------------------------
# Whole texts.
# ---------------------------------------------------------------------------------------------------------------------

def temporaries_of(lines):
    """How many temporary registers of each prefix the lines need."""
    most = {}
    for line in lines:
        for prefix, number in TEMPORARY.findall(line):
            most[prefix] = max(most.get(prefix, 0), int(number) + 1)
    return most


def declarations(registers, lines, is_range=True):
    """`.reg` for these registers, as ranges where they can be, and for temporary ones that the lines name."""
    declared = []
    for kind in KINDS:
        own = [register for register in registers if register.kind is kind]
        types = {register.type for register in own}
        if len(types) == 1 and is_range:
            last = max(int(register.name[1 + len(kind.prefix):]) for register in own)
            declared.append(f".reg .{own[0].type} %{kind.prefix}<{last + 1}>;")
            continue
        for type_name in sorted(types):
            names = ", ".join(register.name for register in own if register.type == type_name)
            declared.append(f".reg .{type_name} {names};")
    most = temporaries_of(lines)
    return declared + [f".reg .{kind.declared[0]} %t{kind.prefix}<{most[kind.prefix]}>;" for kind in KINDS
                       if kind.prefix in most]


def variables(registers):
    return [f"{register.kind.cpp} {variable(register.name)};" for register in registers]


def addresses(program):
    """Instructions for the thread's number and where its parts of the arrays begin."""
    row, words = program.style["row"], output_words(program)
    lines = ["ld.param.u64 %addr9, [" + name + "];\ncvta.to.global.u64 " + target + ", %addr9;"
             for name, target in zip(PARAMETERS, (IN, ROW_SINGLES, ROW_DOUBLES, ROW_OUT, CELLS, WIDE))]
    lines = [part for line in lines for part in line.split("\n")]
    lines += ["mov.u32 %bits0, %ntid.x;", "mov.u32 %bits1, %tid.y;", "mov.u32 %bits2, %tid.x;",
              "mad.lo.u32 %thread0, %bits1, %bits0, %bits2;", "mov.u32 %bits0, %ctaid.y;", "mov.u32 %bits1, %nctaid.x;",
              "mov.u32 %bits2, %ctaid.x;", "mad.lo.u32 %bits2, %bits0, %bits1, %bits2;",
              f"mad.lo.u32 %row0, %bits2, {program.threads[0]}, %thread0;"]
    places = [(ROW_IN, IN, 4 * row), (OWN_CELLS, CELLS, 4 * CELLS_OF_THREAD), (OWN_WIDE, WIDE, 8 * WIDE_OF_THREAD),
              (ROW_SINGLES, ROW_SINGLES, 4 * SINGLES_OF_THREAD), (ROW_DOUBLES, ROW_DOUBLES, 8 * DOUBLES_OF_THREAD),
              (ROW_OUT, ROW_OUT, 4 * words)]
    return lines + [f"mad.wide.u32 {target}, %row0, {size}, {base};" for target, base, size in places]


def bodies_of(program):
    """The statements of the kernel in both texts, from the loads to the stores."""
    body, registers = Body(), used_registers(program)
    read_integers(program, registers, body)
    read_predicates(program, registers, body)
    read_floats(registers, body, F32, "singles", ROW_SINGLES, SINGLES_OF_THREAD)
    read_floats(registers, body, F64, "doubles", ROW_DOUBLES, DOUBLES_OF_THREAD)
    body.ptx += ptx_of(program.body, Place())
    body.cpp += cpp_of(program.body)
    maker = Maker(None, [], program)
    most = temporaries_of(body.ptx)
    maker.temporaries = {kind: most.get(kind.prefix, 0) for kind in KINDS}
    store_registers(program, maker, body)
    return body, registers


def ptx_of_function(function):
    """With parameters and the result in memory, or in registers."""
    kind, result, is_memory = function.result.kind, f"{function.name}_result", function.space == ".param"
    inputs = [f"{function.name}_in{number}" if is_memory else parameter.name
              for number, parameter in enumerate(function.parameters)]
    result = result if is_memory else "%result0"
    types = [f"b{parameter.kind.bits}" if is_memory else parameter.type for parameter in function.parameters]
    declared = ", ".join(f"{function.space} .{type_name} {name}" for type_name, name in zip(types, inputs))
    lines = [f"ld.param.{parameter.kind.move} {parameter.name}, [{name}];"
             for parameter, name in zip(function.parameters, inputs)] if is_memory else []
    lines += ptx_of(function.first + function.body, Place())
    lines += [f"st.param.{kind.move} [{result}], {function.result.name};" if is_memory else
              f"mov.{kind.move} {result}, {function.result.name};", "ret;"]
    own = function.registers if is_memory else [register for register in function.registers
                                                if register not in function.parameters]
    return [f".func ({function.space} .b{kind.bits} {result}) {function.name}({declared})", "{",
            *indented(declarations(own, lines, is_range=is_memory) + lines), "}", ""]


def cpp_of_function(function):
    parameters = ", ".join(f"{parameter.kind.cpp} {variable(parameter.name)}" for parameter in function.parameters)
    own = [register for register in function.registers if register not in function.parameters]
    return [f"__device__ {function.result.kind.cpp} {function.name}({parameters}) {{", *indented(variables(own)),
            *indented(cpp_of(function.first + function.body)), f"  return {variable(function.result.name)};", "}", ""]


def named(program, lines):
    """The text, with the program's name before the names of its functions and tables."""
    return "\n".join(lines).replace("KERNEL", program.name)


def used_parts(program):
    """Functions and tables that are named anywhere."""
    text = "\n".join(ptx_of(program.body, Place()))
    functions = [function for function in program.functions if function.name in text]
    text += "".join("\n".join(ptx_of(function.body, Place())) for function in functions)
    return functions, [table for table in program.tables if table.name in text]


def ptx(program):
    """Without the header of the file."""
    body, registers = bodies_of(program)
    functions, tables = used_parts(program)
    lines = [table.ptx() for table in tables]
    lines += [line for function in functions for line in ptx_of_function(function)]
    text = "\n".join(body.ptx)
    spaces = [f".local .align 16 .b8 frame[{FRAME_BYTES}];"] * ("frame" in text)
    spaces += [".reg .b128 %whole0;"] * ("%whole0" in text)
    spaces += [f".shared .align 16 .b8 tile[{8 * program.threads[0]}];"] * ("tile" in text)
    parameters = ", ".join(f".param .u64 {name}" for name in PARAMETERS)
    inner = [*declarations(registers, body.ptx), ".reg .b64 %addr<10>;", ".reg .b32 %bits<3>;",
             ".reg .u32 %thread0, %row0;", *spaces, *addresses(program), *body.ptx, program.style["end"]]
    return named(program, [*lines, f".visible .entry {program.name}({parameters}){program.style['bounds']}",
                           "{", *indented(inner), "}", ""])


def cpp(program):
    """Without the helpers."""
    body, registers = bodies_of(program)
    functions, tables = used_parts(program)
    lines = [table.cpp() for table in tables]
    lines += [line for function in functions for line in cpp_of_function(function)]
    text = "\n".join(body.cpp)
    threads = program.threads[0]
    inner = [f"isa::u8 frame[{FRAME_BYTES}];"] * ("frame" in text)
    inner += [f"__shared__ isa::u64 all[{threads}];"] * ("all[" in text)
    inner += ["isa::u32 thread = threadIdx.x + threadIdx.y * blockDim.x;",
              f"isa::u32 row = (blockIdx.x + blockIdx.y * gridDim.x) * {threads} + thread;"]
    return named(program, [*lines, f'extern "C" __global__ void {program.name}({CPP_PARAMETERS}) {{',
                      *indented(inner + variables(registers) + body.cpp), "}", ""])


def ptx_file(programs):
    return "\n".join(HEADER + [ptx(program) for program in programs])


def cpp_file(programs):
    return HELPERS.read_text(encoding="utf-8") + "\n" + "\n".join(cpp(program) for program in programs)


def sizes_of(program):
    """Elements of all arrays."""
    threads = program.threads[1]
    return {"in": threads * program.style["row"], "singles": threads * SINGLES_OF_THREAD,
            "doubles": threads * DOUBLES_OF_THREAD, "out": threads * output_words(program),
            "cells": threads * CELLS_OF_THREAD + 8, "wide": threads * WIDE_OF_THREAD + 8}
