"""The kernel of a seed: statements are proposed at random, and kept where the ranges show that all is defined."""

import copy
import random

from . import tree
from .ranges import BUILT_INS, MOST_ELEMENTS, Flow, Ranges, Undefined, environment, extents_of
from .tree import (CHAR, DOUBLE, FLOAT, HALF, INT, INTEGERS, LLONG, UCHAR, UINT, ULLONG, Array, Assign, Binary, Cast,
                   Compare, Const, Declare, For, If, Jump, Kernel, Launch, Load, Logic, MinMax, Select, Store, Type,
                   Var)

TARGETS = ["sm_90"] * 2 + ["gfx942", "nvidia-gtx285"]
SIZES = [0, 1, 2, 3, 5, 7, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 97, 127, 128, 129]
OFFSETS = [-129, -128, -127, -7, -2, -1, 0, 1, 2, 3, 5, 7, 9, 16, 127, 128, 129, 200, 255, 256, 257, 300]
EDGES = [-(1 << 63), -(1 << 31) - 1, -(1 << 31), -(1 << 31) + 1, -32769, -256, -1, 0, 1, 8, 255, 256, 32768, 65535, 65536,
         (1 << 31) - 2, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 5, 1 << 40, 1 << 62]
CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 33, 64, 100, 255, 256, -1, -2, -3, -8]
BLOCKS = [(16, 16), (32, 8), (8, 8), (1, 1), (7, 3), (5, 5), (64, 4), (1, 64), (128, 2)]
FLAT_BLOCKS = [(64, 1), (128, 1), (256, 1), (1, 1), (33, 1), (17, 1), (32, 1)]
ID_TYPES = [INT] * 5 + [UINT] * 3 + [tree.LONG, tree.ULONG, LLONG, ULLONG, tree.SHORT, tree.USHORT]
DATA_TYPES = [FLOAT] * 6 + [DOUBLE, HALF, INT, UINT, CHAR, UCHAR, tree.SHORT, tree.USHORT, LLONG, ULLONG]
# Iterations of all loops by all threads of a launch.
MOST_WORK = 60_000
# How many kernels have a variable of the module, and its elements.
VARIABLES, LARGEST_VARIABLE = 0.1, 4096
# How many hand on from iteration to iteration what one has computed, and the first seed that may.
ROTATIONS, FIRST_ROTATION = 0.15, 830_000


