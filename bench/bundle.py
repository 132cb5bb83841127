"""Builds a bundle: the variants of kernels, what to launch, and the runner.

A bundle needs none of our tools where it runs. manifest.json tells everything
about it; plan.txt is the same for the runner (bench/runner/Plan.h). Modules are
named by their contents, so that equal ones are there once; cache/ says which
command made which, so that nothing is compiled twice.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import types

import peers
import suite
from common import Absent, ROOT, find_clang, find_nvcc, run

HERE = pathlib.Path(__file__).resolve().parent
MAX_BYTES = 60 << 20


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Builder:
    """Compiles into one directory what is not there yet."""

    def __init__(self, arguments: argparse.Namespace, directory: pathlib.Path):
        self.arguments = arguments
        self.directory = directory
        self.gpuopt = f"{arguments.bin}/gpuopt"
        self.kind = "llvm" if arguments.dry_run else arguments.format
        self.ending = {"llvm": "ll"}.get(self.kind, self.kind)
        self.is_hip = arguments.target.startswith("gfx")
        for part in ("modules", "cache"):
            (directory / part).mkdir(parents=True, exist_ok=True)
        # One compilation of each file by each peer, whoever asks first.
        self.locks: dict[str, threading.Lock] = {}
        self.lock = threading.Lock()
        self.peer_tools = "".join(path.read_text() for path in [HERE / "peers/__init__.py",
                                                                *HERE.glob("peers/hip/*.h")])
        self.tool = hashlib.sha256(
            f"{os.path.getmtime(self.gpuopt)} {arguments.target} {self.kind}".encode()).hexdigest()

    def once(self, name: str, source: str, command: list[str], make) -> dict:
        """What `make(out)` returned, now or in an earlier run, and the module that it wrote."""
        text = pathlib.Path(source).read_text()
        key = hashlib.sha256(" ".join([self.tool, *command, text]).encode()).hexdigest()
        record = self.directory / f"cache/{name}.json"
        with self.lock:
            lock = self.locks.setdefault(name, threading.Lock())
        with lock:
            if record.exists():
                found = json.loads(record.read_text())
                module = self.directory / found.get("module", "none")
                if found["key"] == key and module.exists():
                    return found
            out = self.directory / f"cache/{name}.{self.ending}"
            try:
                found = {"key": key, **make(out)}
                digest = hashlib.sha256(out.read_bytes()).hexdigest()[:16]
                found["module"] = f"modules/{digest}.{self.ending}"
                out.rename(self.directory / found["module"])
            except Absent as reason:
                out.unlink(missing_ok=True)
                return {"absent": str(reason)}  # another time it may be there
            record.write_text(json.dumps(found))
            return found

    def compile(self, source: str, name: str, options: list[str]) -> tuple[str, list[dict]]:
        """Runs gpuopt compile; the module's file and the report."""
        def make(out: pathlib.Path) -> dict:
            report = out.with_suffix(".report")
            try:
                run([self.gpuopt, "compile", source, "--target", self.arguments.target, "--emit",
                     self.kind, *options, "--report", str(report), "-o", str(out)])
                return {"reports": essence(json.loads(report.read_text()))}
            finally:
                report.unlink(missing_ok=True)
        found = self.once(name, source, options, make)
        if "absent" in found:
            raise Absent(found["absent"])
        return found["module"], found["reports"]

    def compile_peer(self, compiler: str, source: pathlib.Path) -> str:
        """The whole file by nvcc or clang; the module's file."""
        def make(out: pathlib.Path) -> dict:
            peers.compile_naive(compiler, source, out, self.kind, self.arguments.target)
            return {}
        found = self.once(f"{source.stem}-{compiler}", str(source), [compiler, self.peer_tools],
                          make)
        if "absent" in found:
            raise Absent(found["absent"])
        return found["module"]

    def symbol_in(self, module: str, kernel: str) -> str:
        """The kernel's symbol: headers of SDKs have other types, so other names, than ours."""
        found = re.search(rb"\b(_Z%d%s\w+)" % (len(kernel), kernel.encode()),
                          (self.directory / module).read_bytes())
        if not found:
            raise Absent(f"the module has no kernel '{kernel}'")
        return found[1].decode()

    # --- the variants of one case -------------------------------------------------------------

    def variants(self, case: suite.Case) -> tuple[list[dict], list[dict]]:
        """What could be built, and what not: {name, reason}."""
        work = CaseWork(self, case)
        sizes = ["--kernel", case.kernel, "--size", case.size]
        work.add("as-written", [*sizes, "--no-opt"])
        work.add("gpuopt-general", [*sizes, "--no-specialize"])
        own = work.add("gpuopt", sizes)
        if case.has_steps and own:
            for name, design in steps(own):
                work.add_step(name, sizes, design)
        if case.has_search and self.arguments.search:
            found = work.add("gpuopt-search", [*sizes, "--search", "model"])
            for number, entry in enumerate(considered(found, self.arguments.search), start=2):
                work.add(f"design-{number}", [*sizes, "--design", entry["design"]],
                         predicted_seconds=entry["predicted_seconds"])
        for compiler in peers.COMPILERS:
            work.add_naive(compiler)
        work.add_by_hand()
        work.add_libraries()
        return work.built, work.absent


