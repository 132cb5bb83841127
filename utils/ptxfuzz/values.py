"""Statements that compute values: those of the table, carries, comparisons, conversions, moves."""

import functools

from .forms import INTEGERS, WIDE
from .maker import Operand
from .program import (BF16, BF16X2, F16, F16X2, F32, F64, H16, PRED, R32, R64, bits_of, kind_of, variable)

ORDERED = "eq ne lt le gt ge".split()
UNORDERED = "equ neu ltu leu gtu geu num nan".split()
UNSIGNED = "lo ls hi hs".split()
PAIRS = ("u16x2", "s16x2")
BOOLEANS = {"and": "&", "or": "|", "xor": "^"}


def modifiers_of(maker, groups):
    """One of each group of alternatives."""
    chosen = []
    for group in groups.split():
        if group.startswith("?"):
            if maker.chance(0.5):
                continue
            group = group[1:]
        chosen.append(maker.pick(group.split("|")))
    return chosen


def flags(modifiers):
    return " | ".join(f"isa::{modifier}" for modifier in modifiers if modifier != "abs")


def wider(type_name):
    return type_name[0] + str(2 * bits_of(type_name))


def sources_of(draft, form, type_name):
    """The sources that the form wants, in order."""
    made = []
    for letter in form.operands.split()[1:]:
        if letter in "av":
            made.append(draft.source(wider(type_name) if letter == "v" else type_name))
        elif letter in "up":
            made.append(draft.small(255 if letter == "p" else 0xffffffff))
        elif letter == "m":
            made.append(draft.with_sign(type_name))
        elif letter == "z":
            made.append(draft.divisor(type_name))
        elif letter == "k":
            number = draft.maker.number(0, 255)
            made.append(Operand(draft.maker.spell(number, 32), str(number)))
    return made


def opcode_of(name, modifiers, type_name):
    words = [name, type_name, *modifiers] if name == "prmt" else [name, *modifiers, type_name]
    return ".".join(words)


def of_form(form):
    """What makes a statement of this form."""
    return functools.partial(make_form, form)


def meaning_of(form, name, type_name, sources, modifiers):
    """The C++ expression."""
    values = [source.cpp for source in sources]
    if form.helper and not form.helper[0].isalnum():
        return f" {form.helper} ".join(values) if len(values) > 1 else form.helper + values[0]
    helper = name + "3" if form.helper == "3" else form.helper or name
    values += [flags(modifiers)] if modifiers else []
    return f"isa::{helper}<isa::{type_name}>({', '.join(values)})"


def make_form(form, maker):
    draft = maker.draft()
    types = [type_name for type_name in form.types.split() if maker.plain or type_name not in PAIRS]
    name, type_name = maker.pick(form.name.split("|")), maker.pick(types)
    modifiers = modifiers_of(maker, form.modifiers)
    sources = sources_of(draft, form, type_name)
    letter = form.operands[0]
    kind = {"n": R32, "q": PRED}.get(letter) or kind_of(wider(type_name) if letter == "w" else type_name)
    target = maker.pick(maker.plain) if type_name in PAIRS else draft.target(kind)
    draft.written.add(target)
    operands = ", ".join([target, *(source.ptx for source in sources)])
    draft.ptx.append(f"{opcode_of(name, modifiers, type_name)} {operands};")
    draft.cpp.append(f"{variable(target)} = {meaning_of(form, name, type_name, sources, modifiers)};")
    if "!" in form.operands:
        zero = maker.temporary(kind)
        draft.ptx += [f"mov.{kind.move} {zero}, 0;", f"add.rn.{type_name} {target}, {target}, {zero};"]
    return draft.done()


def dot_product(maker):
    draft = maker.draft()
    name, first, second = maker.pick("dp4a", "dp2a"), maker.pick("u32", "s32"), maker.pick("u32", "s32")
    modifiers = [maker.pick("lo", "hi")] if name == "dp2a" else []
    sources = [draft.integer("u32", 0.15) for _ in range(3)]
    target = draft.target(R32)
    values = [source.cpp for source in sources] + [flags(modifiers)] * len(modifiers)
    return draft.step(f"{'.'.join([name, *modifiers, first, second])} "
                      f"{', '.join([target, *(source.ptx for source in sources)])}",
                      f"{variable(target)} = isa::{name}<isa::{first}, isa::{second}>({', '.join(values)})")


