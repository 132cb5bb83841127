"""A discrete-event model of a chip on which a CPU and a GPU share a cache (L3) and DRAM (Yang 2012, section 6.3): subgroups
that issue and wait for memory, a CPU that runs a program of `gpuopt assist`, and modules of DRAM with banks and rows.

Times are cycles of the CPU. An access takes its places in the caches and its turn at DRAM when it is made; so events only
say who goes on when. Who has as many requests in flight as can be tries again when the first of them is back."""

import dataclasses
import heapq
import itertools
import json

SUBGROUP = 32  # lanes


@dataclasses.dataclass
class Machine:
    """A description in bench/simulation/machines; cycles are those of the clock that is named with them."""

    what: str
    target: str  # the description of the GPU for gpuopt, a .target beside this one
    cpu_ghz: float
    gpu_ghz: float
    dram_ghz: float
    lanes: int  # of a multiprocessor
    gpu_l1_kib: int  # of a multiprocessor, as the L2
    gpu_l2_kib: int
    gpu_l1_cycles: int
    gpu_requests: int  # lines that a multiprocessor waits for at most (its miss status registers)
    cpu_l2_kib: int
    cpu_requests: int  # that the CPU's L2 has in flight at most
    cpu_instructions_per_cycle: float
    next_line: bool  # the CPU's L2 fetches the line behind one that it misses
    l3_kib: int
    l3_ways: int
    line: int  # bytes
    l3_cpu_cycles: int
    l3_gpu_cycles: int
    modules: int  # of DRAM, which take turns at pieces of `module_bytes`
    module_bytes: int
    banks: int  # of a module
    row_bytes: int
    bytes_per_dram_cycle: int  # of a module
    row_hit_cycles: int  # from a request to its first bytes
    row_miss_cycles: int  # besides, to open another row
    reorders: bool  # a module serves others while a request waits for its row
    multiprocessors: int = 1
    perfect_l3: bool = False  # for the GPU

    @property
    def gpu_cycle(self):
        return self.cpu_ghz / self.gpu_ghz

    @property
    def dram_cycle(self):
        return self.cpu_ghz / self.dram_ghz


def read_machine(path, **changes):
    """The machine of a .json; `changes` are fields that differ."""
    with open(path, encoding="utf-8") as file:
        return Machine(**{**json.load(file), **changes})


