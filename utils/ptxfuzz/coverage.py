"""Which rules of Instructions.def programs use."""

import collections
import itertools
import pathlib
import re
from dataclasses import dataclass

from . import text

TABLE = pathlib.Path(__file__).parents[2] / "conversion" / "PTX" / "Instructions.def"
RULE = re.compile(r"^PTX_(?:VALUE|EFFECT)\((.*)\)$", re.MULTILINE)
MACRO = re.compile(r"^#define (PTX_\w+)\s+(?:\\\n\s*)?(\".*\")$", re.MULTILINE)
INSTRUCTION = re.compile(r"^\s*(?:@!?%\w+ )?([a-z][\w.:]*)(?: |;)")
TYPE = re.compile(r"pred|tf32|(?:bf|[fusb])(?:8|16|32|64|128)(?:x2)?")


@dataclass(frozen=True)
class Rule:
    """A line of the table."""

    name: str
    modifiers: tuple
    types: tuple

    def __str__(self):
        return " ".join([self.name, *self.modifiers, "(", *self.types, ")"])


def rules():
    """In the order of the table."""
    source = TABLE.read_text(encoding="utf-8")
    macros = {name: literal[1:-1] for name, literal in MACRO.findall(source)}
    found = []
    for line in RULE.findall(source):
        parts = []
        for argument in line.split(","):
            words = re.findall(r'"[^"]*"|PTX_\w+', argument)
            parts.append("".join(macros.get(word, word.strip('"')) for word in words))
        if len(parts) >= 4 and parts[0] and parts[0] != "NAME":
            found.append(Rule(parts[0], tuple(parts[1].split()), tuple(parts[2].split())))
    return found


def is_one_of(alternatives, word):
    return any(word.startswith(name[:-1]) if name.endswith("*") else word == name
               for name in alternatives.lstrip("?").split("|"))


def is_of_class(word, name):
    """Whether the type `word` is what the table calls `name`."""
    bits = int(re.search(r"\d+", word)[0]) if word != "pred" else 1
    kind = re.match(r"bf|[a-z]", word)[0]
    simple = not word.endswith("x2") and word not in ("pred", "tf32")
    classes = {"I": simple and kind in "us" and 16 <= bits <= 64, "J": simple and kind in "us" and bits <= 64,
               "B": simple and kind == "b" and 16 <= bits <= 64, "F": simple and kind == "f" and bits >= 32,
               "H": kind in ("f", "bf") and bits == 16, "X": simple}
    return classes.get(name, word == name)


def fits(rule, words):
    """As `matchRule` of InstructionTable.cpp decides."""
    types, groups = list(rule.types), list(rule.modifiers)
    for word in words:
        if types and TYPE.fullmatch(word) and any(is_of_class(word, name) for name in types[0].split("|")):
            types.pop(0)
            continue
        group = next((group for group in groups if is_one_of(group, word)), None)
        if group is None:
            return False
        groups.remove(group)
    return not types and all(group.startswith("?") for group in groups)


def opcodes_of(program):
    """How often the program's text has each instruction."""
    return collections.Counter(found[1] for line in text.ptx(program).splitlines()
                               if (found := INSTRUCTION.match(line)) and not found[1].endswith(":"))


def report(programs):
    """Lines that say how often each rule is used, then which no program uses."""
    opcodes = sum(map(opcodes_of, programs), collections.Counter())
    by_name = {name: list(group) for name, group in itertools.groupby(sorted(rules(), key=lambda rule: rule.name),
                                                                     lambda rule: rule.name)}
    used = collections.Counter()
    for opcode, count in opcodes.items():
        name, *words = opcode.split(".")
        rule = next((rule for rule in by_name.get(name, ()) if fits(rule, words)), None)
        used[rule] += count
    lines = [f"{used[rule]:8} {rule}" for rule in rules() if used[rule]]
    unused = [str(rule) for rule in rules() if not used[rule]]
    return [*lines, f"{len(opcodes)} different instructions, {sum(opcodes.values())} in all",
            f"{len(unused)} rules that no program uses:", *("  " + rule for rule in unused)]