def pack_saturated(maker):
    draft = maker.draft()
    bits, sign = maker.pick(2, 4, 8, 16), maker.pick("u", "s")
    sources = [draft.integer("s32", 0.15) for _ in range(2)]
    # Of 16 bits each nothing else fits.
    if bits < 16:
        sources.append(draft.integer("u32", 0.15))
    target = draft.target(R32)
    values = ", ".join(source.cpp for source in sources) + ("" if bits < 16 else ", 0")
    opcode = f"cvt.pack.sat.{sign}{bits}.s32" + (".b32" if bits < 16 else "")
    return draft.step(f"{opcode} {', '.join([target, *(source.ptx for source in sources)])}",
                      f"{variable(target)} = isa::pack({values}, {bits}, {'true' if sign == 's' else 'false'})")


# ---------------------------------------------------------------------------------------------------------------------
# Carries: the instructions of a chain stay together.
# ---------------------------------------------------------------------------------------------------------------------

def carry_chain(maker):
    draft = maker.draft()
    kind = maker.pick(("add",), ("sub",), ("mad",), ("add", "mad"))
    type_name = maker.pick(WIDE.split())
    draft.cpp.append("bool carry = false;")
    length = maker.number(2, 4)
    for number in range(length):
        link(draft, maker.pick(kind), type_name, number > 0, number + 1 < length or maker.chance(0.2))
    draft.cpp = ["{", *("  " + line for line in draft.cpp), "}"]
    return draft.done(can_be_guarded=False)


def link(draft, name, type_name, takes, gives):
    """One instruction of a chain, which takes the carry and gives one."""
    maker = draft.maker
    sources = [draft.integer(type_name, 0.2) for _ in range(3 if name == "mad" else 2)]
    half = [maker.pick("lo", "hi")] if name == "mad" else []
    target = draft.target(kind_of(type_name))
    opcode = ".".join([name + "c" * takes, *half, *["cc"] * gives, type_name])
    draft.ptx.append(f"{opcode} {', '.join([target, *(source.ptx for source in sources)])};")
    values = [*(source.cpp for source in sources), "carry" if takes else "false", "carry" if gives else "ignored",
              *map(flags, [half] if half else [])]
    if not gives:
        draft.cpp.append("bool ignored;")
    draft.cpp.append(f"{variable(target)} = isa::{name}c<isa::{type_name}>({', '.join(values)});")


# ---------------------------------------------------------------------------------------------------------------------
# Comparisons and choices.
# ---------------------------------------------------------------------------------------------------------------------

def relation_of(maker, type_name):
    if "f" in type_name:
        return maker.pick(ORDERED + UNORDERED)
    if type_name[0] == "b":
        return maker.pick("eq", "ne")
    return maker.pick(ORDERED + UNSIGNED if type_name[0] == "u" else ORDERED)


def comparison(draft, types):
    """Modifiers, type, sources and the C++ condition of two numbers, and the text with which it is combined, or
    nothing."""
    maker = draft.maker
    type_name = maker.pick(types.split())
    relation = relation_of(maker, type_name)
    left, right = draft.source(type_name), draft.source(type_name)
    flushes = ["ftz"] if type_name in ("f32", "f16") and maker.chance(0.4) else []
    meaning = f"isa::compare<isa::{type_name}>({left.cpp}, {right.cpp}, {flags([relation, *flushes])})"
    modifiers, operands, combined = [relation], [left.ptx, right.ptx], ""
    if maker.chance(0.5):
        boolean, other, sign = maker.pick(list(BOOLEANS)), maker.register(PRED), maker.pick("", "!")
        modifiers.append(boolean)
        operands.append(sign + other)
        combined = f" {BOOLEANS[boolean]} {sign}{variable(other)}"
    return modifiers + flushes, type_name, operands, meaning, combined


