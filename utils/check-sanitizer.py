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
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["sm_90", "gfx942", "nvidia-gtx285"]
# By parameter: no multiples of anything, so that every guard has something to do.
SIZES = {"m": 45, "n": 70, "k": 19, "h": 37, "w": 70, "kh": 3, "kw": 5, "r": 3, "d": 2, "kl": 3,
         "H": 13, "W": 37, "C": 5, "K": 7, "N": 3, "P": 41, "B": 2, "S": 37, "D": 8,
         "np": 37, "nq": 13, "nr": 5, "a0": 5, "a1": 37, "a2": 70, "batch": 3, "iters": 3}
# Where extents depend on each other, or the default takes long.
SPECIAL = {
    "bgemm_s": {"m": 45, "n": 37, "k": 19, "sa": 855, "sb": 703, "sc": 1665},
    "mm_ld": {"m": 45, "n": 37, "k": 19, "lda": 23, "ldb": 41, "ldc": 40},
    "conv_nchw": {"N": 2, "C": 3, "H": 9, "W": 35, "K": 3},
    "rd": {"n": 1024}, "crd": {"n": 1024}, "fft": {"n": 256},
}
# Kernels whose tiles are made for blocks of one shape.
BLOCKS = {"sh_mm": "32,32", "sh_t": "16,16"}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel; repeat for several")
    parser.add_argument("--targets", nargs="+", default=TARGETS, metavar="T", help=f"default: {' '.join(TARGETS)}")
    parser.add_argument("--only-written", action="store_true", help="leave out the optimised kernels")
    parser.add_argument("--gpuopt", default=str(ROOT / "build/bin/gpuopt"), help="default: build/bin/gpuopt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels at once (default: one per core)")
    return parser.parse_args()


def kernels() -> dict[str, tuple[pathlib.Path, str]]:
    """File and --size of every kernel by name."""
    found = {}
    for file in [*sorted((ROOT / "examples").glob("*.cu")), *sorted((ROOT / "bench/kernels").glob("*.cu"))]:
        for name, parameters in re.findall(r"__global__\s+void\s+(\w+)\s*\(([^)]*)\)", file.read_text()):
            scalars = [text.split()[-1] for text in parameters.split(",") if "*" not in text]
            values = SPECIAL.get(name, SIZES)
            found.setdefault(name, (file, ",".join(f"{scalar}={values.get(scalar, SIZES.get(scalar, 7))}"
                                                   for scalar in scalars)))
    return found


def alarm(command: list[str]) -> str:
    """What a command says where it does not end well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return f"{' '.join(command)}\ntakes more than ten minutes"
    return "" if done.returncode == 0 else f"{' '.join(command)}\n{done.stdout}{done.stderr}"


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
            commands += [[arguments.gpuopt, "check", *common, "--target", target] for target in arguments.targets]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        alarms = [text for text in pool.map(alarm, commands) if text]
    for text in alarms:
        print(text)
    print(f"{len(arguments.kernel or known)} kernels, {len(commands)} runs, {len(alarms)} alarms")
    return bool(alarms)


sys.exit(main())
