"""A discrete-event model of one multiprocessor: subgroups that issue, wait for memory and meet at barriers, and a table
of who has which part of workgroup memory (the shared memory management table of Yang 2012, section 5.5).

Blocks take their memory for life, as GPUs have it, or at a barrier where a region begins that uses it, until another one
where it ends. Times are cycles of the machine description's vector units."""

import dataclasses
import re

import simpy


@dataclasses.dataclass
class Machine:
    """What the model knows of a GPU; from a description in dialects/GPUOpt/targets."""

    memory: int  # bytes of workgroup memory
    reserved: int  # bytes of it that each block needs besides
    unit: int  # it is given out in multiples of these bytes
    subgroups: int  # resident at most
    blocks: int
    lanes: int  # threads that issue an instruction in a cycle
    banks: int
    subgroup_size: int
    sector: int  # bytes
    bytes_per_cycle: float  # of DRAM for this multiprocessor
    latency: int = 600  # from an access of global memory to its data, cycles
    workgroup_latency: int = 36
    barrier: int = 30


def read_machine(path, clock=1.476):
    """The machine of a description; `clock` in GHz is not in it."""
    with open(path, encoding="utf-8") as file:
        fields = dict(re.findall(r"(\w+) = ([\w.]+)", file.read()))

    def number(name):
        return int(fields[name])

    units = number("multiprocessors")
    lanes = round(number("f32_gflops") / (2 * units * clock))
    return Machine(
        memory=number("workgroup_memory_per_multiprocessor_bytes"),
        reserved=number("workgroup_memory_reserved_bytes"),
        unit=number("workgroup_memory_allocation_bytes"),
        subgroups=number("subgroups_per_multiprocessor"),
        blocks=number("workgroups_per_multiprocessor"),
        lanes=lanes,
        banks=number("workgroup_memory_banks"),
        subgroup_size=number("subgroup_size"),
        sector=number("sector_bytes"),
        bytes_per_cycle=number("bandwidth_gbps") / units / clock,
    )


class MemoryTable:
    """Which block has which bytes of workgroup memory; first fit. Who finds no room waits, regions before blocks that have
    not begun; of these only as many begin as leave `public` bytes for regions."""

    def __init__(self, environment, capacity, public=0):
        self.environment, self.capacity, self.public = environment, capacity, public
        self.entries = {}  # owner: (start, size)
        self.waiting = {"region": [], "block": []}  # (event, owner, size), in order

    def start_for(self, size):
        """Where `size` bytes are free; None where they are not."""
        start = 0
        for begin, taken in sorted(self.entries.values()):
            if begin - start >= size:
                break
            start = begin + taken
        return start if start + size <= self.capacity else None

    def has_room(self, owner, size):
        private = sum(taken for (kind, _), (_, taken) in self.entries.items() if kind == "block")
        return owner[0] == "region" or private + size <= self.capacity - self.public

    def allocate(self, kind, number, size):
        """An event that comes when block `number` has `size` bytes, for life ("block") or for a "region"."""
        owner = (kind, number)
        if owner in self.entries or any(owner == other for _, other, _ in self.waiting[kind]):
            raise RuntimeError(f"{kind} {number} allocates twice")
        if size + (self.public if kind == "block" else 0) > self.capacity:
            raise RuntimeError(f"{kind} {number} can never have {size} bytes")
        event = self.environment.event()
        self.waiting[kind].append((event, owner, size))
        self.serve()
        return event

    def release(self, kind, number):
        if (kind, number) not in self.entries:
            raise RuntimeError(f"{kind} {number} has nothing to release")
        del self.entries[kind, number]
        self.serve()

    def serve(self):
        """Gives memory to those who wait; in each queue the first one first."""
        for queue in self.waiting.values():
            while queue:
                event, owner, size = queue[0]
                start = self.start_for(size) if self.has_room(owner, size) else None
                if start is None:
                    break
                queue.pop(0)
                self.entries[owner] = (start, size)
                self.check()
                event.succeed()

    def check(self):
        end = 0
        for start, size in sorted(self.entries.values()):
            if start < end:
                raise RuntimeError("two owners have the same byte")
            end = start + size
        if end > self.capacity:
            raise RuntimeError("the table is over its capacity")


