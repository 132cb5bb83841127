"""From what the runner measured to results files, tables, plots and docs/performance.md."""

import datetime
import json
import math
import pathlib
import re
import statistics

NAIVE = ("nvcc", "clang")
LIBRARIES = ("cublas", "hipblas", "cudnn", "cub", "copy", "by-hand")
STEPS = ("as-written", "step-coalesced", "step-vectorized", "step-merged", "gpuopt")


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


def names(found: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in found)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def micro(found: tuple[str, float] | None) -> str:
    return f"{found[1] * 1e6:.1f} ({found[0]})" if found else "absent"


def times_table(results: dict) -> str:
    rows = []
    for case in results["cases"]:
        naive = fastest(case, *NAIVE) or fastest(case, "as-written")
        ours, library = default(case), fastest(case, *LIBRARIES)
        python = fastest(case, "triton", "torch")
        ratio = [f"{other[1] / ours[1]:.2f}" if other and ours else "–"
                 for other in (naive, library, python)]
        floor = (f"{100 * case['floor_seconds'] / ours[1]:.0f} %"
                 if ours and "floor_seconds" in case else "–")
        rows.append([f"`{case['kernel']}`", f"`{case['size']}`", micro(naive), micro(ours),
                     micro(library), micro(python), *ratio, floor])
    return table(["kernel", "size", "naive, µs", "gpuopt, µs", "library, µs",
                  "Triton or PyTorch, µs", "naive / gpuopt", "library / gpuopt",
                  "Triton or PyTorch / gpuopt", "of the floor"], rows)


def steps_table(results: dict) -> str:
    """Step by step: times of the naive kernel and of gpuopt with ever more of its passes."""
    rows = []
    for case in results["cases"]:
        times = [fastest(case, step) for step in STEPS]
        if times[1]:
            rows.append([f"`{case['id']}`", *(f"{time[1] * 1e6:.1f}" if time else "–"
                                              for time in times)])
    return table(["case", *(f"{step}, µs" for step in STEPS)], rows) if rows else ""


def choices_table(results: dict) -> str:
    """The model's choice beside the best design that was measured."""
    rows = []
    for case in results["cases"]:
        ours, best = default(case), fastest(case, "gpuopt", "design")
        search = fastest(case, "gpuopt-search")
        if search and ours:
            rows.append([f"`{case['id']}`", micro(ours), micro(search), micro(best),
                         f"{best[1] / ours[1]:.2f}", f"{best[1] / search[1]:.2f}"])
    head = ["case", "the passes' choice, µs", "the model's, µs", "best measured, µs",
            "best / passes'", "best / model's"]
    return table(head, rows) if rows else ""


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
                     "multiply-adds of " + ", ".join(
                         f"{rate / 1e12:.1f} TFLOP/s ({type})"
                         for type, rate in floors["flops_per_second"].items()) + ".\n\n")
        text += ("Naive: the fastest of nvcc's and clang's in the blocks tried (as-written, by "
                 "gpuopt's back end, where neither has one). The ratios are those of gpuopt's own "
                 "choice; of the floor: the larger of compulsory bytes over copy bandwidth and "
                 "operations over the rate of multiply-adds, over its time.\n\n"
                 + times_table(results) + "\n")
        for title, part in (("Step by step", steps_table(results)),
                            ("The choice among designs", choices_table(results))):
            text += f"{title}:\n\n{part}\n" if part else ""
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
