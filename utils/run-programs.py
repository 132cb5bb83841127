#!/usr/bin/env python3
"""Builds CUDA programs by their own makefiles with gpuopt in nvcc's place, runs them on the CPU, checks each launch.

  utils/run-programs.py ~/PolyBench-ACC/CUDA --flags -DMINI_DATASET --own 'Non-Matching.*: 0$|misses: 0$'

Every folder with a makefile is a program: it is copied, built with a link named nvcc before all else in PATH, and what
the build makes is run by `gpuopt run --check`. Prints a table in Markdown; exits with 1
where a program is not built, launches nothing, fails, or has a launch that is different.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def is_program(path):
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF" and path.suffix != ".o"


def build(folder, environment, limit):
    """Runs make; the programs that were not there before, or the first error."""
    before = {path for path in folder.iterdir() if is_program(path)}
    try:
        made = subprocess.run(
            ["make"], cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=limit
        )
    except subprocess.TimeoutExpired:
        return [], f"not built in {limit} s"
    if made.returncode:
        errors = [line for line in (made.stdout + made.stderr).splitlines() if "error" in line]
        return [], errors[0] if errors else "make failed"
    return sorted(path for path in folder.iterdir() if is_program(path) and path not in before), ""


def run(program, tool, environment, limit):
    """Runs a program; its output, its launches, and what is wrong."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "launches.json"
        command = [tool, "run", "--check", "--report", report, "--", program]
        try:
            done = subprocess.run(
                command, cwd=program.parent, env=environment, capture_output=True, text=True, errors="replace",
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return "", [], f"not done in {limit} s"
        launches = json.loads(report.read_text()) if report.exists() else []
        return done.stdout, launches, f"exit code {done.returncode}" if done.returncode else ""


def row(program, arguments, environment):
    """One line of the table, and whether all launches were equal."""
    started = time.monotonic()
    output, launches, wrong = run(program, arguments.bin / "gpuopt", environment, arguments.time_limit)
    seconds = time.monotonic() - started
    tuned = sum(launch["tuned"] for launch in launches)
    equal = sum(launch.get("differing_bytes") == 0 for launch in launches)
    own = "" if not arguments.own else "passes" if re.search(arguments.own, output, re.MULTILINE) else "fails"
    kernels = len({launch["kernel"] for launch in launches})
    cells = [program.stem, kernels, len(launches), tuned, equal, own, f"{seconds:.1f}", wrong]
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    return launches and equal == len(launches) and not wrong and own != "fails"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    parser.add_argument("--flags", default="", help="added to each command of the compiler")
    parser.add_argument("--own", help="what a program prints (a regular expression) when its own comparison passes")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds for a build, and for a run")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()

    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory)
        (place / "bin").mkdir()
        (place / "bin" / "nvcc").symlink_to(arguments.bin / "gpuopt")
        environment = dict(
            os.environ,
            PATH=f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
            NVCC_APPEND_FLAGS=arguments.flags,
            GPUOPT_DEVICE="cpu",
        )
        # Makefiles include others from beside their folder.
        copy = place / "programs"
        shutil.copytree(arguments.folder, copy, symlinks=True)
        print("| program | kernels | launches | tuned | equal | own comparison | seconds | |")
        print("|---|---|---|---|---|---|---|---|")
        all_right = True
        for makefile in sorted(copy.rglob("[Mm]akefile")):
            programs, error = build(makefile.parent, environment, arguments.time_limit)
            if error:
                all_right = False
                print(f"| {makefile.parent.name} | | | | | | | {error} |", flush=True)
            for program in programs:
                all_right &= row(program, arguments, environment)
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())
