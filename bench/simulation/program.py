"""What a block does, made of its trace: for each subgroup, work between barriers, and where its access regions are."""

import collections
import dataclasses

from . import trace


@dataclasses.dataclass
class Step:
    """`work`: requests as (instructions before it, sectors, wavefronts, whether data is waited for); `barrier`; a barrier at
    which the block may `allocate` or `release` the memory of a region."""

    kind: str
    requests: list = dataclasses.field(default_factory=list)


def sectors_of(request, machine):
    return len({byte // machine.sector for byte in request.bytes_of()})


def wavefronts_of(request, machine, word=4):
    """How often the banks have to answer, a row of `banks` lanes at a time."""
    rows = collections.defaultdict(set)
    for lane, address in zip(request.lanes, request.addresses):
        rows[lane // machine.banks].update(range(address // word, -(-(address + request.size) // word)))
    return sum(max(collections.Counter(each % machine.banks for each in words).values()) for words in rows.values())


def steps_of(requests, subgroups, machine, instructions):
    """For each subgroup a step for each turn: what it can have in flight at once."""
    steps = [[] for _ in range(subgroups)]
    by_turn = collections.defaultdict(list)
    for request in requests:
        by_turn[request.subgroup, request.turn].append(request)
    for subgroup, turn in sorted(by_turn):
        costs = [
            (
                instructions,
                0 if request.is_workgroup else sectors_of(request, machine),
                wavefronts_of(request, machine) if request.is_workgroup else 0,
                request.is_load,
            )
            for request in by_turn[subgroup, turn]
        ]
        steps[subgroup].append(Step("work", costs))
    return steps


def program_of(intervals, machine, instructions, shared_from=None):
    """The steps of each subgroup of a block. Barriers stand around the regions that access workgroup memory from byte
    `shared_from` on, where that is given: what is loaded for a region's first stores is loaded before it, and what is
    stored of its last loads behind it."""
    subgroups = 1 + max(request.subgroup for requests in intervals for request in requests)
    regions = [] if shared_from is None else trace.regions_of(intervals, shared_from)
    firsts, lasts = {first for first, _ in regions}, {last for _, last in regions}
    program = [[] for _ in range(subgroups)]

    def add(requests):
        for steps, more in zip(program, steps_of(requests, subgroups, machine, instructions)):
            steps.extend(more)

    def meet(kind):
        for steps in program:
            steps.append(Step(kind))

    for number, requests in enumerate(intervals):
        if number:
            meet("barrier")
        others = [] if shared_from is None else [r for r in requests if not r.uses(shared_from)]
        before = [r for r in others if number in firsts and (r.is_load or r.is_workgroup)]
        after = [r for r in others if number in lasts and r not in before]
        add(before)
        if number in firsts:
            meet("allocate")
        add([r for r in requests if r not in before and r not in after])
        if number in lasts:
            meet("release")
        add(after)
    return program
