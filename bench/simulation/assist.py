#!/usr/bin/env python3
"""How the kernels of table 6.1 of Yang 2012 do on a chip whose CPU fetches for its GPU with the program of `gpuopt assist`:
figures 6.10 to 6.13 and 6.17 of the thesis by the model of fused.py.

  bench/simulation/assist.py --gpuopt build/bin/gpuopt                     all kernels of examples/assist/kernels.cu
  bench/simulation/assist.py --kernel vd --kernel mc --machine fused-2024
  bench/simulation/assist.py --gpuopt build/bin/gpuopt --update docs/assist.md     renews the tables of the page

Accesses are those of `gpuopt profile --trace` and of the program itself; latencies, and what instructions take, are
assumptions. The numbers are of a model, not of a chip."""

import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
# pylint: disable=wrong-import-position
from bench.simulation import fused  # noqa: E402
from bench.simulation.assistant import AssistantRun, KernelRun, Launch, constants_of, run  # noqa: E402
from bench.simulation.preexecution import UNROLL_FACTOR, Cpu, Factors, Layout, instructions_of, programs_of, walks_of  # noqa: E402

FILE = ROOT / "examples" / "assist" / "kernels.cu"
MACHINES = pathlib.Path(__file__).with_name("machines")
FIXED = (32, 64, 96, 128, 160, 192, 224)  # that the thesis tries
THRESHOLDS, BATCHES = (10, 30, 50), (8, 16, 32)

# A launch of each kernel: grid, block and sizes. Smaller than in table 6.1, so that all takes minutes.
LAUNCHES = {
    "bsc": ("1024", "128", "n=131072"),
    "vd": ("2048", "128", "n=262144"),
    "fft": ("1024", "128", "n=262144,step=64,in=262144,out=262144"),
    "mm": ("12,12", "16,16", "n=192,a=36864,b=36864,c=36864"),
    "con": ("16,16", "16,16", "w=256,h=256,in=66564,weights=9,out=65536"),
    "tmv": ("2", "256", "width=512,height=1024,a=524288,b=1024,c=512"),
    "bs": ("1024", "256", "n=524288,distance=1024,part=4096,keys=524288"),
    "mc": ("512", "256", "rounds=2,samples=262144,sums=131072"),
    "mv": ("64", "256", "width=16,height=16384,a=262144,b=16,c=16384"),
}


