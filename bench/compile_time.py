#!/usr/bin/env python3
"""Compile time of gpuopt against nvcc and clang, as ratios within one run.

For each CUDA file the commands run in turn, interleaved, so that a machine
whose speed drifts slows all of them alike; what is printed is the median of
the pairwise ratios. What is not installed is reported as absent.

  bench/compile_time.py                      all of bench/kernels
  bench/compile_time.py bench/kernels/syrk.cu --runs 9
  bench/compile_time.py --phases             also where gpuopt's time goes
  bench/compile_time.py bench/kernels/mm_ld.cu --runs 1 --search
                                             also with the search by the model, never cached
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What an earlier run has compiled takes no time.
os.environ["GPUOPT_CACHE_LIMIT"] = "0"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*",
                        help="CUDA files to compile to PTX (default: bench/kernels/*.cu)")
    parser.add_argument("--kernel", action="append", default=[],
                        help="only this kernel (gpuopt compiles it alone)")
    parser.add_argument("--target", default="sm_90", help="default: sm_90")
    parser.add_argument("--runs", type=int, default=7, help="runs per file (default: 7)")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"), help="directory of gpuopt")
    parser.add_argument("--phases", action="store_true",
                        help="also tell where gpuopt's time goes, by running its parts alone")
    parser.add_argument("--search", action="store_true",
                        help="also time gpuopt's search by the model, which takes up to a minute a file")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="also write the figures as JSON")
    arguments = parser.parse_args()
    if not arguments.files:
        arguments.files = sorted(map(str, (ROOT / "bench/kernels").glob("*.cu")))
    return arguments


def commands(arguments: argparse.Namespace, source: str, out: str) -> dict[str, list[str]]:
    """The competitors that are installed, by name."""
    found = {
        "gpuopt": [f"{arguments.bin}/gpuopt", "compile", source, "--target", arguments.target]
        + [word for kernel in arguments.kernel for word in ("--kernel", kernel)]
        + ["-o", f"{out}/gpuopt.ptx"]
    }
    if arguments.search:
        found["gpuopt-search"] = found["gpuopt"][:-1] + [
            f"{out}/search.ptx", "--search", "model", "--no-cache"]
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if nvcc:
        found["nvcc"] = [nvcc, "-ptx", "-O3", f"-arch={arguments.target}", source,
                         "-o", f"{out}/nvcc.ptx"]
    clang = shutil.which("clang++-22")
    cuda = pathlib.Path(nvcc).resolve().parent.parent if nvcc else None
    if clang and cuda:
        found["clang"] = [clang, "-x", "cuda", "--cuda-device-only", "-S", "-O3",
                          f"--cuda-gpu-arch={arguments.target}", f"--cuda-path={cuda}",
                          "-Wno-unknown-cuda-version", source, "-o", f"{out}/clang.ptx"]
    return found


def seconds(command: list[str]) -> float | None:
    """Wall time of `command`, or None where it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start if done.returncode == 0 else None


def phases(arguments: argparse.Namespace, source: str, out: str) -> dict[str, float] | None:
    """Seconds that the parts of gpuopt take as programs of their own, each less its start."""
    tools = arguments.bin
    target = f"--target={arguments.target}"
    start = seconds([f"{tools}/gpuopt-opt", "--version"]) or 0
    parts = {
        "front end": [f"{tools}/gpuopt-translate", "--cuda-to-mlir", target, source,
                      "-o", f"{out}/0.mlir"],
        "raise": [f"{tools}/gpuopt-opt", "--gpuopt-raise", f"{out}/0.mlir", "-o", f"{out}/1.mlir"],
        "passes": [f"{tools}/gpuopt-opt", f"--gpuopt-optimize=target={arguments.target}",
                   f"{out}/1.mlir", "-o", f"{out}/2.mlir"],
        "code generation": [f"{tools}/gpuopt-translate", "--mlir-to-assembly", target,
                            f"{out}/2.mlir", "-o", f"{out}/3.ptx"],
    }
    taken = {name: seconds(command) for name, command in parts.items()}
    if None in taken.values():
        return None
    return {name: max(time - start, 0) for name, time in taken.items()}


def measure(arguments: argparse.Namespace, source: str, out: str) -> dict:
    """Times of every competitor for one file, and gpuopt's ratios to them."""
    competitors = commands(arguments, source, out)
    times: dict[str, list[float]] = {name: [] for name in competitors}
    for _ in range(arguments.runs + 1):  # the first run warms the caches
        for name, command in competitors.items():
            taken = seconds(command)
            if taken is not None:
                times[name].append(taken)
    row: dict = {"file": os.path.basename(source), "seconds": {}, "ratios": {}}
    for name, taken in times.items():
        if len(taken) <= arguments.runs:
            continue
        row["seconds"][name] = statistics.median(taken[1:])
        if not name.startswith("gpuopt") and len(times["gpuopt"]) == len(taken):
            row["ratios"][name] = statistics.median(
                ours / theirs for ours, theirs in zip(times["gpuopt"][1:], taken[1:]))
            searched = times.get("gpuopt-search", [])
            if len(searched) == len(taken):
                row["ratios"][f"{name} with search"] = statistics.median(
                    ours / theirs for ours, theirs in zip(searched[1:], taken[1:]))
    if arguments.phases:
        row["phases"] = phases(arguments, source, out)
    return row


def describe(row: dict, names: list[str]) -> str:
    cells = [row["file"]]
    for name in names:
        if name not in row["seconds"]:
            cells.append(f"{name}: fails")
            continue
        cells.append(f"{name} {1000 * row['seconds'][name]:.0f} ms")
        if name in row["ratios"]:
            cells.append(f"(gpuopt / {name} = {row['ratios'][name]:.2f})")
        if f"{name} with search" in row["ratios"]:
            cells.append(f"(with search {row['ratios'][f'{name} with search']:.0f})")
    if row.get("phases"):
        cells += [f"{name} {1000 * time:.0f} ms" for name, time in row["phases"].items()]
    return "  ".join(cells)


def main() -> int:
    arguments = parse_arguments()
    rows = []
    with tempfile.TemporaryDirectory() as out:
        names = list(commands(arguments, "", out))
        for source in arguments.files:
            rows.append(measure(arguments, source, out))
            print(describe(rows[-1], names), flush=True)
    for name in ("nvcc", "clang"):
        ratios = [row["ratios"][name] for row in rows if name in row["ratios"]]
        if ratios:
            print(f"geometric mean of gpuopt / {name}: {statistics.geometric_mean(ratios):.2f} "
                  f"over {len(ratios)} files")
        else:
            print(f"{name}: absent, or fails on every file")
    split = [row["phases"] for row in rows if row.get("phases")]
    if split:
        total = sum(sum(parts.values()) for parts in split)
        print("where gpuopt's time goes: "
              + ", ".join(f"{name} {100 * sum(parts[name] for parts in split) / total:.0f} %"
                          for name in split[0]))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0 if any("gpuopt" in row["seconds"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
