#!/usr/bin/env python3
"""What programs move between host and device when `gpuopt offload` offloads them, with its optimisations and without.

Each program is offloaded, built by a compiler that knows no device, and run with every section on the "device", which is
the host then: the log of the decisions has the bytes. What it prints is compared with what it prints as it is written.

  offload-bytes.py heat.c                          one line of a table for each program
  offload-bytes.py --flags "-I util util/p.c -lm" a.c b.c
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BYTES = re.compile(r"(\d+) bytes in, (\d+) out")
# For the preprocessor, and so for gpuopt.
IS_FOR_TOOL = re.compile(r"-[IDU]")


def run(command, **settings):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **settings)


class Program:
    """One file, built in several ways."""

    def __init__(self, source, arguments, folder):
        self.source, self.arguments, self.folder = source, arguments, pathlib.Path(folder)
        self.flags = shlex.split(arguments.flags)

    def build_and_run(self, source, library):
        program = self.folder / "program"
        built = run([self.arguments.compiler, "-w", "-fopenmp", "-O1", "-I", self.source.parent, source, *library,
                     *self.flags, "-o", program])
        if built.returncode:
            raise RuntimeError(built.stderr[:1000])
        log = self.folder / "log"
        log.write_text("")
        done = run([program, *self.arguments.argument],
                   env={**os.environ, "OMP_NUM_THREADS": "1", "GPUOPT_OFFLOAD": "always",
                        "GPUOPT_OFFLOAD_LOG": str(log)})
        moved = sum(int(into) + int(out) for into, out in BYTES.findall(log.read_text()))
        return done.stdout + done.stderr, moved

    def offload(self, options):
        target = self.folder / "offloaded.c"
        for_tool = [flag for flag in self.flags if IS_FOR_TOOL.match(flag)]
        said = run([self.arguments.tool, "offload", *options, *for_tool, "-I", self.source.parent, self.source, "-o",
                    target])
        counts = re.search(r"(\d+) of (\d+) parallel loops", said.stderr)
        if not counts:
            raise RuntimeError(said.stderr[:1000])
        return target, int(counts[1]), int(counts[2])

    def line(self):
        folder = pathlib.Path(self.arguments.tool).parent.parent / "lib"
        # A weak reference takes nothing from an archive.
        library = ["-Wl,-u,gpuopt_offload_decide", folder / "libgpuopt_offload.a", "-lstdc++"]
        expected, _ = self.build_and_run(self.source, [])
        moved, is_equal = [], True
        for options in (["--no-hoist", "--no-reuse", "--no-keep"], []):
            target, offloaded, loops = self.offload(options)
            said, bytes_moved = self.build_and_run(target, library)
            is_equal &= said == expected
            moved.append(bytes_moved)
        ratio = f"{moved[0] / moved[1]:.1f}" if moved[1] else "-"
        return f"| {self.source.stem} | {offloaded} of {loops} | {moved[0]} | {moved[1]} | {ratio} | " \
               f"{'yes' if is_equal else 'NO'} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--tool", default=shutil.which("gpuopt"), help="gpuopt")
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--flags", default="", help="what the compiler needs beside the program")
    parser.add_argument("--argument", action="append", default=[], help="of the programs; repeat for several")
    arguments = parser.parse_args()
    if not arguments.tool:
        parser.error("gpuopt is not on the PATH; name it with --tool")
    print("| program | loops offloaded | bytes, each loop alone | bytes, kept on the device | ratio | equal |")
    print("|---|---|---|---|---|---|")
    failed = False
    for source in arguments.programs:
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(Program(source, arguments, folder).line(), flush=True)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed = True
                print(f"| {source.stem} | {str(error).splitlines()[0][:100]} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
