"""Conversions between all types."""

from .maker import of_register
from .program import BF16X2, F16X2, F32, H16, R32, R64, bits_of, kind_of, variable
from .values import flags

INTEGERS = "u8 s8 u16 s16 u32 s32 u64 s64".split()
FLOATS = "f16 bf16 f32 f64".split()
WHOLE = ("rni", "rzi", "rmi", "rpi")


def is_float(type_name):
    return "f" in type_name


def convert(maker):
    """`cvt` of any two types."""
    makers = [integers, to_integer, from_integer, floats, same_float]
    return maker.rng.choices(makers, [3, 4, 3, 3, 1])[0](maker)


def integer_source(draft, type_name):
    """A register of the type, or a wider one, of which the lowest bits count."""
    maker, bits = draft.maker, bits_of(type_name)
    kinds = [kind for kind in (H16, R32, R64) if kind.bits >= bits]
    return of_register(maker.register(kinds[0] if maker.chance(0.7) else maker.pick(kinds)))


def integer_target(draft, type_name):
    """As wide as the type, or wider: the number is extended by its type."""
    maker, bits = draft.maker, bits_of(type_name)
    kinds = [kind for kind in (H16, R32, R64) if kind.bits >= bits]
    return draft.target(kinds[0] if maker.chance(0.7) else maker.pick(kinds))


def finished(draft, modifiers, to, source_type, target, source):
    """The statement for `cvt.MODIFIERS.TO.FROM`."""
    arguments = ", ".join([source.cpp] + ([flags(modifiers)] if modifiers else []))
    return draft.step(f"{'.'.join(['cvt', *modifiers, to, source_type])} {target}, {source.ptx}",
                      f"{variable(target)} = isa::cvt<isa::{to}, isa::{source_type}>({arguments})")


def can_saturate(to, source_type):
    """Whether there are numbers of the one type that the other one lacks."""
    if source_type[0] == "s" and to[0] == "u":
        return True
    return bits_of(source_type) - (source_type[0] == "s") > bits_of(to) - (to[0] == "s")


def integers(maker):
    draft = maker.draft()
    to, source_type = maker.pick(INTEGERS), maker.pick(INTEGERS)
    modifiers = ["sat"] if can_saturate(to, source_type) and maker.chance(0.5) else []
    source = integer_source(draft, source_type)
    return finished(draft, modifiers, to, source_type, integer_target(draft, to), source)


def to_integer(maker):
    draft = maker.draft()
    to, source_type = maker.pick(INTEGERS), maker.pick(FLOATS + ["f32", "f64"])
    modifiers = [maker.pick(WHOLE)]
    if source_type == "f32" and maker.chance(0.4):
        modifiers.append("ftz")
    source = of_register(maker.register(kind_of(source_type)))
    if source_type == "bf16":
        to = maker.pick(INTEGERS[2:])
        return finished(draft, modifiers, to, source_type, draft.target(kind_of(to)), source)
    if maker.chance(0.3):
        modifiers.append("sat")
    return finished(draft, modifiers, to, source_type, integer_target(draft, to), source)


def from_integer(maker):
    draft = maker.draft()
    to, source_type = maker.pick(FLOATS + ["f32", "f64"]), maker.pick(INTEGERS)
    if to == "bf16":
        source_type = maker.pick("u16", "s16", "u32", "s32")
        source = of_register(maker.register(kind_of(source_type)))
        return finished(draft, ["rn"], to, source_type, draft.target(kind_of(to)), source)
    modifiers = [maker.pick("rn", "rz", "rm", "rp")]
    if to == "f32" and maker.chance(0.2):
        modifiers.append("ftz")
    if maker.chance(0.3):
        modifiers.append("sat")
    source = integer_source(draft, source_type)
    return finished(draft, modifiers, to, source_type, draft.target(kind_of(to)), source)


