"""Random programs in C with OpenMP's parallel loops, and what they access.

Each program is a function with pointers, matrices, sizes and loops. It has no data race when its pointers are apart: in a
loop, an array is either only read, or written at subscripts that belong to one iteration. The loops are run here as well,
so that each pointer gets memory for the elements that are accessed and no more: a section that is too large is found.

Some loops are shared out by a team: in a parallel region with variables of a thread's own, barriers, `single`, sequential
loops, and functions of their own (`pieceN`) that the region calls.
"""

import random
import re

POINTERS, MATRICES, SIZES = ("p", "q", "r", "s"), ("A", "B"), ("n", "m", "k")
# Pointers to structures; `d[i].x` and `d[i].y[1]` are numbers.
STRUCTURES, MEMBERS = ("d", "e"), (".x", ".y[0]", ".y[1]")
ROWS, COLUMNS = 9, 7
# A structure with two pointers, which stand for variables in some programs.
BOX, BOXED = "box", {"p": "v", "q": "w"}
LOCAL, LENGTH = "L", 24
MASK = "mask"


class OutOfRange(Exception):
    """The program would access an element that cannot be."""


class Affine:
    """A sum of variables, or of products of two, each with a factor."""

    def __init__(self, constant=0, **factors):
        self.constant, self.factors = constant, {name: value for name, value in factors.items() if value}

    def plus(self, constant):
        return Affine(self.constant + constant, **self.factors)

    def value(self, names):
        total = self.constant
        for product, factor in self.factors.items():
            for name in product.split("__"):
                factor *= names[name]
            total += factor
        return total

    def __str__(self):
        text = ""
        for product, factor in self.factors.items():
            term = product.replace("__", " * ")
            term = term if abs(factor) == 1 else f"{abs(factor)} * {term}"
            text += (" - " if factor < 0 else " + ") + term if text else ("-" if factor < 0 else "") + term
        if not text:
            return str(self.constant)
        return text + (f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}" if self.constant else "")


class Loop:
    """`for (int i = lower; i < upper; i += step)`, or from its end to its begin."""

    def __init__(self, name, lower, upper, step=1, kind="int"):
        self.name, self.lower, self.upper, self.step, self.kind = name, lower, upper, step, kind

    def head(self):
        kind = self.kind + " " if self.kind else ""
        if self.step > 0:
            step = f"{self.name}++" if self.step == 1 else f"{self.name} += {self.step}"
            return f"for ({kind}{self.name} = {self.lower}; {self.name} < {self.upper}; {step})"
        step = f"{self.name}--" if self.step == -1 else f"{self.name} -= {-self.step}"
        return f"for ({kind}{self.name} = {self.upper.plus(-1)}; {self.name} >= {self.lower}; {step})"

    def values(self, names):
        lower, upper = self.lower.value(names), self.upper.value(names)
        return range(lower, upper, self.step) if self.step > 0 else range(upper - 1, lower - 1, self.step)


