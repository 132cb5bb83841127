#!/usr/bin/env python3
"""How the kernels of table 5.1 of Yang 2012 do where blocks share workgroup memory over time: the share of a block's life
in which it uses its own (figure 5.1), two blocks that take turns (gpuopt-multiplex-workgroup-memory), and the hardware of
section 5.5, which gives a block its memory at the barrier where it begins to use it (figures 5.14 and 5.15).

  bench/simulation/simulate.py --gpuopt build/bin/gpuopt             all kernels of examples/multiplexing/kernels.cu
  bench/simulation/simulate.py --kernel fft --kernel hg --blocks 48

Requests are those of `gpuopt profile --trace`; what instructions take is an assumption (--instructions), and so are
latencies. The numbers are of a model, not of a GPU."""

import argparse
import concurrent.futures
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
# pylint: disable=wrong-import-position
from bench.simulation import multiprocessor, program, trace  # noqa: E402

FILE = ROOT / "examples" / "multiplexing" / "kernels.cu"
TARGET = "nvidia-gtx285"

# A launch of each kernel, small enough for its trace.
LAUNCHES = {
    "mv": ("4", "width=128,a=16384,x=128,y=128"),
    "fft": ("4", "in=8192,out=8192"),
    "mc": ("4", "field=128,triangles=256,numbers=128,points=6144"),
    "sto": ("4", "message=15872,hash=512"),
    "sp": ("4", "length=4096,a=16384,b=16384,c=4"),
    "hg": ("4", "bytes=256,data=32768,histogram=1024"),
    "cv": ("4", "image=8208,weights=17,result=8192"),
    "mm": ("4,4", "n=64,a=4096,b=4096,c=4096"),
    "tp": ("4,4", "n=128,a=16384,b=16384"),
    "rd": ("4", "each=16,in=8192,out=4"),
}
# Those whose blocks are limited by workgroup memory; the others have enough threads as they are.
LIMITED = ("mv", "fft", "mc", "sto", "sp", "hg", "cv")
# Those of which the paper lets blocks keep a part of their memory.
DIVIDED = ("mc", "sto", "hg")


def bytes_of(kernel, text):
    """Workgroup memory that a block of a kernel declares, of a machine's dump of the IR."""
    found = re.search(r"gpu\.func @\w*%s\w*__original\(.*?workgroup\((.*?)\) kernel" % kernel, text, re.DOTALL)
    sizes = {"f32": 4, "i32": 4, "i8": 1}
    total = 0
    for shape in re.findall(r"memref<([\dx]+x\w+),", found.group(1)):
        *extents, element = shape.split("x")
        total += math.prod(map(int, extents)) * sizes[element]
    return total


class Kernel:
    """Traces of one kernel, as written and with blocks that take turns."""

    def __init__(self, name, arguments, directory):
        grid, sizes = LAUNCHES[name]
        self.name = name
        launch = [arguments.gpuopt, "profile", FILE, "--kernel", name, "--target", TARGET, "--grid", grid, "--size", sizes]
        launch += ["--block", "32,4"] if name == "tp" else []
        self.written = self.traced(launch, directory / f"{name}.trace")
        self.alone = self.turns = None
        if name in LIMITED:
            self.alone = self.traced([*launch, "--optimized", "--design", "turns=1"], directory / f"{name}.alone")
            self.turns = self.traced([*launch, "--optimized", "--design", "turns=2"], directory / f"{name}.turns")
            if 2 * len(self.turns) != len(self.alone):
                raise RuntimeError(f"{name}: no blocks take turns")
        self.bytes = bytes_of(name, directory.joinpath("kernels.mlir").read_text(encoding="utf-8"))

    @staticmethod
    def traced(launch, path):
        subprocess.run([*launch, "--trace", path, "--sample", "all"], check=True, capture_output=True)
        return trace.read(path)[1]


def memory_of(size, machine, reserved=None):
    """What a block or a region with `size` bytes takes."""
    reserved = machine.reserved if reserved is None else reserved
    return math.ceil((size + reserved) / machine.unit) * machine.unit