class Scope:
    """Random expressions whose ranges are known at one place of a kernel."""

    def __init__(self, generator):
        self.random = random.Random(generator)
        self.launches = []
        self.envs = []
        self.body = []
        self.atoms = []
        self.names = 0

    def pick(self, *options):
        return self.random.choice(options[0] if len(options) == 1 else options)

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def spans(self, node):
        """The ranges of `node` in all launches that get here."""
        return [Ranges().of(node, env) for env in self.envs if env is not None]

    def defined(self, node):
        try:
            self.spans(node)
            return True
        except Undefined:
            return False

    def emit(self, statement):
        self.body.append(statement)
        self.envs = [env and Flow().block([statement], env) for env in self.envs]

    def declare(self, prefix, value, kind=None):
        """An immutable variable."""
        var = Var(self.name(prefix), kind or value.type)
        self.emit(Declare(var, value))
        return var

    # -- integers -----------------------------------------------------------------------------------------------------

    def constant(self, kind=INT):
        return Const(self.pick([value for value in CONSTANTS if kind.low <= value <= kind.high]), kind)

    def atom(self):
        if self.chance(0.2):
            return self.constant(self.pick(INT, INT, INT, UINT, LLONG))
        return self.pick(self.atoms)

    def unsigned(self, node):
        """`node` where nothing overflows."""
        return Cast(ULLONG if node.type.bits == 64 else UINT, node)

    def operation(self, op, a, b):
        """`a op b`, made defined where it is not."""
        node = Binary(op, a, b)
        if self.defined(node):
            return node
        if op in ("/", "%"):
            divisor = Const(self.pick(1, 2, 3, 7, 16, 37), INT)
            options = [Binary(op, a, divisor), Binary(op, self.unsigned(a), Binary("|", self.unsigned(b), Const(1, UINT)))]
        elif op in ("<<", ">>"):
            amount = self.pick(Const(self.pick(0, 1, 3, 4), INT), Binary("&", b, Const(7, INT)))
            options = [Binary(op, a, amount), Binary(op, self.unsigned(a), amount)]
        else:
            options = [Binary(op, self.unsigned(a), b), Binary(op, a, self.unsigned(b)), Binary(op, Cast(LLONG, a), b)]
        self.random.shuffle(options)
        return next((option for option in options if self.defined(option)), a)

    def integer(self, depth=2):
        """Any integer expression of ids, loop variables and sizes."""
        if depth == 0 or self.chance(0.15):
            return self.atom()
        a, b = self.integer(depth - 1), self.integer(self.pick(0, depth - 1))
        kind = self.random.random()
        if kind < 0.5:
            return self.operation(self.pick("+", "+", "-", "-", "*", "/", "%", ">>", "<<", "&", "|", "^"), a, b)
        if kind < 0.7:
            return Cast(self.pick(INTEGERS), a)
        if kind < 0.85:
            return MinMax(self.pick("min", "max"), a, b)
        return Select(self.condition(depth - 1), a, b)

    def condition(self, depth=1):
        """Any condition on integers; the sides may differ in sign and width."""
        kind = self.random.random()
        if depth and kind < 0.2:
            return Logic(self.pick("&&", "||"), self.condition(depth - 1), self.condition(depth - 1))
        if depth and kind < 0.3:
            return Logic("!", self.condition(depth - 1))
        a = self.integer(min(depth, 1))
        b = self.atom() if self.chance(0.6) else self.constant(self.pick(INT, UINT))
        return Compare(self.pick("<", "<", "<=", ">", ">=", "==", "!="), a, b)

    def relative(self, p):
        """What is easily taken for `p` itself: casts, bounds and selects of it."""
        c = self.pick(3, 9, 10, 127, 256)
        unsigned = self.unsigned(p)
        limit = Const(c, INT)
        return self.pick([
            p, p, Cast(self.pick(INTEGERS), p), Cast(INT, Cast(self.pick(CHAR, UCHAR), p)),
            Cast(INT, Cast(self.pick(tree.SHORT, tree.USHORT), p)), MinMax("min", p, limit), MinMax("max", p, limit),
            MinMax("min", unsigned, Const(c, UINT)), MinMax("max", Cast(CHAR, p), Const(-3, INT)),
            Select(Compare("<", p, limit), Const(4, INT), Const(3, INT)),
            Select(Compare("<", unsigned, Const(c, UINT)), Const(4, INT), Const(3, INT)),
            Binary("&", p, Const(7, INT)), Binary(">>", Cast(self.pick(INT, UINT), p), Const(28, INT)),
            self.operation("%", p, Const(8, INT)), self.operation("-", p, Const(1, INT))])

    # -- subscripts ---------------------------------------------------------------------------------------------------

    def wrapped(self, node, limit):
        """`node` brought into 0 .. limit - 1."""
        unsigned = self.unsigned(node)
        size = self.pick([size for size in (1, 2, 7, 16, 37, 64, 100, 256) if size <= limit] or [1])
        return self.pick(
            Binary("%", unsigned, Const(size, UINT)), Binary("%", unsigned, Const(size, UINT)),
            Binary("&", node, Const((1 << (size.bit_length() - 1)) - 1, INT)),
            MinMax("min", MinMax("max", Cast(LLONG, node), Const(0, LLONG)), Const(size - 1, LLONG)),
            MinMax("min", unsigned, Const(size - 1, UINT)))

    def subscript(self, node, limit=2000):
        """`node` as a subscript: moved or wrapped where it may be negative or too large."""
        for _ in range(2):
            try:
                spans = self.spans(node)
            except Undefined:
                node = Binary("+", self.unsigned(node.a), node.b) if isinstance(node, Binary) and node.op == "+" \
                    else self.atom()
                continue
            low, high = min([0] + [span[0] for span in spans]), max([0] + [span[1] for span in spans])
            if low == 0 and high < limit:
                return node
            if low < -600 or high - low >= limit:
                break
            node = Binary("+", node, Const(-low + self.pick(0, 0, 1, 3), INT))
        if not self.defined(node):
            node = self.atom()
        node = self.wrapped(node, limit)
        return node if self.is_within(node, limit) else Const(self.pick(0, 1), INT)

    def is_within(self, node, limit):
        try:
            return all(0 <= span[0] and span[1] < limit for span in self.spans(node))
        except Undefined:
            return False