def floats(maker):
    """To more digits or to fewer."""
    draft = maker.draft()
    to, source_type = maker.pick(("f32", "f16"), ("f64", "f16"), ("f64", "f32"), ("f32", "bf16"), ("f64", "bf16"),
                                 ("f16", "f32"), ("f16", "f64"), ("f32", "f64"), ("f32", "f64"), ("bf16", "f32"),
                                 ("bf16", "f64"))
    modifiers = []
    if bits_of(to) < bits_of(source_type):
        modifiers = [maker.pick("rn", "rz") if to == "bf16" else maker.pick("rn", "rz", "rm", "rp")]
    if "bf16" not in (to, source_type):
        if "f32" in (to, source_type) and maker.chance(0.4):
            modifiers.append("ftz")
        if maker.chance(0.3):
            modifiers.append("sat")
    source = of_register(maker.register(kind_of(source_type)))
    return finished(draft, modifiers, to, source_type, draft.target(kind_of(to)), source)


def same_float(maker):
    """To a whole number of the same type, or to itself."""
    draft = maker.draft()
    type_name = maker.pick("f16", "bf16", "f32", "f32", "f64")
    modifiers = [maker.pick(WHOLE)] if maker.chance(0.7) else []
    if type_name == "f32" and maker.chance(0.4):
        modifiers.append("ftz")
    if type_name != "bf16" and maker.chance(0.3):
        modifiers.append("sat")
    source = of_register(maker.register(kind_of(type_name)))
    return finished(draft, modifiers, type_name, type_name, draft.target(kind_of(type_name)), source)


def convert_relu(maker):
    """What is below zero becomes zero; 0 is added, as the ISA does not say which zero it is."""
    draft = maker.draft()
    to = maker.pick("f16", "bf16")
    kind, source = kind_of(to), draft.float("f32")
    target, zero = draft.target(kind), maker.temporary(kind)
    modifiers = [maker.pick("rn", "rz"), "relu"] + ["satfinite"] * maker.chance(0.4)
    draft.ptx += [f"cvt.{'.'.join(modifiers)}.{to}.f32 {target}, {source.ptx};", f"mov.b16 {zero}, 0;",
                  f"add.rn.{to} {target}, {target}, {zero};"]
    draft.cpp.append(f"{variable(target)} = isa::cvt<isa::{to}, isa::f32>({source.cpp}, {flags(modifiers)});")
    return draft.done()


def convert_finite(maker):
    """What is too large becomes the largest number."""
    draft = maker.draft()
    to = maker.pick("f16", "bf16")
    source, target = draft.float("f32"), draft.target(kind_of(to))
    return finished(draft, [maker.pick("rn", "rz"), "satfinite"], to, "f32", target, source)


def convert_pair(maker):
    draft = maker.draft()
    kind, to = maker.pick((F16X2, "f16x2"), (BF16X2, "bf16x2"))
    left, right, target = draft.float("f32"), draft.float("f32"), draft.target(kind)
    modifiers = [maker.pick("rn", "rz")] + ["relu"] * maker.chance(0.4) + ["satfinite"] * maker.chance(0.3)
    draft.ptx.append(f"cvt.{'.'.join(modifiers)}.{to}.f32 {target}, {left.ptx}, {right.ptx};")
    draft.cpp.append(f"{variable(target)} = isa::cvtPair<isa::{to}>({left.cpp}, {right.cpp}, {flags(modifiers)});")
    if "relu" in modifiers:
        zero = maker.temporary(kind)
        draft.ptx += [f"mov.b32 {zero}, 0;", f"add.rn.{to} {target}, {target}, {zero};"]
    return draft.done()


def convert_tf32(maker):
    """The result is a number again."""
    draft = maker.draft()
    modifier, word = maker.pick("rna", "rn"), maker.temporary(R32)
    source, target = of_register(maker.register(F32)), draft.target(F32)
    draft.ptx += [f"cvt.{modifier}.tf32.f32 {word}, {source.ptx};", f"mov.b32 {target}, {word};"]
    draft.cpp.append(f"{variable(target)} = isa::cvtTF32({source.cpp}, isa::{modifier});")
    return draft.done()


