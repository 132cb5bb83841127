# REQUIRES: python-bindings, numpy
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%gpuopt_build/python %venv_python %s %examples/unified.cu mv %t h=61,w=75 4575,75,61 3 96 float32
# RUN: env PYTHONPATH=%gpuopt_build/python %venv_python %s %S/../../bench/kernels/sh_t.cu sh_t %t h=64,w=96 6144,6144 6,4 16,16 uint32
"""PTX that records its own accesses tells the same of them as the executor, which watches the kernel."""

import json
import pathlib
import subprocess
import sys

import numpy as np

import gpuopt

source, kernel, folder, sizes, extents, grid, block, dtype = sys.argv[1:]
folder = pathlib.Path(folder)
plain, traced, records = folder / f"{kernel}.ptx", folder / f"{kernel}.trace.ptx", folder / f"{kernel}.npy"


def run(*words):
    return subprocess.run(["gpuopt", *map(str, words)], check=True, capture_output=True, text=True).stdout


scalars = [int(size.split("=")[1]) for size in sizes.split(",")]
extents = [int(extent) for extent in extents.split(",")]
run("compile", source, "--kernel", kernel, "--no-opt", "-o", plain)
run("instrument", plain, "-o", traced)

# What a host program does on a GPU: room for the records behind 64 words, of which the second says how many there may be.
ROOM = 200_000
buffer = np.zeros(64 + 3 * ROOM, np.uint64)
buffer[1] = ROOM
module = gpuopt.compile(str(traced), optimize=False)
shape = [tuple(map(int, dims.split(","))) for dims in (grid, block)]
# PTX says of elements that are only copied how many bits they have.
arrays = [np.ones(extent, dtype) for extent in extents]
list(module)[0][tuple(shape)](*arrays, *scalars, buffer)
np.save(records, buffer)

names = [f"param_{number}" for number in range(len(extents) + len(scalars))]
given = ",".join(f"{name}={value}" for name, value in zip(names, extents + scalars))
run("profile", plain, "--grid", grid, "--block", block, "--size", given, "--json", folder / "watched.json")
run("profile", plain, "--records", records, "--json", folder / "recorded.json")


def accesses(path):
    """What is told of each access, without names of workgroup arrays: addresses do not tell them."""
    told = json.loads((folder / path).read_text())[0]["accesses"]
    return [{key: value for key, value in access.items()
             if access["space"] == "global" or key not in ("array", "suggestions")} for access in told]


watched, recorded = accesses("watched.json"), accesses("recorded.json")
assert len(watched) == len(recorded) > 1
for one, other in zip(watched, recorded):
    assert one == other, (one, other)
print(len(watched), "accesses")
