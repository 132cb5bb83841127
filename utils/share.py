#!/usr/bin/env python3
"""Tables what workgroup memory does to the five benchmarks of Li et al. 2016: as in docs/share.md.

  utils/share.py                              sectors and time of an element by the model, on the paper's machines and today's
  utils/share.py --target sm_90 --target gfx942

Each kernel of examples/openacc is compiled with the plan of gpuopt-share-arrays, with that of the passes, and with the
better one of both; bench/peers/share has it written by hand in CUDA, with tiles. Times are divided into that of OpenACC as
it is written: 2.0 is twice as fast.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The kernels, and the elements that a thread of the one written by hand computes.
BENCHMARKS = {"mt": 4, "gemm": 4, "mv": 1, "gauss": 1, "hotspot": 1}
MACHINES = ["nvidia-gtx690", "nvidia-gtx-titan", "amd-hd7850", "nvidia-c2050", "sm_90", "gfx942"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuopt", default=ROOT / "build/bin/gpuopt", type=pathlib.Path)
    parser.add_argument("--target", action="append", help=f"machines (default: {', '.join(MACHINES)})")
    return parser.parse_args()


def report_of(gpuopt, path, target, *options):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([gpuopt, "compile", path, "--target", target, "--emit", "mlir", "-o", "/dev/null", "--report", report,
                        *options], check=True, stderr=subprocess.DEVNULL)
        return json.loads(report.read_text(encoding="utf-8"))[0]


def costs(traffic, elements=1):
    return traffic["sectors_per_item"] / elements, traffic["model_ns_per_item"] / elements


def plan_of(report):
    """The block and items of the plan, as text."""
    launch = report["launch"]
    shape = [threads * items for threads, items in zip(launch["block"], launch["items_per_thread"])]
    return "x".join(map(str, shape[:2]))


def row(gpuopt, name, target):
    program = ROOT / "examples/openacc" / f"{name}.c"
    shared = report_of(gpuopt, program, target, "--plan", "share")
    unified = report_of(gpuopt, program, target, "--plan", "unified")
    best = report_of(gpuopt, program, target, "--plan", "model")
    by_hand = report_of(gpuopt, ROOT / "bench/peers/share" / f"{name}.cu", target, "--no-opt")
    sectors, time = costs(shared["traffic"]["before"])
    cells = [f"{sectors:.3g}"]
    for traffic, elements in ((by_hand["traffic"]["before"], BENCHMARKS[name]), (shared["traffic"]["after"], 1),
                              (unified["traffic"]["after"], 1), (best["traffic"]["after"], 1)):
        own_sectors, own_time = costs(traffic, elements)
        cells.append(f"{own_sectors:.3g} ({time / own_time:.2f})")
    return f"| {target} | {name} | {plan_of(shared)} | " + " | ".join(cells) + " |"


def main():
    arguments = parse_arguments()
    print("| machine | kernel | block of work items | as written | by hand | share | unified | model |\n" + "|---" * 8 + "|")
    for target in arguments.target or MACHINES:
        for name in BENCHMARKS:
            print(row(arguments.gpuopt, name, target), flush=True)


if __name__ == "__main__":
    main()
