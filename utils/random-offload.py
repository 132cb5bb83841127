#!/usr/bin/env python3
"""Random programs with parallel loops, offloaded by `gpuopt offload`, against themselves as they are written.

The device has memory of its own: by default copies of sections of arrays, each as large as its section, under the
AddressSanitizer (offloadfuzz/device.py), so that thousands of programs take minutes; with --executor the CPU executor, by
`gpuopt cc -fopenacc`. Each program runs with all sections on the device, and with a random choice of them.

  random-offload.py --seeds 0:2000                          check 2000 programs; exit 1 if any fails
  random-offload.py --seeds 0:20000 --state offload.state   go on where the last run with the same tool has stopped
  random-offload.py --seeds 7 --show                        print program 7, offloaded
  random-offload.py --seeds 0:2000 --plain                  programs without directives
  random-offload.py --seeds 0:20 --executor                 kernels on the CPU executor
  random-offload.py --seeds 0:2000 --threads 3              the host with so many threads
"""

import argparse
import collections
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from kernelfuzz import campaign
from offloadfuzz import device, generate

PROGRAMS_IN_FILE = 40
# Of functions, by the begins of their names: arrays, and scalars.
ARRAYS, SCALARS = generate.POINTERS + generate.MATRICES + generate.STRUCTURES + (generate.MASK, generate.BOX), generate.SIZES + ("t", "c", "u")
NAMES = {"program": (ARRAYS + (generate.LOCAL,), SCALARS + ("sum", "l", "x")), "piece": (ARRAYS, SCALARS + ("step",))}
# Decisions of the runtime, and options of the tool.
DECISIONS = ("always", "random:1", "random:2")
VARIANTS = ((), ("--no-hoist", "--move-declarations"), ("--no-hoist", "--no-reuse", "--no-keep"))


def run(command, **settings):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **settings)


def succeed(command):
    done = run(command)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr[:2000]}")
    return done


def text_of(seeds, arguments):
    # Pointers to one place would be races of the host's threads.
    return generate.file_of([generate.Program(seed, not arguments.plain, arguments.threads == 1) for seed in seeds])


