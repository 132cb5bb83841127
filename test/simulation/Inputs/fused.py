"""Checks of bench/simulation/fused.py and preexecution.py on programs of a few lines."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))
# pylint: disable=wrong-import-position
from bench.simulation import fused  # noqa: E402
from bench.simulation.fused import Cache, Chip, Dram, Step  # noqa: E402
from bench.simulation.preexecution import Cpu, Factors, Walk  # noqa: E402

MACHINE = fused.read_machine(ROOT / "bench" / "simulation" / "machines" / "fused-2011.json", next_line=False)


def check_cache():
    """The line that has not been used for longest goes."""
    cache = Cache(kib=1, line=64, ways=2)  # 8 sets
    assert cache.insert(0, "a") is None and cache.insert(8, "b") is None
    assert cache.find(0) == "a" and cache.find(1) is None
    assert cache.insert(16, "c") == (8, "b")
    assert cache.find(0) == "a" and cache.find(16) == "c"


def check_dram():
    """Rows, modules side by side, and conflicts."""
    burst, hit, miss = 16 * MACHINE.dram_cycle, 10 * MACHINE.dram_cycle, 20 * MACHINE.dram_cycle
    dram = Dram(MACHINE)
    assert dram.access(0, 0.0) == miss + hit + burst
    # The next line of the row, long after: only what is left to be done.
    assert dram.access(1, 10000.0) == 10000 + hit + burst
    assert (dram.requests, dram.row_hits, dram.conflicts) == (2, 1, 0)
    # Lines 256 bytes apart lie in different modules, 2 KiB apart in one.
    apart, together = Dram(MACHINE), Dram(MACHINE)
    ends = [max(dram.access(number * step, 0.0) for number in range(8)) for dram, step in ((apart, 4), (together, 32))]
    assert ends[0] == miss + hit + burst and ends[1] >= 8 * burst, ends
    assert apart.conflicts == 0 and together.conflicts == 7


def block_of(line, count=16):
    """A block of one subgroup that loads lines one after the other, with much to do in between."""
    return [[[Step(40, (line + number,), ()) for number in range(count)]]]


def run(blocks, walks=None, **changes):
    """A chip behind it, and the CPU that visits one thread for each line."""
    machine = fused.Machine(**{**vars(MACHINE), **changes})
    cpu = None
    if walks:
        cpu = Cpu(machine, [[Walk(1, walks)]], {1: 4}, Factors(skip=1, adapts=False))
    chip = Chip(machine, blocks, resident=1, assistant=cpu)
    chip.run()
    return chip, cpu


def check_chip():
    """The CPU's lines are hits of the GPU, and shorten its time to that of a perfect L3 at best."""
    lines = 64
    blocks = [block_of(16 * number) for number in range(lines // 16)]
    alone, _ = run(blocks)
    assisted, cpu = run(blocks, [(line,) for line in range(lines)])
    perfect, _ = run(blocks, perfect_l3=True)
    assert alone.memory.gpu_hits == 0 and alone.memory.gpu_accesses == lines
    assert assisted.memory.gpu_hits > lines / 2
    assert len(assisted.memory.useful) == len(assisted.memory.fetched) > 0
    assert perfect.time <= assisted.time < alone.time, (perfect.time, assisted.time, alone.time)
    assert cpu.instruction_count == 4 * lines
    # A store fetches its line, and nobody waits for it.
    stored, _ = run([[[[Step(4, (), (0,)), Step(4, (), (0,))]]]])
    assert (stored.memory.gpu_accesses, stored.memory.dram.requests) == (2, 1)


def check_barrier():
    """All subgroups of a block begin an interval together."""
    slow, quick = [[Step(1000, (), ())], [Step(1, (), ())]], [[], [Step(1, (), ())]]
    chip, _ = run([[slow, quick]])
    assert chip.time >= (1000 + Chip.barrier_cycles + 1) * MACHINE.gpu_cycle


def check_factors():
    """Figure 6.5: with more hits further apart, with fewer closer, but to no factor twice, and never to 0."""
    cpu = Cpu(MACHINE, [], {}, Factors(skip=32, step=32))

    class Memory:
        cpu_hits = 0

    cpu.memory = Memory
    for hits in (100, 200, 205, 206, 207):
        Memory.cpu_hits = hits
        cpu.adapt()
    assert cpu.skips == [64, 96, 64, 32, 32], cpu.skips


for check in (check_cache, check_dram, check_chip, check_barrier, check_factors):
    check()
print("all as expected")