class CaseWork:
    """The variants of one case, as they are made."""

    def __init__(self, builder: Builder, case: suite.Case):
        self.builder = builder
        self.case = case
        self.source = ROOT / case.file
        self.name = case.id.replace(":", "-").replace("=", "").replace(",", "-")
        self.is_sequence = False
        self.built: list[dict] = []
        self.absent: list[dict] = []

    def add(self, variant: str, options: list[str], **more) -> dict | None:
        """The kernel by gpuopt with these options; its report."""
        try:
            file, reports = self.builder.compile(str(self.source), f"{self.name}-{variant}",
                                                 options)
        except Absent as reason:
            self.absent.append({"name": variant, "reason": str(reason)})
            return None
        made = launches(self.case, reports[0])
        self.is_sequence |= any("sequence" in launch.get("from", "") for launch in made)
        self.keep({"name": variant, "file": file, "launches": made,
                   "command": " ".join(["gpuopt compile", self.case.file, *options]),
                   **more})
        return reports[0]

    def add_step(self, variant: str, sizes: list[str], design: str) -> None:
        """A design without tiles loaded ahead; where the kernel has none that could be, the
        passes are not asked for that."""
        if not self.add(variant, [*sizes, "--design", f"{design} stages=1"]):
            refusal = self.absent.pop()
            if not self.add(variant, [*sizes, "--design", design]):
                self.absent[-1] = refusal

    def keep(self, entry: dict) -> None:
        """What is the same code with the same launches as another variant is run once."""
        for other in self.built:
            if (other["file"], other["launches"]) == (entry["file"], entry["launches"]):
                entry["same_as"] = other.get("same_as", other["name"])
                break
        self.built.append(entry)

    def add_naive(self, compiler: str) -> None:
        try:
            if self.is_sequence:
                raise Absent("the kernel synchronises the grid, for which CUDA has no plain launch")
            file = self.builder.compile_peer(compiler, self.source)
            symbol = self.builder.symbol_in(file, self.case.kernel)
        except Absent as reason:
            self.absent.append({"name": compiler, "reason": str(reason)})
            return
        for block in self.case.naive_blocks():
            launch = plain_launch(self.case, symbol, self.case.grid(block), block)
            self.keep({"name": f"{compiler}-{block[0]}x{block[1]}", "file": file,
                       "command": f"{compiler} -O3 {self.case.file}", "launches": [launch]})

    def add_by_hand(self) -> None:
        entry = suite.SUITE[self.case.kernel].by_hand
        if not entry:
            return
        file, symbol, items, block = entry
        source = ROOT / "bench/peers" / file
        for compiler in peers.COMPILERS:
            try:
                module = self.builder.compile_peer(compiler, source)
                launch = plain_launch(self.case, symbol, self.case.grid(items), block)
                self.keep({"name": f"by-hand-{compiler}", "file": module, "launches": [launch],
                           "command": f"{compiler} -O3 {source.relative_to(ROOT)}"})
            except Absent as reason:
                self.absent.append({"name": f"by-hand-{compiler}", "reason": str(reason)})

    def add_libraries(self) -> None:
        """Keeps of the case's peers what there is for the target."""
        self.case.peers, missing = peers.libraries(self.case.peers, self.builder.is_hip)
        self.absent += [{"name": name, "reason": reason} for name, reason in missing]


def steps(report: dict) -> list[tuple[str, str]]:
    """Step by step, as figures 20 and 21 of Yang et al. 2012: as-written comes before, gpuopt
    after these. Each has all choices of the one before and one more."""
    alone = "blocks=1,1,1 threads=1,1,1"
    found = [("step-coalesced", f"{alone} width=4"),
             ("step-vectorized", alone)]
    for reason in report["merged"]:
        factors = re.search(r"merge (\d+ x \d+ x \d+) blocks, (\d+ x \d+ x \d+) threads", reason)
        if factors:
            blocks, threads = (text.replace(" x ", ",") for text in factors.groups())
            found.append(("step-merged", f"blocks={blocks} threads={threads}"))
            break
    return found


def considered(report: dict | None, count: int) -> list[dict]:
    """The best designs by the model behind the chosen one."""
    found = (report or {}).get("variants", [])[1:]
    return [entry for entry in found if entry["verdict"] in ("legal", "slower")][:count - 1]


