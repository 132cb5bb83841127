"""Statements that read and write memory."""

from .maker import of_register
from .program import FLOATS, H16, PRED, R32, R64, WORDS, bits_of, kind_of, variable

# Of the local array.
FRAME_BYTES = 64
NARROW = "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64".split()
# 64-bit registers of the kernel: where arrays and this thread's parts of them begin.
IN, CELLS, WIDE, OWN_CELLS, OWN_WIDE, ROW_IN, ROW_SINGLES, ROW_DOUBLES, ROW_OUT = (f"%addr{n}" for n in range(9))
# Elements that a thread has to itself in the arrays of updates, and those behind them that all threads update.
CELLS_OF_THREAD, WIDE_OF_THREAD, SHARED_CELLS = 4, 2, 8


def first_values(maker):
    """Stores to all bytes of the local array."""
    draft = maker.draft()
    for offset in range(0, FRAME_BYTES, 8):
        left, right = draft.integer("b32"), draft.integer("b32")
        draft.ptx.append(f"st.local.v2.b32 [frame+{offset}], {{{left.ptx}, {right.ptx}}};")
        draft.cpp += [f"isa::store<isa::u32>(frame + {offset + 4 * n}, {value.cpp});"
                      for n, value in enumerate((left, right))]
    return draft.done(can_be_guarded=False)


