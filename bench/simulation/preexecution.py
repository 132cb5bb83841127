"""A CPU that runs a program of `gpuopt assist` in the model of fused.py, and what kernels and programs access, in its terms.

The program is replayed: which lines a visit of a thread loads is recorded once (assistant.py), and which threads are visited
is decided here as the program decides it, with the hits that the model counts."""

import dataclasses
import math
import re
import subprocess

import numpy

from bench.simulation.assistant import VISIT
from bench.simulation.fused import SUBGROUP, Cache, InFlight, Step

UNROLL_FACTOR = 8  # of the programs, in the thesis
PAGE = 4096  # arrays begin at multiples of these bytes


class Layout:
    """Where arrays lie."""

    def __init__(self, line):
        self.line, self.begins, self.end = line, {}, 0

    def place(self, arrays):
        """`arrays` has names and bytes."""
        for name, size in arrays.items():
            self.begins[name] = self.end
            self.end += math.ceil(size / PAGE) * PAGE

    def lines(self, name, byte, size=1):
        begin = self.begins[name] + byte
        return range(begin // self.line, (begin + size - 1) // self.line + 1)


def step_of(requests, kernel, layout, instructions):
    """What a subgroup asks for in one turn."""
    loads, stores = {}, {}
    for request in requests:
        name = kernel.head["accesses"][request.site]["array"]
        for address in request.addresses:
            for line in layout.lines(name, address & ((1 << 48) - 1), request.size):
                (loads if request.is_load else stores)[line] = None
    return Step(instructions * len(requests), tuple(loads), tuple(stores))


def programs_of(kernel, layout, instructions):
    """For each block, for each subgroup, for each interval between barriers its steps. Each request takes `instructions`,
    those to workgroup memory, too. These and the arithmetic that the executor has counted are spread over the others."""
    subgroups = math.ceil(math.prod(kernel.block) / SUBGROUP)
    of_global = sum(len(interval) for intervals in kernel.blocks.values() for interval in intervals.values())
    each = (instructions * kernel.requests + kernel.operations / SUBGROUP) / max(1, of_global)
    blocks = []
    for number in range(math.prod(kernel.grid)):
        programs = [[] for _ in range(subgroups)]
        intervals = kernel.blocks.get(number, {0: []})
        for interval in range(max(intervals) + 1):
            turns = {}
            for request in intervals.get(interval, []):
                turns.setdefault((request.subgroup, request.turn), []).append(request)
            for program in programs:
                program.append([])
            for (subgroup, _), together in sorted(turns.items()):
                programs[subgroup][-1].append(step_of(together, kernel, layout, each))
        blocks.append(programs)
    return blocks


def instructions_of(source, unroll_factor, has_rows):
    """Of the CPU, for a visit of each kind: counted in the code of walk_N and of fetch_N, and where the grid `has_rows` in that
    of what finds the block's place. What a visit skips is not taken off."""
    compiled = source.with_suffix(".o")
    # Only what the program itself calls inline is.
    inline = ["-fno-inline", "-Dinline=inline __attribute__((always_inline))"]
    command = ["gcc", "-std=c11", "-O2", *inline, "-c", str(source), "-o", str(compiled)]
    subprocess.run(command, check=True)
    listing = subprocess.run(["objdump", "-d", str(compiled)], check=True, capture_output=True, text=True).stdout
    counts = {name: len(re.findall(r"^ +[0-9a-f]+:\t", body, re.MULTILINE))
              for name, body in re.findall(r"^[0-9a-f]+ <(\w+)[^>]*>:\n(.*?)(?:\n\n|\Z)", listing, re.MULTILINE | re.DOTALL)}
    kinds = [int(name.removeprefix("fetch_")) for name in counts if name.startswith("fetch_")]
    kinds += [int(name.removeprefix("walk_")) for name in counts if name.startswith("walk_")]
    place = counts.get("position", 0) if has_rows else 0
    return {kind: counts.get(f"walk_{kind}", 0) / unroll_factor + counts.get(f"fetch_{kind}", 0) + place for kind in set(kinds)}


@dataclasses.dataclass
class Walk:
    """All threads of the blocks that run at a time: the lines that a visit of each of them loads."""

    kind: int  # N of walk_N
    threads: list


def walks_of(assistant, kernel, layout, concurrent_blocks, unroll_factor):
    """For each group of blocks its walks, from a record in which each thread is visited."""
    records = assistant.records
    marks = numpy.flatnonzero(records >> numpy.uint64(48) == VISIT)
    ends = numpy.append(marks[1:], len(records))
    mask = (1 << 48) - 1
    size = math.prod(kernel.block)
    blocks = math.prod(kernel.grid)
    groups = [min(concurrent_blocks, blocks - first) * size for first in range(0, blocks, concurrent_blocks)]
    rounded = [math.ceil(threads / unroll_factor) * unroll_factor for threads in groups]
    walks_each, rest = divmod(len(marks), sum(rounded))
    if rest:
        raise RuntimeError("the record is not of a program that visits each thread")

    def lines(visit):
        found = {}
        for record in records[marks[visit] + 1 : ends[visit]].tolist():
            found.update(dict.fromkeys(layout.lines(assistant.names[record >> 48], record & mask)))
        return tuple(found)

    visit, result = 0, []
    for threads, visits in zip(groups, rounded):
        walks = []
        for _ in range(walks_each):
            kind = int(records[marks[visit]]) & mask
            walks.append(Walk(kind + 1, [lines(visit + number) for number in range(threads)]))
            visit += visits
        result.append(walks)
    return result


@dataclasses.dataclass
class Factors:
    """How the program goes through threads: as the options of `gpuopt assist` of these names."""

    skip: int
    adapts: bool = True
    unroll: int = UNROLL_FACTOR
    batch: int = 16
    step: int = 32
    threshold: int = 10


class Cpu:
    """One that runs the program: an actor of the model."""

    def __init__(self, machine, groups, instructions, factors):
        self.machine, self.instructions, self.factors = machine, instructions, factors
        self.cache = Cache(machine.cpu_l2_kib, machine.line)
        self.in_flight = InFlight(machine.cpu_requests)
        self.wanted = []  # lines of the visit that have not been asked for
        self.skip = factors.skip
        self.hits_before = self.reduced_to = 0
        self.memory = None  # the chip's
        self.instruction_count = 0.0
        self.skips = []  # the factor over time
        self.visits = self.all_visits(groups)

    def adapt(self):
        """As the program's function of this name."""
        factors, hits = self.factors, self.memory.cpu_hits
        if hits - self.hits_before > factors.threshold:
            self.skip += factors.step
        elif self.skip > factors.step and self.reduced_to != self.skip - factors.step:
            self.skip -= factors.step
            self.reduced_to = self.skip
        self.hits_before = hits
        self.skips.append(self.skip)

    def all_visits(self, groups):
        """(kind, lines) of each visit, in order."""
        repeats = self.factors.batch if self.factors.adapts else 1
        for walk in (walk for group in groups for walk in group):
            number = 0
            while number < len(walk.threads):
                skip = self.skip
                for visited in range(number, number + skip * self.factors.unroll * repeats, skip):
                    yield walk.kind, walk.threads[visited] if visited < len(walk.threads) else ()
                number += skip * self.factors.unroll * repeats
                if self.factors.adapts:
                    self.adapt()

    def go_on(self, time, _chip):
        """Fetches the lines of a visit, or begins the next one; when to go on, or None behind the last one."""
        while self.wanted:
            if not self.fetch(self.wanted[0], time):
                return self.in_flight.first()
            self.wanted.pop(0)
        visit = next(self.visits, None)
        if visit is None:
            return None
        kind, lines = visit
        self.wanted = list(lines)
        self.instruction_count += self.instructions[kind]
        return time + self.instructions[kind] / self.machine.cpu_instructions_per_cycle

    def fetch(self, line, time):
        """Asks for a line, and for the next one where the CPU does that by itself; whether there was room for the first."""
        if self.cache.find(line) is not None:
            return True
        if self.in_flight.is_full(time):
            return False
        self.ask(line, time)
        if self.machine.next_line and not self.in_flight.is_full(time) and self.cache.find(line + 1) is None:
            self.ask(line + 1, time)
        return True

    def ask(self, line, time):
        self.in_flight.add(self.memory.access_from_cpu(line, time))
        self.cache.insert(line, True)
