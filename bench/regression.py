#!/usr/bin/env python3
"""Compares what gpuopt makes of kernels with what it made before, in exact counts.

Each kernel of examples/unified.cu and of bench/kernels is compiled for each
target; sectors per work item, the worst bank conflict degree, tiles in flight,
registers, spilled bytes, workgroup memory and the instructions of the main loop,
by opcode, are compared with the table in bench/counts. Nothing is timed.

  bench/regression.py                        all kernels, all targets; exit code 1 on a change
  bench/regression.py --kernel mm --kernel mv --target sm_90
  bench/regression.py --update               write the tables anew

A change that is meant goes into the tables with the commit that makes it, which
says why. Registers and instructions are those of one assembler: where another
version is found they are not compared, and that is said.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "bench/counts"
TARGETS = ["sm_90", "gfx942", "nvidia-gtx285"]
# What the assembler or the back end decides.
ASSEMBLED = ["registers", "spill_bytes", "instructions", "multiply_adds", "opcodes"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", action="append", metavar="NAME",
                        help="only this kernel; repeat for several (default: all)")
    parser.add_argument("--target", action="append", metavar="T",
                        help=f"only this target; repeat for several (default: {', '.join(TARGETS)})")
    parser.add_argument("--update", action="store_true", help="write the tables anew")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="also write what was counted as JSON, by target and kernel")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"),
                        help="directory of gpuopt (default: build/bin)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="compilations at once (default: one per core)")
    return parser.parse_args()


def kernels() -> dict[str, pathlib.Path]:
    """Every kernel and its file, by the kernel's name."""
    found = {}
    for file in [ROOT / "examples/unified.cu", *sorted((ROOT / "bench/kernels").glob("*.cu"))]:
        for name in re.findall(r"__global__\s+void\s+(\w+)\s*\(", file.read_text()):
            found.setdefault(name, file)
    return found


def assembler(arguments: argparse.Namespace) -> str:
    """Versions of what counts registers: LLVM's and that of ptxas, looked for as gpuopt does."""
    own = subprocess.run([f"{arguments.bin}/gpuopt", "--version"], capture_output=True,
                         text=True, check=True).stdout
    llvm = re.search(r"LLVM [\d.]+", own)
    ptxas = (os.environ.get("GPUOPT_PTXAS") or shutil.which("ptxas", path=arguments.bin)
             or shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin"))
    said = subprocess.run([ptxas, "--version"], capture_output=True, text=True,
                          check=False).stdout if ptxas else ""
    release = re.search(r"V[\d.]+", said)
    return f"{llvm[0] if llvm else 'LLVM ?'}, ptxas {release[0] if release else 'absent'}"


def count(binary: str, file: pathlib.Path, kernel: str, target: str) -> dict:
    """The counts of one kernel for one target."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "report.json")
        done = subprocess.run([f"{binary}/gpuopt", "compile", str(file), "--kernel", kernel,
                               "--target", target, "-o", "/dev/null", "--report", str(path)],
                              capture_output=True, text=True, timeout=600)
        if done.returncode:
            said = done.stderr.strip().splitlines()[0] if done.stderr else "fails"
            return {"error": said.replace(f"{ROOT}/", "")}
        reports = json.loads(path.read_text())
    report = reports[0]
    # A sequence of launches counts as what its kernels have together: sums of
    # what is moved, the most of what is held.
    rows = [row_of(part) for part in report.get("phases") or [report]]
    if None in rows:
        return {"error": "no counts for a kernel that is not raised"}
    return {key: fold(key, [row[key] for row in rows]) for key in rows[0]}


def row_of(report: dict) -> dict | None:
    """The counts of one launched kernel."""
    traffic = report.get("traffic") or {}
    traffic = traffic.get("after", traffic)
    if "sectors_per_item" not in traffic:
        return None
    resources = report["resources"] or {}
    mix = resources.get("instruction_mix") or {}
    accesses = report["accesses"]
    after = accesses["after"] if isinstance(accesses, dict) else accesses
    return {
        "sectors_per_item": traffic["sectors_per_item"],
        # Of a model in floating point: as many digits as any machine has.
        "dram_bytes_per_item": float(f"{traffic['dram_bytes_per_item']:.6g}"),
        "bank_conflict_degree": max([access["bank_conflict_degree"] or 0 for access in after],
                                    default=0),
        "widest_access": max([access["bytes"] for access in after], default=0),
        "stages": max([int(step["metrics"].get("stages", 1)) for step in report.get("steps", [])],
                      default=1),
        "shared_bytes": report["launch"]["shared_bytes"],
        "registers": resources.get("registers"),
        "spill_bytes": resources.get("spill_bytes"),
        "instructions": mix.get("instructions"),
        "multiply_adds": mix.get("multiply_adds"),
        "opcodes": mix.get("opcodes"),
    }


def fold(key: str, values: list):
    if len(values) == 1:
        return values[0]
    if None in values:
        return None
    if key == "opcodes":
        return {name: sum(value.get(name, 0) for value in values)
                for name in sorted({name for value in values for name in value})}
    is_sum = key in ("sectors_per_item", "dram_bytes_per_item", "instructions", "multiply_adds")
    return sum(values) if is_sum else max(values)


def differences(name: str, before: dict | None, now: dict, compared: list[str]) -> list[str]:
    if before is None:
        return [f"{name}: not in the table; --update adds it"]
    if "error" in before or "error" in now:
        return [] if before == now else [f"{name}: {before.get('error')} -> {now.get('error')}"]
    return [f"{name}: {key} {before.get(key)} -> {now[key]}"
            for key in compared if key in before and before[key] != now[key]]


def main() -> int:
    arguments = parse_arguments()
    known = kernels()
    chosen = arguments.kernel or list(known)
    for name in chosen:
        if name not in known:
            print(f"no kernel named '{name}' in examples/unified.cu and bench/kernels",
                  file=sys.stderr)
            return 2
    version = assembler(arguments)
    found: list[str] = []
    counted: dict[str, dict] = {}
    for target in arguments.target or TARGETS:
        path = TABLES / f"{target}.json"
        table = json.loads(path.read_text()) if path.exists() else {"kernels": {}}
        is_same = table.get("version") == version or arguments.update
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            work = {name: pool.submit(count, arguments.bin, known[name], name, target)
                    for name in chosen}
            rows = {}
            for number, (name, future) in enumerate(work.items(), 1):
                rows[name] = future.result()
                if sys.stderr.isatty():
                    print(f"\r{target}: {number} of {len(work)} kernels", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        counted[target] = rows
        if arguments.update:
            merged = {"version": version, "kernels": table["kernels"] | rows}
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n")
            continue
        if not is_same:
            print(f"{target}: registers and instructions are not compared: the table is of "
                  f"'{table.get('version')}', this is '{version}'")
        for name, row in rows.items():
            compared = [key for key in row if is_same or key not in ASSEMBLED]
            found += differences(f"{target} {name}", table["kernels"].get(name), row, compared)
        print(f"{target}: {len(rows)} kernels compared")
    if arguments.json:
        arguments.json.write_text(json.dumps(counted, indent=1) + "\n")
    for line in found:
        print(line)
    if found:
        print("Counts are not those of the tables in bench/counts. If that is meant, write them anew "
              "with\n  python3 bench/regression.py --update\nand say in the commit why they have "
              "changed; if not, the change above it has made kernels worse or better unawares.")
    print(f"{len(found)} changes" if not arguments.update else "tables written")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
