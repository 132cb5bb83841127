"""Emits kernels as source, reads them again, and compares what both compute.

  round_trip.py SOURCE TARGET DIRECTORY (KERNEL SIZES ITEMS ARRAYS)...

SIZES are those of the scalar parameters (m=33,n=67), ITEMS the work items in x
and y (67,33), ARRAYS the numbers of elements of the arrays (a=2211). The
untouched import of the emitted kernel runs with the launch that the report
gives; all arrays must be close to those of the original.
"""

import array
import ast
import json
import pathlib
import subprocess
import sys


def load(path):
    """The elements of a NumPy file of 32-bit floats or integers."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10 : 10 + length].decode())
    elements = array.array({"<f4": "f", "<i4": "i"}[header["descr"]])
    elements.frombytes(data[10 + length :])
    return elements


def gpuopt(*arguments):
    result = subprocess.run(["gpuopt", *arguments], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"gpuopt {' '.join(arguments)}:\n{result.stdout}{result.stderr}")


def run(source, kernel, directory, *arguments):
    gpuopt("check", str(source), "--kernel", kernel, "--no-opt", "--no-races",
           "--output-dir", str(directory), *arguments)


def check(source, target, work, kernel, sizes, items, arrays):
    emitted = work / f"{kernel}.{'hip' if target.startswith('gfx') else 'cu'}"
    report = work / f"{kernel}.json"
    language = "hip" if emitted.suffix == ".hip" else "cuda"
    gpuopt("compile", source, "--kernel", kernel, "--target", target, "--emit", language,
           "-o", str(emitted), "--report", str(report))
    text = json.loads(report.read_text())
    launch = (text if isinstance(text, list) else text.get("kernels", [text]))[0]["launch"]
    extents = [int(count) for count in items.split(",")] + [1, 1]
    grid = [-(-extents[dim] // launch["items_per_block"][dim]) for dim in range(3)]
    original, again = work / f"{kernel}.original", work / f"{kernel}.emitted"
    run(source, kernel, original, "--target", target, "--size", sizes)
    run(emitted, kernel, again, "--target", target, "--size", f"{sizes},{arrays}",
        "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, launch["block"])))
    for name in (entry.split("=")[0] for entry in arrays.split(",")):
        expected, found = load(original / f"{name}.npy"), load(again / f"{name}.npy")
        assert len(expected) == len(found), f"{kernel}: {name} has another length"
        for position, (x, y) in enumerate(zip(expected, found)):
            assert abs(x - y) <= 1e-6 + 1e-5 * abs(x), f"{kernel}: {name}[{position}] is {y}, not {x}"
    print(f"{kernel} for {target}: equal")


def main():
    source, target, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    rest = sys.argv[4:]
    for begin in range(0, len(rest), 4):
        check(source, target, work, *rest[begin : begin + 4])


main()
