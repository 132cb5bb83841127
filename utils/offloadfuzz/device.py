"""A device with memory of its own, by rewriting: each target region works on copies of what its clauses name.

The copies are as large as the sections, in memory of the AddressSanitizer's, and full of rubbish where nothing goes to the
device: an access beside a section, or of an array without a clause, ends the program, and what is not copied is wrong.
"""

import re

DIRECTIVE = re.compile(r"^#pragma omp target teams distribute parallel for(.*)$", re.MULTILINE)
MAP = re.compile(r"map\((to|from|tofrom|alloc): ")

SUPPORT = """
#include <string.h>
static void *device_enter(const void *host, long long bytes, int goes) {
  char *device = malloc(bytes);
  if (goes)
    memcpy(device, host, bytes);
  else
    memset(device, 0x5b, bytes);
  return device;
}
static void device_leave(void *device, void *host, long long bytes, int comes) {
  if (comes)
    memcpy(host, device, bytes);
  free(device);
}
"""


def end_of_parentheses(text, begin):
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place + 1
    raise ValueError("no end")


def end_of_loop(text, begin):
    """Behind the statement of the `for` at `begin`."""
    place = end_of_parentheses(text, text.index("(", begin))
    while text[place].isspace():
        place += 1
    if text[place] == "{":
        return end_of_parentheses(text, place)
    return end_of_loop(text, place) if text.startswith("for", place) else text.index(";", place) + 1


def split_operands(text):
    depth, parts, last = 0, [], 0
    for place, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(text[last:place].strip())
            last = place + 1
    return parts + [text[last:].strip()]


def operands_of(clauses):
    """(direction, name, subscripts, first, count) for each; of scalars the last three are None."""
    found = []
    for clause in MAP.finditer(clauses):
        end = end_of_parentheses(clauses, clause.start() + len("map"))
        for operand in split_operands(clauses[clause.end():end - 1]):
            name = re.match(r"\w+", operand)[0]
            if "[" not in operand:
                found.append((clause[1], name, None, None, None))
                continue
            begin = operand.rindex("[", 0, operand.rindex(":"))
            while operand[begin:].count("[") != operand[begin:].count("]"):
                begin = operand.rindex("[", 0, begin)
            first, _, count = operand[begin + 1:-1].partition(":")
            found.append((clause[1], name, operand[len(name):begin], first, count))
    return found


def region(clauses, loop, arrays, scalars):
    """What stands for a target region with these clauses."""
    before, shadows, results, behind = [], [], [], []
    operands = operands_of(clauses)
    for direction, name, rows, first, count in operands:
        goes, comes = int(direction in ("to", "tofrom")), int(direction in ("from", "tofrom"))
        if rows is None:
            before.append(f"__typeof__({name}) in_{name} = {name}, out_{name};"
                          + (f" memset(&in_{name}, 0x5b, sizeof in_{name});" if not goes else ""))
            shadows.append(f"__typeof__(in_{name}) {name} = in_{name};")
            results.append(f"out_{name} = {name};")
            behind.append(f"{name} = out_{name};" if comes else "")
            continue
        element = f"{name}{rows}[{first}]"
        before.append(f"void *host_{name} = (void *)&{element}; long long bytes_{name} = ({count}) * "
                      f"(long long)sizeof({element}); void *device_{name} = device_enter(host_{name}, bytes_{name}, "
                      f"{goes}); __typeof__(&{name}[0]) copy_{name} = (void *)((char *)device_{name} - "
                      f"((char *)host_{name} - (char *)&{name}[0]));")
        shadows.append(f"__typeof__(copy_{name}) {name} = copy_{name};")
        behind.append(f"device_leave(device_{name}, host_{name}, bytes_{name}, {comes});")
    named = {operand[1] for operand in operands}
    for name in arrays:
        if name not in named:
            before.append(f"__typeof__(&{name}[0]) copy_{name} = (void *)16;")
            shadows.append(f"__typeof__(copy_{name}) {name} = copy_{name};")
    for name in scalars:
        if name not in named:
            before.append(f"__typeof__({name}) in_{name} = {name};")
            shadows.append(f"__typeof__(in_{name}) {name} = in_{name};")
    return "{ " + " ".join(before) + " { " + " ".join(shadows) + "\n" + loop + "\n" + " ".join(results) + " } " \
        + " ".join(behind) + " }"


def simulate(text, arrays, scalars):
    """The program `text` with such a device; `arrays` and `scalars` are the names that its functions use."""
    result, last = "", 0
    for directive in DIRECTIVE.finditer(text):
        begin = text.index("for", directive.end())
        end = end_of_loop(text, begin)
        result += text[last:directive.start()] + region(directive[1], text[begin:end], arrays, scalars)
        last = end
    return result.replace("#include <stdlib.h>", "#include <stdlib.h>" + SUPPORT, 1) + text[last:]
