#!/usr/bin/env python3
"""Compiles all CUDA and OpenACC files of a suite and says how far gpuopt reaches: what is compiled, raised and changed, and what keeps the rest.

  utils/reach.py ~/PolyBench-ACC/CUDA ~/rodinia/cuda --jobs 4 --json reach.json
  utils/reach.py ~/HeCBench/src --time-limit 60 --flags='-I.. -DBLOCK_SIZE=16' --kernels

Files that another one includes are counted there, with the kernels that they have there. A kernel is changed in its
structure where a step of its report says that something was staged in tiles, merged, loaded ahead, jammed or vectorised, or that barriers
are gone or concern a subgroup only; merged blocks count where they share an array. Of the others some move no sector that they do not need. Model times are those of the report (traffic.*.model_ns_per_item), which it
has where all accesses are resolved. Prints a table in Markdown for each folder; exits with 1 where a kernel's model time is
longer than before.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUFFIXES = (".cu", ".hip", ".c")
# By the code of a step that has passed.
KINDS = {
    "tiles": ("LoadStaged", "NestStaged", "StencilStaged", "StoreExchanged"),
    "merged threads": ("ThreadsMerged", "NeighboursMerged"),
    "merged blocks": ("BlocksMerged",),
    "loaded ahead": ("TilesCopiedAhead", "TilesStagedAhead", "TilesCarriedAhead"),
    "jammed": ("IterationsJammed", "StencilUnrolled"),
    "vectors": ("AccessesVectorized",),
    "banks": (
        "TileSwizzled", "TileRowsPadded", "TileDimensionPadded", "TilePermuted", "TileInterleaved", "TileSkewed",
        "AccessesReordered", "ThreadsRemapped",
    ),
    "multiplexed": ("MemoryMultiplexed",),
    "tiles forwarded": ("TilesForwarded",),
    "barriers": ("BarriersRelaxed",),
    "matrix units": ("MatrixUnitsUsed", "WarpgroupUnitsUsed"),
    "order of threads": ("ThreadsPermuted",),
    "shared rows": ("RowsDistributed",),
    "loops as work items": ("LoopsDistributed",),
    "steps in one launch": ("GridStepsMerged", "ButterfliesMerged"),
}
KIND_OF_CODE = {code: kind for kind, codes in KINDS.items() for code in codes}
# What keeps a kernel from being changed, the most telling first.
OBSTACLES = ("PassFailed", "KernelNotRaised", "BlockShapeUnknown", "LaunchKept", "AccessNotCoalesced", "KernelNotCoalesced", "NotMerged", "RowsNotDistributed")


def read(path):
    return path.read_text(errors="replace")


def local_includes(path, text):
    """The files beside `path` that it includes."""
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
        included = (path.parent / name).resolve()
        if included.is_file():
            yield included


def find_files(folder):
    """Files that hold kernels, themselves or in what they include, and that no other file includes."""
    texts = {path.resolve(): read(path) for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file()}
    includes = {path: list(local_includes(path, text)) for path, text in texts.items()}
    included = {other for path, others in includes.items() for other in others if other != path}

    def holds_kernels(path, seen):
        if path in seen:
            return False
        seen.add(path)
        text = texts.get(path) or read(path)
        return "__global__" in text or "#pragma acc" in text or any(holds_kernels(other, seen) for other in local_includes(path, text))

    return [path for path in texts if path not in included and holds_kernels(path, set())]


def header_folders(path, headers):
    """Folders of what `path` includes by name only, as makefiles give them: where there is one header of that name."""
    folders, seen, left = [], set(), [path]
    while left:
        file = left.pop()
        if file in seen:
            continue
        seen.add(file)
        text = read(file)
        left += local_includes(file, text)
        for name in re.findall(r'^\s*#\s*include\s*[<"]([^">]+)[">]', text, re.MULTILINE):
            found = [header for header in headers.get(pathlib.Path(name).name, []) if str(header).endswith("/" + name)]
            if len(found) == 1 and not (file.parent / name).is_file():
                left += found
                folder = found[0].parents[len(pathlib.Path(name).parts) - 1]
                if folder not in folders:
                    folders.append(folder)
    return folders


def compile_file(path, folders, arguments):
    """The file's report, the seconds that it took, and what went wrong."""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory) / "report.json"
        command = [arguments.gpuopt, "compile", path, "--target", arguments.target, "--report", report]
        command += ["-o", os.devnull, f"-I{path.parent}"] + [f"-I{folder}" for folder in folders]
        command += shlex.split(arguments.flags)
        start = time.monotonic()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=arguments.time_limit, cwd=path.parent
            )
        except subprocess.TimeoutExpired:
            return [], arguments.time_limit, f"takes more than {arguments.time_limit:g} s"
        seconds = time.monotonic() - start
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error:" in line] or done.stderr.splitlines() or ["?"]
            return [], seconds, errors[0].split("error: ")[-1]
        return json.loads(report.read_text()), seconds, ""


