"""Profiles kernels from their source and from PTX of it, and compares which accesses are uncoalesced:
table_from_ptx.py SOURCE.cu FILE.ptx KERNEL:NAME=SIZE,…:GRID:BLOCK…"""
import json
import re
import subprocess
import sys


def profile(*words):
    report = subprocess.run(["gpuopt", "profile", *words, "--json", "-"], check=True, capture_output=True).stdout
    (kernel,) = json.loads(report)
    return [access for access in kernel["accesses"] if access["space"] == "global"]


def uncoalesced(accesses, names):
    """Of each access that is: its line, what it does to which parameter, its stride in bytes, and how often."""
    return sorted((re.search(r":(\d+):\d+$", access["location"])[1], access["kind"],
                   names.get(access["array"], access["array"]), access["algorithm1"]["stride_bytes"]["max"],
                   access["executions"]) for access in accesses if not access["algorithm1"]["coalesced"])


source, text, *kernels = sys.argv[1:]
total = 0
for kernel, sizes, grid, block in (entry.split(":") for entry in kernels):
    (parameters,) = re.findall(rf"void {kernel}\(([^)]*)\)", open(source, encoding="utf-8").read())
    names = {f"param_{number}": re.search(r"\w+$", parameter)[0]
             for number, parameter in enumerate(parameters.split(","))}
    numbers = {name: number for number, name in names.items()}
    launch = ["--kernel", kernel, "--grid", grid, "--block", block, "--size"]
    renamed = ",".join(f"{numbers[name]}={size}" for name, size in (size.split("=") for size in sizes.split(",")))
    expected = uncoalesced(profile(source, *launch, sizes), {})
    found = uncoalesced(profile(text, *launch, renamed), names)
    # What the kernel has stored itself, compilers keep in registers and do not load again.
    stored = {access[2] for access in expected if access[1] == "store"}
    kept = [access for access in expected if access[:-1] not in [other[:-1] for other in found]]
    # Compilers may give two accesses of a line one place.
    for access in found:
        assert any(access[:-1] == other[:-1] and access[-1] % other[-1] == 0 for other in expected), (access, expected)
    assert all(access[1] == "load" and access[2] in stored for access in kept), (kernel, kept)
    total += len(found)
print(len(kernels), "kernels,", total, "uncoalesced accesses")
