"""Instructions that a table describes, as Instructions.def does, each with the function of helpers.cuh that it is.

Operands: d and w are destinations, of the type and twice as wide, n of 32 bits, q a predicate; a sources of the type, v
twice as wide, m those whose sign counts where they are no numbers, u of 32 bits that are small as often as not, p those of
which 8 bits count, z a divisor, k a number of 8 bits. `!` is none: the ISA does not say which zero the result is, so 0 is
added to it.
"""

from dataclasses import dataclass

INTEGERS = "u16 s16 u32 s32 u64 s64"
WIDE = "u32 s32 u64 s64"


@dataclass(frozen=True)
class Form:
    """`modifiers`: groups of alternatives, of which each may be left out where `?` stands before it."""

    name: str
    modifiers: str
    types: str
    operands: str
    helper: str = ""
    weight: float = 1


INTEGER_FORMS = (
    Form("add", "", INTEGERS + " u16x2 s16x2", "d a a", weight=2),
    Form("add", "sat", "s32", "d a a"),
    Form("sub", "", INTEGERS, "d a a"),
    Form("sub", "sat", "s32", "d a a"),
    Form("mul", "lo|hi", INTEGERS, "d a a", weight=2),
    Form("mul", "wide", "u16 s16 u32 s32", "w a a", weight=2),
    Form("mul24", "lo|hi", "u32 s32", "d a a"),
    Form("mad", "lo|hi", INTEGERS, "d a a a", weight=2),
    Form("mad", "hi sat", "s32", "d a a a"),
    Form("mad", "wide", "u16 s16 u32 s32", "w a a v"),
    Form("mad24", "lo|hi", "u32 s32", "d a a a"),
    Form("mad24", "hi sat", "s32", "d a a a"),
    Form("sad", "", INTEGERS, "d a a a"),
    Form("div", "", INTEGERS, "d a z"),
    Form("rem", "", INTEGERS, "d a z"),
    Form("abs", "", "s16 s32 s64", "d a"),
    Form("neg", "", "s16 s32 s64", "d a"),
    Form("min|max", "", INTEGERS + " u16x2 s16x2", "d a a", weight=2),
    Form("min|max", "relu", "s16x2 s32", "d a a"),
)
BIT_FORMS = (
    Form("and", "", "b16 b32 b64 pred", "d a a", "&"),
    Form("or", "", "b16 b32 b64 pred", "d a a", "|"),
    Form("xor", "", "b16 b32 b64 pred", "d a a", "^"),
    Form("not", "", "b16 b32 b64", "d a", "~"),
    Form("not", "", "pred", "d a", "!"),
    Form("cnot", "", "b16 b32 b64", "d a"),
    Form("shl", "", "b16 b32 b64", "d a u", weight=2),
    Form("shr", "", "b16 b32 b64 " + INTEGERS, "d a u", weight=3),
    Form("shf", "l|r wrap|clamp", "b32", "d a a u", weight=3),
    Form("lop3", "", "b32", "d a a a k", weight=2),
    Form("prmt", "?f4e|b4e|rc8|ecl|ecr|rc16", "b32", "d a a a", weight=3),
    Form("bfe", "", WIDE, "d a p p", weight=3),
    Form("bfi", "", "b32 b64", "d a a p p", weight=2),
    Form("bmsk", "clamp|wrap", "b32", "d u u"),
    Form("szext", "clamp|wrap", "u32 s32", "d a u"),
    Form("popc", "", "b32 b64", "n a"),
    Form("clz", "", "b32 b64", "n a"),
    Form("bfind", "?shiftamt", WIDE, "n a", weight=2),
    Form("brev", "", "b32 b64", "d a"),
)
FLOAT_FORMS = (
    Form("add|sub", "?rn|rz|rm|rp ?ftz ?sat", "f32", "d a a", weight=4),
    Form("add|sub", "?rn|rz|rm|rp", "f64", "d a a", weight=2),
    Form("add|sub", "?rn ?ftz ?sat", "f16 f16x2", "d a a", weight=2),
    Form("add|sub|mul", "?rn", "bf16 bf16x2", "d a a"),
    Form("mul", "rn|rz|rm|rp ?ftz ?sat", "f32", "d a a", weight=4),
    Form("mul", "rn", "f64", "d a a"),
    Form("mul", "rn ?ftz ?sat", "f16 f16x2", "d a a", weight=2),
    Form("fma", "rn|rz|rm|rp ?ftz ?sat", "f32", "d a a a", weight=4),
    Form("mad", "rn|rz|rm|rp ?ftz ?sat", "f32", "d a a a", "fma"),
    Form("fma", "rn", "f64", "d a a a"),
    Form("mad", "rn", "f64", "d a a a", "fma"),
    Form("fma", "rn ?ftz ?sat", "f16 f16x2", "d a a a", weight=2),
    Form("fma", "rn ?ftz relu", "f16 f16x2", "d a a a !"),
    Form("fma", "rn", "bf16 bf16x2", "d a a a", weight=2),
    Form("fma", "rn relu", "bf16 bf16x2", "d a a a !"),
    Form("div", "rn|rz|rm|rp ?ftz", "f32", "d a a", weight=2),
    Form("div", "rn", "f64", "d a a"),
    Form("rcp", "rn|rz|rm|rp ?ftz", "f32", "d a", weight=2),
    Form("rcp", "rn", "f64", "d a"),
    Form("sqrt", "rn|rz|rm|rp ?ftz", "f32", "d a", weight=2),
    Form("sqrt", "rn", "f64", "d a"),
    Form("abs|neg", "?ftz", "f32 f16 f16x2", "d a", weight=2),
    Form("abs|neg", "", "f64 bf16 bf16x2", "d a"),
    Form("min|max", "?ftz ?NaN", "f32 f16 f16x2", "d a a", weight=3),
    Form("min|max", "?NaN", "bf16 bf16x2", "d a a"),
    Form("min|max", "", "f64", "d a a"),
    Form("min|max", "?ftz ?NaN", "f32", "d a a a", "3"),
    Form("min|max", "?ftz ?NaN xorsign abs", "f32 f16 f16x2", "d m m", weight=2),
    Form("min|max", "?NaN xorsign abs", "bf16 bf16x2", "d m m"),
    Form("testp", "finite|infinite|number|notanumber|normal|subnormal", "f32 f64", "q a", weight=2),
)
