"""What bench/simulation promises: allocations never overlap or exceed the memory, nobody has two, nobody starves; and
what follows for blocks that are limited by it."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3]))
# pylint: disable=wrong-import-position
import simpy  # noqa: E402

from bench.simulation import multiprocessor, program, trace  # noqa: E402

MACHINE = multiprocessor.read_machine(pathlib.Path(__file__).parents[3] / "dialects/GPUOpt/targets/nvidia-gtx285.target")
Policy, Request = multiprocessor.Policy, trace.Request
LANES = list(range(32))


def raises(action):
    try:
        action()
    except RuntimeError as error:
        return str(error)
    return ""


def table_keeps_its_promises():
    environment = simpy.Environment()
    table = multiprocessor.MemoryTable(environment, 100, public=30)
    table.allocate("block", 0, 35)
    table.allocate("block", 1, 35)
    waiting = table.allocate("block", 2, 20)
    assert not waiting.triggered, "30 bytes stay for regions"
    assert table.allocate("region", 0, 30).triggered
    second = table.allocate("region", 1, 30)
    assert not second.triggered
    table.release("region", 0)
    assert second.triggered and not waiting.triggered
    assert "twice" in raises(lambda: table.allocate("region", 1, 10))
    assert "never" in raises(lambda: table.allocate("block", 7, 71))
    assert "nothing to release" in raises(lambda: table.release("region", 5))
    table.release("block", 1)
    assert waiting.triggered


def random_tables_never_overlap():
    chance = random.Random(1)
    for _ in range(200):
        table = multiprocessor.MemoryTable(simpy.Environment(), 64, public=chance.randrange(16))
        for step in range(40):
            owners = list(table.entries)
            if owners and chance.random() < 0.5:
                table.release(*chance.choice(owners))
            else:
                kind = chance.choice(["block", "region"])
                raises(lambda: table.allocate(kind, step, 1 + chance.randrange(40)))  # pylint: disable=cell-var-from-loop
            taken = sorted(table.entries.values())
            assert all(start + size <= other for (start, size), (other, _) in zip(taken, taken[1:]))
            assert not taken or sum(taken[-1]) <= 64


def block(rounds=1, warps=2):
    """Loads, an exchange, loads, …: intervals of a trace."""
    intervals = []
    for number in range(rounds):
        load = [Request(w, 0, 0, 4, False, True, False, LANES, [4096 * number + 128 * w + 4 * i for i in range(32)]) for w in range(warps)]
        store = [Request(w, 0, 1, 4, True, False, True, LANES, [128 * w + 4 * i for i in range(32)]) for w in range(warps)]
        fetch = [Request(w, 0, 2, 4, True, True, False, LANES, [128 * w + 4 * (31 - i) for i in range(32)]) for w in range(warps)]
        intervals += [load + store, fetch]
    return intervals


def regions_end_where_memory_is_dead():
    assert trace.regions_of(block(3)) == [(0, 1), (2, 3), (4, 5)]
    carried = block(2)
    # One element of the first exchange is not stored again, but loaded.
    for request in carried[2]:
        if request.is_workgroup and request.subgroup == 0:
            request.addresses = request.addresses[1:]
    assert trace.regions_of(carried) == [(0, 3)]
    counted = block(2)
    # What is added to has to be there.
    for request in counted[2]:
        request.is_load |= request.is_workgroup
    assert trace.regions_of(counted) == [(0, 3)]
    steps = program.program_of(block(1), MACHINE, 4, shared_from=0)[0]
    assert [step.kind for step in steps] == ["work", "allocate", "work", "barrier", "work", "release"]


def cycles(policy, shared_from=None, blocks=12):
    steps = program.program_of(block(8), MACHINE, 4, shared_from)
    unit = multiprocessor.Multiprocessor(MACHINE, policy)
    time = unit.run([steps] * blocks)
    assert not unit.table.entries and not any(unit.table.waiting.values()), "all has been given back"
    return time, unit


def more_blocks_wait_together():
    static, unit = cycles(Policy(9000))
    assert unit.most_resident == 1
    times = []
    for more in (1, 2, 3):
        time, unit = cycles(Policy(0, 9000, 1 + more), 0)
        assert unit.most_resident == 1 + more
        times.append(time)
    assert static > times[0] > times[1] > times[2], (static, times)
    assert 0 < unit.used < unit.life
    # Two keep 4096 bytes, and take turns with the rest.
    divided, unit = cycles(Policy(4096, 8192), 0)
    assert unit.most_resident == 2 and divided < static


def banks_answer_rows_of_lanes():
    def wavefronts(size, lanes, stride):
        return program.wavefronts_of(Request(0, 0, 0, size, True, True, False, lanes, [stride * lane for lane in lanes]), MACHINE)

    assert wavefronts(4, LANES, 4) == 2, "two rows of 16 banks"
    assert wavefronts(4, LANES[8:], 4) == 2
    assert wavefronts(4, LANES, 64) == 32
    assert wavefronts(8, LANES, 8) == 4, "two words each"


def memory_that_is_no_limit_is_no_matter():
    assert cycles(Policy(512))[0] == cycles(Policy(1024))[0]


def who_waits_for_ever_is_an_error():
    steps = program.program_of(block(1), MACHINE, 4, shared_from=0)
    steps[0] = steps[0][:-1]
    unit = multiprocessor.Multiprocessor(MACHINE, Policy(0, 9000))
    assert "for ever" in raises(lambda: unit.run([steps]))


table_keeps_its_promises()
random_tables_never_overlap()
regions_end_where_memory_is_dead()
more_blocks_wait_together()
banks_answer_rows_of_lanes()
memory_that_is_no_limit_is_no_matter()
who_waits_for_ever_is_an_error()
print("all as expected")
