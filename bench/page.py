"""docs/performance.md, a function of the files in bench/results alone."""

import json
import math
import pathlib
import statistics

import results

COMPILE_GOAL = 0.5
HEAD = """# Performance

<!-- made by python3 bench/run.py --page; do not edit -->

"""
BUNDLE = """With a GPU (AMD: `--target gfx942` and so on, through HIP):

```
python3 bench/run.py --build B   # where gpuopt and, for nvcc, clang and CUB, a CUDA SDK are
python3 B/run.py --run B         # where the GPU is; nothing of ours is needed
```
"""


def newest(directory: pathlib.Path, wanted) -> tuple[pathlib.Path, dict] | None:
    for path in sorted(directory.glob("*.json"), reverse=True):
        results = json.loads(path.read_text())
        if wanted(results):
            return path, results
    return None


def compile_section(found: dict) -> str:
    rows, means = found["compile_time"], []
    names = sorted({name for row in rows for name in row["ratios"]})
    for name in names:
        ratios = [row["ratios"][name] for row in rows if name in row["ratios"]]
        means.append(f"**{statistics.geometric_mean(ratios):.2f}** of `{name}` "
                     f"(geometric mean over {len(ratios)} files)")
    text = (f"Time of `gpuopt compile`: {', '.join(means) or 'no other compiler was there'}; "
            f"{found['date']}, {found['machine']}, ratios by the median of {found['runs']} "
            "interleaved pairs per file. " + found.get("note", "") + "\n\n")
    split = [row["phases"] for row in rows if row.get("phases")]
    if split:
        total = sum(sum(parts.values()) for parts in split)
        text += "Where it goes, its parts run alone: " + ", ".join(
            f"{name} {100 * sum(parts[name] for parts in split) / total:.0f} %"
            for name in split[0]) + ".\n\n"

    def milliseconds(row: dict, name: str) -> str:
        return f"{1000 * row['seconds'][name]:.0f}" if name in row["seconds"] else "fails"

    return text + results.table(["file", "gpuopt, ms", *(f"{name}, ms" for name in names),
                         *(f"gpuopt / {name}" for name in names)],
                        [[f"`{row['file']}`", milliseconds(row, "gpuopt"),
                          *(milliseconds(row, name) for name in names),
                          *(f"{row['ratios'][name]:.2f}" if name in row["ratios"] else "–"
                            for name in names)] for row in rows])


def counts_section(found: dict) -> str:
    columns = ["sectors_per_item", "dram_bytes_per_item", "bank_conflict_degree", "registers", "spill_bytes",
               "multiply_adds", "instructions"]

    def cell(value) -> str:
        if value is None:
            return "–"
        return f"{value:.4g}" if isinstance(value, float) and not math.isnan(value) else str(value)

    return f"{found['date']}: {found['counts']['said']}.\n\n" + results.table(
        ["kernel", *(column.replace("_", " ") for column in columns)],
        [[f"`{name}`", *(cell(row.get(column)) for column in columns)]
         for name, row in sorted(found["counts"]["kernels"].items())])


def slower_files(found: dict) -> str:
    """Files that nvcc compiles in less time, and where gpuopt's goes for them."""
    rows = [row for row in found["compile_time"] if row["ratios"].get("nvcc", 0) > 1]
    ratios = [row["ratios"]["nvcc"] for row in found["compile_time"] if "nvcc" in row["ratios"]]
    if not ratios:
        return ""
    mean = statistics.geometric_mean(ratios)
    text = (f"* Compile time: {mean:.2f} of nvcc's, the goal is {COMPILE_GOAL}. "
            if mean > COMPILE_GOAL else
            f"* Compile time: the goal, {COMPILE_GOAL} of nvcc's, is met with {mean:.2f}. ")
    if rows:
        parts = [row["phases"] for row in rows if row.get("phases")]
        total = sum(sum(part.values()) for part in parts) or 1
        shares = ", ".join(f"{name} {100 * sum(part[name] for part in parts) / total:.0f} %"
                           for name in (parts[0] if parts else {}))
        text += (f"nvcc takes less for {len(rows)} of {len(ratios)} files, of kernels whose threads "
                 "are merged, tiles loaded ahead and guards versioned: their code is many times "
                 f"that of the source ({shares}).")
    return text + "\n"


def poor_counts(found: dict) -> str:
    kernels = found["counts"]["kernels"]
    spilling = [name for name, row in kernels.items() if row.get("spill_bytes")]
    conflicting = [name for name, row in kernels.items()
                   if (row.get("bank_conflict_degree") or 0) > 1]
    return (f"* Counts: {results.names(spilling) or 'no kernel'} spills; workgroup memory conflicts "
            f"in {results.names(conflicting) or 'none'}.\n")