@dataclasses.dataclass
class Policy:
    """Who has workgroup memory when: `private` bytes of a block for life, `public` ones in its regions; at most `blocks`
    resident (None: what else limits them)."""

    private: int
    public: int = 0
    blocks: int = None


class Barrier:
    """Where the subgroups of a block meet."""

    def __init__(self, environment, parties):
        self.environment, self.parties = environment, parties
        self.arrived, self.event = 0, environment.event()

    def wait(self):
        event = self.event
        self.arrived += 1
        if self.arrived == self.parties:
            self.arrived, self.event = 0, self.environment.event()
            event.succeed()
        return event


class Multiprocessor:
    """Runs blocks, each a list of steps for each of its subgroups (see program.py)."""

    def __init__(self, machine, policy):
        self.machine, self.policy = machine, policy
        self.environment = simpy.Environment()
        self.issue = simpy.Resource(self.environment)
        self.banks = simpy.Resource(self.environment)
        self.dram_is_free = 0.0  # from then on
        self.table = MemoryTable(self.environment, machine.memory, policy.public)
        self.life = self.used = 0.0  # cycles of all blocks, and those in access regions
        self.resident = self.most_resident = 0

    def resident_limit(self, subgroups):
        """How many blocks fit besides by what is no workgroup memory."""
        most = min(self.machine.blocks, self.machine.subgroups // subgroups)
        return max(1, most if self.policy.blocks is None else min(most, self.policy.blocks))

    def run(self, programs):
        """The cycles until all blocks of `programs` have ended."""
        limit = simpy.Resource(self.environment, self.resident_limit(len(programs[0])))
        blocks = [self.environment.process(self.dispatch(number, program, limit)) for number, program in enumerate(programs)]
        self.environment.run()
        if not all(block.triggered for block in blocks):
            raise RuntimeError("blocks wait for each other for ever")
        return self.environment.now

    def dispatch(self, number, program, limit):
        with limit.request() as slot:
            yield slot
            private = self.policy.private
            if private:
                yield self.table.allocate("block", number, private)
            self.resident += 1
            self.most_resident = max(self.most_resident, self.resident)
            begin = self.environment.now
            barrier = Barrier(self.environment, len(program))
            yield simpy.AllOf(
                self.environment,
                [self.environment.process(self.subgroup(number, index, steps, barrier)) for index, steps in enumerate(program)],
            )
            self.life += self.environment.now - begin
            self.resident -= 1
            if private:
                self.table.release("block", number)

    def subgroup(self, number, index, steps, barrier):
        region_began = None
        for step in steps:
            if step.kind == "work":
                yield from self.work(step)
                continue
            yield barrier.wait()
            yield self.environment.timeout(self.machine.barrier)
            if step.kind == "allocate":
                # The first subgroup asks for all.
                if index == 0 and self.policy.public:
                    yield self.table.allocate("region", number, self.policy.public)
                yield barrier.wait()
                region_began = self.environment.now
            elif step.kind == "release":
                if index == 0:
                    self.used += self.environment.now - region_began
                    if self.policy.public:
                        self.table.release("region", number)

    def take(self, resource, cycles):
        with resource.request() as slot:
            yield slot
            yield self.environment.timeout(cycles)

    def work(self, step):
        """Instructions, then requests one after the other; then waits for the last data."""
        machine = self.machine
        issue = machine.subgroup_size / machine.lanes
        arrival = self.environment.now
        for instructions, sectors, wavefronts, is_load in step.requests:
            yield from self.take(self.issue, issue * (1 + instructions))
            if wavefronts:
                yield from self.take(self.banks, wavefronts * machine.subgroup_size / machine.banks)
                arrival = max(arrival, self.environment.now + is_load * machine.workgroup_latency)
            if sectors:
                # Requests wait in a queue, subgroups for their data.
                begin = max(self.dram_is_free, self.environment.now)
                self.dram_is_free = begin + sectors * machine.sector / machine.bytes_per_cycle
                if is_load:
                    arrival = max(arrival, self.dram_is_free + machine.latency)
        if arrival > self.environment.now:
            yield self.environment.timeout(arrival - self.environment.now)
