#!/usr/bin/env python3
"""Random kernels, each checked against its own source.

A seed gives one kernel for one target, and its launches. Neither has undefined behaviour or a data race (see kernelfuzz/),
so whatever is found is a fault of gpuopt. Failures are made as small as they get.

  random-kernels.py --seeds 0:2000                        check 2000 kernels; exit 1 if any fails
  random-kernels.py --seeds 0:100000 --state fuzz.state   go on where the last run with the same tool has stopped
  random-kernels.py --seeds 7 --show                      print kernel 7 and its commands
  random-kernels.py --seeds 0:2000 --text                 the PTX that is written for them, too
  random-kernels.py --seeds 0:2000 --source               the source that is printed for them, with its launch helpers

With `--source` the text of `gpuopt compile --emit cuda` (hip) is what is checked: its host side is compiled, launch_NAME
is called for each launch, also with an array that is not aligned, and the kernels that it launches run as they are printed.
"""

import argparse
import collections
import functools
import os
import pathlib
import shutil
import sys
import time

from kernelfuzz import batch, campaign, generate, shrink
from kernelfuzz.source import SourceChecker
from kernelfuzz.tree import PREAMBLE

# Seeds that a worker takes at once, and kernels of a file.
SEEDS_AT_ONCE, KERNELS_IN_FILE = 120, 30
# What becomes of launches that do not fail: nothing tuned runs, the kernel has no form as source, or the source does more
# than the launch, as all that there is to do is too much.
FINE = (*batch.FINE, "formless", "uncovered")


def checker_of(arguments):
    if arguments.source:
        return SourceChecker(arguments.tool, arguments.compiler)
    return batch.Checker(arguments.tool, text=arguments.text)


def check_seeds(seeds, arguments):
    """What became of these seeds: counts, and the failures as (seed, number of the launch, outcome)."""
    checker = checker_of(arguments)
    by_target = collections.defaultdict(list)
    for seed in seeds:
        kernel = generate.kernel_of(seed)
        by_target[kernel.target].append(kernel)
    counts, failures = collections.Counter(), []
    for kernels in by_target.values():
        for first in range(0, len(kernels), KERNELS_IN_FILE):
            for seed, answer in checker.check(kernels[first:first + KERNELS_IN_FILE]).items():
                outcomes = answer["launches"]
                counts.update(["kernels"] + ["not raised"] * (not answer["raised"]) +
                              ["transformed"] * answer["transformed"])
                counts.update(outcome if outcome in FINE else "failed" for outcome in outcomes)
                bad = [entry for entry in enumerate(outcomes) if entry[1] not in FINE]
                if bad:
                    failures.append((seed, *bad[0]))
    checker.close()
    return seeds, counts, failures


def describe(kernel, launches, checker):
    return PREAMBLE + kernel.source() + "\n".join(checker.command_of(kernel, launch) for launch in launches)


def report(failure, checker, seconds):
    """Prints a failure, as small as it gets."""
    seed, number, outcome = failure
    kernel = generate.kernel_of(seed)
    launch = kernel.launches[number]
    # A smaller one that takes as long cannot be found in a short time.
    if seconds and outcome.startswith("tuned") and shrink.kind_of(outcome) != "takes more":
        kernel = shrink.shrunk(kernel, launch, outcome, checker, seconds)
        launch = kernel.launches[0]
    print(f"seed {seed}: {outcome}\n{describe(kernel, [launch], checker)}\n", flush=True)


def show(seeds, checker):
    for seed in seeds:
        kernel = generate.kernel_of(seed)
        print(describe(kernel, kernel.launches, checker))


def run(arguments, seeds):
    """Checks the seeds, and returns whether all passed."""
    version = campaign.version_of(arguments.tool, pathlib.Path(generate.__file__).parent,
                                  "source" if arguments.source else "text" if arguments.text else "")
    check = functools.partial(check_seeds, arguments=arguments)
    counts, begin, failed = collections.Counter(), time.monotonic(), 0
    checker = checker_of(arguments)
    for more, failures in campaign.results_of(check, seeds, campaign.State(arguments.state, version), arguments.jobs,
                                              SEEDS_AT_ONCE):
        counts.update(more)
        failed += len(failures)
        for failure in failures:
            report(failure, checker, arguments.shrink)
    checker.close()
    seconds = time.monotonic() - begin
    print(f"{counts['kernels'] - failed} of {counts['kernels']} kernels passed, {summary_of(counts, arguments.source)}; "
          f"{seconds:.0f} s, "
          f"{counts['kernels'] / max(seconds, 1e-3):.1f} kernels a second with {arguments.jobs} processes")
    return not failed


def summary_of(counts, is_source):
    if is_source:
        return f"{counts['transformed']} of them with a launch helper; {counts['passed']} launches checked; not covered: " \
            f"{counts['uncovered']}, without a form as source: {counts['formless']}"
    unbounded = f"{counts[batch.UNBOUNDED]} launches whose text has no bound; " if counts[batch.UNBOUNDED] else ""
    return f"{counts['transformed']} of them transformed; {counts['passed']} launches checked; {unbounded}" \
        f"not tuned: {counts['fallback']} launches, {counts['not raised']} kernels"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:100", help="FIRST:END, or one seed")
    parser.add_argument("--tool", default=shutil.which("gpuopt-check-batch"), help="gpuopt-check-batch")
    parser.add_argument("--source", action="store_true", help="check the source that is printed, with its launch helpers")
    parser.add_argument("--text", action="store_true", help="check the PTX, too, that is written for NVIDIA's targets")
    parser.add_argument("--compiler", default="clang++-22", help="C++ compiler for the host's side of it")
    parser.add_argument("--show", action="store_true", help="print the kernels, run nothing")
    parser.add_argument("--state", help="file that remembers what has passed")
    parser.add_argument("--shrink", type=float, default=120, metavar="SECONDS", help="time to make a failure smaller; 0: none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    seeds = campaign.seeds_of(arguments.seeds)
    if arguments.show:
        show(seeds, checker_of(arguments))
        return
    if not arguments.tool:
        parser.error("gpuopt-check-batch is not on the PATH; name it with --tool")
    sys.exit(0 if run(arguments, seeds) else 1)


if __name__ == "__main__":
    main()