def convert_eighths(maker):
    """Pairs of numbers of eight bits, from floats and halves, and back."""
    draft = maker.draft()
    name, fraction_bits = maker.pick(("e4m3x2", 3), ("e5m2x2", 2))
    modifiers = ["relu"] * maker.chance(0.3)
    words, arguments = ".".join(["rn", "satfinite", *modifiers, name]), flags(["rn", *modifiers])
    source_type = maker.pick("f32", "f16x2", "bytes")
    if source_type == "bytes":
        source, target = of_register(maker.register(H16)), draft.target(F16X2)
        draft.ptx.append(f"cvt.{'.'.join(['rn', *modifiers])}.f16x2.{name} {target}, {source.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::fromEighths<{fraction_bits}>({source.cpp}, {arguments});")
    elif source_type == "f32":
        left, right, target = draft.float("f32"), draft.float("f32"), draft.target(H16)
        draft.ptx.append(f"cvt.{words}.f32 {target}, {left.ptx}, {right.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::toEighths<{fraction_bits}>({left.cpp}, {right.cpp}, {arguments});")
    else:
        source, target = of_register(maker.register(F16X2)), draft.target(H16)
        halves = [f"isa::valueOf<isa::f16>(isa::{half}({source.cpp}))" for half in ("high", "low")]
        draft.ptx.append(f"cvt.{words}.f16x2 {target}, {source.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::toEighths<{fraction_bits}>({', '.join(halves)}, {arguments});")
    return draft.done()


def convert_sixths(maker):
    """Pairs of numbers of six bits, from floats and to halves."""
    draft = maker.draft()
    name, fraction_bits = maker.pick(("e3m2x2", 2), ("e2m3x2", 3))
    modifiers = ["relu"] * maker.chance(0.3)
    if maker.chance(0.5):
        source, target = of_register(maker.register(H16)), draft.target(F16X2)
        draft.ptx.append(f"cvt.{'.'.join(['rn', *modifiers])}.f16x2.{name} {target}, {source.ptx};")
        draft.cpp.append(f"{variable(target)} = "
                         f"isa::fromSixths<{fraction_bits}>({source.cpp}, {flags(['rn', *modifiers])});")
        return draft.done()
    left, right, target = draft.float("f32"), draft.float("f32"), draft.target(H16)
    draft.ptx.append(f"cvt.{'.'.join(['rn', 'satfinite', *modifiers, name])}.f32 {target}, {left.ptx}, {right.ptx};")
    draft.cpp.append(f"{variable(target)} = isa::toSixths<{fraction_bits}>({left.cpp}, {right.cpp}, "
                     f"{flags(['rn', *modifiers])});")
    return draft.done()


def convert_scales(maker):
    """Pairs of exponents, from floats and bfloats, and back."""
    draft = maker.draft()
    modifiers = [maker.pick("rz", "rp")] + ["satfinite"] * maker.chance(0.5)
    words, arguments = ".".join([*modifiers, "ue8m0x2"]), flags(modifiers)
    source_type = maker.pick("f32", "bf16x2", "bytes")
    if source_type == "bytes":
        source, target = of_register(maker.register(H16)), draft.target(BF16X2)
        draft.ptx.append(f"cvt.rn.bf16x2.ue8m0x2 {target}, {source.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::fromScales({source.cpp});")
    elif source_type == "f32":
        left, right, target = draft.float("f32"), draft.float("f32"), draft.target(H16)
        draft.ptx.append(f"cvt.{words}.f32 {target}, {left.ptx}, {right.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::toScales({left.cpp}, {right.cpp}, {arguments});")
    else:
        source, target = of_register(maker.register(BF16X2)), draft.target(H16)
        halves = [f"isa::valueOf<isa::bf16>(isa::{half}({source.cpp}))" for half in ("high", "low")]
        draft.ptx.append(f"cvt.{words}.bf16x2 {target}, {source.ptx};")
        draft.cpp.append(f"{variable(target)} = isa::toScales({', '.join(halves)}, {arguments});")
    return draft.done()
