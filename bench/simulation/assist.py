#!/usr/bin/env python3
"""How the kernels of table 6.1 of Yang 2012 do on a chip whose CPU fetches for its GPU with the program of `gpuopt assist`:
figures 6.10 to 6.18 of the thesis by the model of fused.py.

  bench/simulation/assist.py --gpuopt build/bin/gpuopt                     all kernels of examples/assist/kernels.cu
  bench/simulation/assist.py --kernel vd --kernel mc --machine fused-2024
  bench/simulation/assist.py --gpuopt build/bin/gpuopt --update docs/assist.md     renews the tables of the page

Accesses are those of `gpuopt profile --trace` and of the program itself; latencies, and what instructions take, are
assumptions. The numbers are of a model, not of a chip."""

import argparse
import concurrent.futures
import dataclasses
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
# What figures 6.14 to 6.16 change of the machine, besides what it has: clocks of the GPU and of memory, lanes of a multiprocessor.
ARCHITECTURES = (("gpu_ghz", 5 / 9), ("gpu_ghz", 5 / 3), ("dram_ghz", 0.5), ("dram_ghz", 2), ("lanes", 0.5), ("lanes", 2))

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

    def simulate(self, factors=None, perfect=False, **changes):
        """The chip behind the launch, and its CPU; `changes` are fields of the machine that differ."""
        machine = dataclasses.replace(self.machine, perfect_l3=perfect, **changes)
        cpu = Cpu(machine, self.groups, self.instructions, factors) if factors else None
        chip = fused.Chip(machine, self.blocks, self.resident, cpu)
        chip.run()
        return chip, cpu

    def architectures(self):
        """The gain by the adaptive factor on machines that differ."""
        gains = []
        for field, factor in ARCHITECTURES:
            change = {field: type(getattr(self.machine, field))(getattr(self.machine, field) * factor)}
            none, assisted = (self.simulate(factors, **change)[0].time for factors in (None, self.factors()))
            gains.append(none / assisted)
        return gains

    def shared_gain(self, chip):
        """The gain when the CPU runs blocks instead, the last one first (figure 6.18): it takes an instruction for each of a
        thread, one after the other, and waits for the lines of a block as its L2 does. The GPU is not slower for that."""
        machine = self.machine
        steps = [step for block in self.blocks for program in block for interval in program for step in interval]
        instructions = fused.SUBGROUP * sum(step.instructions for step in steps)
        lines = sum(len(step.loads) + len(step.stores) for step in steps)
        wait = machine.l3_cpu_cycles + (machine.row_miss_cycles + machine.row_hit_cycles) * machine.dram_cycle
        alone = instructions / machine.cpu_instructions_per_cycle + lines * wait / machine.cpu_requests
        return 1 + chip.time / alone

    def figures(self, chip, cpu):
        """What is told of a run."""
        memory, dram = chip.memory, chip.memory.dram
        gpu_cycles = chip.time / chip.machine.gpu_cycle
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
    if arguments.architectures:
        results["architectures"] = benchmark.architectures()
        results["shared"] = benchmark.shared_gain(benchmark.simulate()[0])
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


def architectures_table(all_results):
    """Figures 6.14 to 6.16 and 6.18."""
    names = {"gpu_ghz": "GPU's clock", "dram_ghz": "memory's clock", "lanes": "lanes"}
    head = ["kernel", "as it is", *(f"{names[field]} * {factor:.2g}" for field, factor in ARCHITECTURES), "CPU runs blocks"]
    gains = {name: [speedup(results, "adaptive"), *results["architectures"], results["shared"]] for name, results in all_results.items()}
    means = [math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*gains.values())]
    return table(head, [[name, *(f"{gain:.2f}" for gain in row)] for name, row in [*gains.items(), ("geometric mean", means)]])


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
        arguments.architectures = (machine, "architectures") in marks
        results = all_results_of(arguments)
        tables = {"gains": gains_table(results, arguments.short)}
        if arguments.sensitivity:
            tables["sensitivity"] = sensitivity_table(results)
        if arguments.architectures:
            tables["architectures"] = architectures_table(results)
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
    parser.add_argument("--architectures", action="store_true", help="other clocks and numbers of lanes, and a CPU that runs blocks")
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
    if arguments.architectures:
        print("\n" + architectures_table(results), end="")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
