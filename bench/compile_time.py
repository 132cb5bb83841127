#!/usr/bin/env python3
"""Compile time of gpuopt against nvcc and clang, as ratios within one run.

For each CUDA file the commands run in turn, interleaved, so that a machine
whose speed drifts slows all of them alike; what is printed is the median of
the pairwise ratios. What is not installed is reported as absent.

  bench/compile_time.py examples/unified.cu --kernel mm --runs 9
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", help="CUDA files to compile to PTX")
    parser.add_argument("--kernel", action="append", default=[],
                        help="only this kernel (gpuopt compiles it alone)")
    parser.add_argument("--target", default="sm_90", help="default: sm_90")
    parser.add_argument("--runs", type=int, default=7, help="runs per file (default: 7)")
    parser.add_argument("--bin", default="build/bin", help="directory of gpuopt")
    return parser.parse_args()


def commands(arguments: argparse.Namespace, source: str, out: str) -> dict[str, list[str]]:
    """The competitors that are installed, by name."""
    found = {
        "gpuopt": [f"{arguments.bin}/gpuopt", "compile", source, "--target", arguments.target,
                   "-o", f"{out}/gpuopt.ptx"]
        + [word for kernel in arguments.kernel for word in ("--kernel", kernel)]
    }
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


def main() -> int:
    arguments = parse_arguments()
    ratios: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as out:
        for source in arguments.files:
            competitors = commands(arguments, source, out)
            times: dict[str, list[float]] = {name: [] for name in competitors}
            for _ in range(arguments.runs + 1):  # the first run warms the caches
                for name, command in competitors.items():
                    taken = seconds(command)
                    if taken is not None:
                        times[name].append(taken)
            line = [os.path.basename(source)]
            for name, taken in times.items():
                if len(taken) <= arguments.runs:
                    line.append(f"{name}: fails")
                    continue
                line.append(f"{name} {1000 * statistics.median(taken[1:]):.0f} ms")
                if name != "gpuopt" and len(times["gpuopt"]) == len(taken):
                    ratio = statistics.median(
                        ours / theirs for ours, theirs in zip(times["gpuopt"][1:], taken[1:])
                    )
                    ratios.setdefault(name, []).append(ratio)
                    line.append(f"(gpuopt / {name} = {ratio:.2f})")
            print("  ".join(line), flush=True)
    for name in ("nvcc", "clang"):
        if name in ratios:
            print(f"geometric mean of gpuopt / {name}: "
                  f"{statistics.geometric_mean(ratios[name]):.2f} over {len(ratios[name])} files")
        else:
            print(f"{name}: absent, or fails on every file")
    return 0


if __name__ == "__main__":
    sys.exit(main())