def divide(size, machine):
    """The most bytes that two blocks can keep for life while one of them has the rest, and the policy for that."""
    for private in range(size, -1, -64):
        mine, rest = memory_of(private, machine), memory_of(size - private, machine, reserved=0)
        if 2 * mine + rest <= machine.memory:
            return private, multiprocessor.Policy(mine, rest)
    return None


def cycles(traces, machine, arguments, policy, shared_from=None, blocks=None):
    """The time of `blocks` blocks, and the multiprocessor that ran them."""
    programs = [program.program_of(each, machine, arguments.instructions, shared_from) for each in traces.values()]
    count = blocks or arguments.blocks
    unit = multiprocessor.Multiprocessor(machine, policy)
    return unit.run([programs[number % len(programs)] for number in range(count)]), unit


def simulate(name, arguments, directory):
    """The figures of one kernel: {name: number}."""
    machine = multiprocessor.read_machine(ROOT / "dialects" / "GPUOpt" / "targets" / f"{TARGET}.target")
    kernel = Kernel(name, arguments, directory)
    whole = memory_of(kernel.bytes, machine)
    policy = multiprocessor.Policy
    baseline, unit = cycles(kernel.written, machine, arguments, policy(whole))
    most = unit.most_resident
    _, marked = cycles(kernel.written, machine, arguments, policy(whole), 0)
    figures = {"bytes": kernel.bytes, "blocks": most, "used": marked.used / marked.life}
    if name not in LIMITED:
        return figures
    alone, _ = cycles(kernel.alone, machine, arguments, policy(whole))
    turns, _ = cycles(kernel.turns, machine, arguments, policy(whole), blocks=arguments.blocks // 2)
    figures["VTB"] = alone / turns
    for more in (1, 2, 3):
        time, _ = cycles(kernel.written, machine, arguments, policy(0, whole, most + more), 0)
        figures[f"HW, K+{more}"] = baseline / time
    divided = divide(kernel.bytes, machine) if name in DIVIDED else None
    if divided:
        time, _ = cycles(kernel.written, machine, arguments, divided[1], shared_from=divided[0])
        figures["CO-HW"] = baseline / time
    return figures


def mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def table(results):
    """Markdown."""
    columns = ["VTB", "HW, K+1", "HW, K+2", "HW, K+3", "CO-HW"]
    print("| kernel | bytes | blocks (K) | memory in use | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * (3 + len(columns)))
    for name, figures in results.items():
        cells = [f"{figures[column]:.2f}" if column in figures else "" for column in columns]
        print(f"| {name} | {figures['bytes']} | {figures['blocks']} | {100 * figures['used']:.0f} % | " + " | ".join(cells) + " |")
    cells = []
    for column in columns:
        numbers = [figures[column] for figures in results.values() if column in figures]
        cells.append(f"{mean(numbers):.2f}" if numbers else "")
    used = 100 * mean([figures["used"] for figures in results.values()])
    print(f"| geometric mean | | | {used:.0f} % | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuopt", default="gpuopt")
    parser.add_argument("--kernel", action="append", choices=LAUNCHES, help="one of the kernels (default: all)")
    parser.add_argument("--blocks", type=int, default=24, help="blocks that the multiprocessor runs")
    parser.add_argument("--instructions", type=float, default=4, help="instructions for each request of a subgroup")
    arguments = parser.parse_args()
    names = arguments.kernel or list(LAUNCHES)
    with tempfile.TemporaryDirectory() as folder:
        directory = pathlib.Path(folder)
        subprocess.run(
            [arguments.gpuopt, "compile", FILE, "--target", TARGET, "--emit", "mlir", "-o", directory / "kernels.mlir"],
            check=True,
            capture_output=True,
        )
        with concurrent.futures.ProcessPoolExecutor() as pool:
            futures = [pool.submit(simulate, name, arguments, directory) for name in names]
            table({name: future.result() for name, future in zip(names, futures)})


if __name__ == "__main__":
    main()
