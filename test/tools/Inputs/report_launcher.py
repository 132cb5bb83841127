"""Launches from the report alone, and compares with what gpuopt launches.

  report_launcher.py SOURCE TARGET KERNEL SIZES GRID BLOCK [KERNEL SIZES GRID BLOCK]...

The report is made once, without sizes. `gpuopt check` says which launch it has
made of each original one, and whether it took the fallback.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


def evaluate(text, names):
    """An expression of the report: exact, and `/` rounds down."""
    functions = {"max": max, "min": min}

    def word(match):
        return match[0] if match[0] in functions and match[2] else f"names[{match[1]!r}]"

    python = re.sub(r"([A-Za-z_]\w*(?:\.[xyz])?)(?=(\()?)", word, text)
    python = python.replace("||", " or ").replace("&&", " and ").replace("/", "//")
    return eval(python, {"names": names, **functions})  # The report is gpuopt's own.


def launch(kernel, sizes, grid, block):
    """What to launch in the place of the original; nothing for the fallback."""
    arithmetic = kernel["launch"]["arithmetic"]
    names = dict(sizes)
    # Arrays that lie apart, aligned as allocations are.
    for number, parameter in enumerate(kernel["parameters"]):
        if parameter["kind"] == "array":
            names[parameter["name"]] = (number + 1) << 48
    for axis, blocks, threads in zip("xyz", grid, block):
        names[f"grid.{axis}"], names[f"block.{axis}"] = blocks, threads
    for axis, items in zip("xyz", arithmetic["items"]):
        names[f"items.{axis}"] = evaluate(items, names)
    if not all(evaluate(condition, names) for condition in arithmetic["conditions"]):
        return None
    return tuple([evaluate(text, names) for text in arithmetic[what]] for what in ("grid", "block"))


def problem_launch(kernel, sizes):
    """A launch of the original for all that there is to do."""
    problem = kernel["launch"]["arithmetic"]["problem"]
    return [evaluate(text, sizes) for text in problem["grid"]], problem["block"]


def gpuopt(*arguments):
    result = subprocess.run(["gpuopt", *map(str, arguments)], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"gpuopt {' '.join(map(str, arguments))}:\n{result.stdout}{result.stderr}")


def main():
    source, target, *cases = sys.argv[1:]
    report = pathlib.Path(tempfile.mkdtemp()) / "report.json"
    gpuopt("compile", source, "--target", target, "--report", report, "-o", "/dev/null")
    kernels = {kernel["kernel"]: kernel for kernel in json.loads(report.read_text())}
    for name, size, grid, block in zip(*[iter(cases)] * 4):
        kernel = kernels[name]
        given = dict((key, int(value)) for key, value in (part.split("=") for part in size.split(",")))
        sizes = {p["name"]: given[p["name"]] for p in kernel["parameters"] if p["kind"] == "number"}
        if grid == "problem":
            grid, block = problem_launch(kernel, sizes)
        else:
            grid, block = [([int(n) for n in text.split("x")] + [1, 1])[:3] for text in (grid, block)]
        found = launch(kernel, sizes, grid, block)
        gpuopt("check", source, "--target", target, "--kernel", name, "--size", size, "--no-races", "--allow-fallback", "--report", report,
               "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block)))
        check = json.loads(report.read_text())[0]["check"]
        made = None if check["used_fallback"] else (check["tuned"]["grid"], check["tuned"]["block"])
        if found != made:
            sys.exit(f"{name} {size} {grid} {block}: by the report {found}, by gpuopt {made}")
        shape = lambda dims: "x".join(map(str, dims))
        print(f"{name} {size}:", f"{shape(found[0])} blocks of {shape(found[1])}" if found else "original")


if __name__ == "__main__":
    main()
