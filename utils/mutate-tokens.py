#!/usr/bin/env python3
"""Runs `gpuopt compile` and `gpuopt check` on sources with a few tokens changed, and tells where they misbehave.

A mutant is a file in which one to three tokens are deleted, doubled, swapped with a neighbour, or replaced by another of
the file or of the language. Whatever is in a file, gpuopt exits with 0 or 1, names a place in it, says one error, writes
its output whole or not at all and nothing else, proves nothing without an element, and ends in the time it is given. With
--nvcc it also is told where `compile` takes more than five times nvcc's time for the unchanged file.

Mutants lie beside their file while they run, so that it can include its headers (-I. is given).

  utils/mutate-tokens.py --gpuopt build/bin/gpuopt --seeds 0:1000 --keep /tmp/mutants bench/kernels/*.cu
"""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*'
                   r'|<<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|::|##|[^\s\w]')
WORDS = '''int float double char bool unsigned long short size_t half float4 int3 dim3 void const volatile static extern auto
struct union enum template typename class namespace using operator if else for while do switch case break continue return goto
new delete this sizeof throw try __global__ __device__ __host__ __shared__ __constant__ __restrict__ __syncthreads threadIdx
blockIdx blockDim gridDim warpSize .x .y .z atomicAdd __shfl_sync sqrtf nullptr true false inline constexpr
0 1 -1 2 31 32 1024 2147483647 4294967296 99999999999999999999 1e38f 0x 1.0f 0.0 "" 'a' ( ) [ ] { } < > ; , : :: ? + - * / %
& | ^ ~ ! = == != <= >= << >> && || ++ -- += -= *= /= . -> ... # ## @ $ ` \\ #pragma #include #define #if'''.split()
CRASH = re.compile(r'Stack dump|Assertion|PLEASE submit|LLVM ERROR|UNREACHABLE|fatal error: error in backend'
                   r'|terminate called|AddressSanitizer|runtime error|core dumped')
# Where an error is, or that it is of the file as a whole.
PLACE = re.compile(r"\.(?:cu|cuh|h|hpp|c):\d+:\d+: (?:fatal )?error|error: (?:no kernel found in this file|nested too)")
WHOLE = re.compile(r'\.version(?s:.*)[};"]\s*(?://.*\s*)?$')
SENTINEL = "what was here before\n"
MOST_ERRORS = 3
# Less than this is no hang, whatever nvcc takes.
MOST_SECONDS = 2
# How many times longer a program may take than it computes.
SLOWEST_MACHINE = 20


def mutate(text: str, choose: random.Random) -> str:
    """`text` with one to three changes."""
    for _ in range(choose.choice([1, 1, 1, 2, 3])):
        tokens = [match.span() for match in TOKEN.finditer(text)]
        if len(tokens) < 4:
            return text
        at = choose.randrange(len(tokens) - 1)
        (begin, end), (begin2, end2) = tokens[at], tokens[at + 1]
        kind = choose.randrange(5)
        if kind == 0:
            text = text[:begin] + text[end:]
        elif kind == 1:
            text = text[:end] + ' ' + text[begin:end] + text[end:]
        elif kind == 2:
            text = text[:begin] + text[begin2:end2] + text[end:begin2] + text[begin:end] + text[end2:]
        else:
            if kind == 3:
                other = choose.choice(tokens)
                word = text[other[0]:other[1]]
            else:
                word = choose.choice(WORDS)
            text = text[:begin] + ' ' + word + ' ' + text[end:]
    return text