class Program:
    """The function of a seed: its text, and the elements that it needs. Without directives, iterations of its loops may
    depend on each other."""

    def __init__(self, seed, has_directives=True, has_aliases=True):
        self.seed, self.has_directives, self.has_aliases, attempt = seed, has_directives, has_aliases, 0
        while True:
            self.random = random.Random(seed * 1000 + attempt)
            attempt += 1
            try:
                self.make()
                break
            except OutOfRange:
                continue

    def make(self):
        choose = self.random
        self.sizes = {name: choose.choice((0, 1, 2, 3, 4, 5, 6, 7)) for name in SIZES}
        self.needs = {name: 1 for name in POINTERS + STRUCTURES}
        self.needs[MASK] = 1
        # One pointer into the memory of another.
        self.alias = tuple(choose.sample(POINTERS, 2)) if choose.random() < 0.1 and self.has_aliases else None
        self.shift = choose.choice((0, 0, 1, 3))
        self.lines, self.parent, self.team, self.pieces = [], None, None, []
        # Nobody may look at the local array again, or somebody by its name or by a pointer.
        self.pointer, self.later = choose.choice(
            (("", ""), ("", f" + {LOCAL}[2]"), (f", *at = &{LOCAL}[1]", " + *at")))
        for _ in range(choose.randint(1, 4)):
            kind = choose.random()
            if kind < 0.3:
                self.add_parent()
            elif kind < 0.55 and self.has_directives:
                self.add_team()
            else:
                self.add_loop()

    def add_team(self):
        """A parallel region with loops and other things."""
        choose, outer = self.random, self.lines
        self.team, self.lines = Team(choose), []
        begin = self.team.begin()
        for _ in range(choose.randint(1, 4)):
            kind = choose.random()
            if kind < 0.2:
                self.lines += self.team.settle() + ["#pragma omp single", f"  c += {choose.randint(1, 3)};"]
            elif kind < 0.35:
                self.lines += self.team.assignment()
            elif kind < 0.5:
                self.add_parent()
            elif kind < 0.7:
                self.add_piece()
            else:
                self.add_loop()
        lines = begin + [line if line.startswith("#") else "  " + line for line in self.lines] + ["}"]
        self.lines, self.team = outer + lines, None

    def add_piece(self):
        """A loop of the team in a function of its own."""
        outer, self.lines = self.lines, []
        self.team.is_piece = True
        self.add_loop()
        self.team.is_piece = False
        name = f"piece{self.seed}_{len(self.pieces)}"
        body = "\n".join(line if line.startswith("#") else "  " + line for line in self.lines)
        names = SIZES + POINTERS + STRUCTURES + (MASK, BOX, "c", "u")
        step = "step" if self.parent else "0"
        self.pieces.append(f"static void {name}({PARAMETERS}, long c, long u, int step) {{\n"
                           f"  long t, w[4];\n  int i;\n{body}\n}}\n")
        self.lines = outer + [f"{name}({', '.join(names)}, {step});"]

    def add_parent(self):
        """A sequential loop around one or two others."""
        choose, outer = self.random, self.lines
        self.lines = []
        self.parent = Loop("step", Affine(0), choose.choice((Affine(3), Affine(0, k=1), Affine(1))))
        if choose.random() < 0.2 and not self.team:
            self.lines.append(f"note({LOCAL}[step]);")
        for _ in range(choose.randint(1, 2)):
            if self.team and choose.random() < 0.2:
                self.add_piece()
            else:
                self.add_loop()
        if not self.team and choose.random() < 0.3:
            # The host does something that is nothing to the device.
            self.lines.insert(choose.choice((0, len(self.lines))),
                              choose.choice(("x = 3 * x + step;", "if (step > 1) l = l + k;", "c = c + 1;")))
        if self.team:
            # The next iteration begins with another loop.
            self.lines += self.team.settle()
        self.lines = outer + [self.parent.head() + " {"] + \
            [line if line.startswith("#") else "  " + line for line in self.lines] + ["}"]
        self.parent = None

    # Elements

    def touch(self, array, names, subscripts):
        values = [subscript.value(names) for subscript in subscripts]
        if array in STRUCTURES:
            if values[0] < 0:
                raise OutOfRange
            self.needs[array] = max(self.needs[array], values[0] + 1)
        elif array in MATRICES:
            if not (0 <= values[0] < ROWS and 0 <= values[1] < COLUMNS):
                raise OutOfRange
        elif values[0] < 0 or (array == LOCAL and values[0] >= LENGTH):
            raise OutOfRange
        elif array == LOCAL:
            return
        else:
            self.needs[array] = max(self.needs[array], values[0] + 1)

    def affine(self, loops):
        """Of the variables of loops, often the innermost, and sizes."""
        choose = self.random
        factors = {choose.choice(loops).name: choose.choice((1, 1, 1, 2, -1, 3))}
        if self.parent and choose.random() < 0.2:
            factors["step"] = 1
        if choose.random() < 0.3:
            factors[choose.choice(loops).name + "__" + choose.choice(SIZES)] = 1
        if choose.random() < 0.3:
            factors[choose.choice(SIZES)] = choose.choice((1, 1, -1))
        return Affine(choose.choice((0, 0, 1, 2, 5, -1)), **factors)

    def bounds(self, loops):
        choose = self.random
        lower = Affine(choose.choice((0, 0, 0, 1, 2)))
        if loops and choose.random() < 0.25:
            lower = Affine(choose.choice((0, 1)), **{choose.choice(loops).name: 1})
        upper = Affine(choose.choice((0, 0, 0, -1, 1)), **{choose.choice(SIZES): 1})
        if choose.random() < 0.15:
            upper = Affine(choose.randint(1, 6))
        return lower, upper

    # Loops

    def add_loop(self):
        choose, team = self.random, self.team
        outer = Loop("i", *self.bounds([]), choose.choice((1, 1, 1, 1, 2, -1)))
        self.choose_kind(outer)
        if team and choose.random() < 0.3:
            outer.kind = ""
        loops, inner, collapsed = [outer], None, False
        if choose.random() < 0.6:
            inner = Loop("j", *self.bounds(loops), choose.choice((1, 1, 1, -1, 2)))
            collapsed = choose.random() < 0.2 and not inner.lower.factors and outer.kind != ""
            self.choose_kind(inner)
            # Down to a value without a sign, and by none of its subscripts kept from it, it would not end.
            if inner.step < 0 and inner.lower.factors and outer.kind.startswith(("unsigned", "size_t")):
                inner.step = 1
        is_piece = team and team.is_piece
        arrays = list(POINTERS + MATRICES + STRUCTURES + (() if is_piece else (LOCAL,)))
        choose.shuffle(arrays)
        self.written = {array: None for array in arrays[:choose.choice((1, 1, 2))]}
        self.readable = arrays[2:5]
        self.has_sum = choose.random() < 0.3 and not collapsed and not is_piece
        # Without iterations nothing is known of it.
        has_iterations = len(outer.values(self.sizes)) > 0
        self.has_last = choose.random() < 0.2 and not collapsed and not is_piece and has_iterations
        self.has_atomic = choose.random() < 0.15 and self.has_directives and not is_piece
        clauses = (" collapse(2)" if collapsed else "") + (" reduction(+:sum)" if self.has_sum else "")
        self.private = choose.random() < 0.3
        # A thread's own is private without a clause.
        clauses += " private(t)" if self.private and not (team and choose.random() < 0.7) else ""
        clauses += " lastprivate(l)" if self.has_last and self.has_directives else ""
        self.has_scratch = team and choose.random() < 0.3 and (is_piece or team.has_scratch)
        if self.has_scratch:
            team.has_scratch = is_piece and team.has_scratch
        if team:
            self.lines += team.directive(clauses)
        elif self.has_directives:
            self.lines.append(f"#pragma omp parallel for{clauses}")
        self.steps = []
        last = ["l = " + self.value(loops, None) + ";"] if self.has_last else []
        if inner:
            # What each iteration writes is in a row of its own.
            self.row_of = "i"
            body = [] if collapsed else self.statements(loops, False)
            loops.append(inner)
            body += [inner.head() + " {"] + ["  " + line for line in self.inner_statements(loops)] + ["}"]
        else:
            body = self.statements(loops, False)
        self.lines += [outer.head() + " {"] + ["  " + line for line in last + body] + ["}"]
        self.run(loops)

    def choose_kind(self, loop):
        """Some loops count in types without a sign: where no value is negative."""
        is_natural = loop.lower.constant >= 0 and loop.upper.constant >= 0 and loop.step > 0
        if is_natural and self.random.random() < 0.15:
            loop.kind = self.random.choice(("size_t", "unsigned", "unsigned long", "long"))

    def inner_statements(self, loops):
        """What the second loop does, or a third one in it, which is added to `loops` then."""
        if self.random.random() < 0.75:
            return self.statements(loops, True)
        third = Loop("h", *self.bounds(loops))
        loops.append(third)
        return [third.head() + " {"] + ["  " + line for line in self.statements(loops, True)] + ["}"]

    def own_subscripts(self, array, loops, is_inner):
        """The one place that an iteration writes in `array`."""
        choose = self.random
        known = self.written[array]
        if known and known[0] == is_inner:
            return known[1]
        if known:
            return None
        if array in STRUCTURES:
            subscripts = [Affine(choose.choice((0, 1)), i=9, j=1) if is_inner else Affine(choose.choice((0, 2)), i=1)]
        elif array in MATRICES:
            row = Affine(choose.choice((0, 0, 1)), i=1)
            column = Affine(choose.choice((0, 1)), j=1) if is_inner else Affine(choose.randint(0, 3))
            subscripts = [row, column]
        elif is_inner:
            subscripts = [Affine(choose.choice((0, 0, 2)), i=choose.choice((8, 9)), j=1)]
            if choose.random() < 0.4 and loops[1].lower.constant >= 0 and str(loops[1].upper) == "m":
                subscripts = [Affine(choose.choice((0, 0, 3)), i__m=1, j=1)]
        else:
            subscripts = [choose.choice((Affine(choose.choice((0, 0, 1, 4)), i=choose.choice((1, 1, 2))),
                                         Affine(9, i=-1)))]
        if not self.has_directives and choose.random() < 0.4:
            subscripts = [self.affine(loops) for _ in subscripts]
        self.written[array] = (is_inner, subscripts)
        return subscripts

    def element(self, array, subscripts):
        member = self.random.choice(MEMBERS) if array in STRUCTURES else ""
        return array + "".join(f"[{subscript}]" for subscript in subscripts) + member

    def read(self, loops, guard):
        choose = self.random
        array = choose.choice(self.readable)
        if not self.has_directives and choose.random() < 0.2:
            array = choose.choice(list(self.written))
        subscripts = [self.affine(loops)]
        if array in MATRICES:
            column = self.affine(loops) if choose.random() < 0.6 else Affine(choose.randint(0, COLUMNS - 1))
            subscripts = [subscripts[0], column]
            if choose.random() < 0.3:
                subscripts[0] = Affine(0, **{choose.choice(SIZES): 1})
        self.steps.append((len(loops), guard, array, subscripts))
        return self.element(array, subscripts)

    def value(self, loops, guard):
        choose = self.random
        terms = [choose.choice((f"(long){loops[-1].name}", "k", "7", "c", "u"))]
        for _ in range(choose.randint(0, 2)):
            terms.append(self.read(loops, guard))
        text = choose.choice((" + ", " - ")).join(terms)
        return f"twice({text})" if choose.random() < 0.2 else text

    def statements(self, loops, is_inner):
        lines = []
        for _ in range(self.random.randint(1, 2)):
            lines += self.statement(loops, is_inner, None)
        return lines

    def statement(self, loops, is_inner, guard):
        choose, kind = self.random, self.random.random()
        if kind < 0.15 and not guard:
            return self.condition(loops, is_inner)
        if kind < 0.25 and self.has_sum:
            return [f"sum += {self.value(loops, guard)};"]
        if kind < 0.35 and self.has_atomic:
            return ["#pragma omp atomic", f"x += {self.value(loops, guard)};"]
        if kind < 0.4 and not guard:
            body = self.statement(loops, is_inner, None)
            return ["{", "  int z = 0;", f"  while (z < {choose.choice(('2', '1 + (k > 3)'))}) {{"] + \
                ["    " + line for line in body] + ["    z++;", "  }", "}"]
        if kind < 0.6 and self.has_scratch:
            value = self.value(loops, guard)
            return ["for (int z = 0; z < 4; z++)", f"  w[z] = {value} + z;"] + \
                self.store(loops, is_inner, guard, "w[1] - 2 * w[3]")
        if kind < 0.35 and self.private:
            return [f"t = {self.value(loops, guard)};"] + self.store(loops, is_inner, guard, "t")
        return self.store(loops, is_inner, guard, None)

    def condition(self, loops, is_inner):
        choose, name = self.random, loops[-1].name
        if choose.random() < 0.25:
            guard = ("mask", name)
            self.steps.append((len(loops), None, MASK, [Affine(0, **{name: 1})]))
            text = f"{MASK}[{name}]"
        else:
            end, sign = Affine(choose.choice((0, 1, 2, -1)), **choose.choice(({}, {choose.choice(SIZES): 1}))), \
                choose.choice(("<", ">", "<=", ">=", "=="))
            guard, text = (sign, name, end), f"{name if loops[-1].kind in ('int', '') else '(long)' + name} {sign} {end}"
        lines = [f"if ({text}) {{"] + ["  " + line for line in self.statement(loops, is_inner, guard)]
        if choose.random() < 0.4:
            lines += ["} else {"] + ["  " + line for line in self.statement(loops, is_inner, ("not", guard))]
        return lines + ["}"]

    def store(self, loops, is_inner, guard, value):
        choose = self.random
        array = choose.choice(list(self.written))
        subscripts = self.own_subscripts(array, loops, is_inner)
        if subscripts is None:
            return []
        value = value or self.value(loops, guard)
        self.steps.append((len(loops), guard, array, subscripts))
        how = choose.random()
        if how < 0.25:
            return [f"{self.element(array, subscripts)} += {value};"]
        if how < 0.35 and array in POINTERS:
            return [f"put({array}, {subscripts[0]}, {value});"]
        if how < 0.45 and array in POINTERS:
            # What is below nothing is so for the sum alone, in types without a sign.
            text = str(subscripts[0])
            return ["{", f"  long *row = {array} + {f'({text})' if text.startswith('-') else text};", f"  row[0] = {value};", "}"]
        if how < 0.55 and array not in STRUCTURES:
            # Subscripts are small: what wraps ends where it began.
            start = choose.choice((f"int at = {subscripts[0]}", f"unsigned at = {subscripts[0]}",
                                   f"unsigned char at = {subscripts[0]} + 256",
                                   f"short at = {subscripts[0]}; at += 65536"))
            return ["{", f"  {start};",
                    f"  {self.element(array, ['at'] + subscripts[1:])} = {value};", "}"]
        return [f"{self.element(array, subscripts)} = {value};"]

    def holds(self, guard, names):
        if guard is None:
            return True
        if guard[0] == "not":
            return not self.holds(guard[1], names)
        if guard[0] == "mask":
            return mask_at(names[guard[1]])
        left, right = names[guard[1]], guard[2].value(names)
        return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right,
                "==": left == right}[guard[0]]

    def run(self, loops):
        """Notes the elements of the last loop."""
        names = dict(self.sizes)

        def enter(depth):
            if depth == 0:
                for value in self.parent.values(names):
                    names["step"] = value
                    enter(1)
                return
            if depth > len(loops):
                return
            for value in loops[depth - 1].values(names):
                names[loops[depth - 1].name] = value
                for level, guard, array, subscripts in self.steps:
                    if level == depth and self.holds(guard, names):
                        self.touch(array, names, subscripts)
                enter(depth + 1)
        enter(0 if self.parent else 1)

    # Text

    def text(self):
        body = "\n".join(line if line.startswith("#") else "  " + line for line in self.lines)
        text = "".join(self.pieces) + \
            (f"static void program{self.seed}({PARAMETERS}) {{\n"
             f"  long sum = 1, t = 0, c = 3, l = 4, x = 2, u = k + 1, w[4] = {{0}};\n"
             f"  long {LOCAL}[{LENGTH}] = {{5, 4, 3, 2, 1}}{self.pointer};\n{body}\n"
             f"  note(sum + c + l + x + u + 0 * (t + w[0]){self.later});\n}}\n")
        choose = random.Random(f"{self.seed} box")
        for name, member in BOXED.items():
            if choose.random() < 0.2:
                # Not where it is a parameter, or is handed on.
                text = re.sub(rf"(?<!\*)\b{name}\b(?=\[| \+|, \d|, [a-z-])(?!, {chr(ord(name) + 1)}\b)", f"{BOX}->{member}", text)
        return text

    def rounds(self, call):
        """`call`, or a loop that calls it again and again, and may look at a matrix itself."""
        choose = random.Random(f"{self.seed} rounds")
        if choose.random() < 0.6:
            return [call]
        look = choose.choice(("", "", f"{choose.choice(MATRICES)}[1][2] += 3;", f"note({choose.choice(MATRICES)}[2][1]);"))
        return [f"for (int turn = 0; turn < {choose.randint(1, 3)}; turn++) {{", f"  {call}"] + ([f"  {look}"] if look else []) + ["}"]

    def call(self):
        """The statements that call it with memory of just the size that it needs."""
        size = dict(self.needs)
        place = {name: f"get({size[name]}, {number})" for number, name in enumerate(POINTERS)}
        if self.alias:
            first, second = self.alias
            place[first] = f"get({max(size[first], size[second] + self.shift)}, 0)"
        lines = ["{", f'  begin({self.seed});', f"  int *{MASK} = malloc({size[MASK]} * sizeof(int));",
                 f"  for (int i = 0; i < {size[MASK]}; i++) {MASK}[i] = i * 5 % 3 == 1;"]
        order = sorted(POINTERS, key=lambda name: bool(self.alias) and name == self.alias[1])
        for name in order:
            target = f"{self.alias[0]} + {self.shift}" if self.alias and name == self.alias[1] else place[name]
            lines.append(f"  long *{name} = {target};")
        lines += [f"  struct pair *{name} = get_pairs({size[name]}, {number});"
                  for number, name in enumerate(STRUCTURES)]
        lines.append(f"  struct box {BOX} = {{{', '.join(BOXED)}}};")
        arguments = [str(self.sizes[name]) for name in SIZES] + list(POINTERS + STRUCTURES) + [MASK, f"&{BOX}"]
        call = f"program{self.seed}({', '.join(arguments)});"
        lines += [f"  {line}" for line in self.rounds(call)]
        for name in POINTERS:
            lines.append(f"  for (int i = 0; i < {size[name]}; i++) note({name}[i]);")
        for name in STRUCTURES:
            lines.append(f"  for (int i = 0; i < {size[name]}; i++) "
                         f"note({name}[i].x * 7 + {name}[i].y[0] * 3 + {name}[i].y[1]);")
            lines.append(f"  free({name});")
        lines += [f"  free({name});" for name in POINTERS if not self.alias or name != self.alias[1]]
        return "\n  ".join(lines + [f"  free({MASK});", "  end();", "}"])