def passed_kinds(kernel):
    """What was done to a kernel, each with the number of steps."""
    kinds = collections.Counter()
    for step in kernel["steps"]:
        kind = KIND_OF_CODE.get(step["code"])
        metrics = step["metrics"]
        # A block of more threads alone is only another launch.
        is_empty = kind == "merged blocks" and not any(
            int(metrics.get(name, 0)) for name in ("shared_arrays", "grown_arrays")
        )
        if step["outcome"] == "passed" and kind and not is_empty:
            kinds[kind] += 1
    return kinds


def obstacle(kernel):
    """Why a kernel stays what it is."""
    missed = {}
    for step in kernel["steps"]:
        if step["outcome"] != "passed":
            missed.setdefault(step["code"], step)
    for code in OBSTACLES:
        if code in missed:
            values = missed[code].get("values") or {}
            reason = str(values.get("reason") or missed[code]["reason"])
            return f"{code}: " + re.sub(r"\b\d+\b", "N", reason)
    return "nothing is said"


def is_coalesced(kernel):
    """Whether no access of the kernel as it is written moves sectors that it does not need, or has bank conflicts."""
    return all(
        access["verdict"] in ("coalesced", "broadcast") if access["space"] == "global"
        else (access["bank_conflict_degree"] or 1) == 1
        for access in kernel["accesses"]["before"]
    )


def model_times(kernel):
    """Modelled nanoseconds for each work item before and after; nothing where accesses are not resolved."""
    before, after = kernel["traffic"]["before"], kernel["traffic"]["after"]
    if before.get("unresolved_accesses") != 0 or after.get("unresolved_accesses") != 0:
        return None
    times = before.get("model_ns_per_item"), after.get("model_ns_per_item")
    return times if all(time and math.isfinite(time) for time in times) else None