def set_predicate(maker):
    """`setp`, with one result or two."""
    draft = maker.draft()
    modifiers, type_name, operands, meaning, combined = comparison(
        draft, INTEGERS + " b16 b32 b64 f32 f32 f32 f64 f64 f16 bf16")
    first = draft.target(PRED)
    opcode = ".".join(["setp", *modifiers, type_name])
    if maker.chance(0.6) or type_name in ("f16", "bf16"):
        return draft.step(f"{opcode} {', '.join([first, *operands])}", f"{variable(first)} = {meaning}{combined}")
    second = draft.target(PRED)
    if second == first:
        return draft.step(f"{opcode} {', '.join([first, *operands])}", f"{variable(first)} = {meaning}{combined}")
    # Both see the old values.
    draft.cpp += ["{", f"  bool holds = {meaning}, isFirst = holds{combined}, isSecond = !holds{combined};",
                  f"  {variable(first)} = isFirst;", f"  {variable(second)} = isSecond;", "}"]
    draft.ptx.append(f"{opcode} {first}|{second}, {', '.join(operands)};")
    return draft.done()


def set_predicates_of_pair(maker):
    draft = maker.draft()
    kind, type_name, half = maker.pick((F16X2, "f16x2", "f16"), (BF16X2, "bf16x2", "bf16"))
    left, right = maker.register(kind), maker.register(kind)
    relation = maker.pick(ORDERED + UNORDERED)
    modifiers = [relation] + (["ftz"] if half == "f16" and maker.chance(0.4) else [])
    first, second = maker.rng.sample(maker.names(PRED), 2)
    draft.written |= {first, second}
    draft.ptx.append(f"{'.'.join(['setp', *modifiers, type_name])} {first}|{second}, {left}, {right};")
    for name, part in ((first, "low"), (second, "high")):
        draft.cpp.append(f"{variable(name)} = isa::compare<isa::{half}>(isa::{part}({variable(left)}), "
                         f"isa::{part}({variable(right)}), {flags(modifiers)});")
    return draft.done()


def compute_pair_of_floats(maker):
    """Two numbers of 32 bits in a register of 64, with each of which is done what the instruction does with one."""
    draft = maker.draft()
    name = maker.pick("add", "sub", "mul", "fma")
    modifiers = [maker.pick("rn", "rz", "rm", "rp")] if name == "fma" or maker.chance(0.6) else []
    modifiers += ["ftz"] if maker.chance(0.4) else []
    sources = [[maker.register(F32), maker.register(F32)] for _ in range(3 if name == "fma" else 2)]
    pairs = [maker.temporary(kind_of("b64")) for _ in range(len(sources) + 1)]
    targets = maker.rng.sample(maker.names(F32), 2)
    draft.written |= set(targets)
    draft.ptx += [f"mov.b64 {pair}, {{{', '.join(source)}}};" for pair, source in zip(pairs, sources)]
    draft.ptx += [f"{'.'.join([name, *modifiers, 'f32x2'])} {', '.join([pairs[-1], *pairs[:-1]])};",
                  f"mov.b64 {{{', '.join(targets)}}}, {pairs[-1]};"]
    results = []
    for number in range(2):
        values = [variable(source[number]) for source in sources] + ([flags(modifiers)] if modifiers else [])
        results.append(f"isa::{name}<isa::f32>({', '.join(values)})")
    # Both see the old values.
    draft.cpp += ["{", f"  isa::f32 low = {results[0]}, high = {results[1]};",
                  f"  {variable(targets[0])} = low;", f"  {variable(targets[1])} = high;", "}"]
    return draft.done()


ONES = {"f32": "1.0f", "f16": "0x3c00", "bf16": "0x3f80", "u16": "0xffff", "s16": "0xffff", "u32": "0xffffffffu",
        "s32": "0xffffffffu"}


def set_number(maker):
    """`set`, whose result is a number: 1.0, or an integer of ones."""
    draft = maker.draft()
    modifiers, type_name, operands, meaning, combined = comparison(
        draft, INTEGERS + " b16 b32 b64 f32 f32 f64 f64 f16 bf16")
    results = ("u16", "s16", "u32", "s32", type_name) if type_name in ("f16", "bf16") else \
        ("u32", "s32", "f32", "f32", "f16", "bf16")
    result = maker.pick([name for name in results if name != "bf16" or "ftz" not in modifiers])
    target = draft.target(kind_of(result))
    return draft.step(f"{'.'.join(['set', *modifiers, result, type_name])} {', '.join([target, *operands])}",
                      f"{variable(target)} = ({meaning}{combined}) ? {ONES[result]} : 0")