class Team:
    """What threads of a parallel region have of their own, and whether there is a barrier to wait for."""

    def __init__(self, choose):
        self.choose = choose
        self.is_piece, self.is_open, self.has_scratch = False, False, True
        self.by_clause = choose.random() < 0.4
        # Without OpenMP there is one u alone, which must not change then.
        self.is_fixed = self.by_clause and choose.random() < 0.5

    def begin(self):
        """The directive, and declarations: `t` and `w` are each thread's own, `u` has one value."""
        if self.by_clause:
            return ["#pragma omp parallel private(t, w)" + (" firstprivate(u)" if self.is_fixed else ""), "{", "  int i;"] + \
                ([] if self.is_fixed else ["  long u = 2 * k;"])
        # Somebody may change c.
        self.is_open = True
        return ["#pragma omp parallel", "{", "  int i;", "  long t, w[4], u = c - 1;"]

    def settle(self):
        """What other threads may still do is done behind it."""
        was_open, self.is_open = self.is_open, False
        return ["#pragma omp barrier"] if was_open or self.choose.random() < 0.1 else []

    def assignment(self):
        """Of a thread's own variable; others may still read what it is computed from."""
        kind = self.choose.random()
        if self.is_fixed:
            return []
        if kind < 0.3:
            return ["if (k > 2)", "  u = u + 1;"]
        if kind < 0.5:
            return ["for (i = 0; i < m; i++)", "  u += i;"]
        lines = self.settle() + [f"u = {self.choose.choice(('c + 1', 'u * 2', 'n', 'k - u'))};"]
        # Somebody may change c.
        self.is_open = True
        return lines

    def directive(self, clauses):
        lines = self.settle()
        self.is_open = self.choose.random() < 0.4
        return lines + ["#pragma omp for" + clauses + (" nowait" if self.is_open else "")]


