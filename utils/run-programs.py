#!/usr/bin/env python3
"""Builds CUDA programs by their own makefiles with gpuopt in nvcc's place, runs them on the CPU, checks each launch.

  utils/run-programs.py ~/PolyBench-ACC/CUDA --flags -DMINI_DATASET --own 'Non-Matching.*: 0$|misses: 0$'
  utils/run-programs.py ~/llm.c/dev/cuda --own 'results match' --numbered 'Invalid kernel number' \\
    --replace 'repeat_times = \\d+=>repeat_times = 1' --set GPU_COMPUTE_CAPABILITY=90

Every folder with a makefile is a program, or several: it is copied, built with a link named nvcc before all else in PATH, and
what the build makes is run by `gpuopt run --check`. Prints a table in Markdown; exits with 1 where a program is not
built, launches nothing, fails, or has a launch that is different.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A program that numbers its kernels has fewer.
MOST_KERNELS = 32


def is_program(path):
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF" and path.suffix not in (".o", ".so")


def is_text(path):
    suffixes = (".cu", ".cuh", ".h", ".c", ".cpp", ".mk", ".config")
    return path.is_file() and (path.suffix in suffixes or path.name.lower() == "makefile")


def replace_text(folder, replacements):
    """Changes the sources: sizes that are constants of a program are too large for a CPU, makefiles know where an SDK is."""
    for path in filter(is_text, folder.rglob("*")):
        before = text = path.read_text(errors="surrogateescape")
        for pattern, replacement in replacements:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        if text != before:
            path.write_text(text, errors="surrogateescape")


def build(folder, environment, arguments):
    """Runs make; the programs that it has made, and the first error."""

    def programs():
        return {(path, path.stat().st_mtime_ns) for path in folder.rglob("*") if is_program(path)}

    before = programs()
    try:
        made = subprocess.run(
            # What one program of a makefile lacks does not keep the others from being built.
            ["make", "-k"] + arguments.set, cwd=folder, env=environment, capture_output=True, text=True,
            errors="replace", timeout=arguments.time_limit,
        )
    except subprocess.TimeoutExpired:
        return [], f"not built in {arguments.time_limit:g} s"
    made_programs = sorted(path for path, _ in programs() - before)
    if not made.returncode:
        return made_programs, ""
    errors = [line for line in (made.stdout + made.stderr).splitlines() if re.search("error|undefined reference", line)]
    return made_programs, errors[0] if errors else "make failed"


def run(program, words, tool, environment, limit):
    """Runs a program; its output, its launches, and what is wrong."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "launches.json"
        command = [tool, "run", "--check", "--report", report, "--", program] + words
        try:
            done = subprocess.run(
                command, cwd=program.parent, env=environment, capture_output=True, text=True, errors="replace",
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return "", [], f"not done in {limit:g} s"
        launches = json.loads(report.read_text()) if report.exists() else []
        return done.stdout + done.stderr, launches, f"exit code {done.returncode}" if done.returncode else ""


def run_all(program, arguments, environment):
    """Runs a program once, or with each number of a kernel that it has; the number with what `run` says."""
    tool, limit = arguments.bin / "gpuopt", arguments.time_limit
    given = arguments.arguments
    words = shlex.split(given.get(f"{program.parent.name}/{program.name}", given.get(program.name, "")))
    has_numbers = False
    if arguments.numbered:
        # Whoever takes any number takes none.
        output, _, _ = run(program, ["999"], tool, environment, limit)
        has_numbers = re.search(arguments.numbered, output)
    if not has_numbers:
        return [("", run(program, words, tool, environment, limit))]
    results = []
    for number in range(1, MOST_KERNELS):
        result = run(program, [str(number)] + words, tool, environment, limit)
        if re.search(arguments.numbered, result[0]):
            if results:
                break
            continue
        results.append((str(number), result))
    return results


def row(program, arguments, environment):
    """One line of the table, and whether all launches were equal."""
    started = time.monotonic()
    results = run_all(program, arguments, environment)
    seconds = time.monotonic() - started
    launches = [launch for _, (_, some, _) in results for launch in some]
    tuned = sum(launch["tuned"] for launch in launches)
    equal = sum(launch.get("differing_bytes") == 0 for launch in launches)
    remarks = [f"{number}: {wrong}" if number else wrong for number, (_, _, wrong) in results if wrong]
    passed = [bool(arguments.own and re.search(arguments.own, output, re.MULTILINE)) for _, (output, _, _) in results]
    own = "" if not arguments.own else "passes" if all(passed) else "fails"
    if own == "fails" and any(passed):
        own = f"passes in {sum(passed)} of {len(passed)}"
    kernels = len({launch["kernel"] for launch in launches})
    # Some are called a.out.
    name = program.stem if len(program.stem) > 1 else program.parent.name
    cells = [name, kernels, len(launches), tuned, equal, own, f"{seconds:.1f}", "; ".join(remarks)]
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
    return launches and equal == len(launches) and not remarks and (not arguments.own or all(passed))


def pair(text):
    name, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"'{text}' has no '='")
    return name, value


def replacement(text):
    """`REGEX=>TEXT`."""
    pattern, separator, value = text.partition("=>")
    if not separator:
        raise argparse.ArgumentTypeError(f"'{text}' has no '=>'")
    return pattern, value


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "bin")
    parser.add_argument("--flags", default="", help="added to each command of the compiler")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a variable for make")
    parser.add_argument("--replace", action="append", default=[], type=replacement, metavar="REGEX=>TEXT",
                        help="changes sources and makefiles before they are built")
    parser.add_argument("--own", help="what a program prints (a regular expression) when its own comparison passes")
    parser.add_argument("--arguments", action="append", default=[], type=pair, metavar="[FOLDER/]PROGRAM=ARGUMENTS",
                        help="what a program is run with")
    parser.add_argument("--numbered", metavar="REGEX",
                        help="runs a program with 1, 2, … until it prints this: one that takes the number of a kernel")
    parser.add_argument("--only", help="a regular expression for the folders with makefiles")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds for a build, and for a run")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    arguments.arguments = dict(arguments.arguments)
    return arguments


def main():
    arguments = parse_arguments()
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
        copy = place / arguments.folder.resolve().name
        shutil.copytree(arguments.folder, copy, symlinks=True)
        replace_text(copy, arguments.replace)
        print("| program | kernels | launches | tuned | equal | own comparison | seconds | |")
        print("|---|---|---|---|---|---|---|---|")
        all_right = True
        for makefile in sorted(copy.rglob("[Mm]akefile")):
            if arguments.only and not re.search(arguments.only, str(makefile.parent.relative_to(copy))):
                continue
            programs, error = build(makefile.parent, environment, arguments)
            if error:
                all_right = False
                print(f"| {makefile.parent.name} | | | | | | | {error} |", flush=True)
            for program in programs:
                all_right &= bool(row(program, arguments, environment))
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())