def place_in_frame(draft, size):
    """An aligned place for so many bytes: words of the instruction for the space, the address, and the C++ pointer."""
    maker = draft.maker
    if maker.chance(0.4):
        offset = maker.number(0, FRAME_BYTES // size - 1) * size
        return ".local", f"[frame+{offset}]" if offset else "[frame]", f"frame + {offset}"
    half = FRAME_BYTES // 2
    fixed = maker.number(0, half // size - 1) * size
    name, mask = maker.register(R32), half - size
    index, wide, base = maker.temporary(R32), maker.temporary(R64), maker.temporary(R64)
    draft.ptx += [f"and.b32 {index}, {name}, {mask};", f"cvt.u64.u32 {wide}, {index};", f"mov.u64 {base}, frame;"]
    is_generic = maker.chance(0.3)
    if is_generic:
        draft.ptx.append(f"cvta.local.u64 {base}, {base};")
    draft.ptx.append(f"add.s64 {wide}, {base}, {wide};")
    return "" if is_generic else ".local", f"[{wide}+{fixed}]", f"frame + ({variable(name)} & {mask}) + {fixed}"


def element_type(maker):
    """A type of an access, and into how many elements it goes."""
    type_name = maker.pick(NARROW + ["f32", "f64"])
    counts = [count for count in (1, 1, 2, 4) if count * bits_of(type_name) <= 128]
    return type_name, maker.pick(counts)


def registers_for(maker, type_name):
    """The kinds of registers that may hold what is accessed."""
    if type_name in FLOATS:
        return [kind_of(type_name)]
    kinds = [kind for kind in (H16, R32, R64) if kind.bits >= bits_of(type_name)]
    return kinds[:1] if maker.chance(0.6) else kinds


def listed(names, count):
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def loaded(type_name, bits):
    return f"isa::fromBits<isa::{type_name}>({bits})" if type_name in FLOATS else bits


def load_frame(maker):
    draft = maker.draft()
    type_name, count = element_type(maker)
    size = bits_of(type_name) // 8
    kind = maker.pick(registers_for(maker, type_name))
    space, address, pointer = place_in_frame(draft, size * count)
    targets = [draft.target(kind)] if count == 1 else maker.rng.sample(maker.names(kind), count)
    draft.written |= set(targets)
    vector = f".v{count}" if count > 1 else ""
    draft.ptx.append(f"ld{space}{vector}.{type_name} {listed(targets, count)}, {address};")
    raw = f"u{8 * size}" if type_name in FLOATS else type_name
    values = [loaded(type_name, f"isa::load<isa::{raw}>(bytes + {n * size})") for n in range(count)]
    draft.cpp += ["{", f"  const isa::u8 *bytes = {pointer};",
                  *(f"  {variable(target)} = {value};" for target, value in zip(targets, values)), "}"]
    return draft.done()


def stored(draft, type_name, kind):
    """A source of a store, of which the lowest bits are stored."""
    maker = draft.maker
    if type_name not in FLOATS:
        return draft.integer(type_name) if kind is WORDS.get(bits_of(type_name)) else of_register(maker.register(kind))
    word, clean = draft.bits(kind, maker.register(kind)), maker.temporary(kind)
    draft.ptx.append(f"mov.b{kind.bits} {clean}, {word.ptx};")
    return word._replace(ptx=clean)


def store_frame(maker):
    draft = maker.draft()
    type_name, count = element_type(maker)
    size = bits_of(type_name) // 8
    kind = maker.pick(registers_for(maker, type_name))
    sources = [stored(draft, type_name, kind) for _ in range(count)]
    space, address, pointer = place_in_frame(draft, size * count)
    vector = f".v{count}" if count > 1 else ""
    draft.ptx.append(f"st{space}{vector}.{type_name} {address}, {listed([source.ptx for source in sources], count)};")
    raw = f"u{8 * size}" if type_name in FLOATS else type_name
    draft.cpp += ["{", f"  isa::u8 *bytes = {pointer};",
                  *(f"  isa::store<isa::{raw}>(bytes + {n * size}, {source.cpp});" for n, source in enumerate(sources)),
                  "}"]
    return draft.done()


def load_table(maker):
    """A number of a table of the module, at an index that is computed."""
    draft = maker.draft()
    table = maker.pick(maker.program.tables)
    if maker.chance(0.3):
        return load_known(draft, table)
    name, mask, size = maker.register(R32), len(table.values) - 1, bits_of(table.type) // 8
    index, offset, base = maker.temporary(R32), maker.temporary(R64), maker.temporary(R64)
    draft.ptx += [f"and.b32 {index}, {name}, {mask};", f"mul.wide.u32 {offset}, {index}, {size};",
                  f"mov.u64 {base}, {table.name};", f"add.s64 {base}, {base}, {offset};"]
    target = draft.target(maker.pick(registers_for(maker, table.type)))
    return draft.step(f"ld.{table.space}.{table.type} {target}, [{base}]",
                      f"{variable(target)} = {table.name}[{variable(name)} & {mask}]")


def load_known(draft, table):
    """The same at an index that is a number; by a generic address perhaps."""
    maker, size = draft.maker, bits_of(table.type) // 8
    number = maker.number(0, len(table.values) - 1)
    address, space = f"[{table.name}+{number * size}]", "." + table.space
    if maker.chance(0.4):
        base, space = maker.temporary(R64), ""
        draft.ptx += [f"mov.u64 {base}, {table.name};", f"cvta.{table.space}.u64 {base}, {base};"]
        address = f"[{base}+{number * size}]"
    target = draft.target(maker.pick(registers_for(maker, table.type)))
    return draft.step(f"ld{space}.{table.type} {target}, {address}", f"{variable(target)} = {table.name}[{number}]")


def load_input(maker):
    """What any thread may read."""
    draft = maker.draft()
    words = maker.program.threads[1] * maker.program.style["row"]
    name, is_wide = maker.register(R32), maker.chance(0.3)
    index, address = maker.temporary(R32), maker.temporary(R64)
    count = words // 2 if is_wide else words
    draft.ptx += [f"rem.u32 {index}, {name}, {count};",
                  f"mad.wide.u32 {address}, {index}, {8 if is_wide else 4}, {IN};"]
    cached = maker.pick("", "", ".nc", ".ca", ".cg")
    if is_wide:
        target = draft.target(R64)
        at = f"{variable(name)} % {count} * 2"
        return draft.step(f"ld.global{cached}.b64 {target}, [{address}]",
                          f"{variable(target)} = in[{at}] | isa::u64(in[{at} + 1]) << 32")
    target = draft.target(R32)
    return draft.step(f"ld.global{cached}.u32 {target}, [{address}]",
                      f"{variable(target)} = in[{variable(name)} % {count}]")


# ---------------------------------------------------------------------------------------------------------------------
# Updates.
# ---------------------------------------------------------------------------------------------------------------------

UPDATES = {
    "add": "isa::u64(old) + isa::u64(new_)", "exch": "new_", "min": "new_ < old ? new_ : old",
    "max": "new_ > old ? new_ : old", "and": "old & new_", "or": "old | new_", "xor": "old ^ new_",
    "inc": "isa::inc(old, new_)", "dec": "isa::dec(old, new_)",
}
TYPES_OF_UPDATES = {
    "add": "u32 s32 u64", "exch": "b32 b64", "min": "u32 s32 u64 s64", "max": "u32 s32 u64 s64", "and": "b32 b64",
    "or": "b32 b64", "xor": "b32 b64", "inc": "u32", "dec": "u32",
}
ORDERS = ("", "", ".relaxed.gpu", ".acq_rel.gpu", ".relaxed.cta", ".release.sys", ".acquire.gpu")


def own_cell(maker, is_wide):
    """An element that only this thread accesses: its address and its name in C++."""
    if is_wide:
        number = maker.number(0, WIDE_OF_THREAD - 1)
        return f"[{OWN_WIDE}+{8 * number}]", f"wide[row * {WIDE_OF_THREAD} + {number}]"
    number = maker.number(0, CELLS_OF_THREAD - 1)
    return f"[{OWN_CELLS}+{4 * number}]", f"cells[row * {CELLS_OF_THREAD} + {number}]"


def update_own(maker):
    """An update of what only this thread has, whose result is known then."""
    draft = maker.draft()
    name = maker.pick(list(UPDATES))
    type_name = maker.pick(TYPES_OF_UPDATES[name].split())
    address, cell = own_cell(maker, bits_of(type_name) == 64)
    source, order = draft.integer(type_name, 0.2), maker.pick(ORDERS)
    value = UPDATES[name].replace("new_", f"isa::{type_name}({source.cpp})")
    has_result = name == "exch" or maker.chance(0.7)
    target = draft.target(kind_of(type_name)) if has_result else ""
    if not has_result and order.startswith(".ac"):
        order = ""
    draft.ptx.append(f"{'atom' if has_result else 'red'}{order}.global.{name}.{type_name} "
                     f"{target + ', ' if has_result else ''}{address}, {source.ptx};")
    draft.cpp += ["{", f"  isa::{type_name} old = {cell};", f"  {cell} = {value};",
                  *[f"  {variable(target)} = old;"] * has_result, "}"]
    return draft.done()


def compare_and_swap(maker):
    draft = maker.draft()
    type_name = maker.pick("b32", "b64")
    address, cell = own_cell(maker, bits_of(type_name) == 64)
    expected, wanted = draft.integer(type_name), draft.integer(type_name)
    if maker.chance(0.6):
        known = maker.temporary(kind_of(type_name))
        draft.ptx.append(f"ld.global.{type_name} {known}, {address};")
        expected = expected._replace(ptx=known, cpp=cell)
    target = draft.target(kind_of(type_name))
    draft.ptx.append(f"atom{maker.pick(ORDERS)}.global.cas.{type_name} {target}, {address}, {expected.ptx}, "
                     f"{wanted.ptx};")
    draft.cpp += ["{", f"  isa::{type_name} old = {cell}, expected = {expected.cpp}, wanted = {wanted.cpp};",
                  f"  {cell} = old == expected ? wanted : old;", f"  {variable(target)} = old;", "}"]
    return draft.done()


# Each has an element of its own, so that the order does not matter.
COMMON_UPDATES = (("add", "u32"), ("min", "u32"), ("max", "u32"), ("min", "s32"), ("max", "s32"), ("and", "b32"),
                  ("or", "b32"), ("xor", "b32"))
COMMON_WIDE = (("add", "u64"), ("min", "u64"), ("max", "u64"), ("and", "b64"), ("or", "b64"), ("xor", "b64"),
               ("min", "s64"), ("max", "s64"))
IN_CPP = {"add": "atomicAdd", "min": "atomicMin", "max": "atomicMax", "and": "atomicAnd", "or": "atomicOr",
          "xor": "atomicXor"}


def update_common(maker):
    """An update of what all threads update, in any order."""
    draft = maker.draft()
    is_wide = maker.chance(0.4)
    updates = COMMON_WIDE if is_wide else COMMON_UPDATES
    number = maker.number(0, len(updates) - 1)
    name, type_name = updates[number]
    source = draft.integer(type_name, 0.2)
    threads, order = maker.program.threads[1], maker.pick("", "", ".relaxed.gpu", ".release.gpu")
    index = threads * (WIDE_OF_THREAD if is_wide else CELLS_OF_THREAD) + number
    base, array, size = (WIDE, "wide", 8) if is_wide else (CELLS, "cells", 4)
    signed = {"s32": "(int *)", "s64": "(long long *)"}.get(type_name, "")
    return draft.step(f"red{order}.global.{name}.{type_name} [{base}+{index * size}], {source.ptx}",
                      f"{IN_CPP[name]}({signed}&{array}[{index}], isa::{type_name}({source.cpp}))")


def is_in_space(maker):
    """Where an address leads."""
    draft = maker.draft()
    address, space = maker.temporary(R64), maker.pick("global", "local", "shared")
    is_local = maker.chance(0.5)
    draft.ptx += [f"mov.u64 {address}, frame;", f"cvta.local.u64 {address}, {address};"] if is_local else \
        [f"cvta.global.u64 {address}, {OWN_CELLS};"]
    target = draft.target(PRED)
    holds = space == ("local" if is_local else "global")
    return draft.step(f"isspacep.{space} {target}, {address}", f"{variable(target)} = {str(holds).lower()}")


def move_whole(maker):
    """128 bits at once."""
    draft = maker.draft()
    at = 16 * maker.number(0, FRAME_BYTES // 16 - 1)
    first, second = maker.rng.sample(maker.names(R64), 2)
    if maker.chance(0.5):
        draft.ptx += [f"mov.b128 %whole0, {{{first}, {second}}};", f"st.local.b128 [frame+{at}], %whole0;"]
        draft.cpp += [f"isa::store<isa::u64>(frame + {at}, {variable(first)});",
                      f"isa::store<isa::u64>(frame + {at + 8}, {variable(second)});"]
        return draft.done()
    draft.written |= {first, second}
    draft.ptx += [f"ld.local.b128 %whole0, [frame+{at}];", f"mov.b128 {{{first}, {second}}}, %whole0;"]
    draft.cpp += [f"{variable(first)} = isa::load<isa::u64>(frame + {at});",
                  f"{variable(second)} = isa::load<isa::u64>(frame + {at + 8});"]
    return draft.done()


def access_own(maker):
    """A load or a store of what only this thread has, with words about caches and order, and a fence perhaps."""
    draft = maker.draft()
    is_wide = maker.chance(0.4)
    kind, bits = (R64, 64) if is_wide else (R32, 32)
    address, cell = own_cell(maker, is_wide)
    if maker.chance(0.5):
        words = maker.pick("", ".volatile", ".relaxed.gpu", ".acquire.sys", ".relaxed.cta", ".weak")
        cached = "" if words else maker.pick("", ".ca", ".cg", ".cs", ".lu", ".cv")
        target = draft.target(kind)
        draft.ptx.append(f"ld{words}.global{cached}.{maker.pick('b', 'u', 's')}{bits} {target}, {address};")
        draft.cpp.append(f"{variable(target)} = {cell};")
    else:
        words = maker.pick("", ".volatile", ".relaxed.gpu", ".release.sys", ".relaxed.cta", ".weak")
        cached = "" if words else maker.pick("", ".wb", ".cg", ".cs", ".wt")
        source = draft.integer(f"b{bits}")
        draft.ptx.append(f"st{words}.global{cached}.{maker.pick('b', 'u', 's')}{bits} {address}, {source.ptx};")
        draft.cpp.append(f"{cell} = {source.cpp};")
    if maker.chance(0.3):
        draft.ptx.append(maker.pick("membar.cta;", "membar.gl;", "membar.sys;", "fence.acq_rel.gpu;", "fence.sc.cta;",
                                    "fence.sc.sys;", f"prefetchu.L1 {address};",
                                    "griddepcontrol.wait;", f"prefetch.global.L1 {address};", "nanosleep.u32 20;"))
    return draft.done()