def mask_at(index):
    return index * 5 % 3 == 1


PARAMETERS = ", ".join([f"int {name}" for name in SIZES] + [f"long *{name}" for name in POINTERS] +
                       [f"struct pair *{name}" for name in STRUCTURES] + [f"const int *{MASK}", f"struct box *{BOX}"])

PREAMBLE = f"""#include <stdio.h>
#include <stdlib.h>
static long A[{ROWS}][{COLUMNS}], B[{ROWS}][{COLUMNS}];
struct pair {{
  long x, y[2];
}};
struct box {{
  long *v, *w;
}};
static unsigned long hash;
static void note(long value) {{ hash = hash * 31 + (unsigned long)value; }}
static long twice(long value) {{ return 2 * value; }}
static void put(long *array, int at, long value) {{ array[at] = value; }}
static long *get(int count, int seed) {{
  long *array = malloc(count * sizeof(long));
  for (int i = 0; i < count; i++)
    array[i] = i * 7 + seed;
  return array;
}}
static struct pair *get_pairs(int count, int seed) {{
  struct pair *array = malloc(count * sizeof(struct pair));
  for (int i = 0; i < count; i++)
    array[i].x = i - seed, array[i].y[0] = 2 * i, array[i].y[1] = 3 - i;
  return array;
}}
static void begin(int number) {{
  hash = number;
  for (int i = 0; i < {ROWS}; i++)
    for (int j = 0; j < {COLUMNS}; j++)
      A[i][j] = i * 3 + j, B[i][j] = i - 2 * j;
  printf("%d ", number);
  fflush(stdout);
}}
static void end(void) {{
  for (int i = 0; i < {ROWS}; i++)
    for (int j = 0; j < {COLUMNS}; j++)
      note(A[i][j] * 5 + B[i][j]);
  printf("%lx\\n", hash);
}}

"""


def file_of(programs):
    calls = "\n  ".join(program.call() for program in programs)
    return PREAMBLE + "\n".join(program.text() for program in programs) + f"\nint main(void) {{\n  {calls}\n}}\n"