def set_pair(maker):
    """`set` of pairs."""
    draft = maker.draft()
    kind, type_name, half = maker.pick((F16X2, "f16x2", "f16"), (BF16X2, "bf16x2", "bf16"))
    result = maker.pick("u32", "s32", type_name)
    modifiers = [maker.pick(ORDERED + UNORDERED)] + (["ftz"] if half == "f16" and maker.chance(0.4) else [])
    left, right, target = maker.register(kind), maker.register(kind), draft.target(kind_of(result))
    one = ONES[half] if result == type_name else "0xffff"
    parts = [f"isa::compare<isa::{half}>(isa::{part}({variable(left)}), isa::{part}({variable(right)}), "
             f"{flags(modifiers)}) ? {one} : 0" for part in ("low", "high")]
    draft.ptx.append(f"{'.'.join(['set', *modifiers, result, type_name])} {target}, {left}, {right};")
    draft.cpp += [f"{variable(target)} = isa::join(", *(f"    {part}{end}" for part, end in zip(parts, (",", ");")))]
    return draft.done()


def select(maker):
    draft = maker.draft()
    type_name = maker.pick((INTEGERS + " b16 b32 b64 f32 f64").split())
    condition = maker.register(PRED)
    left, right = draft.source(type_name), draft.source(type_name)
    target = draft.target(kind_of(type_name))
    convert = f"isa::{type_name}"
    return draft.step(f"selp.{type_name} {target}, {left.ptx}, {right.ptx}, {condition}",
                      f"{variable(target)} = {variable(condition)} ? {convert}({left.cpp}) : {convert}({right.cpp})")


def select_by_sign(maker):
    draft = maker.draft()
    type_name, sign = maker.pick((INTEGERS + " b16 b32 b64 f32 f64").split()), maker.pick("s32", "f32")
    modifiers = ["ftz"] if sign == "f32" and maker.chance(0.5) else []
    left, right, last = draft.source(type_name), draft.source(type_name), draft.source(sign)
    target = draft.target(kind_of(type_name))
    values = [left.cpp, right.cpp, last.cpp, *map(flags, [modifiers] if modifiers else [])]
    return draft.step(f"{'.'.join(['slct', *modifiers, type_name, sign])} "
                      f"{target}, {left.ptx}, {right.ptx}, {last.ptx}",
                      f"{variable(target)} = isa::slct<isa::{type_name}, isa::{sign}>({', '.join(values)})")


def copy_sign(maker):
    """The sign of what is no number means nothing."""
    draft = maker.draft()
    kind, type_name = maker.pick((F32, "f32"), (F64, "f64"))
    word, signed = draft.bits(kind, maker.register(kind)), maker.temporary(kind)
    draft.ptx.append(f"mov.b{kind.bits} {signed}, {word.ptx};")
    value, target = draft.source(type_name), draft.target(kind)
    return draft.step(f"copysign.{type_name} {target}, {signed}, {value.ptx}",
                      f"{variable(target)} = isa::copysign<isa::{type_name}>"
                      f"(isa::fromBits<isa::{type_name}>({word.cpp}), {value.cpp})")


# ---------------------------------------------------------------------------------------------------------------------
# Moves.
# ---------------------------------------------------------------------------------------------------------------------

def move(maker):
    """Within a kind, or of bits between an integer and a number."""
    draft = maker.draft()
    integer, number = maker.pick((H16, F16), (H16, BF16), (R32, F32), (R64, F64), (R32, F16X2), (R32, BF16X2))
    if maker.chance(0.4):
        # Any bits may be a number.
        source, target = draft.integer(f"b{integer.bits}"), draft.target(number)
        type_name = {F32: "isa::f32", F64: "isa::f64"}.get(number)
        value = f"isa::fromBits<{type_name}>({source.cpp})" if type_name else source.cpp
        return draft.step(f"mov.b{integer.bits} {target}, {source.ptx}", f"{variable(target)} = {value}")
    if maker.chance(0.6):
        source, target = draft.bits(number, maker.register(number)), draft.target(integer)
        return draft.step(f"mov.b{integer.bits} {target}, {source.ptx}", f"{variable(target)} = {source.cpp}")
    kind = maker.pick(H16, R32, R64, F32, F64, PRED)
    type_name = {F32: "f32", F64: "f64", PRED: "pred"}.get(kind) or maker.pick("b", "u", "s") + str(kind.bits)
    source = draft.source(type_name)
    target = draft.target(kind)
    return draft.step(f"mov.{type_name} {target}, {source.ptx}", f"{variable(target)} = {source.cpp}")


