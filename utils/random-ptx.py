#!/usr/bin/env python3
"""Random programs in PTX, each checked against what it means, which is written beside it in C++.

A seed gives one kernel in both languages, with its launch. Neither has undefined behaviour or a data race, and the C++
says of each instruction what the PTX ISA does (ptxfuzz/helpers.cuh), so a difference is a fault of the import of PTX,
of the CPU executor, or of that C++. Failures are made as small as they get.

  random-ptx.py --seeds 0:2000                      check 2000 programs; exit 1 if any fails
  random-ptx.py --seeds 0:100000 --state ptx.state  go on where the last run with the same tool has stopped
  random-ptx.py --seeds 7 --show                    print program 7 and its command
  random-ptx.py --seeds 7 --write DIRECTORY         programs.ptx and programs.cu
  random-ptx.py --seeds 0:2000 --coverage           how often these use each rule of Instructions.def; run nothing
"""

import argparse
import collections
import functools
import os
import pathlib
import shutil
import sys
import time

from kernelfuzz import campaign
from ptxfuzz import check, coverage, generate, shrink, text

# Seeds that a worker takes at once, and programs of a file.
SEEDS_AT_ONCE, PROGRAMS_IN_FILE = 100, 20


def check_seeds(seeds, tool):
    """What became of these seeds: counts, and the failures as (seed, outcome)."""
    checker = check.Checker(tool)
    counts, failures = collections.Counter(), []
    for first in range(0, len(seeds), PROGRAMS_IN_FILE):
        programs = [generate.program_of(seed) for seed in seeds[first:first + PROGRAMS_IN_FILE]]
        for seed, answer in checker.check(programs).items():
            outcome = answer["launches"][0]
            counts.update(["programs", "passed" if outcome == "passed" else "failed"])
            if outcome != "passed":
                failures.append((seed, outcome))
    checker.close()
    return seeds, counts, failures


def describe(program):
    return f"{text.ptx_file([program])}\n{text.cpp(program)}\n{check.command_of(program)}\n"


def report(seed, outcome, checker, seconds):
    """Prints a failure, as small as it gets."""
    program = generate.program_of(seed)
    if seconds and "takes more" not in outcome:
        program = shrink.shrunk(program, outcome, checker, seconds)
    print(f"seed {seed}: {outcome}\n{describe(program)}", flush=True)


def run(arguments, seeds):
    """Checks the seeds, and returns whether all passed."""
    version = campaign.version_of(arguments.tool, pathlib.Path(generate.__file__).parent)
    counts, begin = collections.Counter(), time.monotonic()
    checker = check.Checker(arguments.tool)
    for more, failures in campaign.results_of(functools.partial(check_seeds, tool=arguments.tool), seeds,
                                              campaign.State(arguments.state, version), arguments.jobs, SEEDS_AT_ONCE):
        counts.update(more)
        for seed, outcome in failures:
            report(seed, outcome, checker, arguments.shrink)
    checker.close()
    seconds = time.monotonic() - begin
    print(f"{counts['passed']} of {counts['programs']} programs passed; {seconds:.0f} s, "
          f"{counts['programs'] / max(seconds, 1e-3):.1f} programs a second with {arguments.jobs} processes")
    return not counts["failed"]


def write(directory, programs):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "programs.ptx").write_text(text.ptx_file(programs), encoding="utf-8")
    (directory / "programs.cu").write_text(text.cpp_file(programs), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:100", help="FIRST:END, or one seed")
    parser.add_argument("--tool", default=shutil.which("gpuopt-check-batch"), help="gpuopt-check-batch")
    parser.add_argument("--show", action="store_true", help="print the programs, run nothing")
    parser.add_argument("--write", type=pathlib.Path, metavar="DIRECTORY", help="write them there, run nothing")
    parser.add_argument("--coverage", action="store_true", help="print which instructions they have, run nothing")
    parser.add_argument("--state", help="file that remembers what has passed")
    parser.add_argument("--shrink", type=float, default=120, metavar="SECONDS",
                        help="time to make a failure smaller; 0: none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    seeds = campaign.seeds_of(arguments.seeds)
    if arguments.show:
        print("\n".join(describe(generate.program_of(seed)) for seed in seeds))
    elif arguments.coverage:
        print("\n".join(coverage.report(map(generate.program_of, seeds))))
    elif arguments.write:
        write(arguments.write, [generate.program_of(seed) for seed in seeds])
    elif not arguments.tool:
        parser.error("gpuopt-check-batch is not on the PATH; name it with --tool")
    else:
        sys.exit(0 if run(arguments, seeds) else 1)


if __name__ == "__main__":
    main()
