"""A device with memory of its own, by rewriting: each target region works on copies of what its clauses name.

The copies are as large as the sections, in memory of the AddressSanitizer's, and full of rubbish where nothing goes to the
device: an access beside a section, or of an array without a clause, ends the program, and what is not copied is wrong.
What a region of data has brought there is counted, as OpenMP does, and sections may not overlap in part. Iterations of a
region's loop are done from the last to the first, where they are steps of one: any order must do. An array that stays there
and comes back changed is full of rubbish on the host meanwhile.
"""

import re

DIRECTIVE = re.compile(r"^[ \t]*#pragma omp target (data|teams distribute parallel for)(.*)$", re.MULTILINE)
LOOP = re.compile(r"for \(int (\w+) = ([^;]+); \1 (<|>=) ([^;]+); \1(\+\+|--)\)")
KEEP = re.compile(r"#pragma omp target enter data map\(to: (\w+)\)([^#]*)#pragma omp target exit data map\((from|release): \w+\)")
MAP = re.compile(r"map\((to|from|tofrom|alloc): ")

SUPPORT = """
#include <string.h>
static struct { char *host, *device; long long bytes; int count; } present[64];
static int device_find(const char *host, long long bytes) {
  for (int i = 0; i < 64; i++) {
    char *begin = present[i].host, *end = begin + present[i].bytes;
    if (!present[i].count || host >= end || begin >= host + bytes)
      continue;
    if (host < begin || host + bytes > end)
      puts("overlaps in part"), fflush(stdout), abort();
    return i;
  }
  return -1;
}
static void *device_enter(void *host, long long bytes, int goes) {
  int at = device_find(host, bytes);
  for (int i = 63; at < 0 || (!present[at].count && i >= 0); i--)
    if (!present[i].count) {
      at = i;
      present[at].host = host;
      present[at].bytes = bytes;
      present[at].device = malloc(bytes);
      if (goes)
        memcpy(present[at].device, host, bytes);
      else
        memset(present[at].device, 0x5b, bytes);
      break;
    }
  if (at < 0)
    puts("too many sections"), fflush(stdout), abort();
  present[at].count++;
  return present[at].device + ((char *)host - present[at].host);
}
static void device_leave(void *host, long long bytes, int comes) {
  int at = device_find(host, bytes);
  if (--present[at].count)
    return;
  if (comes)
    memcpy(host, present[at].device, bytes);
  free(present[at].device);
}
"""


def end_of_parentheses(text, begin):
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place + 1
    raise ValueError("no end")


def end_of_statement(text, begin):
    """Behind the `for`, or the statements in braces, at `begin`."""
    if text[begin] == "{":
        return end_of_parentheses(text, begin)
    if not text.startswith("for", begin):
        return text.index(";", begin) + 1
    place = end_of_parentheses(text, text.index("(", begin))
    while text[place].isspace():
        place += 1
    return end_of_statement(text, place)


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


def array_pieces(operand):
    """What is done before and behind a region for a section of an array."""
    direction, name, rows, first, count = operand
    element = f"{name}{rows}[{first}]"
    goes, comes = int(direction in ("to", "tofrom")), int(direction in ("from", "tofrom"))
    before = (f"void *host_{name} = (void *)&{element}; long long bytes_{name} = ({count}) * "
              f"(long long)sizeof({element}); void *device_{name} = device_enter(host_{name}, bytes_{name}, {goes}); "
              f"__typeof__(&{name}[0]) copy_{name} = (void *)((char *)device_{name} - "
              f"((char *)host_{name} - (char *)&{name}[0]));")
    return before, f"device_leave(host_{name}, bytes_{name}, {comes});"


def scalar_pieces(operand):
    """The same for a scalar, and what is done at the end in the region."""
    direction, name = operand[:2]
    before = f"__typeof__({name}) copy_{name} = {name}, out_{name};"
    if direction == "from":
        before += f" memset(&copy_{name}, 0x5b, sizeof copy_{name});"
    return before, f"out_{name} = {name};", f"{name} = out_{name};" if direction != "to" else ""


def reverse(loop):
    """`loop` from its last iteration to its first."""
    head = LOOP.match(loop)
    if not head:
        return loop
    name, start, sign, end, _ = head.groups()
    # Where the begin has no sign, nothing would be below it.
    turned = f"for (int {name} = ({end}) - 1; {name} >= (long long)({start}); {name}--)" if sign == "<" else \
        f"for (int {name} = {end}; {name} <= {start}; {name}++)"
    return turned + loop[head.end():]


def region(clauses, loop, arrays, scalars):
    """What stands for a target region with these clauses."""
    before, results, behind, named = [], [], [], set()
    for operand in operands_of(clauses):
        named.add(operand[1])
        if operand[2] is None:
            first, result, last = scalar_pieces(operand)
            results.append(result)
        else:
            first, last = array_pieces(operand)
        before.append(first)
        behind.append(last)
    # Nothing is known there of other arrays, and other scalars are the region's own.
    before += [f"__typeof__(&{name}[0]) copy_{name} = (void *)16;" for name in arrays if name not in named]
    before += [f"__typeof__({name}) copy_{name} = {name};" for name in scalars if name not in named]
    names = list(dict.fromkeys([*named, *arrays, *scalars]))
    # The last one says what a variable is worth behind the loop.
    order = loop if "lastprivate" in clauses else reverse(loop)
    shadows = [f"__typeof__(copy_{name}) {name} = copy_{name};" for name in names]
    return "{ " + " ".join(before) + " { " + " ".join(shadows) + "\n" + order + "\n" + " ".join(results) + " } " \
        + " ".join(behind) + " }"


def data_region(clauses, statement):
    """What stands for a region of data with these clauses."""
    pieces = [array_pieces(operand) for operand in operands_of(clauses)]
    return "{ " + " ".join(first for first, _ in pieces) + "\n" + statement + "\n" + \
        " ".join(last for _, last in pieces) + " }"


def translate(text, arrays, scalars):
    """`text` with what stands for its directives."""
    directive = DIRECTIVE.search(text)
    if not directive:
        return text
    begin = len(text) - len(text[directive.end():].lstrip())
    end = end_of_statement(text, begin)
    statement = translate(text[begin:end], arrays, scalars)
    if directive[1] == "data":
        statement = data_region(directive[2], statement)
    else:
        statement = region(directive[2], statement, arrays, scalars)
    return text[:directive.start()] + statement + translate(text[end:], arrays, scalars)


def keep(match):
    """What stands for the directives between which an array stays."""
    name, between, direction = match.groups()
    comes = int(direction == "from")
    rubbish = f" memset({name}, 0x5b, sizeof {name});" if comes else ""
    return f"device_enter((void *){name}, sizeof {name}, 1);{rubbish}{between}device_leave((void *){name}, sizeof {name}, {comes});"


def simulate(text, names_of):
    """The program `text` with such a device; `names_of` a kind of function, the begin of its name, gives the arrays and the
    scalars that it uses."""
    kinds = "|".join(names_of)
    functions = re.split(rf"(?m)^(?=(?:static )?void (?:{kinds})\d|int main)", text)
    result = ""
    for each in functions:
        each = KEEP.sub(keep, each)
        kind = re.match(rf"(?:static )?void ({kinds})\d", each)
        result += translate(each, *(names_of[kind[1]] if kind else ((), ())))
    return result.replace("#include <stdlib.h>", "#include <stdlib.h>" + SUPPORT, 1)
