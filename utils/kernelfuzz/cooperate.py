"""Kernels whose threads work together: workgroup memory, barriers, shuffles, atomics."""

from . import tree
from .ranges import BUILT_INS
from .tree import (FLOAT, INT, UINT, Array, Assign, AtomicAdd, Barrier, Binary, Call, Compare, Const, Declare, For, If,
                   Load, Select, Store, Var)

THREAD, WIDTH, BLOCK = (BUILT_INS[name] for name in ("threadIdx.x", "blockDim.x", "blockIdx.x"))


def add(generator):
    """Makes one of the kinds below; every block is as wide as in the first launch."""
    g = generator
    width = g.pick(32, 64, 128) if g.target != "gfx942" else g.pick(64, 128)
    for launch in g.launches:
        launch.block = (width, 1, 1)
        launch.grid = (g.pick(1, 2, 3), 1, 1)
    from .ranges import environment
    g.envs = [environment(launch) for launch in g.launches]
    g.declare_ids()
    kinds = [exchange, reduction, tiles, count]
    if g.target != "nvidia-gtx285":
        kinds.append(shuffles)
    g.pick(kinds)(g, width)


def element(g, index):
    """`index` < n ? a[…] : 0"""
    load = g.number([], g.subscript(index))
    return Select(g.below(g.ids[0], g.sizes[0]), load, Const(0, g.sum))


def workgroup(g, size):
    array = Array("tile", g.sum, False, False, size)
    g.shared.append(array)
    return array


def store(g, value):
    """Stores `value` to the work item's element, where there is one."""
    out = g.array(g.data, False)
    g.emit(If(g.below(g.ids[0], g.sizes[0]), [Store(Load(out, g.ids[0]), "=", value)]))


def exchange(g, width):
    """Each thread reads what another one of its block has written."""
    tile = workgroup(g, width)
    g.emit(Store(Load(tile, THREAD), "=", element(g, g.ids[0])))
    g.emit(Barrier())
    shift = Const(g.pick(1, 5, width - 1), UINT)
    place = g.pick(Binary("-", Const(width - 1, UINT), THREAD), Binary("%", Binary("+", THREAD, shift), WIDTH),
                   Binary("^", THREAD, Const(g.pick(1, 16), UINT)))
    total = Var("sum", g.sum)
    g.emit(Declare(total, Load(tile, place), mutable=True))
    if g.chance(0.5):
        g.add_sums(total)
    store(g, total)


def reduction(g, width):
    tile = workgroup(g, width)
    g.emit(Store(Load(tile, THREAD), "=", element(g, g.ids[0])))
    g.emit(Barrier())
    step = Var("w", g.pick(INT, UINT))
    half = Binary("/", WIDTH, Const(2, INT))
    other = Load(tile, Binary("+", THREAD, step))
    body = [If(Compare("<", THREAD, step), [Store(Load(tile, THREAD), "+=", other)]), Barrier()]
    g.emit(For(step, half, Const(0, INT), Const(1, INT), body, "halve"))
    out = g.array(g.data, False)
    g.emit(If(Compare("==", THREAD, Const(0, INT)), [Store(Load(out, BLOCK), "=", Load(tile, Const(0, INT)))]))


def tiles(g, width):
    """A sum over all elements, a tile of which the block brings in at a time."""
    tile = workgroup(g, width)
    total = Var("sum", g.sum)
    g.emit(Declare(total, Const(0, g.sum), mutable=True))
    data = g.array(g.data, True)
    start, lane = Var("k0", g.pick(INT, UINT)), Var("j", g.pick(INT, UINT))
    index = Binary("+", start, THREAD)
    load = Select(Compare("<", index, g.sizes[1]), tree.Cast(g.sum, Load(data, index)), Const(0, g.sum))
    inner = For(lane, Const(0, INT), WIDTH, Const(1, INT),
                [Assign(total, "+=", Binary("*", Load(tile, lane), Const(3, g.sum)))])
    body = [Store(Load(tile, THREAD), "=", load), Barrier(), inner, Barrier()]
    g.emit(For(start, Const(0, INT), g.sizes[1], WIDTH, body))
    store(g, total)


def count(g, width):
    """Integer atomics: their order does not matter."""
    cells = g.array(g.pick(INT, UINT, tree.ULLONG), False)
    one = Const(g.pick(1, 3), cells.element)
    g.guard_ids()
    g.emit(AtomicAdd(Load(cells, g.subscript(g.integer(), 64)), one))


def shuffles(g, width):
    """All threads of a block take part."""
    mask = Const((1 << 64) - 1 if g.target == "gfx942" else (1 << 32) - 1, tree.ULLONG)
    total = Var("sum", g.sum)
    g.emit(Declare(total, element(g, g.ids[0]), mutable=True))
    for _ in range(g.pick(1, 2, 5)):
        name = g.pick("__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync", "__shfl_sync")
        lane = Const(g.pick(1, 2, 4, 8, 16), INT)
        value = total if g.sum in (FLOAT, tree.DOUBLE, tree.HALF, UINT, tree.ULLONG) else Const(0, INT)
        g.emit(Assign(total, "+=", Call(name, [mask, value, lane], g.sum)))
    store(g, total)
