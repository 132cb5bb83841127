"""Builds a bundle: the variants of kernels, what to launch, and the runner.

A bundle needs none of our tools where it runs. manifest.json tells everything
about it; plan.txt is the same for the runner (bench/runner/Plan.h).
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import suite

ROOT = suite.ROOT
HERE = pathlib.Path(__file__).resolve().parent
MAX_BYTES = 60 << 20
# gpuopt's word for a barrier of the grid; kernels that have one are left out for others.
PEER_DEFINES = ["-Dgpuopt_global_sync()="]


class Absent(Exception):
    """Why something cannot be in the bundle."""


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def find_nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
        raise Absent(f"{pathlib.Path(command[0]).name} fails: {said}")


class Builder:
    """Compiles into one directory what is not there yet."""

    def __init__(self, arguments: argparse.Namespace, directory: pathlib.Path):
        self.arguments = arguments
        self.directory = directory
        self.gpuopt = f"{arguments.bin}/gpuopt"
        self.kind = "llvm" if arguments.dry_run else arguments.format
        self.ending = {"llvm": "ll"}.get(self.kind, self.kind)
        (directory / "modules").mkdir(parents=True, exist_ok=True)
        # One compilation of each file, whoever asks first.
        self.peers: dict[str, str | Absent] = {}
        self.lock = threading.Lock()

    def is_fresh(self, path: pathlib.Path, *sources: str) -> bool:
        return path.exists() and all(os.path.getmtime(source) < os.path.getmtime(path)
                                     for source in [self.gpuopt, str(suite.SOURCE), *sources])

    def compile(self, source: str, name: str, options: list[str]) -> tuple[str, list[dict]]:
        """Runs gpuopt compile; the module's file and the report."""
        module = self.directory / "modules" / f"{name}.{self.ending}"
        report = self.directory / "modules" / f"{name}.json"
        if not (self.is_fresh(module, source) and self.is_fresh(report, source)):
            run([self.gpuopt, "compile", source, "--target", self.arguments.target, "--emit",
                 self.kind, *options, "--report", str(report), "-o", str(module)])
            report.write_text(json.dumps(essence(json.loads(report.read_text()))))
        return f"modules/{module.name}", json.loads(report.read_text())

    def compile_peer(self, compiler: str, source: str) -> str:
        """The whole file by nvcc or clang; the module's file."""
        with self.lock:
            if compiler not in self.peers:
                try:
                    self.peers[compiler] = self.build_peer(compiler, source)
                except Absent as reason:
                    self.peers[compiler] = reason
        if isinstance(self.peers[compiler], Absent):
            raise self.peers[compiler]
        return self.peers[compiler]

    def build_peer(self, compiler: str, source: str) -> str:
        module = self.directory / "modules" / f"naive-{compiler}.{self.ending}"
        nvcc, target = find_nvcc(), self.arguments.target
        if not nvcc:
            raise Absent("no CUDA SDK")
        if self.is_fresh(module, source):
            return f"modules/{module.name}"
        if compiler == "nvcc":
            if self.kind == "llvm":
                raise Absent("nvcc writes no LLVM IR, which dry runs need")
            run([nvcc, f"-{self.kind}", "-O3", f"-arch={target}", *PEER_DEFINES, source, "-o",
                 str(module)])
            return f"modules/{module.name}"
        clang = shutil.which("clang++-22") or shutil.which("clang++")
        if not clang:
            raise Absent("no clang")
        cuda = pathlib.Path(nvcc).resolve().parent.parent
        text = module if self.kind != "cubin" else module.with_suffix(".ptx")
        run([clang, "-x", "cuda", "--cuda-device-only", "-S", "-O3", f"--cuda-gpu-arch={target}",
             f"--cuda-path={cuda}", "-Wno-unknown-cuda-version", "-Wno-unknown-pragmas",
             *(["-emit-llvm"] if self.kind == "llvm" else []), *PEER_DEFINES, source, "-o",
             str(text)])
        if self.kind == "cubin":
            run([f"{cuda}/bin/ptxas", "-O3", f"-arch={target}", str(text), "-o", str(module)])
            text.unlink()
        return f"modules/{module.name}"

    # --- the variants of one case -------------------------------------------------------------

    def variants(self, case: suite.Case) -> tuple[list[dict], list[dict]]:
        """What could be built, and what not: {name, reason}."""
        built, absent = [], []
        sizes = ["--kernel", case.kernel, "--size", case.size]
        name = case.id.replace(":", "-").replace("=", "").replace(",", "-")
        symbol = None
        ours = [("as-written", ["--no-opt"]), ("gpuopt-general", ["--no-specialize"]), ("gpuopt", [])]
        if self.arguments.search:
            ours.append(("gpuopt-search", ["--search", "model"]))
        report = None
        for variant, options in ours:
            try:
                file, reports = self.compile(str(suite.SOURCE), f"{name}-{variant}",
                                             [*sizes, *options])
                report = reports[0]
                symbol = report["symbol"]
                built.append({"name": variant, "file": file,
                              "command": " ".join(["gpuopt compile", *sizes, *options]),
                              "launches": launches(case, report)})
            except Absent as reason:
                absent.append({"name": variant, "reason": str(reason)})
        if self.arguments.search and report and report.get("variants"):
            self.add_designs(case, name, sizes, report["variants"], built, absent)
        for compiler in ("nvcc", "clang"):
            try:
                if not symbol:
                    raise Absent("the kernel's symbol is not known")
                if any("launch.sequence" in entry["launches"][0].get("from", "")
                       for entry in built):
                    raise Absent("the kernel synchronises the grid, for which CUDA has no plain "
                                 "launch")
                file = self.compile_peer(compiler, str(suite.SOURCE))
                for block in case.naive_blocks():
                    built.append({"name": f"{compiler}-{block[0]}x{block[1]}", "file": file,
                                  "command": f"{compiler} -O3", "launches": [
                                      plain_launch(case, symbol, case.grid(block), block)]})
            except Absent as reason:
                absent.append({"name": compiler, "reason": str(reason)})
        return built, absent

    def add_designs(self, case: suite.Case, name: str, sizes: list[str], considered: list[dict],
                    built: list[dict], absent: list[dict]) -> None:
        """The best designs by the model, each as a variant: is its choice the fastest one?"""
        for number, entry in enumerate(considered[1:self.arguments.search], start=2):
            if entry["verdict"] not in ("legal", "slower"):
                continue
            variant = f"design-{number}"
            try:
                file, reports = self.compile(str(suite.SOURCE), f"{name}-{variant}",
                                             [*sizes, "--design", entry["design"]])
                built.append({"name": variant, "file": file, "design": entry["design"],
                              "command": f"gpuopt compile --design '{entry['design']}'",
                              "predicted_seconds": entry["predicted_seconds"],
                              "launches": launches(case, reports[0])})
            except Absent as reason:
                absent.append({"name": variant, "reason": str(reason)})


