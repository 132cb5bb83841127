"""Branches, loops, tables of branches, scopes, and calls of functions."""

from . import conversions, forms, memory, threads, values
from .maker import Maker, number_of
from .program import (BF16, BF16X2, F16, F16X2, F32, F64, H16, KINDS, PRED, R32, R64, Function, If, Loop, Register,
                      Scope, Step, Switch, variable)

MAX_DEPTH = 3
COMPUTE = [(form.weight, values.of_form(form)) for table in (forms.INTEGER_FORMS, forms.BIT_FORMS, forms.FLOAT_FORMS)
           for form in table] + [
    (4, values.carry_chain), (2, values.dot_product), (1, values.pack_saturated), (5, values.set_predicate), (2, values.set_predicates_of_pair),
    (2, values.compute_pair_of_floats),
    (3, values.set_number), (2, values.set_pair), (3, values.select), (2, values.select_by_sign), (2, values.copy_sign),
    (8, values.move), (2, values.pack), (2, values.unpack), (2, values.pack_halves), (2, values.special),
    (14, conversions.convert), (1, conversions.convert_relu), (1, conversions.convert_finite), (1, conversions.convert_pair),
    (1, conversions.convert_tf32), (1, conversions.convert_eighths),
    (1, conversions.convert_sixths), (1, conversions.convert_scales)]
TABLES = [(3, memory.load_table)]
MEMORY = [(5, memory.load_frame), (5, memory.store_frame), (3, memory.load_input), (4, memory.update_own),
          (2, memory.compare_and_swap), (3, memory.update_common), (3, memory.access_own),
          (1, memory.is_in_space), (1, memory.move_whole)]
TOGETHER = [(2, threads.exchange), (1, threads.count_in_tile), (4, threads.shuffle), (3, threads.vote),
            (2, threads.match), (2, threads.redux), (2, threads.reduce_at_barrier), (1, threads.warp_barrier),
            (2, threads.copy), (1, threads.by_some_lanes),
            (1, threads.load_matrices), (1, threads.store_matrices)]


def statement(maker):
    """Any statement that may stand here."""
    choices = list(COMPUTE)
    if maker.program.tables:
        choices += TABLES
    if maker.is_kernel:
        choices += MEMORY
        if maker.program.functions:
            choices.append((6, call))
        if maker.uniform:
            choices += TOGETHER
    weights, makers = zip(*choices)
    return maker.rng.choices(makers, weights)[0](maker)


def body(maker, length, depth=0):
    """About so many statements and blocks."""
    made = []
    for _ in range(length):
        if depth < MAX_DEPTH and maker.chance(0.13):
            made.append(maker.pick(branch, branch, loop, switch, scope)(maker, depth + 1))
        else:
            made.append(statement(maker))
    return made


def apart(maker, length, depth):
    """A body that only some threads run."""
    uniform, maker.uniform = maker.uniform, False
    made = body(maker, length, depth)
    maker.uniform = uniform
    return made


def branch(maker, depth):
    condition, negated = maker.register(PRED), maker.chance(0.5)
    then = apart(maker, maker.number(1, 4), depth)
    otherwise = apart(maker, maker.number(1, 3), depth) if maker.chance(0.5) else []
    return If(condition, negated, then, otherwise, is_local=maker.chance(0.3))


def loop(maker, depth):
    counter, condition = maker.temporary(R32), maker.temporary(PRED)
    if maker.chance(0.5):
        return Loop(str(maker.number(1, 4)), body(maker, maker.number(1, 4), depth), counter, condition,
                    tests_first=maker.chance(0.4))
    count = maker.pick(maker.register(R32), str(maker.number(1, 4)))
    leave = maker.pick("", "!") + maker.register(PRED) if maker.chance(0.5) else ""
    return Loop(count, apart(maker, maker.number(1, 4), depth), counter, condition, leave, maker.chance(0.4))