class Checker:
    """Builds and runs the programs of a file, as they are and offloaded."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, pathlib.Path(folder)

    def path(self, name):
        return self.folder / name

    def offload(self, source, target, options):
        dialect = "acc" if self.arguments.executor else "omp"
        said = succeed([self.arguments.tool, "offload", "--dialect", dialect, *options, source, "-o", target]).stderr
        return tuple(map(int, re.search(r"(\d+) of (\d+) parallel loops", said).groups()))

    def build(self, source, program):
        if self.arguments.executor:
            return succeed([self.arguments.tool, "cc", "-fopenacc", "-O1", "-w", source, "-o", program])
        text = device.simulate(source.read_text(), NAMES)
        source.write_text(text)
        library = pathlib.Path(self.arguments.tool).parent.parent / "lib" / "libgpuopt_offload.a"
        # A weak reference takes nothing from an archive.
        threads = ["-fopenmp"] if self.arguments.threads > 1 else []
        return succeed([self.arguments.compiler, "-w", "-g", "-fsanitize=address", *threads, source,
                        "-Wl,-u,gpuopt_offload_decide", library, "-lstdc++", "-o", program])

    def lines_of(self, program, decision):
        done = run([program], env={**os.environ, "GPUOPT_OFFLOAD": decision, "GPUOPT_DEVICE": "cpu",
                                   "OMP_NUM_THREADS": str(self.arguments.threads), "OMP_WAIT_POLICY": "passive",
                                   "ASAN_OPTIONS": "detect_leaks=0"})
        status = f"exit status {done.returncode}\n" if done.returncode else ""
        return done.stdout.splitlines(), status + done.stderr

    def failures_of(self, expected, program, what):
        """Of each program that fails, its seed and what is wrong."""
        for decision in DECISIONS:
            lines, said = self.lines_of(program, decision)
            if said.startswith("exit status") or not lines:
                seed = int(expected[min(len(lines), len(expected)) - 1].split()[0])
                yield seed, f"{what} {decision}: behind {lines[-1:]}\n{said[:2000]}"
            for line, right in zip(lines, expected):
                if line != right:
                    yield int(right.split()[0]), f"{what} {decision}: '{line}', expected '{right}'\n{said[:2000]}"
            if len(lines) < len(expected) and lines[-1:] == expected[len(lines) - 1:len(lines)]:
                yield int(expected[len(lines)].split()[0]), f"{what} {decision}: ends early\n{said[:2000]}"

    def check(self, seeds):
        """Counts of loops and of those offloaded, and the failures."""
        source = self.path("programs.c")
        source.write_text(text_of(seeds, self.arguments))
        plain = self.path("plain")
        succeed([self.arguments.compiler, "-w", source, "-o", plain])
        expected, said = self.lines_of(plain, "never")
        if said:
            raise RuntimeError(f"the programs as they are: {said}")
        counts, failures = collections.Counter(programs=len(seeds)), {}
        for number, options in enumerate(VARIANTS):
            target, program = self.path(f"offloaded{number}.c"), self.path(f"offloaded{number}")
            offloaded, loops = self.offload(source, target, options)
            counts.update(offloaded=offloaded, loops=loops)
            self.build(target, program)
            for seed, text in self.failures_of(expected, program, " ".join(options)):
                failures.setdefault(seed, text)
        return counts, sorted(failures.items())


def check_seeds(seeds, arguments):
    try:
        with tempfile.TemporaryDirectory() as folder:
            counts, failures = Checker(arguments, folder).check(seeds)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        if len(seeds) == 1:
            return seeds, collections.Counter(programs=1), [(seeds[0], str(error)[:2000])]
        # One of them prevents the others: each half without the other.
        counts, failures = collections.Counter(), []
        for half in (seeds[:len(seeds) // 2], seeds[len(seeds) // 2:]):
            _, more, failed = check_seeds(half, arguments)
            counts.update(more)
            failures += failed
    return seeds, counts, failures


def show(seeds, arguments):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "program.c"
        source.write_text(text_of(seeds, arguments))
        print(run([arguments.tool, "offload", source]).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="0:200", help="FIRST:END, or one seed")
    parser.add_argument("--tool", default=shutil.which("gpuopt"), help="gpuopt")
    parser.add_argument("--compiler", default="gcc", help="a compiler with an AddressSanitizer (default: gcc)")
    parser.add_argument("--executor", action="store_true", help="run kernels on the CPU executor")
    parser.add_argument("--threads", type=int, default=1, help="of the host; more than one without pointers that overlap")
    parser.add_argument("--plain", action="store_true", help="programs without directives, whose loops may be sequential")
    parser.add_argument("--text", action="store_true", help="print the programs, run nothing")
    parser.add_argument("--show", action="store_true", help="print the programs as they are offloaded, run nothing")
    parser.add_argument("--state", help="file that remembers what has passed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if not arguments.tool:
        parser.error("gpuopt is not on the PATH; name it with --tool")
    arguments.tool = os.path.abspath(arguments.tool)
    seeds = campaign.seeds_of(arguments.seeds)
    if arguments.text:
        print(text_of(seeds, arguments))
        return 0
    if arguments.show:
        show(seeds, arguments)
        return 0
    version = campaign.version_of(arguments.tool, pathlib.Path(generate.__file__).parent, f"{arguments.executor} {arguments.plain} {arguments.threads}")
    counts, failed, begin = collections.Counter(), 0, time.monotonic()
    for more, failures in campaign.results_of(functools.partial(check_seeds, arguments=arguments), seeds,
                                              campaign.State(arguments.state, version), arguments.jobs,
                                              PROGRAMS_IN_FILE):
        counts.update(more)
        failed += len(failures)
        for seed, text in failures:
            print(f"seed {seed}: {text}", flush=True)
    print(f"{counts['programs'] - failed} of {counts['programs']} programs passed; {counts['offloaded']} of "
          f"{counts['loops']} loops offloaded; {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