class Cache:
    """Which lines are there, and since when; the one that has not been used for longest goes."""

    def __init__(self, kib, line, ways=16):
        self.ways = ways
        self.sets = [{} for _ in range(max(1, kib * 1024 // line // ways))]

    def find(self, line):
        """[time of arrival, is dirty] of a line, None where it is not there."""
        lines = self.sets[line % len(self.sets)]
        state = lines.pop(line, None)
        if state is not None:
            lines[line] = state
        return state

    def insert(self, line, state):
        """The (line, state) that goes, or None."""
        lines = self.sets[line % len(self.sets)]
        gone = None
        if len(lines) >= self.ways:
            oldest = next(iter(lines))
            gone = oldest, lines.pop(oldest)
        lines[line] = state
        return gone


class Dram:
    """Modules that work side by side. Each moves lines one after the other, in the order of the requests; where it reorders
    them, one that still waits for its row lets others go first."""

    def __init__(self, machine):
        self.machine = machine
        self.is_free = [0.0] * machine.modules  # the bus of each module, from then on
        self.rows = [[None] * machine.banks for _ in self.is_free]
        self.bank_is_free = [[0.0] * machine.banks for _ in self.is_free]
        self.requests = self.row_hits = self.conflicts = 0

    def access(self, line, time):
        """When a line has been moved. A request that waits for its module while half of the others have nothing to do is
        a partition conflict."""
        machine = self.machine
        piece, within = divmod(line * machine.line, machine.module_bytes)
        module = piece % machine.modules
        place = piece // machine.modules * machine.module_bytes + within
        row, bank = place // machine.row_bytes, place // machine.row_bytes % machine.banks
        self.requests += 1
        if self.is_free[module] > time and sum(free <= time for free in self.is_free) >= machine.modules / 2:
            self.conflicts += 1
        begin = max(time, self.bank_is_free[module][bank])
        if self.rows[module][bank] == row:
            self.row_hits += 1
        else:
            begin += machine.row_miss_cycles * machine.dram_cycle
            self.rows[module][bank] = row
        burst = machine.line / machine.bytes_per_dram_cycle * machine.dram_cycle
        turn = max(time, self.is_free[module])
        done = max(begin + machine.row_hit_cycles * machine.dram_cycle, turn) + burst
        self.is_free[module] = turn + burst if machine.reorders else done
        self.bank_is_free[module][bank] = begin + burst
        return done


class InFlight:
    """Requests that have not come back, so many at most."""

    def __init__(self, most):
        self.most, self.arrivals = most, []

    def is_full(self, time):
        while self.arrivals and self.arrivals[0] <= time:
            heapq.heappop(self.arrivals)
        return len(self.arrivals) >= self.most

    def add(self, arrival):
        heapq.heappush(self.arrivals, arrival)
        return arrival

    def first(self):
        return self.arrivals[0]


class SharedMemory:
    """L3 and DRAM. A line that is written is fetched first, and is written to DRAM when it goes."""

    def __init__(self, machine):
        self.machine = machine
        self.l3 = Cache(machine.l3_kib, machine.line, machine.l3_ways)
        self.dram = Dram(machine)
        self.gpu_accesses = self.gpu_hits = self.cpu_accesses = self.cpu_hits = 0
        self.fetched, self.useful = set(), set()  # lines that the CPU has brought; those that the GPU accessed then

    def fetch(self, line, time, is_dirty):
        """When a line that is not there is in L3."""
        arrival = self.dram.access(line, time)
        gone = self.l3.insert(line, [arrival, is_dirty])
        if gone and gone[1][1]:
            self.dram.access(gone[0], time)
        return arrival

    def access_from_gpu(self, line, time, is_store=False):
        """When the data are at the GPU."""
        state = self.l3.find(line)
        self.gpu_accesses += 1
        latency = self.machine.l3_gpu_cycles * self.machine.gpu_cycle
        if line in self.fetched:
            self.useful.add(line)
        if self.machine.perfect_l3:
            self.gpu_hits += 1
            return time + latency
        if state is None:
            return self.fetch(line, time, is_store) + latency
        # One that is on its way is as good as its rest is short.
        self.gpu_hits += state[0] <= time
        state[1] |= is_store
        return max(time, state[0]) + latency

    def access_from_cpu(self, line, time):
        state = self.l3.find(line)
        self.cpu_accesses += 1
        if state is None:
            self.fetched.add(line)
            return self.fetch(line, time, False) + self.machine.l3_cpu_cycles
        self.cpu_hits += 1
        return max(time, state[0]) + self.machine.l3_cpu_cycles


@dataclasses.dataclass
class Step:
    """What a subgroup does at once: it issues, then waits for what it loads."""

    instructions: float
    loads: tuple  # lines
    stores: tuple


class Block:
    """A block on a multiprocessor: for each of its subgroups the steps of each interval between barriers."""

    def __init__(self, programs, unit):
        self.programs, self.unit = programs, unit
        self.running = len(programs)


class Multiprocessor:
    """One unit: blocks, its L1 and L2."""

    def __init__(self, machine, memory):
        self.machine, self.memory = machine, memory
        self.l1 = Cache(machine.gpu_l1_kib, machine.line, 4)
        self.l2 = Cache(machine.gpu_l2_kib, machine.line, 8)
        self.in_flight = InFlight(machine.gpu_requests)
        self.issue_is_free = 0.0

    def issue(self, step, time):
        """When the instructions of a step have been issued, and its lines asked for, one a cycle."""
        cycles = step.instructions * SUBGROUP / self.machine.lanes + len(step.loads) + len(step.stores)
        self.issue_is_free = max(time, self.issue_is_free) + cycles * self.machine.gpu_cycle
        return self.issue_is_free

    def load(self, line, time):
        """When a line is there; None where it has to wait to be asked for."""
        near = time + self.machine.gpu_l1_cycles * self.machine.gpu_cycle
        for cache in (self.l1, self.l2):
            state = cache.find(line)
            if state is not None:
                return max(near, state[0])
        if self.in_flight.is_full(time):
            return None
        arrival = self.in_flight.add(self.memory.access_from_gpu(line, time))
        for cache in (self.l1, self.l2):
            cache.insert(line, [arrival, False])
        return arrival


class Subgroup:
    """One of a block. It is at a step of an interval, about to issue it or about to ask for its lines."""

    def __init__(self, block, program):
        self.block, self.program = block, program
        self.interval = self.number = 0
        self.wanted = None  # lines to load that have not been asked for, once they are known
        self.ready = 0.0

    def go_on(self, time, chip):
        """When to call this again; None where that is up to others."""
        steps = self.program[self.interval]
        if self.wanted is not None:
            return self.access(time)
        if self.number < len(steps):
            self.wanted = list(steps[self.number].loads)
            return self.block.unit.issue(steps[self.number], time)
        if self.interval + 1 == len(self.program):
            self.block.running -= 1
            if self.block.running == 0:
                chip.finish(self.block, time)
            return None
        self.interval += 1
        self.number = 0
        return chip.meet(self, time)

    def access(self, time):
        """Asks for the lines of the step; nobody waits for what is stored."""
        unit = self.block.unit
        while self.wanted:
            arrival = unit.load(self.wanted[0], time)
            if arrival is None:
                return unit.in_flight.first()
            self.ready = max(self.ready, arrival)
            self.wanted.pop(0)
        for line in self.program[self.interval][self.number].stores:
            unit.memory.access_from_gpu(line, time, is_store=True)
        self.wanted = None
        self.number += 1
        return max(time, self.ready)


class Chip:
    """The whole: blocks go to multiprocessors in order, `resident` of them at a time to each."""

    barrier_cycles = 30  # of the GPU

    def __init__(self, machine, blocks, resident, assistant=None):
        self.machine = machine
        self.memory = SharedMemory(machine)
        self.units = [Multiprocessor(machine, self.memory) for _ in range(machine.multiprocessors)]
        self.blocks, self.resident = iter(blocks), resident
        self.events, self.order = [], itertools.count()
        self.waiting = {}
        self.assistant = assistant
        self.resident_blocks = 0
        self.time = self.gpu_instructions = 0.0

    def schedule(self, time, actor):
        heapq.heappush(self.events, (time, next(self.order), actor))

    def begin(self, unit, time):
        """Gives a multiprocessor the next block, if there is one."""
        programs = next(self.blocks, None)
        if programs is None:
            return
        block = Block(programs, unit)
        self.resident_blocks += 1
        for program in programs:
            self.gpu_instructions += SUBGROUP * sum(step.instructions for steps in program for step in steps)
            self.schedule(time, Subgroup(block, program))

    def finish(self, block, time):
        self.resident_blocks -= 1
        self.time = max(self.time, time)
        self.begin(block.unit, time)

    def meet(self, subgroup, time):
        """A barrier: the last one lets the others go on."""
        block = subgroup.block
        waiting = self.waiting.setdefault(id(block), [])
        waiting.append(subgroup)
        if len(waiting) == len(block.programs):
            del self.waiting[id(block)]
            for other in waiting:
                self.schedule(time + self.barrier_cycles * self.machine.gpu_cycle, other)
        return None

    def run(self):
        """The cycles of the CPU until the last block has ended."""
        for _ in range(self.resident):
            for unit in self.units:
                self.begin(unit, 0.0)
        if self.assistant:
            self.assistant.memory = self.memory
            self.schedule(0.0, self.assistant)
        while self.events and self.resident_blocks:
            time, _, actor = heapq.heappop(self.events)
            again = actor.go_on(time, self)
            if again is not None:
                self.schedule(again, actor)
        if self.resident_blocks:
            raise RuntimeError("blocks wait for each other for ever")
        return self.time
