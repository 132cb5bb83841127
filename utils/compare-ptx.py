#!/usr/bin/env python3
"""Compares PTX by kernel: what nvcc makes of a file, and what gpuopt writes for it, with the source.

  gpuopt check K.cu NVCC.ptx          the kernel as it is written, and nvcc's text of it; needs nvcc
  gpuopt check K.cu --from ptx        the same and the text that is written for the optimised kernel, read again

for every kernel of bench/kernels and of the examples. Of other files, --imports counts which of nvcc's kernels are read.

  compare-ptx.py
  compare-ptx.py --kernel mm --kernel tp
  compare-ptx.py --imports ~/rodinia/cuda
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from known_kernels import BLOCKS, kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is fused by one compiler need not be by the other: without fusing all bits have to agree.
UNFUSED = "-ffp-contract=off"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", metavar="NAME", help="only this kernel; repeat for several")
    parser.add_argument("--imports", nargs="+", type=pathlib.Path, metavar="PATH",
                        help="CUDA files or folders: count which of nvcc's kernels are read, run nothing")
    parser.add_argument("--arch", default="sm_90", help="default: sm_90")
    parser.add_argument("--nvcc", default=shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin"))
    parser.add_argument("--gpuopt", default=str(ROOT / "build/bin/gpuopt"), help="default: build/bin/gpuopt")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="kernels at once (default: one per core)")
    return parser.parse_args()


def run(command: list[str], seconds: int = 600) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"takes more than {seconds} seconds")


class NVCC:
    """Compiles each file once."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)
        self.texts = {}

    def compile(self, source: pathlib.Path) -> pathlib.Path | None:
        """The PTX of a file; nothing where nvcc does not take it."""
        if source not in self.texts:
            path = self.folder / f"{len(self.texts)}.ptx"
            done = run([self.arguments.nvcc, "-ptx", "-O3", "-lineinfo", "-fmad=false", f"-arch={self.arguments.arch}",
                        f"-I{source.parent}", str(source), "-o", str(path)])
            self.texts[source] = path if done.returncode == 0 else None
        return self.texts[source]


def comparisons(name: str, source: pathlib.Path, sizes: str, nvcc: NVCC) -> list[list[str]]:
    """The commands that compare a kernel."""
    arguments = nvcc.arguments
    common = ["--kernel", name, "--target", arguments.arch, UNFUSED]
    common += ["--block", BLOCKS[name]] if name in BLOCKS else []
    common += ["--size", sizes] if sizes else []
    commands = [[arguments.gpuopt, "check", str(source), *common, "--from", "ptx", "--allow-fallback"]]
    text = nvcc.compile(source) if arguments.nvcc else None
    if text:
        commands.append([arguments.gpuopt, "check", str(source), str(text), *common])
    return commands


def count_imports(files: list[pathlib.Path], nvcc: NVCC) -> None:
    """Prints how many kernels of nvcc's PTX are read, and why others are not."""
    reasons, read = collections.Counter(), 0
    texts = [text for text in map(nvcc.compile, files) if text]
    for text in texts:
        for name in re.findall(r"\.entry (\w+)", text.read_text(encoding="utf-8")):
            done = run([nvcc.arguments.gpuopt, "compile", str(text), "--no-opt", "--kernel", name, "--target",
                        nvcc.arguments.arch, "-o", str(nvcc.folder / "out.ptx")], seconds=120)
            if done.returncode == 0:
                read += 1
            else:
                reasons[re.sub(r"^\S*?:\d+:\d+: error: ", "", done.stderr.splitlines()[0])] += 1
    print(f"{len(texts)} of {len(files)} files compile with nvcc; "
          f"{read} of their {read + sum(reasons.values())} kernels are read")
    for reason, count in reasons.most_common():
        print(f"  {count:4} {reason}")


def compare(known: dict[str, tuple[pathlib.Path, str]], nvcc: NVCC) -> int:
    """Compares all kernels, prints what differs, and returns the exit code."""
    commands = [command for name, (source, sizes) in known.items()
                for command in comparisons(name, source, sizes, nvcc)]
    with concurrent.futures.ThreadPoolExecutor(nvcc.arguments.jobs) as pool:
        results = list(pool.map(run, commands))
    failed = [result for result in results if result.returncode]
    for result in failed:
        print(" ".join(result.args), result.stdout + result.stderr, sep="\n")
    print(f"compare-ptx: {len(results) - len(failed)} of {len(results)} comparisons of {len(known)} kernels are equal")
    return 1 if failed else 0


def main() -> int:
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        nvcc = NVCC(arguments, folder)
        if not arguments.imports:
            known = kernels()
            for name in set(arguments.kernel or []) - set(known):
                print(f"no kernel named '{name}' in examples and bench/kernels", file=sys.stderr)
                return 2
            return compare({name: known[name] for name in arguments.kernel or known}, nvcc)
        if not arguments.nvcc:
            print("compare-ptx: nvcc is not installed", file=sys.stderr)
            return 2
        count_imports([file for path in arguments.imports
                       for file in (sorted(path.rglob("*.cu")) if path.is_dir() else [path])], nvcc)
    return 0


if __name__ == "__main__":
    sys.exit(main())
