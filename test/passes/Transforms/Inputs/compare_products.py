#!/usr/bin/env python3
"""Runs versions of a matrix product, lowered, in the CPU executor and compares.

    compare_products.py --rows M --columns N --depths K,… NAIVE.ll TUNED.ll[:SUBGROUP]…

Each tuned version has to give the naive one's result bit by bit for each depth, without races,
accesses out of bounds or barriers that not all threads reach. Blocks are 16 x 16.
"""

import argparse
import subprocess
import sys


def run(spec: str, m: int, n: int, k: int) -> str:
    file, _, subgroup = spec.partition(":")
    command = ["gpuopt-run-ll", file, "--kernel", "mm", "--block", "16,16", "--races"]
    command += ["--grid", f"{-(-n // 16)},{-(-m // 16)}", "--subgroup", subgroup or "32"]
    for elements, contents in ((m * k, "rand"), (k * n, "rand"), (m * n, "zero")):
        command += ["--arg", f"f32[{max(elements, 1)}]={contents}"]
    for size in (m, n, k):
        command += ["--arg", f"i32={size}"]
    done = subprocess.run(command + ["--print", "2"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{spec}, k = {k}: {done.stdout[-2000:]}{done.stderr}")
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--columns", type=int, required=True)
    parser.add_argument("--depths", required=True)
    parser.add_argument("naive")
    parser.add_argument("tuned", nargs="+")
    options = parser.parse_args()
    for depth in map(int, options.depths.split(",")):
        wanted = run(options.naive, options.rows, options.columns, depth)
        for spec in options.tuned:
            if run(spec, options.rows, options.columns, depth) != wanted:
                sys.exit(f"{spec} differs for k = {depth}")


main()
