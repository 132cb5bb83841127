#!/usr/bin/env python3
"""Does a check find what is wrong? Plants miscompilations in what the compiler makes of the kernels of bench/kernels and
of the examples (subscripts off by one, dropped barriers, wrong signs, swapped operands, weakened guards, one bit of one
thread's result), and expects `gpuopt check` to find every one. Places that no thread reaches are not counted.

A mutation that survives fails the run unless gpuopt-mutate shows that it has no effect (test/mutation/Harmless.h) or
test/mutation/equivalent.txt says why no check could find it.

  check-mutations.py                     200 mutations over all kernels
  check-mutations.py --count 20 --kernel mm --kernel tp --target gfx942
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from known_kernels import BLOCKS, kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "test/mutation/equivalent.txt"
TARGETS = ["sm_90", "gfx942", "nvidia-gtx285"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel; repeat for several")
    parser.add_argument("--target", action="append", metavar="T", help=f"default: {' '.join(TARGETS)} in turn")
    parser.add_argument("--count", type=int, default=200, help="how many to plant (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"), help="where gpuopt-mutate is (default: build/bin)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels at once (default: one per core)")
    return parser.parse_args()


def known_equivalent() -> dict[str, str]:
    """Why a mutation has no effect, by its description."""
    lines = [line.strip() for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()]
    pairs = [line.partition(" # ") for line in lines if line and not line.startswith("#")]
    return {mutation.strip(): reason for mutation, _, reason in pairs}


def mutate(job: tuple[str, str, int], arguments: argparse.Namespace) -> list[str]:
    """The lines that gpuopt-mutate prints for one kernel, for its target or the next one that tunes it at this size."""
    name, target, count = job
    targets = arguments.target or TARGETS
    first = targets.index(target)
    for other in targets[first:] + targets[:first]:
        lines = mutate_for(name, other, count, arguments)
        if not lines[0].startswith("ERROR: ") or not lines[0].endswith("the launch is not tuned"):
            break
    return lines


def mutate_for(name: str, target: str, count: int, arguments: argparse.Namespace) -> list[str]:
    file, sizes = kernels(large=True)[name]
    command = [f"{arguments.bin}/gpuopt-mutate", str(file), "--kernel", name, "--target", target, "--count", str(count),
               "--seed", str(arguments.seed)]
    command += ["--size", sizes] if sizes else []
    command += ["--block", BLOCKS[name]] if name in BLOCKS else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    except subprocess.TimeoutExpired:
        return [f"ERROR: {' '.join(command)}: takes more than half an hour"]
    if done.returncode not in (0, 1):
        return [f"ERROR: {' '.join(command)}: {done.stderr.strip()}"]
    return done.stdout.splitlines()


def plan(arguments: argparse.Namespace) -> list[tuple[str, str, int]]:
    """Kernel, target and number of mutations: as even as can be."""
    names = arguments.kernel or list(kernels())
    targets = arguments.target or TARGETS
    share, rest = divmod(arguments.count, len(names))
    return [(name, targets[i % len(targets)], share + (i < rest)) for i, name in enumerate(names) if share + (i < rest)]


def main() -> int:
    arguments = parse_arguments()
    unknown = [name for name in arguments.kernel or [] if name not in kernels()]
    if unknown:
        print(f"no kernel named '{unknown[0]}' in examples and bench/kernels", file=sys.stderr)
        return 2
    equivalent = known_equivalent()
    found = excused = bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for lines in pool.map(lambda job: mutate(job, arguments), plan(arguments)):
            for line in lines:
                if line.startswith("found: "):
                    found += 1
                elif line.startswith("no effect: "):
                    excused += 1
                    print(line, flush=True)
                elif line.startswith("ERROR: "):
                    bad += 1
                    print(line, flush=True)
                elif line.startswith("SURVIVED: "):
                    reason = equivalent.get(line.removeprefix("SURVIVED: ").strip())
                    excused += reason is not None
                    bad += reason is None
                    print(line + (f" # {reason}" if reason else ""), flush=True)
                else:
                    print(line, flush=True)
    print(f"{found} planted miscompilations were found, {excused} have no effect, {bad} are a problem")
    return bool(bad)


sys.exit(main())