def switch(maker, depth):
    cases = [apart(maker, maker.number(0, 2), depth) for _ in range(maker.pick(2, 4, 4))]
    return Switch(maker.register(R32), maker.temporary(R32), cases, [maker.chance(0.5) for _ in cases])


def scope(maker, depth):
    kind = maker.pick(H16, R32, R64, F32, F64, PRED)
    names = maker.names(kind)
    if len(names) < 3:
        return statement(maker)
    name, first, last = maker.rng.sample(names, 3)
    return Scope(kind, name, first, last, body(maker, maker.number(1, 4), depth))


# ---------------------------------------------------------------------------------------------------------------------
# Functions.
# ---------------------------------------------------------------------------------------------------------------------

REGISTERS_OF_FUNCTION = {H16: 3, R32: 4, R64: 4, F16: 2, BF16: 2, F32: 3, F64: 3, F16X2: 2, BF16X2: 2, PRED: 3}


def function(rng, program, number):
    """One that computes something of its arguments."""
    registers = [Register(f"%{kind.prefix}{n}", kind, rng.choice(kind.declared))
                 for kind in KINDS for n in range(REGISTERS_OF_FUNCTION[kind])]
    by_kind = {kind: [register for register in registers if register.kind is kind] for kind in KINDS}
    parameters = []
    for kind in rng.choices((H16, R32, R32, R64, F32, F64), k=rng.randint(1, 4)):
        left = [register for register in by_kind[kind] if register not in parameters]
        parameters.append(left[0] if left else None)
    parameters = [parameter for parameter in parameters if parameter]
    maker = Maker(rng, registers, program)
    maker.is_kernel = maker.uniform = False
    first = [begin(maker, register) for register in registers if register not in parameters]
    made = body(maker, rng.randint(2, 8), depth=1)
    result = rng.choice(by_kind[rng.choice((H16, R32, R64, F32, F64))])
    # Registers of 16 bits are none that a function takes.
    fits = all(register.kind.bits >= 32 for register in [result, *parameters])
    space = rng.choice((".param", ".reg")) if fits else ".param"
    return Function(f"KERNEL_f{number}", parameters, result, registers, first, made, space)


def begin(maker, register):
    """A first value of a register that is no parameter."""
    kind, name = register.kind, register.name
    if kind is PRED:
        holds = maker.chance(0.5)
        relation, value = ("eq", "true") if holds else ("ne", "false")
        return Step([f"setp.{relation}.u32 {name}, 1, 1;"], [f"{variable(name)} = {value};"])
    value = maker.immediate(kind.bits) if kind not in (F32, F64) else None
    if value is None:
        value = number_of(kind.move, maker.number(0, (1 << kind.bits) - 1))
    return Step([f"mov.{kind.move} {name}, {value.ptx};"], [f"{variable(name)} = {value.cpp};"])


def call(maker):
    callee = maker.pick(maker.program.functions)
    number = maker.temporaries["calls"] = maker.temporaries.get("calls", 0) + 1
    arguments = [f"argument{number}_{n}" for n in range(len(callee.parameters))]
    sources = [maker.register(parameter.kind) for parameter in callee.parameters]
    target = maker.target(callee.result.kind)
    meaning = f"{variable(target)} = {callee.name}({', '.join(map(variable, sources))});"
    if callee.space == ".reg":
        return Step([f"call{'.uni' * maker.uniform} ({target}), {callee.name}, ({', '.join(sources)});"], [meaning])
    answer = f"answer{number}"
    lines = ["{"] + [f".param .b{parameter.kind.bits} {name};" for parameter, name in zip(callee.parameters, arguments)]
    lines += [f".param .b{callee.result.kind.bits} {answer};"]
    lines += [f"st.param.{parameter.kind.move} [{name}], {source};"
              for parameter, name, source in zip(callee.parameters, arguments, sources)]
    lines += [f"call{'.uni' * maker.uniform} ({answer}), {callee.name}, ({', '.join(arguments)});",
              f"ld.param.{callee.result.kind.move} {target}, [{answer}];", "}"]
    return Step(lines, [meaning])