def essence(reports: list[dict]) -> list[dict]:
    """What a bundle needs of reports: they are larger than the kernels."""
    def some(entry: dict, *fields: str) -> dict:
        return {field: entry[field] for field in fields if field in entry}
    return [some(report, "symbol", "target", "launch", "resources")
            | {"merged": [step["reason"] for step in report.get("steps", [])
                          if step["pass"] == "MergeForTarget"]}
            | {"phases": [some(phase, "symbol", "launch") for phase in report.get("phases", [])],
               "variants": [some(variant, "design", "verdict", "predicted_seconds")
                            for variant in report.get("variants", [])]}
            for report in reports]


# --- launches -------------------------------------------------------------------------------


def plain_arguments(case: suite.Case) -> list[str]:
    return [case.argument(type, name) for type, name in case.parameters]


def plain_launch(case: suite.Case, symbol: str, grid, block, shared: int = 0) -> dict:
    return {"symbol": symbol, "grid": list(grid), "block": list(block), "shared_bytes": shared,
            "arguments": plain_arguments(case)}


def sequence_argument(case: suite.Case, argument: str | dict) -> str:
    if isinstance(argument, dict):
        return f"{argument['bytes']}:{argument['bits']}"
    return next(case.argument(type, name) for type, name in case.parameters if name == argument)


def holds(case: suite.Case, condition: str, grid, block) -> bool:
    """Whether a condition of `launch.requires`, a comparison in C, holds; Python's numbers do not
    wrap."""
    names = dict(case.scalars)
    for name, values in (("grid", grid), ("block", block)):
        names[name] = types.SimpleNamespace(**dict(zip("xyz", values)))
    return eval(condition, {"__builtins__": {}}, names)


