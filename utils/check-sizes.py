#!/usr/bin/env python3
"""Checks kernels at many sizes for many targets: `gpuopt check`, compiled once for each kernel and target.

Every kernel of the file is checked at the sizes of a JSON file and at random
ones: 1, powers of two and their neighbours, primes, sizes below one tile, anything. A seed gives the same sizes
always. What was checked with the same tool and sizes before is skipped where --state names a file to remember it.

  check-sizes.py                                          all kernels, all targets, 200 random sizes each
  check-sizes.py --kernels mm tp --targets sm_90 --random 10
  check-sizes.py --state sizes.state                      again after an interruption: goes on
  check-sizes.py --list                                   print the sizes, run nothing
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["sm_70", "sm_80", "sm_90", "gfx90a", "gfx942", "nvidia-gtx285", "nvidia-gtx480", "amd-hd5870"]
PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 53, 61, 67, 71, 97, 101, 113, 127, 131, 191, 193, 251, 257]
# Work items (with the iterations of their loops) that one check may have: a check is to take less than a second.
MOST_WORK = 1 << 21
# Extents of filters and the like stay small: loops over them are nested.
SMALL = {"kh", "kw", "r"}


def random_extent(generator, limit):
    """A number from 1 to `limit`, of the kinds at which tiles and guards go wrong."""
    kind = generator.randrange(6)
    if kind == 0:
        return generator.randint(1, min(limit, 16))
    if kind == 1:
        power = 1 << generator.randrange(limit.bit_length())
        return max(1, min(limit, power + generator.choice([-1, 0, 1])))
    if kind == 2:
        return generator.choice([prime for prime in PRIMES if prime <= limit] or [1])
    if kind == 3:
        return max(1, min(limit, 16 * generator.randint(1, max(1, limit // 16))))
    if kind == 4:
        return 1
    return generator.randint(1, limit)


def random_sizes(names, count, seed):
    """`count` assignments of `names`, which the seed and the names decide."""
    generator = random.Random(f"{seed} {' '.join(names)}")
    # A kernel of two extents has that many work items, one of three mostly that many iterations.
    limit = 5000 if len(names) == 1 else 300
    sizes = []
    while len(sizes) < count:
        values = [random_extent(generator, 9 if name in SMALL else limit) for name in names]
        work = 1
        for value in values:
            work *= value
        if work <= MOST_WORK:
            sizes.append(",".join(f"{name}={value}" for name, value in zip(names, values)))
    return sizes


def kernels_of(source):
    """Names and integer parameters of the kernels in `source`."""
    kernels = {}
    for match in re.finditer(r"__global__\s+void\s+(\w+)\s*\(([^)]*)\)", source):
        name, parameters = match.groups()
        kernels[name] = re.findall(r"\b(?:int|unsigned|long|size_t)\s+(\w+)\s*(?:,|$)", parameters)
    return kernels


def run(job, arguments):
    """Checks one kernel for one target at all sizes; returns what went wrong, and at how many nothing tuned ran."""
    kernel, target, sizes = job
    command = [arguments.gpuopt, "check", arguments.file, "--kernel", kernel, "--target", target, "--sizes", "-",
               "--allow-fallback"]
    try:
        process = subprocess.run(command, input="\n".join(sizes) + "\n", capture_output=True, text=True, check=False,
                                 timeout=arguments.timeout)
    except subprocess.TimeoutExpired:
        return f"{kernel} for {target}: more than {arguments.timeout} seconds for {len(sizes)} sizes\n", 0
    fallbacks = process.stdout.count("  passed: not tuned for this launch")
    if process.returncode == 0 and process.stdout.count("  passed") == len(sizes) and not process.stderr:
        # A kernel that never ran tuned has not been checked.
        return "" if fallbacks < len(sizes) else f"{kernel} for {target}: tuned for none of the {len(sizes)} sizes\n", fallbacks
    # What each failing size printed: from its line to the next one's.
    parts = re.split(r"^(?=\w+=[-\d.]+(?:,\w+=[-\d.]+)*$)", process.stdout, flags=re.MULTILINE)
    failing = [part for part in parts if part.strip() and "  passed" not in part]
    shown = "".join(failing[:5]) + (f"… and {len(failing) - 5} more sizes\n" if len(failing) > 5 else "")
    return f"{' '.join(command)}: exit {process.returncode}\n{shown}{process.stderr}", fallbacks


def key_of(job, arguments):
    """What a remembered success depends on: the tool, the source and the sizes."""
    digest = hashlib.sha256()
    for path in [arguments.gpuopt, arguments.file]:
        digest.update(pathlib.Path(path).read_bytes())
    digest.update(json.dumps(job).encode())
    return digest.hexdigest()


def plan(arguments):
    """The jobs: kernel, target, sizes."""
    known = json.loads(pathlib.Path(arguments.sizes).read_text(encoding="utf-8"))
    kernels = kernels_of(pathlib.Path(arguments.file).read_text(encoding="utf-8"))
    unknown = [name for name in arguments.kernels or [] if name not in kernels]
    if unknown:
        sys.exit(f"check-sizes.py: no kernel '{unknown[0]}' in {arguments.file}")
    jobs = []
    for name in arguments.kernels or kernels:
        sizes = known.get(name, {}).get("check", []) + random_sizes(kernels[name], arguments.random, arguments.seed)
        jobs += [(name, target, sizes) for target in arguments.targets]
    return jobs


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default=str(ROOT / "examples" / "unified.cu"), help="the kernels")
    parser.add_argument("--sizes", default=str(ROOT / "examples" / "sizes.json"), help="sizes that are always checked")
    parser.add_argument("--kernels", nargs="+", metavar="NAME", help="only these (default: all)")
    parser.add_argument("--targets", nargs="+", metavar="T", default=TARGETS, help=f"default: {' '.join(TARGETS)}")
    parser.add_argument("--random", type=int, default=200, metavar="N", help="random sizes for a kernel (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the random sizes (default: 1)")
    parser.add_argument("--gpuopt", default=str(ROOT / "build" / "bin" / "gpuopt"), help="the tool")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time (default: one for each core)")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one kernel and target")
    parser.add_argument("--state", help="file that remembers what has passed")
    parser.add_argument("--list", action="store_true", help="print the sizes, run nothing")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    jobs = plan(arguments)
    if arguments.list:
        for kernel, target, sizes in jobs:
            print("\n".join(f"{kernel} {target} {size}" for size in sizes))
        return 0
    keys = [key_of(job, arguments) if arguments.state else "" for job in jobs]
    state = pathlib.Path(arguments.state) if arguments.state else None
    passed = set(state.read_text(encoding="utf-8").split()) if state and state.exists() else set()
    pending = [(job, key) for job, key in zip(jobs, keys) if key not in passed or not key]
    print(f"{len(jobs)} kernels for targets, {len(jobs) - len(pending)} passed before", flush=True)
    failures, untuned, start = 0, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = {pool.submit(run, job, arguments): (job, key) for job, key in pending}
        for done, future in enumerate(concurrent.futures.as_completed(results), 1):
            (kernel, target, sizes), key = results[future]
            problem, fallbacks = future.result()
            failures += bool(problem)
            untuned += fallbacks
            print(f"[{done}/{len(pending)}, {time.monotonic() - start:.0f} s] {kernel} for {target}: {len(sizes)} sizes "
                  + ("FAILED\n" + problem if problem else "passed")
                  + (f", {fallbacks} of them not tuned" if fallbacks else ""), flush=True)
            if state and not problem:
                with state.open("a", encoding="utf-8") as file:
                    file.write(key + "\n")
    print(f"{untuned} launches were not tuned")
    print(f"{failures} of {len(pending)} failed" if failures else "all passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
