#!/usr/bin/env python3
"""Tables what several work items for a thread do to the kernels of CUDA files: as in docs/coarsening.md.

  utils/coarsening.py examples bench/kernels --jobs 4
  utils/coarsening.py ~/rodinia/cuda --target sm_90 --designs 'threads=2' 'threads=1,2' 'threads=4' --all

Each kernel is compiled with a work item for each thread, with what gpuopt chooses, and with each of the designs. For those
in which threads get more, prints registers of a thread and occupancy by the assembler, instructions of the main loop for
each of its multiply-adds (of the whole kernel for each item where there is no loop), and sectors and nanoseconds of an item
by the model. Kernels that gpuopt coarsens are marked; others are printed with --all only.
"""

import argparse
import collections
import concurrent.futures
import itertools
import math
import os
import pathlib
import sys

import reach

ALONE = "threads=1"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--gpuopt", default=reach.ROOT / "build/bin/gpuopt", type=pathlib.Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--designs", nargs="*", default=["threads=2", "threads=4"])
    parser.add_argument("--all", action="store_true", help="also kernels that gpuopt does not coarsen")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds that a file may take")
    return parser.parse_args()


def compile_with(path, folders, design, arguments):
    """The kernels of a file by name; empty where it is not compiled."""
    options = argparse.Namespace(**vars(arguments), flags="--emit cubin" + (f" --design '{design}'" if design else ""))
    kernels, _, _ = reach.compile_file(path, folders, options)
    return {kernel["kernel"]: kernel for kernel in kernels}


def is_coarsened(kernel):
    return any(step["code"] == "MergesPlanned" and "instructions_before" in step["metrics"] for step in kernel["steps"])


def row(name, design, kernel):
    """A line of the table."""
    resources, after = kernel["resources"], kernel["traffic"]["after"]
    items = math.prod(kernel["launch"]["items_per_thread"])
    mix = resources["instruction_mix"]
    instructions = ""
    if mix and not mix["is_loop"]:
        instructions = f"{mix['instructions'] / items:.1f} an item"
    elif mix and mix["multiply_adds"]:
        instructions = f"{mix['instructions'] / mix['multiply_adds']:.2f}"
    occupancy = f"{resources['occupancy']:.2f}" if resources["occupancy"] else ""
    shape = " x ".join(map(str, kernel["launch"]["items_per_thread"]))
    return (f"| {name} | {design} | {shape} | {resources['registers']} | {occupancy} | {instructions} | "
            f"{after['sectors_per_item']:.4g} | {after['model_ns_per_item']:.4g} |")


def rows_of_file(name, by_design, arguments):
    for kernel, chosen in by_design[""].items():
        mark = is_coarsened(chosen)
        alone = by_design[ALONE].get(kernel)
        if not alone or not (mark or arguments.all):
            continue
        yield row(f"{name}: {kernel}", "one item", alone)
        yield row("", "chosen" if mark else "as by default", chosen)
        for design in arguments.designs:
            other = by_design[design].get(kernel)
            if other and other["launch"]["items_per_thread"] != alone["launch"]["items_per_thread"]:
                yield row("", design, other)


def main():
    arguments = parse_arguments()
    print("| kernel | | items | registers | occupancy | instructions | sectors | ns |\n|---|---|---|---|---|---|---|---|")
    for folder in arguments.folders:
        if not folder.is_dir():
            sys.exit(f"no such folder: {folder}")
        headers = collections.defaultdict(list)
        for header in folder.rglob("*"):
            if header.suffix in (".h", ".cuh", ".hpp") and header.is_file():
                headers[header.name].append(header.resolve())
        files = reach.find_files(folder)
        designs = ["", ALONE, *arguments.designs]
        jobs = list(itertools.product(files, designs))
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            compiled = pool.map(
                lambda job: compile_with(job[0], reach.header_folders(job[0], headers), job[1], arguments), jobs)
            results = dict(zip(jobs, compiled))
        for path in files:
            by_design = {design: results[path, design] for design in designs}
            for line in rows_of_file(str(path.relative_to(folder.resolve())), by_design, arguments):
                print(line, flush=True)


if __name__ == "__main__":
    main()