class Reach:
    """What is counted for one folder."""

    def __init__(self):
        self.files, self.failed, self.times, self.kernels, self.seconds = 0, {}, {}, {}, {}

    def add(self, path, name, result):
        kernels, seconds, error = result
        self.files += 1
        self.seconds[name] = seconds
        if error:
            self.failed[name] = error
        for kernel in kernels:
            # A header's kernels are those of each file that includes it.
            key = kernel["source"] + " " + kernel["kernel"]
            kinds = passed_kinds(kernel)
            entry = {
                "file": name, "kernel": kernel["kernel"], "raised": kernel["raised"], "changed": dict(kinds),
                "keeps_launch": kernel["launch"]["keeps_original_launch"],
                "reason": "" if kinds else obstacle(kernel), "model_ns": model_times(kernel),
                "coalesced": is_coalesced(kernel),
            }
            if key not in self.kernels or len(kinds) > len(self.kernels[key]["changed"]):
                self.kernels[key] = entry

    def speedups(self):
        return {
            f"{entry['file']}: {entry['kernel']}": entry["model_ns"][0] / entry["model_ns"][1]
            for entry in self.kernels.values() if entry["model_ns"]
        }

    def worse(self):
        return {name: factor for name, factor in self.speedups().items() if factor < 0.995}

    def table(self):
        """Lines of Markdown."""
        entries = list(self.kernels.values())
        changed = [entry for entry in entries if entry["changed"]]
        factors = self.speedups().values()
        mean = math.exp(sum(map(math.log, factors)) / len(factors)) if factors else None
        rows = [
            ("files", self.files), ("compiled", self.files - len(self.failed)), ("kernels", len(entries)),
            ("raised", sum(entry["raised"] for entry in entries)),
            ("launch of their own", sum(not entry["keeps_launch"] for entry in entries)),
            ("changed in their structure", len(changed)),
            ("- of the others coalesced as written", sum(entry["coalesced"] for entry in entries if not entry["changed"])),
        ]
        for kind in KINDS:
            rows.append((f"- {kind}", sum(kind in entry["changed"] for entry in changed)))
        rows.append(("model time, before / after" + (f" ({len(factors)} kernels)" if factors else ""),
                     f"{mean:.2f}" if mean else "-"))
        rows.append(("longer by the model", len(self.worse())))
        slowest = max(self.seconds, key=self.seconds.get, default="")
        if slowest:
            rows.append(("longest compilation", f"{self.seconds[slowest]:.1f} s, {slowest}"))
        yield "| | |\n|---|---|"
        yield from (f"| {name} | {value} |" for name, value in rows)
        reasons = collections.Counter(entry["reason"] for entry in entries if not entry["changed"])
        if reasons:
            yield "\n| why not | kernels |\n|---|---|"
            yield from (f"| {reason} | {count} |" for reason, count in reasons.most_common())
        if self.failed:
            yield "\n| not compiled | |\n|---|---|"
            yield from (f"| {name} | {error} |" for name, error in sorted(self.failed.items()))
        if self.worse():
            yield "\n| longer by the model | before / after |\n|---|---|"
            yield from (f"| {name} | {factor:.2f} |" for name, factor in sorted(self.worse().items()))

    def list_kernels(self):
        yield "\n| kernel | changed | model | why not |\n|---|---|---|---|"
        for entry in self.kernels.values():
            factor = f"{entry['model_ns'][0] / entry['model_ns'][1]:.2f}" if entry["model_ns"] else ""
            yield f"| {entry['file']}: {entry['kernel']} | {', '.join(entry['changed'])} | {factor} | {entry['reason']} |"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--gpuopt", default=ROOT / "build/bin/gpuopt", type=pathlib.Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--flags", default="", help="more options of `gpuopt compile`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="files at a time")
    parser.add_argument("--time-limit", type=float, default=120, help="seconds that a file may take")
    parser.add_argument("--json", type=pathlib.Path, help="write all that is counted here")
    parser.add_argument("--kernels", action="store_true", help="list the kernels, too")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    results = {}
    for folder in arguments.folders:
        if not folder.is_dir():
            sys.exit(f"no such folder: {folder}")
        reach = results[str(folder)] = Reach()
        files = find_files(folder)
        headers = collections.defaultdict(list)
        for header in folder.rglob("*"):
            if header.suffix in (".h", ".cuh", ".hpp") and header.is_file():
                headers[header.name].append(header.resolve())
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            compiled = pool.map(lambda path: compile_file(path, header_folders(path, headers), arguments), files)
            for path, result in zip(files, compiled):
                reach.add(path, str(path.relative_to(folder.resolve())), result)
        print(f"\n{folder}\n")
        print("\n".join(reach.table()))
        if arguments.kernels:
            print("\n".join(reach.list_kernels()))
    if arguments.json:
        arguments.json.write_text(json.dumps(
            {name: {"files": reach.files, "failed": reach.failed, "seconds": reach.seconds,
                    "kernels": list(reach.kernels.values())} for name, reach in results.items()}, indent=1))
    sys.exit(any(reach.worse() for reach in results.values()))


if __name__ == "__main__":
    main()
