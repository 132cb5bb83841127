#!/usr/bin/env python3
"""Whether the program of `gpuopt assist` fetches what the kernel accesses: the same lines of the same arrays, no more and
no less, when it visits every thread. The kernel's own are those of the executor (`gpuopt profile --trace`).

  utils/check-assist.py --gpuopt build/bin/gpuopt bench/kernels/atb.cu --kernel atb --size m=37,n=50,k=9
  utils/check-assist.py --gpuopt build/bin/gpuopt --list test/tools/Inputs/assist/kernels.txt

In a list each line is a file, a kernel, --size, and other options of this command. One that begins with # is none.
Needs Clang and NumPy."""

import argparse
import collections
import enum
import pathlib
import shlex
import sys
import tempfile
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
# pylint: disable=wrong-import-position
from bench.simulation.assistant import AssistantRun, Declined, KernelRun, Launch  # noqa: E402

LINE = 64


class Outcome(enum.Enum):
    SAME = "the same"
    FALLBACK = "original"
    DECLINED = "declined"
    WRONG = "wrong"


class Result(typing.NamedTuple):
    outcome: Outcome
    text: str  # for a person


def compare(wanted, fetched):
    """The lines of a kernel and those of its program."""
    missing, idle = sorted(wanted - fetched), sorted(fetched - wanted)
    if not missing and not idle:
        return Result(Outcome.SAME, f"{len(wanted)} lines the same")
    text = f"{len(wanted)} lines: {len(missing)} missing {missing[:3]}, {len(idle)} for nothing {idle[:3]}"
    return Result(Outcome.WRONG, text)


def check(options):
    launch = Launch(
        options.gpuopt,
        str(options.file),
        options.kernel,
        options.size,
        options.grid,
        options.block,
        optimized=options.optimized,
        more=("--assume-noalias",) if options.assume_noalias else (),
    )
    with tempfile.TemporaryDirectory() as directory:
        try:
            kernel = KernelRun(launch, directory)
            if kernel.used_fallback:
                return Result(Outcome.FALLBACK, "this launch is the original kernel's")
            assistant = AssistantRun(kernel, concurrent_blocks=options.concurrent_blocks)
        except Declined as error:
            return Result(Outcome.DECLINED, f"declined: {error}")
        except RuntimeError as error:
            return Result(Outcome.WRONG, str(error))
        return compare(kernel.lines(LINE), assistant.lines(LINE))


def parser():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", nargs="?")
    arguments.add_argument("--gpuopt", default="gpuopt")
    arguments.add_argument("--list", help="a file of kernels")
    arguments.add_argument("--kernel", default="")
    arguments.add_argument("--size", default="")
    arguments.add_argument("--grid", default="")
    arguments.add_argument("--block", default="")
    arguments.add_argument("--optimized", action="store_true", help="the tuned kernel instead of the one as written")
    arguments.add_argument("--assume-noalias", action="store_true")
    arguments.add_argument("--concurrent-blocks", type=int, default=3)
    return arguments


def main():
    options = parser().parse_args()
    cases = [options]
    if options.list:
        lines = pathlib.Path(options.list).read_text(encoding="utf-8").splitlines()
        given = [shlex.split(line) for line in lines if line.strip() and not line.startswith("#")]
        cases = [parser().parse_args(words) for words in given]
        for case in cases:
            case.gpuopt, case.file = options.gpuopt, ROOT / case.file
    counts = collections.Counter()
    for case in cases:
        result = check(case)
        counts[result.outcome] += 1
        print(f"{case.kernel}: {result.text}", flush=True)
    print(f"{len(cases)} kernels:", ", ".join(f"{counts[each]} {each.value}" for each in Outcome))
    return 1 if counts[Outcome.WRONG] else 0


if __name__ == "__main__":
    sys.exit(main())