def launches(case: suite.Case, report: dict) -> list[dict]:
    """The launches that the original one becomes, by the rules of docs/report.md."""
    launch = report["launch"]
    if launch.get("sequence"):
        shared = {phase["symbol"]: phase["launch"]["dynamic_shared_bytes"]
                  for phase in report.get("phases", [])}
        return [{"symbol": step["symbol"], "grid": step["grid"], "block": step["block"],
                 "shared_bytes": shared.get(step["symbol"], 0), "from": "launch.sequence",
                 "arguments": [sequence_argument(case, argument) for argument in step["arguments"]]}
                for step in launch["sequence"]]
    block = case.naive_blocks()[0]
    original = case.grid(block)
    own_items = launch["work_items"]

    def fallback() -> list[dict]:
        symbol = launch["fallback"]
        return [plain_launch(case, symbol, original, block) | {"from": "launch.fallback"}]

    if not all(holds(case, entry["condition"], original, block) for entry in launch["requires"]):
        return fallback()
    if launch["keeps_original_launch"] and not own_items:
        return [plain_launch(case, report["symbol"], original, block)]
    if launch["keeps_original_launch"]:  # blocks of any shape will do
        launch = launch | {"block": [256, 1, 1], "items_per_block": [256, 1, 1],
                           "extents": own_items, "original_block": [None] * 3}
    grid = []
    for dim in range(3):
        items = own_items[dim] if own_items else original[dim] * block[dim]
        per_block = launch["items_per_block"][dim]
        extent, wanted = launch["extents"][dim], launch["original_block"][dim]
        is_covered = items % per_block == 0 or (extent is not None and extent <= items)
        if not is_covered or wanted not in (None, 1 if own_items else block[dim]):
            return fallback()
        grid.append(-(-items // per_block))
    if own_items and max(grid[1:]) > 65535:
        return fallback()
    return [plain_launch(case, report["symbol"], grid, launch["block"],
                         launch["dynamic_shared_bytes"])]


# --- the files ------------------------------------------------------------------------------


def plan_text(manifest: dict) -> str:
    lines = [f"api {manifest['api']}"]
    for probe in manifest["probes"]:
        lines.append("probe {type} {file} {symbol} {blocks} {threads} {iterations} {operations} "
                     "{copy_bytes}".format(**probe))
    for case in manifest["cases"]:
        lines.append(f"case {case['id']} {case['kernel']}")
        lines += [f"flops {case['flops']}", f"bytes {case['bytes']}"]
        lines += [f"scalar {name} {value!r}" for name, value in case["scalars"].items()]
        lines += ["array {name} {type} {elements} {role} {counted} {fill}".format(**array)
                  for array in case["arrays"]]
        for variant in case["variants"]:
            if "same_as" in variant:
                continue
            lines.append(f"variant {variant['name']} {variant['file']}")
            for launch in variant["launches"]:
                numbers = [*launch["grid"], *launch["block"], launch["shared_bytes"]]
                lines.append(" ".join(["launch", launch["symbol"], *map(str, numbers),
                                       *launch["arguments"]]))
        lines += [f"peer {name}" for name in case["peers"]]
    return "\n".join(lines) + "\n"


def version(command: list[str]) -> str:
    try:
        said = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        return said.splitlines()[-1] if said else "?"
    except OSError:
        return "absent"


def probes(builder: Builder) -> list[dict]:
    """The chip's rate of multiply-adds by type, and for the first its bandwidth of copies."""
    source, found = str(HERE / "runner/probes.cu"), []
    large = not builder.arguments.dry_run
    for type, kernel, operations in (("f32", "fma_peak", 16), ("f64", "fma_peak_f64", 16),
                                     ("f16", "fma_peak_f16", 32)):
        try:
            file, reports = builder.compile(source, kernel, ["--kernel", kernel, "--no-opt"])
            found.append({"type": type, "file": file, "symbol": reports[0]["symbol"],
                          "blocks": 2048 if large else 2, "threads": 256 if large else 32,
                          "iterations": 20000 if large else 4, "operations": operations,
                          "copy_bytes": 1 << (30 if large else 16) if type == "f32" else 0})
        except Absent as reason:
            progress(f"floor of {type}: absent, {reason}")
    return found


def build(arguments: argparse.Namespace) -> pathlib.Path:
    """Builds the bundle and tells its size; what is there and made the same way stays."""
    directory = pathlib.Path(arguments.bundle)
    builder = Builder(arguments, directory)
    todo = suite.cases(arguments.kernel or list(suite.SUITE), arguments.sizes)
    manifest: dict = {"target": arguments.target, "kind": builder.kind, "cases": [],
                      "api": "hip" if builder.is_hip else "cuda",
                      "probes": probes(builder), "dry_run": arguments.dry_run,
                      "compilers": {"gpuopt": version([builder.gpuopt, "--version"]),
                                    "nvcc": version([find_nvcc() or "nvcc", "--version"]),
                                    "clang": version([find_clang() or "clang", "-dumpversion"])}}
    without_cub = add_cub(builder)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, (case, (built, absent)) in enumerate(
                zip(todo, pool.map(builder.variants, todo)), start=1):
            if without_cub and "cub" in case.peers:
                case.peers.remove("cub")
                absent.append({"name": "cub", "reason": without_cub})
            progress(f"[{number}/{len(todo)}] {case.id}: {', '.join(v['name'] for v in built)}"
                     + "".join(f"; {entry['name']} absent: {entry['reason']}" for entry in absent))
            manifest["cases"].append({"id": case.id, **dataclasses.asdict(case),
                                      "variants": built, "absent": absent})
    (directory / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    (directory / "plan.txt").write_text(plan_text(manifest))
    add_runner(arguments, directory)
    drop_unused(directory, manifest)
    report_size(directory)
    return directory


def add_cub(builder: Builder) -> str:
    """Puts CUB's reductions into the bundle; why not, or nothing."""
    if builder.is_hip:
        return "NVIDIA's; not for AMD"
    if builder.arguments.dry_run:
        return ""  # the driver of dry runs has them
    try:
        peers.build_cub(builder.arguments.target, builder.directory / "libcub-reductions.so")
        return ""
    except Absent as reason:
        return str(reason)


def drop_unused(directory: pathlib.Path, manifest: dict) -> None:
    """Modules of earlier builds that no variant has any more."""
    used = {variant["file"] for case in manifest["cases"] for variant in case["variants"]}
    used |= {probe["file"] for probe in manifest["probes"]}
    for path in (directory / "modules").iterdir():
        if f"modules/{path.name}" not in used:
            path.unlink()


def report_size(directory: pathlib.Path) -> None:
    """Of what has to be copied: all but cache/ and results."""
    files = [path for path in directory.rglob("*") if path.is_file()
             and path.relative_to(directory).parts[0] not in ("cache", "results")]
    total = sum(path.stat().st_size for path in files)
    progress(f"{directory}: {len(files)} files, {total / 1e6:.1f} MB without cache/, which need "
             "not be copied")
    if total > MAX_BYTES:
        progress(f"larger than {MAX_BYTES >> 20} MB: choose fewer kernels or sizes")


def add_runner(arguments: argparse.Namespace, directory: pathlib.Path) -> None:
    """The runner, its sources for machines where the program does not start, and what reports."""
    shutil.copy2(f"{arguments.bin}/gpuopt-bench-runner", directory / "runner")
    sources = HERE / "runner"
    for path in [*sources.glob("*.h"), *sources.glob("*.def"), *sources.glob("references/*.h"),
                 sources / "Runner.cpp"]:
        copy = directory / "runner-source" / path.relative_to(sources)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    for name in ("run.py", "results.py", "plots.py", "requirements.txt", "peers/torch_peers.py",
                 "peers/triton_kernels.py"):
        shutil.copy2(HERE / name, directory / pathlib.Path(name).name)
