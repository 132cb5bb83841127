#!/usr/bin/env python3
"""Random naive kernels, each checked against its own source.

A seed gives one kernel and one launch. The kernel is naive: a work item has its own elements of the output and reads
the inputs at affine subscripts of ids and loop variables, under random guards and in random loops. Extents are
sums over the ranges of the subscripts, so no access is out of bounds, and integers are unsigned, so nothing wraps
illegally: whatever `gpuopt check` finds is a fault of gpuopt.

  random-kernels.py --seeds 0:200 --target sm_90       check 200 kernels, print those that fail, exit 1 if any does
  random-kernels.py --seeds 7 --show                   print kernel 7 and its command
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

SIZES = [0, 1, 2, 3, 5, 7, 15, 16, 17, 29, 31, 32, 33, 47, 48, 63, 64, 65, 97]
BLOCKS = [(16, 16), (32, 8), (256, 1), (1, 1), (7, 3), (33, 1), (5, 5), (64, 4), (1, 64), (128, 2)]
TYPES = ["float"] * 5 + ["double", "unsigned", "unsigned char", "unsigned short", "unsigned long long"]
INDEX_TYPES = ["int"] * 4 + ["unsigned", "long", "size_t"]


class Kernel:
    """One kernel: its text, and the launch that checks it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        pick, chance = self.random.choice, self.chance
        self.type = pick(TYPES)
        self.index = pick(INDEX_TYPES)
        self.ids = ["x", "y"] if chance(0.75) else ["x"]
        self.sizes = {name: pick(SIZES) for name in ["n", "m", "k", "l"]}
        self.restrict = " __restrict__" if chance(0.7) else ""
        # What each variable is less than.
        self.limits = {"x": "n", "y": "m"}
        self.arrays = {}
        self.lines = []
        self.depth = 1
        self.loops = 0
        self.block = pick(BLOCKS if len(self.ids) == 2 else [(256, 1), (1, 1), (33, 1), (64, 1), (1024, 1)])
        self.grid_scale = pick([1, 1, 1, 2])
        self.write()
        if self.loops > 2:  # Nested, these would take minutes.
            self.sizes = {name: min(value, 17) for name, value in self.sizes.items()}

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, line):
        self.lines.append("  " * self.depth + line)

    # A subscript and an extent greater than it.
    def subscript(self, variables):
        terms, extent = [], []
        for name in variables:
            limit, scale = self.limits[name], self.random.choice([1] * 6 + [2, 3])
            if self.chance(0.12):
                terms.append(f"{scale} * ({limit} - 1 - {name})" if scale > 1 else f"{limit} - 1 - {name}")
            else:
                terms.append(f"{scale} * {name}" if scale > 1 else name)
            extent.append(f"{scale} * {limit}" if scale > 1 else limit)
        constant = self.random.choice([0] * 6 + [1, 2, 16])
        if constant or not terms:
            terms.append(str(constant))
        return " + ".join(terms), " + ".join(extent + [str(constant + 1)])

    # A load of an array: of a new one, or of one used before with the same subscripts' extents.
    def load(self, loops):
        rank = self.random.choice([1, 2, 2, 2, 3])
        variables = self.ids + loops
        subscripts, extents = [], []
        for _ in range(rank):
            count = self.random.choice([0, 1, 1, 1, 1, 2])
            subscript, extent = self.subscript(self.random.sample(variables, min(count, len(variables))))
            subscripts.append(subscript)
            extents.append(extent)
        same = [name for name, known in self.arrays.items() if len(known) == rank]
        if same and self.chance(0.5):
            name = self.random.choice(same)
            self.arrays[name] = [f"{old} + {new}" if old != new else old for old, new in zip(self.arrays[name], extents)]
        else:
            name = "abcdefgh"[len(self.arrays) % 8] + str(len(self.arrays))
            self.arrays[name] = extents
        return "@" + name + "@" + "@".join(subscripts) + "@@"

    # Rewrites loads into the source once all the extents are known.
    def flatten(self, text):
        while "@" in text:
            before, rest = text.split("@", 1)
            load, after = rest.split("@@", 1)
            name, *subscripts = load.split("@")
            flat = f"({subscripts[0]})"
            for subscript, extent in zip(subscripts[1:], self.arrays[name][1:]):
                flat = f"({flat} * ({extent}) + ({subscript}))"
            text = f"{before}{name}[{flat}]{after}"
        return text

    def condition(self, variables):
        name = self.random.choice(variables)
        limit = self.limits[name]
        return self.random.choice([
            f"{name} % 2 == 0", f"{name} != 5", f"{name} >= 2 && {name} < {limit} - 1", f"{limit} - 1 - {name} > 3",
            f"{name} * 2 < {limit}", f"({name} & 3) != 1", f"{name} < 7 || {name} > 20", f"{name} > 15"])

    def loop(self, outer):
        name = "ijpq"[self.loops % 4] + str(self.loops)
        self.loops += 1
        limit = self.random.choice(["k", "k", "k", "l", "l", "16", "9", "40", "x + 1", f"{self.ids[-1]}", "n"])
        step = self.random.choice([1] * 6 + [2, 3, 7, 16])
        # `limit` may depend on an id: then the id's limit bounds the loop.
        self.limits[name] = {"x + 1": "n", "x": "n", "y": "m"}.get(limit, limit)
        if step == 1 and self.chance(0.12) and self.index in ("int", "long"):
            head = f"for ({self.index} {name} = {limit} - 1; {name} >= 0; --{name})"
        else:
            start = self.random.choice(["0"] * 8 + ["1", "3"])
            head = f"for ({self.index} {name} = {start}; {name} < {limit}; {name} += {step})"
        self.emit(head + " {")
        self.depth += 1
        loops = outer + [name]
        if self.chance(0.12):
            self.emit(f"if (!({self.condition(self.ids + loops)})) continue;")
        for _ in range(self.random.choice([1, 1, 2])):
            guarded = self.chance(0.12)
            if guarded:
                self.emit(f"if ({self.condition(self.ids + loops)})")
            product = " * ".join(self.load(loops) for _ in range(self.random.choice([1, 2, 2])))
            self.emit(("  " if guarded else "") + f"sum += {product};")
        if len(loops) < 3 and self.chance(0.25):
            self.loop(loops)
        if self.chance(0.08):
            self.emit(f"if (sum > ({self.type})100) break;")
        self.depth -= 1
        self.emit("}")

    def write(self):
        guard = " && ".join(f"{name} < {self.limits[name]}" for name in self.ids)
        early = self.chance(0.5)
        self.emit(f"if (!({guard})) return;" if early else f"if ({guard}) {{")
        self.depth += not early
        if self.chance(0.15):
            self.emit(f"if ({self.condition(self.ids)}) return;")
        item = self.random.choice(["y * n + x"] * 4 + ["x * m + y"]) if len(self.ids) == 2 else "x"
        count = "n * m" if len(self.ids) == 2 else "n"
        self.emit(f"{self.type} sum = {self.random.choice(['0', '1', f'out[{item}]'])};")
        if self.chance(0.15):
            self.emit(f"out[{item}] = 3;")
        for _ in range(self.random.choice([0, 1, 1, 1, 2])):
            self.loop([])
        if self.loops == 0 or self.chance(0.2):
            self.emit(f"sum += {self.load([])};")
        self.emit(f"out[{item}] {self.random.choice(['=', '=', '+='])} sum;")
        if self.chance(0.2):
            self.emit(f"out[{count} + ({item})] = sum * 2;")
        self.depth = 1
        if not early:
            self.emit("}")
        self.count = f"2 * ({count})"

    def source(self):
        extents = " ".join(f"array({name}: {', '.join(known)})" for name, known in self.arrays.items())
        domain = ", ".join(self.limits[name] for name in self.ids)
        parameters = "".join(f"const {self.type} *{self.restrict} {name}, " for name in self.arrays)
        ids = [f"  {self.index} {name} = blockIdx.{name} * blockDim.{name} + threadIdx.{name};" for name in self.ids]
        sizes = ", ".join(f"{self.index} {name}" for name in self.sizes)
        pragma = f"#pragma gpuopt domain({domain}) {extents} array(out: {self.count}) output(out)"
        head = f"__global__ void f({parameters}{self.type} *{self.restrict} out, {sizes}) {{"
        return "\n".join([pragma, head] + ids + [self.flatten(line) for line in self.lines] + ["}", ""])

    def command(self, tool, path, target):
        sizes = ",".join(f"{name}={value}" for name, value in self.sizes.items())
        block = ",".join(map(str, self.block))
        grid = []
        for name, width in zip(self.ids, self.block):
            blocks = max(1, -(-self.sizes[self.limits[name]] // width))
            grid.append(str(blocks * self.grid_scale))
        return [tool, "check", path, "--target", target, "--size", sizes, "--block", block, "--grid", ",".join(grid)]


def check(seed, arguments, directory):
    """Returns what went wrong with the kernel of `seed`, or nothing."""
    kernel = Kernel(seed)
    path = os.path.join(directory, f"{seed}.cu")
    with open(path, "w", encoding="utf-8") as file:
        file.write(kernel.source())
    command = kernel.command(arguments.gpuopt, path, arguments.target)
    if arguments.show:
        return kernel.source() + " ".join(command)
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        output = run.stdout + run.stderr
        if run.returncode == 0 and "passed" in output:
            return ""
    except subprocess.TimeoutExpired:
        output = "takes more than a minute"
    return f"seed {seed}: {' '.join(command)}\n{kernel.source()}{output}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:100", help="FIRST:END, or one seed")
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--gpuopt", default="gpuopt", help="the tool")
    parser.add_argument("--show", action="store_true", help="print the kernels, run nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    first, _, end = arguments.seeds.partition(":")
    seeds = range(int(first), int(end) if end else int(first) + 1)
    failures = 0
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for problem in pool.map(lambda seed: check(seed, arguments, directory), seeds):
            if problem:
                failures += 1
                print(problem + "\n", flush=True)
    if not arguments.show:
        print(f"{len(seeds) - failures} of {len(seeds)} kernels passed")
    sys.exit(1 if failures and not arguments.show else 0)


if __name__ == "__main__":
    main()
