#!/usr/bin/env python3
"""Looks for false alarms: every kernel of bench/kernels and of the examples is correct, so `gpuopt sanitize` must find
nothing in it, and neither must `gpuopt check` in what the compiler makes of it.

  check-sanitizer.py                              all kernels, as written and optimised for each target
  check-sanitizer.py --kernel syrk --kernel mm    some of them
  check-sanitizer.py --targets sm_90 --only-written
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from known_kernels import BLOCKS, kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["sm_90", "gfx942", "nvidia-gtx285"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel; repeat for several")
    parser.add_argument("--targets", nargs="+", default=TARGETS, metavar="T", help=f"default: {' '.join(TARGETS)}")
    parser.add_argument("--only-written", action="store_true", help="leave out the optimised kernels")
    parser.add_argument("--gpuopt", default=str(ROOT / "build/bin/gpuopt"), help="default: build/bin/gpuopt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels at once (default: one per core)")
    return parser.parse_args()


def alarm(command: list[str]) -> tuple[str, bool]:
    """What a command says where it does not end well, and whether it has checked a launch that was not tuned."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return f"{' '.join(command)}\ntakes more than ten minutes", False
    text = "" if done.returncode == 0 else f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return text, "not tuned for this launch" in done.stdout


def main() -> int:
    arguments = parse_arguments()
    known = kernels()
    for name in arguments.kernel or []:
        if name not in known:
            print(f"no kernel named '{name}' in examples and bench/kernels", file=sys.stderr)
            return 2
    commands = []
    for name in arguments.kernel or known:
        file, sizes = known[name]
        common = [str(file), "--kernel", name] + (["--size", sizes] if sizes else [])
        common += ["--block", BLOCKS[name]] if name in BLOCKS else []
        commands.append([arguments.gpuopt, "sanitize", *common])
        if not arguments.only_written:
            commands += [[arguments.gpuopt, "check", *common, "--target", target, "--allow-fallback"]
                         for target in arguments.targets]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(alarm, commands))
    alarms = [text for text, _ in results if text]
    untuned = sum(is_untuned for _, is_untuned in results)
    for text in alarms:
        print(text)
    print(f"{len(arguments.kernel or known)} kernels, {len(commands)} runs, {len(alarms)} alarms, "
          f"{untuned} launches were not tuned")
    return bool(alarms)


sys.exit(main())