def slower_kernels(found: dict) -> str:
    """Cases in which something else was faster than what gpuopt chose."""
    text = ""
    for case in found["cases"]:
        ours = results.default(case)
        other = results.fastest(case, *results.NAIVE, *results.LIBRARIES, "triton", "torch")
        if ours and other and other[1] < ours[1] and other[0] != "copy":
            limit = f"{100 * case['floor_seconds'] / ours[1]:.0f} % of the floor, " \
                if "floor_seconds" in case else ""
            text += (f"* `{case['id']}`: {limit}{other[0]} takes {other[1] / ours[1]:.2f} of the "
                     "time.\n")
    return text


def dry_section(path: pathlib.Path, found: dict) -> str:
    """What a dry run has shown, by variant."""
    rows: dict[str, dict[str, int]] = {}
    for case in found["cases"]:
        for name, entry in case["variants"].items():
            row = rows.setdefault(kind_of(name), dict.fromkeys(("right", "wrong", "failed",
                                                                "absent", "elements"), 0))
            row[entry["status"]] += 1
            row["elements"] += entry.get("compared", 0) if entry["status"] == "right" else 0
    said = ", ".join(f"{number} {state}" for state, number in results.counts(found).items())
    return (f"The dry run of {found['date']} ([{path.name}](../bench/results/{path.name})), "
            f"{len(found['cases'])} kernels: {said}. Libraries are stand-ins with the libraries' "
            "own interfaces there, which show that arguments are passed right; PyTorch and Triton "
            "run on the CPU. nvcc writes no LLVM IR, so its variants are built and not run.\n\n"
            + results.table(["variant", "right", "wrong", "failed", "absent", "elements compared"],
                            [[f"`{name}`", *(str(number) for number in row.values())]
                             for name, row in sorted(rows.items())]) + "\n")


def kind_of(variant: str) -> str:
    """Variants that differ in their block or number only are one kind."""
    head, _, tail = variant.partition("-")
    return f"{head}-…" if head in ("nvcc", "clang", "design") and tail else variant


def page(directory: pathlib.Path) -> str:
    gpu = newest(directory, lambda found: "cases" in found and not found["dry_run"])
    dry = newest(directory, lambda found: "cases" in found and found["dry_run"])
    plain = newest(directory, lambda found: "compile_time" in found and not found.get("quick"))
    text = HEAD + "## What is behind, and why\n\n"
    text += slower_kernels(gpu[1]) if gpu else "* Run time: not measured on a GPU yet.\n"
    text += slower_files(plain[1]) + poor_counts(plain[1]) if plain else ""
    text += "\n## Run time\n\n"
    if gpu:
        path, found = gpu
        text += (f"`python3 bench/run.py --build B` here, `python3 run.py --run .` in B on the "
                 f"machine with the GPU; the last table says how each result was checked "
                 f"([{path.name}](../bench/results/{path.name})).\n\n")
        text += results.markdown(found).split("\n", 2)[2]
        for plot in sorted(directory.glob(f"{path.stem}-*.png")):
            text += f"\n![{plot.stem}](../bench/results/{plot.name})\n"
    else:
        text += ("**Nothing has been measured on a GPU yet.** The benchmark itself has run from "
                 "end to end in the CPU executor, which checks results and tells no times: "
                 "`python3 bench/run.py --dry-run B --results bench/results`.\n\n")
        text += dry_section(*dry) if dry else ""
        text += BUNDLE
    if not plain:
        return (text +
                "\n## Compile time and counts\n\nNo results: run `python3 bench/run.py --no-gpu`.\n")
    return (text + "\n## Compile time\n\n`python3 bench/run.py --no-gpu` (the ratios also by "
            "`python3 bench/compile_time.py --phases`). A ratio below 1 means that gpuopt "
            "took less time.\n\n" + compile_section(plain[1]) +
            "\n## Counts\n\n`python3 bench/regression.py --target sm_90` compares these with "
            "what the tool makes now; sectors are per work item by the static model, the "
            "rest is from the assembler, instructions are those of the main loop. DRAM bytes are "
            "per work item as well, by the static model for 4096 items along each dimension, or 4096² along the only one "
            "(`passes/Transforms/Utils/ItemModel.h`); what the CPU executor's cache model counts is in "
            "[results](results.md), by `python3 bench/counts.py`.\n\n"
            + counts_section(plain[1]))
