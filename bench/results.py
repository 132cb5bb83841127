"""From what the runner measured to results files, tables, plots and docs/performance.md."""

import datetime
import json
import math
import pathlib
import re
import statistics

NAIVE = ("nvcc", "clang")


def collect(bundle: pathlib.Path, records: pathlib.Path) -> dict:
    """All about one run: the manifest with the runner's records beside each case."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    found: dict[str, dict[str, dict]] = {}
    for line in records.read_text().splitlines():
        record = json.loads(line)
        if record["status"] != "begun":
            found.setdefault(record.pop("case"), {})[record.pop("variant")] = record
    device = found.get("device", {}).get("device", {})
    probes = found.get("probe", {})
    floors = {"copy_bytes_per_second": probes["f32"]["copy_bytes_per_second"],
              "flops_per_second": {type: probe["flops_per_second"]
                                   for type, probe in probes.items()}} if "f32" in probes else None
    results = {"date": datetime.date.today().isoformat(), "chip": device.get("name", "?"),
               "dry_run": manifest["dry_run"], "target": manifest["target"], "device": device,
               "floors": floors, "compilers": manifest["compilers"], "cases": []}
    for case in manifest["cases"]:
        run = found.get(case["id"], {})
        order = [entry["name"] for entry in case["variants"]] + case["peers"]
        measured = {name: run[name] for name in sorted(run, key=lambda name: (
            order.index(name) if name in order else len(order)))}
        for entry in case["absent"]:
            measured[entry["name"]] = {"status": "absent", "reason": entry["reason"]}
        not_run = {"status": "failed", "reason": "was not run"}
        for name in case["peers"]:
            measured.setdefault(name, dict(not_run))
        for entry in case["variants"]:
            same = entry.get("same_as")
            measured[entry["name"]] = (
                dict(measured.get(same or entry["name"], not_run))
                | {key: entry[key] for key in ("command", "predicted_seconds", "same_as")
                   if key in entry})
        row = {key: case[key] for key in ("id", "kernel", "size", "flops", "bytes", "type")}
        if floors:
            row["floor_seconds"] = max(case["bytes"] / floors["copy_bytes_per_second"],
                                       case["flops"] / floors["flops_per_second"].get(
                                           case["type"], math.inf))
        results["cases"].append(row | {"variants": measured})
    return results


def counts(results: dict) -> dict[str, int]:
    """How many variants were right, wrong, failed, absent."""
    states = [entry["status"] for case in results["cases"] for entry in case["variants"].values()]
    return {state: states.count(state) for state in ("right", "wrong", "failed", "absent")}


def fastest(case: dict, *starts: str) -> tuple[str, float] | None:
    """The fastest right variant whose name begins so."""
    times = [(entry["seconds"], name) for name, entry in case["variants"].items()
             if entry["status"] == "right" and "seconds" in entry and name.startswith(starts)]
    return (min(times)[1], min(times)[0]) if times else None


def default(case: dict) -> tuple[str, float] | None:
    """What gpuopt compile makes for the size, without any choice after measuring."""
    entry = case["variants"].get("gpuopt", {})
    return ("gpuopt", entry["seconds"]) if "seconds" in entry else None


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def micro(found: tuple[str, float] | None) -> str:
    return f"{found[1] * 1e6:.1f} ({found[0]})" if found else "absent"


def times_table(results: dict) -> str:
    rows = []
    for case in results["cases"]:
        naive = fastest(case, *NAIVE) or fastest(case, "as-written")
        ours, library = default(case), fastest(case, "cublas")
        ratio = [f"{other[1] / ours[1]:.2f}" if other and ours else "–"
                 for other in (naive, library)]
        floor = (f"{100 * case['floor_seconds'] / ours[1]:.0f} %"
                 if ours and "floor_seconds" in case else "–")
        rows.append([f"`{case['kernel']}`", f"`{case['size']}`", micro(naive), micro(ours),
                     micro(fastest(case, "gpuopt", "design")), micro(library), *ratio, floor])
    return table(["kernel", "size", "naive, µs", "gpuopt, µs", "its best variant, µs", "cuBLAS, µs",
                  "naive / gpuopt", "cuBLAS / gpuopt", "of the floor"], rows)


def checks_table(results: dict) -> str:
    rows = []
    for case in results["cases"]:
        for name, entry in case["variants"].items():
            said = entry.get("reason") or (f"{entry.get('compared', 'all')} compared with the "
                                           f"{entry['against']}")
            rows.append([f"`{case['id']}`", name, entry["status"], said])
    return table(["case", "variant", "result", ""], rows)


def markdown(results: dict) -> str:
    found = counts(results)
    text = (f"# {results['chip']}, {results['date']}\n\n"
            + ", ".join(f"{number} {state}" for state, number in found.items()) + ".\n\n")
    if results["dry_run"]:
        text += ("A dry run in the CPU executor: it shows that every part works and that the "
                 "results are right. It has no times.\n\n")
    else:
        floors = results["floors"]
        if floors:
            text += (f"Floors: copies of {floors['copy_bytes_per_second'] / 1e9:.0f} GB/s, "
                     f"multiply-adds of {floors['flops_per_second'] / 1e12:.1f} TFLOP/s.\n\n")
        text += ("Naive: the fastest of nvcc's and clang's in the blocks tried (as-written, by "
                 "gpuopt's back end, where neither has one). The ratios are those of gpuopt's own "
                 "choice; of the floor: the larger of compulsory bytes over copy bandwidth and "
                 "operations over the rate of multiply-adds, over its time.\n\n"
                 + times_table(results) + "\n")
    return text + checks_table(results)


def write(results: dict, directory: pathlib.Path) -> list[pathlib.Path]:
    """The results as JSON and Markdown, and plots where matplotlib is."""
    import plots  # which needs this module
    directory.mkdir(parents=True, exist_ok=True)
    chip = re.sub(r"[^a-z0-9]+", "-", results["chip"].lower()).strip("-")
    stem = directory / f"{results['date']}-{chip}"
    files = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    files[0].write_text(json.dumps(results, indent=1) + "\n")
    files[1].write_text(markdown(results))
    return files + plots.draw(results, stem)


# --- docs/performance.md ---------------------------------------------------------------------


def newest(directory: pathlib.Path, wanted) -> tuple[pathlib.Path, dict] | None:
    for path in sorted(directory.glob("*.json"), reverse=True):
        results = json.loads(path.read_text())
        if wanted(results):
            return path, results
    return None


def compile_section(results: dict) -> str:
    rows, means = results["compile_time"], []
    names = sorted({name for row in rows for name in row["ratios"]})
    for name in names:
        ratios = [row["ratios"][name] for row in rows if name in row["ratios"]]
        means.append(f"**{statistics.geometric_mean(ratios):.2f}** of `{name}` "
                     f"(geometric mean over {len(ratios)} files)")
    text = (f"Time of `gpuopt compile`: {', '.join(means) or 'no other compiler was there'}; "
            f"{results['date']}, {results['machine']}, ratios by the median of {results['runs']} "
            "interleaved pairs per file. " + results.get("note", "") + "\n\n")
    split = [row["phases"] for row in rows if row.get("phases")]
    if split:
        total = sum(sum(parts.values()) for parts in split)
        text += "Where it goes, its parts run alone: " + ", ".join(
            f"{name} {100 * sum(parts[name] for parts in split) / total:.0f} %"
            for name in split[0]) + ".\n\n"

    def milliseconds(row: dict, name: str) -> str:
        return f"{1000 * row['seconds'][name]:.0f}" if name in row["seconds"] else "fails"

    return text + table(["file", "gpuopt, ms", *(f"{name}, ms" for name in names),
                         *(f"gpuopt / {name}" for name in names)],
                        [[f"`{row['file']}`", milliseconds(row, "gpuopt"),
                          *(milliseconds(row, name) for name in names),
                          *(f"{row['ratios'][name]:.2f}" if name in row["ratios"] else "–"
                            for name in names)] for row in rows])


def counts_section(results: dict) -> str:
    columns = ["sectors_per_item", "bank_conflict_degree", "registers", "spill_bytes",
               "multiply_adds", "instructions"]

    def cell(value) -> str:
        if value is None:
            return "–"
        return f"{value:.4g}" if isinstance(value, float) and not math.isnan(value) else str(value)

    return f"{results['date']}: {results['counts']['said']}.\n\n" + table(
        ["kernel", *(column.replace("_", " ") for column in columns)],
        [[f"`{name}`", *(cell(row.get(column)) for column in columns)]
         for name, row in sorted(results["counts"]["kernels"].items())])


def page(directory: pathlib.Path) -> str:
    """docs/performance.md, a function of the files in bench/results alone."""
    gpu = newest(directory, lambda results: "cases" in results and not results["dry_run"])
    plain = newest(directory, lambda results: "compile_time" in results)
    text = ("# Performance\n\n"
            "<!-- made by python3 bench/run.py --page; do not edit -->\n\n## Run time\n\n")
    if gpu:
        path, results = gpu
        text += (f"`python3 bench/run.py --build B` here, `python3 run.py --run .` in B on the "
                 f"machine with the GPU; the second table says how each result was checked "
                 f"([{path.name}](../bench/results/{path.name})).\n\n")
        text += markdown(results).split("\n", 2)[2]
        for plot in sorted(directory.glob(f"{path.stem}-*.png")):
            text += f"\n![{plot.stem}](../bench/results/{plot.name})\n"
    else:
        text += ("**Nothing has been measured on a GPU yet.** The benchmark itself has run from "
                 "end to end in the CPU executor, which checks results and tells no times: "
                 "`python3 bench/run.py --dry-run B`. With a GPU:\n\n"
                 "```\npython3 bench/run.py --build B   # where gpuopt and a CUDA SDK are\n"
                 "python3 B/run.py --run B         # where the GPU is; nothing of ours is needed\n"
                 "```\n")
    if plain:
        text += ("\n## Compile time\n\n`python3 bench/run.py --no-gpu` (the ratios also by "
                 "`python3 bench/compile_time.py --phases`). A ratio below 1 means that gpuopt "
                 "took less time.\n\n" + compile_section(plain[1]))
        text += ("\n## Counts\n\n`python3 bench/regression.py --target sm_90` compares these with "
                 "what the tool makes now; sectors are per work item by the static model, the "
                 "rest is from the assembler, instructions are those of the main loop.\n\n"
                 + counts_section(plain[1]))
    else:
        text += "\n## Compile time and counts\n\nNo results: run `python3 bench/run.py --no-gpu`.\n"
    return text