class Benchmark:
    """A kernel with its traces, ready for the model."""

    def __init__(self, name, arguments, directory):
        grid, block, sizes = LAUNCHES[name]
        self.machine = fused.read_machine(MACHINES / f"{arguments.machine}.json")
        target = MACHINES / f"{self.machine.target}.target"
        self.machine.multiprocessors = int(re.search(r"\bmultiprocessors = (\d+)", target.read_text(encoding="utf-8")).group(1))
        launch = Launch(arguments.gpuopt, str(FILE), name, sizes, grid, block, str(target))
        kernel = KernelRun(launch, directory)
        source = pathlib.Path(directory) / "program.c"
        unroll = ("--unroll-factor", UNROLL_FACTOR)
        run(launch.command("assist", "--no-opt", *unroll, "-o", source, launched=False))
        constants = constants_of(source.read_text(encoding="utf-8"))
        concurrent_blocks, self.first_skip = constants["concurrent_blocks"], constants["first_skip_factor"]
        self.resident = concurrent_blocks // self.machine.multiprocessors
        assistant = AssistantRun(kernel, unroll)
        arrays = {name: array.nbytes for name, array in kernel.arrays().items()}
        layout = Layout(self.machine.line)
        layout.place(arrays)
        self.blocks = programs_of(kernel, layout, arguments.instructions)
        self.groups = walks_of(assistant, kernel, layout, concurrent_blocks, UNROLL_FACTOR)
        self.instructions = instructions_of(source, UNROLL_FACTOR, has_rows=math.prod(kernel.grid) > kernel.grid[0])

    def factors(self, **changes):
        # Where the CPU fetches the next line itself, every second one is enough.
        lines = 2 if self.machine.next_line else 1
        return Factors(**{"skip": lines * self.first_skip, "step": 2 * self.first_skip, **changes})

    def simulate(self, factors=None, perfect=False):
        """The chip behind the launch, and its CPU."""
        machine = self.machine
        machine.perfect_l3 = perfect
        cpu = Cpu(machine, self.groups, self.instructions, factors) if factors else None
        chip = fused.Chip(machine, self.blocks, self.resident, cpu)
        chip.run()
        return chip, cpu

    def figures(self, chip, cpu):
        """What is told of a run."""
        memory, dram = chip.memory, chip.memory.dram
        gpu_cycles = chip.time / self.machine.gpu_cycle
        found = {
            "cycles": round(gpu_cycles),
            "ipc": chip.gpu_instructions / gpu_cycles,
            "l3_hit_rate": memory.gpu_hits / max(1, memory.gpu_accesses),
            "row_hit_rate": dram.row_hits / max(1, dram.requests),
            "dram_requests": dram.requests,
            "conflicts": dram.conflicts,
        }
        if cpu:
            found["accuracy"] = len(memory.useful) / max(1, len(memory.fetched))
            found["overhead"] = cpu.instruction_count / chip.gpu_instructions
            found["skips"] = cpu.skips[:: max(1, len(cpu.skips) // 16)]
        return found


def results_of(name, arguments):
    """All runs of one kernel."""
    with tempfile.TemporaryDirectory() as directory:
        benchmark = Benchmark(name, arguments, directory)

    def figures(*given, **named):
        return benchmark.figures(*benchmark.simulate(*given, **named))

    results = {
        "threads": sum(len(block) for block in benchmark.blocks) * fused.SUBGROUP,
        "none": figures(),
        "perfect": figures(perfect=True),
        "adaptive": figures(benchmark.factors()),
    }
    if arguments.short:
        return results
    fixed = {skip: figures(benchmark.factors(skip=skip, adapts=False)) for skip in FIXED}
    best = min(fixed, key=lambda skip: fixed[skip]["cycles"])
    results["fixed"] = {**fixed[best], "skip": best}
    if not arguments.sensitivity:
        return results
    results["thresholds"] = {each: figures(benchmark.factors(threshold=each))["cycles"] for each in THRESHOLDS}
    results["batches"] = {each: figures(benchmark.factors(batch=each))["cycles"] for each in BATCHES}
    return results


def speedup(results, version):
    return results["none"]["cycles"] / results[version]["cycles"]


def table(head, rows):
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def percent(share, digits=0):
    return f"{100 * share:.{digits}f} %"


def gains_table(all_results, is_short):
    """Figures 6.10 to 6.13."""
    versions = ["adaptive", *([] if is_short else ["fixed"]), "perfect"]
    rows = []
    for name, results in all_results.items():
        none, adaptive = results["none"], results["adaptive"]
        factor = [] if is_short else [str(results["fixed"]["skip"])]
        rows.append([name, str(none["cycles"]), *(f"{speedup(results, version):.2f}" for version in versions), *factor,
                     *(percent(run["l3_hit_rate"]) for run in (none, adaptive)),
                     *(percent(run["row_hit_rate"]) for run in (none, adaptive)),
                     *(str(run["conflicts"]) for run in (none, adaptive)),
                     percent(adaptive["accuracy"]), percent(adaptive["overhead"], 1)])
    logarithms = {version: [math.log(speedup(results, version)) for results in all_results.values()] for version in versions}
    means = [f"{math.exp(sum(each) / len(each)):.2f}" for each in logarithms.values()]
    factor = [] if is_short else ["factor"]
    rows.append(["geometric mean", "", *means, *[""] * (8 + len(factor))])
    return table(["kernel", "cycles", *versions, *factor, "L3 hits", "assisted", "row hits", "assisted", "conflicts", "assisted",
                  "accuracy", "instructions"], rows)


def sensitivity_table(all_results):
    """Figure 6.17, and what section 6.5.4 says of the threshold."""
    head = ["kernel", *(f"threshold {each}" for each in THRESHOLDS), *(f"batch {each}" for each in BATCHES)]
    return table(head, [[name, *(f"{results['none']['cycles'] / cycles:.2f}" for what in ("thresholds", "batches")
                                 for cycles in results[what].values())] for name, results in all_results.items()])


def all_results_of(arguments):
    names = arguments.kernel or list(LAUNCHES)
    with concurrent.futures.ProcessPoolExecutor(max_workers=2) as pool:
        futures = [pool.submit(results_of, name, arguments) for name in names]
        return {name: future.result() for name, future in zip(names, futures)}


def update_page(path, arguments):
    """Puts tables between the marks of a page: `<!-- assist MACHINE gains -->`, to `<!-- end -->`."""
    text = path.read_text(encoding="utf-8")
    marks = re.findall(r"<!-- assist (\S+) (\w+) -->", text)
    for machine in sorted({machine for machine, _ in marks}):
        arguments.machine = machine
        arguments.sensitivity = (machine, "sensitivity") in marks
        results = all_results_of(arguments)
        tables = {"gains": gains_table(results, arguments.short)}
        if arguments.sensitivity:
            tables["sensitivity"] = sensitivity_table(results)
        for kind, made in tables.items():
            text = re.sub(rf"(<!-- assist {machine} {kind} -->\n).*?(<!-- end -->)", rf"\g<1>{made}\g<2>", text, flags=re.DOTALL)
    path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuopt", default="gpuopt")
    parser.add_argument("--kernel", action="append", choices=LAUNCHES, help="one of the kernels (default: all)")
    parser.add_argument("--machine", default="fused-2011", choices=sorted(path.stem for path in MACHINES.glob("*.json")))
    parser.add_argument("--instructions", type=float, default=4, help="of a subgroup for each of its requests")
    parser.add_argument("--sensitivity", action="store_true", help="other thresholds and batch sizes, too")
    parser.add_argument("--short", action="store_true", help="none, adaptive and a perfect L3 only")
    parser.add_argument("--json", help="a file for all figures")
    parser.add_argument("--update", type=pathlib.Path, help="renew the tables of a page instead")
    arguments = parser.parse_args()
    if arguments.update:
        return update_page(arguments.update, arguments)
    results = all_results_of(arguments)
    print(gains_table(results, arguments.short), end="")
    if arguments.sensitivity:
        print("\n" + sensitivity_table(results), end="")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
