"""The smallest kernel that fails in the same way as a given one, by trying smaller ones."""

import copy
import itertools
import time
from dataclasses import fields, replace

from . import tree
from .ranges import Undefined, extents_of
from .tree import Const, Declare, For, If, Node, Var

# Candidates that are compiled together.
TOGETHER = 10


def kind_of(outcome):
    """What makes two failures alike."""
    for word in ("differs", "crash", "does not compile", "takes more", "data race", "cannot"):
        if word in outcome:
            return word
    return "fault"


def lists_of(kernel):
    """All lists of statements, outer ones first."""
    yield kernel.body
    for node in kernel.nodes():
        if isinstance(node, (If, For)):
            yield from (part for part in (getattr(node, "then", None), getattr(node, "otherwise", None),
                                          getattr(node, "body", None)) if part)


def slots_of(kernel):
    """All places of expressions, as (owner, attribute)."""
    for node in kernel.nodes():
        for part in fields(node):
            value = getattr(node, part.name)
            if isinstance(value, Node) and part.name not in ("var", "target", "meaning", "array"):
                yield node, part.name


def statement_edits(kernel):
    """Edits of lists of statements: without some of them, or with what is inside of one in its place."""
    for number, statements in enumerate(lists_of(kernel)):
        for size in (8, 4, 2, 1):
            for at in range(0, len(statements), size):
                yield lambda lists, number=number, at=at, size=size: lists[number].__delitem__(slice(at, at + size))
        for at, statement in enumerate(statements):
            if isinstance(statement, If):
                yield lambda lists, number=number, at=at: lists[number].__setitem__(slice(at, at + 1),
                                                                                    lists[number][at].then)
            if isinstance(statement, For):
                yield lambda lists, number=number, at=at: lists[number].__setitem__(
                    slice(at, at + 1), [Declare(lists[number][at].var, lists[number][at].start),
                                        *lists[number][at].body])


def simpler(value):
    """Expressions that may stand in the place of `value`."""
    if not isinstance(value, (Const, Var)):
        yield from (child for child in value.children()
                    if isinstance(child, Node) and child.type.is_float == value.type.is_float
                    and (child.type == tree.BOOL) == (value.type == tree.BOOL))
    if value.type == tree.BOOL:
        return
    for number in (0, 1):
        if not (isinstance(value, Const) and value.value in (0, number)):
            yield Const(number, value.type)
    if isinstance(value, Const) and value.value not in (0, 1) and not value.type.is_float:
        yield Const(value.value // 2, value.type)


def smaller_numbers(number):
    return [value for value in (0, 1, number // 2, number - 1) if abs(value) < abs(number)]


def smaller_launches(launch):
    for name, value in launch.scalars.items():
        for number in smaller_numbers(value):
            yield replace(launch, scalars={**launch.scalars, name: number})
    for part in ("grid", "block"):
        for dim, value in enumerate(getattr(launch, part)):
            for number in smaller_numbers(value)[1:]:
                dims = list(getattr(launch, part))
                dims[dim] = number
                if number:
                    yield replace(launch, **{part: tuple(dims)})
    for name in launch.same:
        yield replace(launch, same={key: value for key, value in launch.same.items() if key != name})


def candidates(kernel):
    """Smaller kernels: first without statements, then with simpler expressions, then with smaller launches."""
    for edit in statement_edits(kernel):
        smaller = copy.deepcopy(kernel)
        edit(list(lists_of(smaller)))
        yield smaller
    for number, (owner, name) in enumerate(slots_of(kernel)):
        for choice, _ in enumerate(simpler(getattr(owner, name))):
            smaller = copy.deepcopy(kernel)
            node, part = next(itertools.islice(slots_of(smaller), number, None))
            setattr(node, part, next(itertools.islice(simpler(getattr(node, part)), choice, None)))
            yield smaller
    if kernel.domain:
        yield kernel.with_(domain=[])
    for launch in smaller_launches(kernel.launches[0]):
        yield kernel.with_(launches=[launch])


def without_unused(kernel):
    """The kernel without the parameters that nothing reads."""
    used = {getattr(node, "name", None) or node.array.name for node in kernel.nodes()
            if isinstance(node, (Var, tree.Load))}
    used |= set(kernel.domain)
    used |= {name for launch in kernel.launches for name in launch.same.values()} & {a.name for a in kernel.arrays}
    scalars = [scalar for scalar in kernel.scalars if scalar.name in used]
    launches = [replace(launch, scalars={scalar.name: launch.scalars[scalar.name] for scalar in scalars},
                        same={key: value for key, value in launch.same.items() if key in used})
                for launch in kernel.launches]
    return kernel.with_(arrays=[array for array in kernel.arrays if array.name in used], scalars=scalars,
                        launches=launches, shared=[array for array in kernel.shared if array.name in used],
                        variables=[array for array in kernel.variables if array.name in used])


def is_defined(kernel):
    """Whether the candidate means something, and nothing undefined."""
    seen = {scalar.name for scalar in kernel.scalars}
    declared = [node.var.name for node in kernel.nodes() if isinstance(node, (Declare, For))]
    used = {node.name for node in kernel.nodes() if isinstance(node, Var) and "." not in node.name}
    if not used <= seen | set(declared) or not any(isinstance(node, (tree.Store, tree.AtomicAdd))
                                                   for node in kernel.nodes()):
        return False
    try:
        extents_of(kernel, kernel.launches[0])
        return True
    except (Undefined, ValueError):
        return False


def first_failing(checker, tried, kind):
    """The first of these kernels that fails in this way, and keeps the rules itself."""
    renamed = [kernel.with_(seed=1_000_000_000 + number) for number, kernel in enumerate(tried)]
    results = checker.check(renamed, sanitize=True)
    for kernel, candidate in zip(tried, renamed):
        outcome = results[candidate.seed]["launches"][0]
        if outcome.startswith("tuned") and kind_of(outcome) == kind:
            return kernel
    return None


def shrunk(kernel, launch, outcome, checker, seconds=120):
    """The smallest failing kernel that is found in time; it has one launch."""
    kernel, kind, end = kernel.with_(launches=[launch]), kind_of(outcome), time.monotonic() + seconds
    skipped, is_final = 0, False
    while time.monotonic() < end:
        left = itertools.islice(filter(is_defined, map(without_unused, candidates(kernel))), skipped, None)
        tried = list(itertools.islice(left, TOGETHER))
        if not tried and (is_final or not skipped):
            break
        # From the start again until nothing becomes smaller.
        found = first_failing(checker, tried, kind) if tried else None
        is_final = is_final and found is None
        if found is not None:
            kernel, is_final = found, False
        elif tried:
            skipped += len(tried)
        else:
            skipped, is_final = 0, True
    return kernel