def pack(maker):
    """A word of its parts, the lowest first."""
    draft = maker.draft()
    whole, part, count = maker.pick((R32, H16, 2), (R64, R32, 2), (R64, H16, 4))
    sources = [draft.integer(f"b{part.bits}", 0.15) for _ in range(count)]
    target = draft.target(whole)
    parts = [f"isa::u64(isa::u{part.bits}({source.cpp})) << {number * part.bits}"
             for number, source in enumerate(sources)]
    return draft.step(f"mov.b{whole.bits} {target}, {{{', '.join(source.ptx for source in sources)}}}",
                      f"{variable(target)} = {' | '.join(parts)}")


def unpack(maker):
    draft = maker.draft()
    whole, part, count = maker.pick((R32, H16, 2), (R64, R32, 2), (R64, H16, 4))
    source = maker.register(whole)
    names = maker.names(part)
    targets = maker.rng.sample(names, min(count, len(names)))
    targets += ["_"] * (count - len(targets))
    if count == 2 and maker.chance(0.2):
        targets[maker.number(0, 1)] = "_"
    draft.written |= set(targets)
    for number, target in enumerate(targets):
        if target != "_":
            draft.cpp.append(f"{variable(target)} = {variable(source)} >> {number * part.bits};")
    draft.ptx.append(f"mov.b{whole.bits} {{{', '.join(targets)}}}, {source};")
    return draft.done()


def pack_halves(maker):
    """Pairs of numbers of 16 bits from single ones, and back."""
    draft = maker.draft()
    pair, single = maker.pick((F16X2, F16), (BF16X2, BF16))
    if maker.chance(0.5):
        left, right, target = maker.register(single), maker.register(single), draft.target(pair)
        return draft.step(f"mov.b32 {target}, {{{left}, {right}}}",
                          f"{variable(target)} = isa::join({variable(left)}, {variable(right)})")
    source = maker.register(pair)
    low, high = maker.rng.sample(maker.names(single), 2)
    draft.written |= {low, high}
    draft.cpp += [f"{variable(low)} = isa::low({variable(source)});",
                  f"{variable(high)} = isa::high({variable(source)});"]
    draft.ptx.append(f"mov.b32 {{{low}, {high}}}, {source};")
    return draft.done()


SPECIAL = {
    "%tid.x": "threadIdx.x", "%tid.y": "threadIdx.y", "%tid.z": "threadIdx.z", "%ntid.x": "blockDim.x",
    "%ntid.y": "blockDim.y", "%ntid.z": "blockDim.z", "%ctaid.x": "blockIdx.x", "%ctaid.y": "blockIdx.y",
    "%ctaid.z": "blockIdx.z", "%nctaid.x": "gridDim.x", "%nctaid.y": "gridDim.y", "%nctaid.z": "gridDim.z",
    "%laneid": "LANE", "%lanemask_eq": "1u << LANE", "%lanemask_lt": "(1u << LANE) - 1",
    "%lanemask_le": "(2u << LANE) - 1", "%lanemask_gt": "~((2u << LANE) - 1)", "%lanemask_ge": "~((1u << LANE) - 1)",
    "WARP_SZ": "32",
}
LANE = "(threadIdx.x + threadIdx.y * blockDim.x) % 32"


def special(maker):
    draft = maker.draft()
    name = maker.pick(list(SPECIAL))
    value = SPECIAL[name].replace("LANE", LANE)
    if name != "WARP_SZ" and maker.chance(0.25):
        type_name = maker.pick("u16", "u64", "s64")
        target = draft.target(kind_of(type_name))
        return draft.step(f"cvt.{type_name}.u32 {target}, {name}", f"{variable(target)} = {value}")
    target = draft.target(R32)
    return draft.step(f"mov.u32 {target}, {name}", f"{variable(target)} = {value}")