def computed() -> float:
    """Seconds that the programs which have ended computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command: list[str], seconds: float, directory: str) -> tuple[int | str, str, str, float]:
    """Exit code, or `timeout`, standard output and error, and the seconds that it computed; others may share the machine."""
    start = computed()
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=SLOWEST_MACHINE * seconds,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds))))
        code, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        code, out, err = "timeout", late.stdout or b"", late.stderr or b""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        code = "timeout"
    return code, out.decode(errors="replace"), err.decode(errors="replace"), computed() - start


def faults(code: int | str, err: str) -> list[str]:
    """What is wrong with how a command ended."""
    found = []
    if code not in (0, 1):
        found.append(f"exit code {code}")
    if CRASH.search(err):
        found.append("crash: " + CRASH.search(err).group())
    if code == 1 and not PLACE.search(err):
        found.append("no place")
    if err.count("error:") > MOST_ERRORS and "kernel: " not in err:
        found.append("%d errors" % err.count("error:"))
    return found


class Trial:
    """Runs the commands on one mutant after the other."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.nvcc_seconds: dict[str, float] = {}
        self.counts = {"mutants": 0, "compiled": 0, "refused": 0, "misbehaved": 0}

    def gpuopt(self, command: str, name: str, limit: float, directory: str, *options: str):
        return run([self.arguments.gpuopt, command, name, "-I.", "--no-cache", *options], limit, directory)

    def compile(self, directory: str, name: str, path: str) -> tuple[bool, list[str], str]:
        """Whether it compiles, what is wrong with how, and what it says."""
        output = os.path.join(directory, name + ".ptx")
        with open(output, "w") as file:
            file.write(SENTINEL)
        before = set(os.listdir(directory))
        code, _, err, seconds = self.gpuopt("compile", name, self.arguments.limit, directory, "-o", name + ".ptx")
        found = faults(code, err)
        with open(output) as file:
            written = file.read()
        if code != 0 and written != SENTINEL:
            found.append("output of a failure")
        if code == 0 and not WHOLE.search(written):
            found.append("no whole output")
        left = set(os.listdir(directory)) - before
        if left:
            found.append("files left: " + " ".join(left))
        os.remove(output)
        if self.arguments.nvcc and seconds > MOST_SECONDS and path not in self.nvcc_seconds:
            command = [self.arguments.nvcc, "-ptx", "-I.", os.path.basename(path), "-o", "/dev/null"]
            code, _, _, needed = run(command, 60, directory)
            self.nvcc_seconds[path] = needed if code == 0 else float("inf")
        if seconds > 5 * self.nvcc_seconds.get(path, float("inf")):
            found.append("%.1f s, nvcc %.1f s" % (seconds, self.nvcc_seconds[path]))
        return code == 0, found, err

    def check(self, directory: str, name: str) -> tuple[list[str], str]:
        code, out, err, _ = self.gpuopt("check", name, self.arguments.check_limit, directory)
        found = faults(code, err)
        if code == 0 and not re.search(r"[1-9]\d* elements, (?:equal|within)", out):
            found.append("proof of nothing")
        if "FAILED" in out and not re.search("original kernel|not tuned for this launch", err + out):
            found.append("FAILED")
        if "no place" in found and re.search("FAILED|UNDEFINED", out):
            found.remove("no place")
        return found, err + out

    def try_seed(self, seed: int, files: list[str]):
        choose = random.Random(seed)
        path = choose.choice(files)
        directory = os.path.dirname(os.path.abspath(path))
        name = f"mutant-{seed}.cu"
        mutant = os.path.join(directory, name)
        with open(path) as file:
            text = mutate(file.read(), choose)
        with open(mutant, "w") as file:
            file.write(text)
        compiles, found, said = self.compile(directory, name, path)
        found = ["compile: " + fault for fault in found]
        if compiles:
            more, told = self.check(directory, name)
            found += ["check: " + fault for fault in more]
            said += told
        self.counts["mutants"] += 1
        self.counts["compiled" if compiles else "refused"] += 1
        if found:
            self.counts["misbehaved"] += 1
            print(f"seed {seed}, {path}: " + "; ".join(found), flush=True)
            if self.arguments.keep:
                os.makedirs(self.arguments.keep, exist_ok=True)
                shutil.copy(mutant, self.arguments.keep)
                with open(os.path.join(self.arguments.keep, name + ".txt"), "w") as file:
                    file.write(said)
        os.remove(mutant)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--gpuopt", default="build/bin/gpuopt")
    parser.add_argument("--seeds", default="0:100", help="FIRST:END")
    parser.add_argument("--limit", type=float, default=20, help="seconds for compile")
    parser.add_argument("--check-limit", type=float, default=120, help="seconds for check")
    parser.add_argument("--keep", help="a directory for what misbehaves")
    parser.add_argument("--nvcc", help="nvcc, to compare compile time with")
    arguments = parser.parse_args()
    arguments.gpuopt = os.path.abspath(arguments.gpuopt)
    trial = Trial(arguments)
    first, end = map(int, arguments.seeds.split(":"))
    for seed in range(first, end):
        trial.try_seed(seed, arguments.files)
        if (seed - first) % 100 == 99:
            print(trial.counts, flush=True)
    print(trial.counts)
    return trial.counts["misbehaved"] > 0


if __name__ == "__main__":
    sys.exit(main())