class Generator(Scope):
    """One kernel; `make` decides what kind."""

    def __init__(self, seed, attempt):
        super().__init__(f"{seed} {attempt}")
        self.seed = seed
        self.target = self.pick(TARGETS)
        self.data = self.pick(DATA_TYPES)
        if self.data == DOUBLE and self.target == "nvidia-gtx285":
            self.data = FLOAT
        # What sums are computed in: signed ones might overflow.
        self.sum = self.data if self.data.is_float else ULLONG if self.data.bits == 64 else UINT
        self.arrays, self.shared, self.scalars = [], [], []
        self.work = 1
        self.loops = 0
        self.kind = self.pick(["naive"] * 8 + ["stride", "cooperate"])
        self.dimensions = self.pick(1, 1, 2) if self.kind == "naive" else 1
        self.block = self.pick(BLOCKS if self.dimensions == 2 else FLAT_BLOCKS)
        self.sizes, self.offsets, self.edges = [], [], []
        self.restrict = self.chance(0.6)
        self.has_pragma = False

    # -- launches -----------------------------------------------------------------------------------------------------

    def add_scalar(self, name, kinds, values, group):
        kind = self.pick(kinds)
        fitting = [value for value in values if kind.low <= value <= kind.high]
        scalar = Var(name, kind)
        for launch in self.launches:
            launch.scalars[name] = self.pick(fitting)
        self.scalars.append(scalar)
        group.append(scalar)

    def grid(self, launch, size):
        """Blocks along a dimension: covering `size`, more than that, or less."""
        index = 0 if size is self.sizes[0] else 1
        cover = max(1, -(-launch.scalars[size.name] // launch.block[index]))
        return max(1, min(self.pick(cover, cover, cover, cover + 1, 2 * cover, cover - 1), 16))

    def make_launches(self, count=3):
        large = self.chance(0.15)
        limit = 300 if self.dimensions == 1 else 129 if large else 33
        self.launches = [Launch({}, (1, 1, 1), (*self.block, 1)) for _ in range(count)]
        sizes = [size for size in SIZES if size <= limit]
        if self.dimensions == 1:
            sizes += [200, 256, 257, 300]
        for name in "nmk":
            self.add_scalar(name, ID_TYPES + [UCHAR], sizes, self.sizes)
        for name in ["p", "q"][:self.pick(0, 1, 2)]:
            self.add_scalar(name, INTEGERS + [LLONG, INT], OFFSETS, self.offsets)
        for name in ["s", "t"][:self.pick(0, 0, 1, 2)]:
            self.add_scalar(name, INTEGERS + [LLONG, INT, UINT], EDGES, self.edges)
        for launch in self.launches:
            if self.chance(0.2):
                launch.block = (*self.pick(BLOCKS if self.dimensions == 2 else FLAT_BLOCKS), 1)
            sides = [self.grid(launch, size) for size in self.sizes[:self.dimensions]]
            launch.grid = tuple((sides + [1, 1])[:3])
        self.envs = [environment(launch) for launch in self.launches]
        self.atoms = self.scalars[:]

    def threads(self):
        return max(launch.grid[0] * launch.grid[1] * launch.block[0] * launch.block[1] for launch in self.launches)

    # -- ids and guards -----------------------------------------------------------------------------------------------

    def declare_ids(self):
        self.ids = []
        for dim in "xyz"[:self.dimensions]:
            block, width, thread = (BUILT_INS[f"{place}.{dim}"] for place in ("blockIdx", "blockDim", "threadIdx"))
            if self.chance(0.2):
                block = Cast(self.pick(INT, LLONG, tree.ULONG), block)
            product = Binary("*", *self.pick((block, width), (width, block)))
            value = Binary("+", *self.pick((product, thread), (thread, product)))
            kind = self.pick(ID_TYPES)
            self.ids.append(self.declare(dim, value, kind))
        self.atoms = self.ids * 2 + self.scalars
        for _ in range(self.pick(0, 0, 1, 2)):
            self.declare_derived()

    def declare_derived(self):
        """Another name for a number that looks like one of those before: `long long q = (unsigned)(i - 5);`."""
        base = self.pick(self.ids + self.scalars)
        other = self.pick([self.constant(), *self.scalars, *self.ids])
        value = self.pick(self.relative(base), self.integer(), self.operation(self.pick("+", "-"), base, other),
                          Cast(self.pick(UINT, UCHAR, CHAR, INT), self.operation(self.pick("-", "+"), base, other)))
        self.atoms.append(self.declare("v", value, self.pick([value.type] + INTEGERS)))

    def below(self, var, size):
        """A condition that holds where `var` < `size`, in one of its spellings; the plain one where others do not."""
        plain = Compare("<", var, size)
        options = [plain, Compare(">", size, var), Logic("!", Compare(">=", var, size)),
                   Logic("!", Compare("<=", size, var)), Compare("<=", var, Binary("-", size, Const(1, INT))),
                   Compare("<", self.unsigned(var), size), Compare("<", Cast(LLONG, var), size),
                   Compare("<", var, Cast(INT, size)), Logic("&&", Compare(">=", var, Const(0, INT)), plain)]
        choice = self.pick(options)
        return choice if self.bounds(choice, var, size) else plain

    def bounds(self, condition, var, size):
        """Whether `condition` bounds `var` by `size` in every launch."""
        try:
            for env in self.envs:
                inner = env and Ranges().refined(condition, True, env)
                if inner and inner[var.name][1] >= inner[size.name][0]:
                    return False
        except Undefined:
            return False
        return True

    def guard(self, condition):
        """What follows runs only where `condition` holds."""
        if not self.defined(condition):
            return
        if not any(env and Ranges().refined(condition, True, env) for env in self.envs):
            condition = Logic("!", condition)  # Else nothing would run in any launch.
        if self.chance(0.2):
            flag = Var(self.name("in"), tree.BOOL, condition)
            self.emit(Declare(flag, condition))
            condition = flag
        if self.chance(0.45):
            negated = Logic("!", condition)
            if isinstance(condition, Logic) and condition.op == "&&" and self.chance(0.5):
                negated = Logic("||", Logic("!", condition.a), Logic("!", condition.b))
            self.emit(If(negated, [Jump("return")]))
            return
        nested = If(condition, [], [], is_while=self.chance(0.12))
        self.body.append(nested)
        self.envs = [env and Ranges().refined(condition, True, env) for env in self.envs]
        self.body = nested.then

    def guard_ids(self):
        """Bounds the ids by the sizes, with one condition or several, or not at all."""
        pairs = list(zip(self.ids, self.sizes))
        if self.chance(0.12):
            return
        self.random.shuffle(pairs)
        conditions = [self.below(var, size) for var, size in pairs]
        if len(conditions) == 2 and self.chance(0.6):
            conditions = [Logic("&&", *conditions)]
        for condition in conditions:
            self.guard(condition)
        if self.chance(0.25):
            self.guard(self.condition())

    # -- arrays -------------------------------------------------------------------------------------------------------

    def array(self, element, const):
        array = Array("abcdeghijl"[len(self.arrays) % 10] + str(len(self.arrays)), element, const, self.restrict)
        self.arrays.append(array)
        return array

    def own_position(self):
        """A subscript that no other work item has."""
        wide = Binary("*", BUILT_INS["gridDim.x"], BUILT_INS["blockDim.x"])
        if self.dimensions == 1:
            x, n = self.ids[0], self.sizes[0]
            options = [x, x, x, Binary("+", x, self.pick(self.offsets + [Const(3, INT)])),
                       Binary("+", Binary("*", x, Const(2, INT)), Const(1, INT)),
                       Binary("-", Binary("-", n, Const(1, INT)), x), Binary("+", n, x)]
        else:
            (x, y), (n, m) = self.ids, self.sizes[:2]
            options = [Binary("+", Binary("*", y, pitch), x) for pitch in (n, n, n, wide, Binary("+", n, Const(3, INT)))
                       if pitch is wide or self.bounds(Compare("<", x, n), x, n)] + \
                      [Binary("+", Binary("*", x, m), y)] + [Binary("+", Binary("*", y, wide), x)]
            if not self.is_bounded(x, n):
                options = options[-1:]
            elif not self.is_bounded(y, m):
                options = [option for option in options if option is not options[-2]]
        for _ in range(3):
            option = self.pick(options)
            if self.is_within(option, MOST_ELEMENTS):
                return option
        return Binary("+", Binary("*", self.ids[1], wide), self.ids[0]) if self.dimensions == 2 else self.ids[0]

    def is_bounded(self, var, size):
        return all(env[var.name][1] < env[size.name][0] for env in self.envs if env)

    def load_from(self, array, index):
        """`array[index]`, sometimes with a part of the subscript as an offset of the pointer."""
        if isinstance(index, Binary) and index.op == "+" and index.type.bits == 64 and self.chance(0.3):
            split = Load(array, index.b, index.a)
            if self.defined(split):
                return split
        return Load(array, index)

    def input_array(self):
        """An array to read: a new one, or one that is there already."""
        known = [array for array in self.arrays if array.const]
        if known and (self.chance(0.6) or len(self.arrays) > 6):
            return self.pick(known)
        if self.chance(0.08):
            struct = self.pick(list(tree.STRUCTS))
            array = self.array(Type(struct, 0), True)
            array.struct = struct
            return array
        element = self.data if self.chance(0.8) else self.pick(DATA_TYPES)
        if (element.is_float and not self.sum.is_float) or (element == DOUBLE and self.target == "nvidia-gtx285"):
            element = self.data
        return self.array(element, True)

    def field_of(self, array):
        """A number of an array: of one of structures, one of its fields."""
        if not array.struct:
            return array
        fields = {"Point": [("x", FLOAT), ("y", FLOAT), ("id", INT)],
                  "Cell": [("kind", UCHAR), ("level", tree.SHORT), ("weight", UINT)]}[array.struct]
        name, kind = self.pick([entry for entry in fields if self.sum.is_float or not entry[1].is_float])
        return Array(array.name, kind, True, array.restrict, None, name, array.struct)

    # -- loads and sums -----------------------------------------------------------------------------------------------

    def position(self, loops):
        """A subscript for an input: rows and columns, or anything."""
        variables = self.ids + loops * 2
        kind = self.random.random()
        if kind < 0.55:
            pitch = self.pick(self.sizes + [Const(self.pick(16, 32, 33), INT)])
            row, column = self.pick(variables), self.pick(variables)
            node = self.operation("+", self.operation("*", row, pitch), column)
            return self.subscript(node, MOST_ELEMENTS)
        if kind < 0.75:
            return self.subscript(self.pick(variables))
        if kind < 0.9:
            return self.subscript(self.operation("+", self.pick(variables), self.relative(self.pick(self.atoms))))
        return self.subscript(self.integer())

    def number(self, loops, position=None):
        """An element of some array, as a number of the type that sums have."""
        array = self.field_of(self.input_array())
        load = self.load_from(array, position or self.position(loops))
        if load.type == self.sum or (load.type.is_float and self.chance(0.5) and load.type.bits < self.sum.bits):
            return load
        return Cast(self.sum, load)

    def stencil(self, loops):
        """Neighbours in one array, whose distances are alike but not the same."""
        array = self.field_of(self.input_array())
        base = self.pick(self.ids + loops)
        near = self.pick(self.offsets * 2 + self.edges + self.sizes + self.atoms[:3] + [Const(1, INT)])
        total = None
        for coefficient in range(1, self.pick(2, 3, 4) + 1):
            constant = Const(self.pick(0, 0, 1, 2, 8, 9), INT)
            node = self.operation("+", self.operation("+", base, constant), self.relative(near))
            value = Cast(self.sum, self.load_from(array, self.subscript(node)))
            term = Binary("*", Const(coefficient, self.sum if self.sum.is_float else UINT), value)
            total = term if total is None else Binary("+", total, term)
        return total

    def term(self, loops):
        kind = self.random.random()
        if kind < 0.3:
            return self.stencil(loops)
        if kind < 0.65:
            return Binary("*", self.number(loops), self.number(loops))
        if kind < 0.75:
            return Select(self.condition(), self.number(loops), Const(0, self.sum))
        if kind < 0.82 and not self.sum.is_float:
            return Binary(self.pick("^", "&", "|"), self.number(loops), self.number(loops))
        if kind < 0.9:
            if self.sum == HALF:
                return self.number(loops)
            return MinMax(self.pick("min", "max"), *(Cast(self.sum, self.number(loops)) for _ in range(2)))
        index = self.subscript(Load(self.array(self.pick(UCHAR, tree.SHORT, INT), True), self.position(loops)))
        return self.number(loops, index)

    def add_terms(self, total, loops):
        """One statement that adds to `total`, under a condition or not."""
        statement = Assign(total, self.pick("+=", "+=", "+=", "-="), self.term(loops))
        kind = self.random.random()
        if kind < 0.15:
            statement = If(self.condition(), [statement], [Assign(total, "+=", self.number(loops))] * self.pick(0, 1))
        elif kind < 0.2:
            statement = If(self.condition(0), [If(self.condition(), [statement])])
        if self.defined_statement(statement):
            self.emit(statement)

    def defined_statement(self, statement):
        try:
            for env in self.envs:
                if env is not None:
                    Flow().block([statement], env)
            return True
        except Undefined:
            return False

    def loop_over(self):
        """A loop without a body, and the most iterations that it has."""
        kind = self.pick(ID_TYPES)
        sizes, small = self.sizes, Const(self.pick(3, 4, 9, 16), INT)
        bound = self.pick(*sizes, *sizes, small, self.ids[0], Binary("+", self.ids[-1], Const(1, INT)),
                          MinMax("min", self.pick(sizes), small), Cast(UCHAR, self.pick(self.scalars)),
                          self.operation("/", self.pick(sizes), Const(2, INT)),
                          MinMax("min", self.unsigned(self.pick(self.scalars)), Const(9, UINT)))
        start = self.pick(*[Const(0, INT)] * 6, Const(1, INT), Const(3, INT), self.ids[0])
        step = Const(self.pick(*[1] * 6, 2, 3, 7, 16), INT)
        shape = self.pick(*["up"] * 8, "down", "double")
        if shape == "double":
            start = Const(1, INT)
        spelling = self.pick("for", "for", "for", "while")
        var = Var(self.name("it"), kind)  # no name of an array, of which there are up to "l11"
        for limit in (bound, MinMax("min", bound, Const(5, INT)), Const(5, INT), Const(2, INT)):
            loop = For(var, start, limit, step, [], shape, spelling)
            trips = self.trips(loop)
            if trips is not None and trips * self.work * self.threads() <= MOST_WORK:
                return loop, max(1, trips)
        return None, 0

    def trips(self, loop):
        """The most iterations in any launch; nothing where the loop is not possible."""
        try:
            most = 0
            for env in self.envs:
                if env is None:
                    continue
                flow = Flow()
                flow.For(loop, env)
                if loop.kind == "up":
                    first = flow.of(loop.start, env)
                    inside, count = flow.upward(loop, first, env)
                    most = max(most, count)
                else:
                    most = max(most, 8 if loop.kind == "double" else flow.of(loop.bound, env)[1])
            return most
        except Undefined:
            return None

    def add_loop(self, total, loops):
        loop, trips = self.loop_over()
        if loop is None or self.loops > 3:
            return
        self.loops += 1
        outside, body, atoms = self.envs, self.body, self.atoms
        self.envs = [env and self.inside(loop, env) for env in outside]
        self.body, self.atoms = loop.body, atoms + [loop.var]
        self.work *= trips
        if self.chance(0.1) and loop.spelling == "for":
            self.emit(If(self.condition(), [Jump("continue")]))
        for _ in range(self.pick(1, 1, 2)):
            self.add_terms(total, loops + [loop.var])
        if len(loops) < 2 and self.chance(0.3):
            self.add_loop(total, loops + [loop.var])
        if self.chance(0.06):
            self.emit(If(self.condition(), [Jump("break")]))
        self.work //= trips
        self.envs, self.body, self.atoms = outside, body, atoms
        if self.defined_statement(loop):
            self.body.append(loop)

    def inside(self, loop, env):
        """The environment of the loop's body; None where it has no iteration."""
        seen = []
        probe = Flow()
        probe.block = lambda _, inner: seen.append(inner)
        probe.For(loop, env)
        return seen[0] if seen else None

    # -- kernels ------------------------------------------------------------------------------------------------------

    def add_sums(self, total):
        for _ in range(self.pick(1, 1, 2, 3)):
            if self.chance(0.55):
                self.add_loop(total, [])
            else:
                self.add_terms(total, [])

    def make_naive(self):
        """Each work item computes elements of its own."""
        self.has_pragma = self.chance(0.2)
        self.declare_ids()
        self.guard_ids()
        self.make_item()

    def make_item(self):
        out = self.array(self.data, False)
        own = self.own_position()
        total = Var("sum", self.sum)
        first = Const(self.pick(0, 0, 1), self.sum)
        if self.chance(0.2):
            first = Load(out, own)  # in place
        self.emit(Declare(total, first, mutable=True))
        mate = None
        if self.chance(0.2):
            # Only read where this work item writes: a caller may pass `out` for it as well.
            mate = self.array(self.data, True)
            mate.restrict = out.restrict = False
            self.emit(Assign(total, "+=", Cast(self.sum, Load(mate, own))))
            mate.const = False  # keep others from reading it
        self.add_sums(total)
        self.emit(Store(Load(out, own), self.pick("=", "=", "=", "+=") if self.sum == self.data else "=", total))
        if self.chance(0.15):
            self.guard(self.condition())
            second = self.array(self.data, False)
            self.emit(Store(Load(second, self.own_position()), "=", Binary("*", total, Const(2, self.sum))))
        if mate:
            mate.const = True
            for launch in self.launches:
                if self.chance(0.6):
                    launch.same[mate.name] = out.name

    def make_grid_stride(self):
        """As many iterations as a thread needs for all of a size."""
        self.declare_ids()
        x, n = self.ids[0], self.sizes[0]
        kind = self.pick(INT, UINT, LLONG, tree.ULONG)
        stride = Binary("*", BUILT_INS["gridDim.x"], BUILT_INS["blockDim.x"])
        loop = For(Var("i", kind), x, n, stride, [], "up", self.pick("for", "while"))
        self.envs = [self.inside(loop, env) for env in self.envs]
        self.body.append(loop)
        self.body, self.ids, self.atoms = loop.body, [loop.var], [loop.var] * 2 + self.scalars
        self.make_item()

    def alias_inputs(self):
        """A caller may pass one array for two that are only read."""
        inputs = [array for array in self.arrays if array.const and not array.struct]
        for launch in self.launches:
            if len(inputs) < 2 or not self.chance(0.15):
                continue
            a, b = sorted(self.random.sample(inputs, 2), key=self.arrays.index)
            if a.element == b.element and not {a.name, b.name} & set(launch.same):
                launch.same[b.name] = a.name

    def make(self):
        self.make_launches()
        body = self.body
        from . import cooperate
        {"naive": self.make_naive, "stride": self.make_grid_stride, "cooperate": lambda: cooperate.add(self)}[self.kind]()
        self.alias_inputs()
        domain = [size.name for size in self.sizes[:self.dimensions]] if self.has_pragma else []
        kernel = Kernel(self.seed, self.target, self.arrays, self.scalars, body, self.launches, self.shared, domain)
        return settled(kernel)


def settled(kernel):
    """The kernel with the launches in which all is defined, and with the parameters that it needs."""
    launches = []
    for launch in kernel.launches:
        try:
            extents_of(kernel, launch)
            launches.append(launch)
        except Undefined:
            pass
    if not launches:
        raise Undefined("all launches")
    # An array that stands for another comes behind it.
    mates = {name for launch in launches for name in launch.same}
    arrays = sorted(kernel.arrays, key=lambda array: array.name in mates)
    return with_variable(with_rotation(kernel.with_(arrays=arrays, launches=launches)))


def blocks_of(statements):
    """All lists of statements in a list of statements, itself among them."""
    yield statements
    for statement in statements:
        for name in ("body", "then", "otherwise"):
            yield from blocks_of(getattr(statement, name, []))


def with_rotation(kernel):
    """The kernel, or now and then one in which a loop adds what the iteration before the last has computed."""
    draw = random.Random(f"rotation {kernel.seed}")
    if kernel.seed < FIRST_ROTATION or draw.random() >= ROTATIONS:
        return kernel
    changed = copy.deepcopy(kernel)
    places = [(block, loop, sum_) for block in blocks_of(changed.body) for loop in block if isinstance(loop, For)
              for sum_ in loop.body if isinstance(sum_, Assign) and sum_.op in ("+=", "-=")]
    if not places:
        return kernel
    block, loop, added = draw.choice(places)
    kind = added.var.type
    now, latest, before = (Var(name, kind) for name in ("now", "latest", "before"))
    at = loop.body.index(added)
    loop.body[at:at + 1] = [Declare(now, added.value), Assign(added.var, added.op, before), Assign(before, "=", latest),
                            Assign(latest, "=", now)]
    at = block.index(loop)
    block[at:at] = [Declare(latest, Const(0, kind), mutable=True), Declare(before, Const(1, kind), mutable=True)]
    try:
        for launch in changed.launches:
            extents_of(changed, launch)
    except Undefined:
        return kernel
    return changed


def with_variable(kernel):
    """The kernel, or now and then one of which an input is a variable that the host sets."""
    draw = random.Random(f"variable {kernel.seed}")
    names = {name for launch in kernel.launches for pair in launch.same.items() for name in pair}
    inputs = [array for array in kernel.arrays if array.const and not array.struct and array.name not in names]
    if not inputs or draw.random() >= VARIABLES:
        return kernel
    variable = draw.choice(inputs)
    size = max(extents_of(kernel, launch)[variable.name] for launch in kernel.launches)
    if not 0 < size <= LARGEST_VARIABLE:
        return kernel
    variable.size, variable.space = size, draw.choice(("__constant__", "__device__"))
    return kernel.with_(arrays=[array for array in kernel.arrays if array is not variable], variables=[variable])


def kernel_of(seed):
    """The kernel of `seed`: the first attempt that is defined."""
    for attempt in range(100):
        try:
            return Generator(seed, attempt).make()
        except Undefined:
            continue
    raise RuntimeError(f"no kernel for seed {seed}")