def essence(reports: list[dict]) -> list[dict]:
    """What a bundle needs of reports: they are larger than the kernels."""
    def some(entry: dict, *fields: str) -> dict:
        return {field: entry[field] for field in fields if field in entry}
    return [some(report, "symbol", "target", "launch", "resources")
            | {"phases": [some(phase, "symbol", "launch") for phase in report.get("phases", [])],
               "variants": [some(variant, "design", "verdict", "predicted_seconds")
                            for variant in report.get("variants", [])]}
            for report in reports]


# --- launches -------------------------------------------------------------------------------


def plain_arguments(case: suite.Case) -> list[str]:
    return [f"a:{name[1:]}" if name.startswith("*") else f"4:{case.scalars[name]}"
            for name in case.parameters]


def plain_launch(case: suite.Case, symbol: str, grid, block, shared: int = 0) -> dict:
    return {"symbol": symbol, "grid": list(grid), "block": list(block), "shared_bytes": shared,
            "arguments": plain_arguments(case)}


def sequence_argument(case: suite.Case, argument: str | dict) -> str:
    if isinstance(argument, dict):
        return f"{argument['bytes']}:{argument['bits']}"
    return f"4:{case.scalars[argument]}" if argument in case.scalars else f"a:{argument}"


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
    if launch["keeps_original_launch"]:
        return [plain_launch(case, report["symbol"], original, block)]
    grid = []
    for dim in range(3):
        items, per_block = original[dim] * block[dim], launch["items_per_block"][dim]
        extent, wanted = launch["extents"][dim], launch["original_block"][dim]
        is_covered = items % per_block == 0 or (extent is not None and extent <= items)
        if not is_covered or wanted not in (None, block[dim]):
            symbol = launch["fallback"]
            return [plain_launch(case, symbol, original, block) | {"from": "launch.fallback"}]
        grid.append(-(-items // per_block))
    return [plain_launch(case, report["symbol"], grid, launch["block"],
                         launch["dynamic_shared_bytes"])]


# --- the files ------------------------------------------------------------------------------


def plan_text(manifest: dict) -> str:
    lines = []
    if manifest["probe"]:
        lines.append("probe {file} {symbol} {blocks} {threads} {iterations} {copy_bytes}".format(
            **manifest["probe"]))
    for case in manifest["cases"]:
        lines.append(f"case {case['id']} {case['kernel']}")
        lines += [f"flops {case['flops']}", f"bytes {case['bytes']}"]
        lines += [f"scalar {name} {value}" for name, value in case["scalars"].items()]
        lines += ["array {name} {elements} {role} {counted} {fill}".format(**array)
                  for array in case["arrays"]]
        for variant in case["variants"]:
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


def build(arguments: argparse.Namespace) -> pathlib.Path:
    """Builds the bundle and tells its size; what is there and newer than its sources stays."""
    directory = pathlib.Path(arguments.bundle)
    builder = Builder(arguments, directory)
    todo = suite.cases(arguments.kernel or list(suite.SUITE), arguments.sizes)
    manifest: dict = {"target": arguments.target, "kind": builder.kind, "cases": [], "probe": None,
                      "dry_run": arguments.dry_run,
                      "compilers": {"gpuopt": version([builder.gpuopt, "--version"]),
                                    "nvcc": version([find_nvcc() or "nvcc", "--version"]),
                                    "clang": version(["clang++-22", "-dumpversion"])}}
    try:
        source = str(HERE / "runner/probes.cu")
        file, reports = builder.compile(source, "probes", ["--no-opt"])
        large = not arguments.dry_run
        manifest["probe"] = {"file": file, "symbol": reports[0]["symbol"],
                             "blocks": 2048 if large else 2, "threads": 256 if large else 32,
                             "iterations": 20000 if large else 4,
                             "copy_bytes": 1 << (30 if large else 16)}
    except Absent as reason:
        progress(f"floors: absent, {reason}")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for number, (case, (built, absent)) in enumerate(
                zip(todo, pool.map(builder.variants, todo)), start=1):
            progress(f"[{number}/{len(todo)}] {case.id}: {', '.join(v['name'] for v in built)}"
                     + "".join(f"; {entry['name']} absent: {entry['reason']}" for entry in absent))
            manifest["cases"].append({"id": case.id, **dataclasses.asdict(case),
                                      "variants": built, "absent": absent})
    (directory / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    (directory / "plan.txt").write_text(plan_text(manifest))
    add_runner(arguments, directory)
    total = sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
    progress(f"{directory}: {total / 1e6:.1f} MB")
    if total > MAX_BYTES:
        progress(f"larger than {MAX_BYTES >> 20} MB: choose fewer kernels or sizes")
    return directory


def add_runner(arguments: argparse.Namespace, directory: pathlib.Path) -> None:
    """The runner, its sources for machines where the program does not start, and what reports."""
    shutil.copy2(f"{arguments.bin}/gpuopt-bench-runner", directory / "runner")
    (directory / "runner-source").mkdir(exist_ok=True)
    for path in (HERE / "runner").iterdir():
        if path.suffix in (".h", ".def") or path.name == "Runner.cpp":
            shutil.copy2(path, directory / "runner-source")
    for name in ("run.py", "results.py"):
        shutil.copy2(HERE / name, directory / name)
