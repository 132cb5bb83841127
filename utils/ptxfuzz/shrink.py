"""The smallest program that fails in the same way as a given one, by trying smaller ones."""

import copy
import itertools
import re
import time

from kernelfuzz.shrink import kind_of

from . import text
from .program import If, Loop, Scope, Switch

# Programs that are checked together.
TOGETHER = 10


def lists_of(program):
    """All lists of statements, outer ones first."""
    yield program.body
    for function in program.functions:
        yield function.body
    for node in program.nodes():
        yield from node.blocks()


def inner_of(node):
    """What may stand in the place of a block."""
    if isinstance(node, If):
        return node.then + node.otherwise
    if isinstance(node, (Loop, Scope)):
        return node.body
    return [inner for case in node.cases for inner in case] if isinstance(node, Switch) else None


def edits(program):
    """Edits of lists of statements: without some of them, or with what is inside of one in its place."""
    for number, statements in enumerate(lists_of(program)):
        for size in (32, 16, 8, 4, 2, 1):
            for at in range(0, len(statements), size):
                yield lambda lists, number=number, at=at, size=size: lists[number].__delitem__(slice(at, at + size))
        for at, node in enumerate(statements):
            if inner_of(node) is not None:
                yield lambda lists, number=number, at=at: lists[number].__setitem__(slice(at, at + 1),
                                                                                    inner_of(lists[number][at]))


def candidates(program):
    """Smaller programs: with fewer results, without statements, without guards."""
    outputs = program.outputs
    for size in (len(outputs) // 2, len(outputs) // 4, 1):
        for at in range(0, len(outputs), size) if 0 < size < len(outputs) else ():
            yield program.with_(outputs=outputs[at:at + size])
    for edit in edits(program):
        smaller = copy.deepcopy(program)
        edit(list(lists_of(smaller)))
        yield smaller
    for number, node in enumerate(program.nodes()):
        if getattr(node, "guard", ""):
            smaller = copy.deepcopy(program)
            next(itertools.islice(smaller.nodes(), number, None)).guard = ""
            yield smaller


def narrowed(program, outcome):
    """With the one result that is wrong, or none: what computes the others takes most of the time."""
    found = re.search(r"array out differs at element (\d+)", outcome)
    outputs = text.outputs_at(program, int(found[1])) if found else []
    return program.with_(outputs=outputs)


def is_defined(program):
    """Whether the local array is written before it is read."""
    ptx = text.ptx(program)
    is_used = ", frame;" in ptx or "[frame" in ptx
    first = getattr(program.body[0], "ptx", [""]) if program.body else [""]
    return not is_used or "st.local.v2.b32 [frame+0]" in first[0]


def first_failing(checker, tried, outcome):
    """The first of these programs that fails in this way."""
    renamed = [program.with_(seed=1_000_000_000 + number) for number, program in enumerate(tried)]
    results = checker.check(renamed)
    for program, candidate in zip(tried, renamed):
        found = results[candidate.seed]["launches"][0]
        if found.partition(":")[0] == outcome.partition(":")[0] and kind_of(found) == kind_of(outcome):
            return program
    return None


def shrunk(program, outcome, checker, seconds):
    """The smallest failing program that is found in time."""
    end, skipped, is_final = time.monotonic() + seconds, 0, False
    program = first_failing(checker, [narrowed(program, outcome)], outcome) or program
    while time.monotonic() < end:
        tried = list(itertools.islice(filter(is_defined, candidates(program)), skipped, skipped + TOGETHER))
        found = first_failing(checker, tried, outcome) if tried else None
        if found is not None:
            program, is_final = found, False
        elif tried:
            skipped += len(tried)
        elif is_final or not skipped:
            break
        else:
            # From the start again, until nothing becomes smaller.
            skipped, is_final = 0, True
    return program
