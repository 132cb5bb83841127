#!/usr/bin/env python3
"""Counts what gpuopt makes of kernels, from its own reports, as a table.

Two runs of gpuopt for each kernel:

  compile --report  at the full size: sectors by the static model of accesses,
                    verdicts, bank conflicts, registers and the main loop's
                    instructions from the assembler;
  check --report    in the CPU executor: DRAM bytes by the model of the L2 cache.
                    Where the full size takes too long there, a smaller one and
                    an L2 cache that is smaller by as much as the arrays are.

  bench/counts.py                              prints the table
  bench/counts.py --update docs/results.md     puts it into the page
  bench/counts.py --kernel mm --no-check       the static part, one kernel
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- counts.py -->\n", "<!-- /counts.py -->\n"

# The largest sizes of Table II of Yang et al. 2012, the sizes for the executor,
# and by what factor the arrays are smaller there.
KERNELS = {
    "mm": ("m=4096,n=4096,k=4096", "m=512,n=512,k=512", 64),
    "mv": ("h=4096,w=4096", "h=4096,w=4096", 1),
    "tmv": ("h=4096,w=4096", "h=4096,w=4096", 1),
    "vv": ("n=4194304", "n=4194304", 1),
    "strsm": ("m=4096,n=4096", "m=256,n=256", 256),
    "conv": ("h=4096,w=4096,kh=32,kw=32", "h=256,w=256,kh=32,kw=32", 256),
    "tp": ("h=8192,w=8192", "h=2048,w=2048", 16),
    "demosaic": ("h=4096,w=4096", "h=1024,w=1024", 16),
    "imregionmax": ("h=4096,w=4096", "h=1024,w=1024", 16),
}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default=str(ROOT / "examples/unified.cu"),
                        help="the kernels (default: examples/unified.cu)")
    parser.add_argument("--kernel", action="append", choices=list(KERNELS),
                        help="only this kernel; repeat for several")
    parser.add_argument("--target", default="sm_90", help="default: sm_90")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"),
                        help="directory of gpuopt (default: build/bin)")
    parser.add_argument("--no-check", action="store_true",
                        help="leave out what needs the executor")
    parser.add_argument("--timeout", type=int, default=900,
                        help="seconds for one run of gpuopt (default: 900)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="also write the table's figures as JSON")
    parser.add_argument("--update", type=pathlib.Path, metavar="PAGE",
                        help="put the table into this page, between its marks")
    return parser.parse_args()


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def report(arguments: argparse.Namespace, command: list[str]) -> dict | None:
    """The first kernel's report of a run of gpuopt, or None where it fails."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "report.json")
        try:
            done = subprocess.run([f"{arguments.bin}/gpuopt", *command, "--report", str(path)],
                                  capture_output=True, text=True, timeout=arguments.timeout)
        except subprocess.TimeoutExpired:
            progress(f"  took more than {arguments.timeout} s")
            return None
        if not path.exists():
            progress("  " + (done.stderr.strip() or "no report"))
            return None
        return json.loads(path.read_text())[0]


def scaled_target(arguments: argparse.Namespace, factor: int, directory: str) -> str:
    """A machine description whose L2 cache is smaller by `factor`."""
    if factor == 1:
        return arguments.target
    text = subprocess.run([f"{arguments.bin}/gpuopt", "targets", arguments.target],
                          capture_output=True, text=True, check=True).stdout
    text = re.sub(r"l2_bytes = (\d+)", lambda m: f"l2_bytes = {int(m[1]) // factor}", text)
    path = pathlib.Path(directory, "scaled.target")
    path.write_text(text)
    return str(path)


def uncoalesced(accesses: list[dict]) -> list[str]:
    """Global accesses that some block makes and that waste transactions."""
    left = {f"{access['array']}: {access['verdict']}"
            for access in accesses
            if access["space"] == "global" and access["executions"] > 0
            and access["verdict"] not in ("coalesced", "broadcast")}
    return sorted(left)


def widths(accesses: list[dict], space: str) -> list[int]:
    """Bytes per thread of the accesses that some block makes."""
    return sorted({access["bytes"] for access in accesses
                   if access["space"] == space and access["executions"] > 0})


def stages(steps: list[dict]) -> int:
    """Tiles in flight: what prefetching said, else 1."""
    return max([int(step["metrics"].get("stages", 1)) for step in steps], default=1)


def count(arguments: argparse.Namespace, name: str) -> dict:
    """Everything that the table says about one kernel."""
    full, small, factor = KERNELS[name]
    row: dict = {"kernel": name, "size": full, "check_size": small, "scale": factor}
    progress(f"{name}: compile at {full}")
    static = report(arguments, ["compile", arguments.file, "--kernel", name, "--target",
                                arguments.target, "--size", full, "-o", "/dev/null"])
    if static:
        traffic, after = static["traffic"], static["accesses"]["after"]
        before, tuned = (traffic[side]["sectors_per_item"] for side in ("before", "after"))
        mix = static["resources"]["instruction_mix"]
        row |= {
            "sectors_before": before, "sectors_after": tuned,
            "uncoalesced": uncoalesced(after),
            "bank_conflict_degree": max([access["bank_conflict_degree"] or 0
                                         for access in after], default=0),
            "registers": static["resources"]["registers"],
            "spill_bytes": static["resources"]["spill_bytes"],
            "mix": mix,
            "global_bytes": widths(after, "global"),
            "shared_bytes": widths(after, "workgroup"),
            "stages": stages(static["steps"]),
        }
    if arguments.no_check:
        return row
    progress(f"{name}: check at {small}")
    with tempfile.TemporaryDirectory() as directory:
        run = report(arguments, ["check", arguments.file, "--kernel", name, "--target",
                                 scaled_target(arguments, factor, directory),
                                 "--size", small, "--no-races"])
    if run:
        row["passed"] = run["check"]["passed"]
        row["dram"] = {side: run["check"][side]["dram"] for side in ("original", "tuned")}
    return row


def number(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def megabytes(dram: dict) -> float:
    return (dram["read_bytes"] + dram["written_bytes"]) / 1e6


def static_cells(row: dict) -> list[str]:
    if "sectors_before" not in row:
        return ["?"] * 9
    before, after = row["sectors_before"], row["sectors_after"]
    mix = row["mix"]
    degree = row["bank_conflict_degree"]
    return [
        f"{number(before)} → {number(after)}",
        f"{before / after:.1f}" if after else "?",
        ", ".join(row["uncoalesced"]) or "none",
        str(degree) if degree else "–",
        str(row["registers"]),
        str(row["spill_bytes"]),
        f"{100 * mix['multiply_add_share']:.0f} % of {mix['instructions']}" if mix else "?",
        " / ".join("+".join(map(str, row[space])) or "–"
                   for space in ("global_bytes", "shared_bytes")),
        str(row["stages"]),
    ]


def dram_cells(row: dict) -> list[str]:
    if "dram" not in row:
        return [f"`{row['check_size']}`", "?", "?", "?"]
    original, tuned = row["dram"]["original"], row["dram"]["tuned"]
    compulsory = original["compulsory_bytes"] / 1e6
    scale = f", L2 / {row['scale']}" if row["scale"] != 1 else ""
    return [f"`{row['check_size']}`{scale}",
            f"{megabytes(original):.2f} → {megabytes(tuned):.2f}", f"{compulsory:.2f}",
            f"{megabytes(tuned) / compulsory:.3f}"]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def render(rows: list[dict]) -> str:
    """Both tables."""
    text = table(["kernel", "size", "sectors per work item", "times fewer",
                  "uncoalesced accesses left", "bank conflict degree", "registers", "spilled bytes",
                  "multiply-adds in the main loop", "bytes per access, global / shared", "stages"],
                 [[f"`{row['kernel']}`", f"`{row['size']}`", *static_cells(row)] for row in rows])
    if any("dram" in row for row in rows):
        text += "\n" + table(["kernel", "run at", "DRAM, MB", "compulsory, MB",
                              "tuned / compulsory"],
                             [[f"`{row['kernel']}`", *dram_cells(row)] for row in rows])
    return text


def main() -> int:
    arguments = parse_arguments()
    rows = [count(arguments, name) for name in arguments.kernel or KERNELS]
    text = render(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    if arguments.update:
        page = arguments.update.read_text()
        if BEGIN not in page or END not in page:
            progress(f"{arguments.update} has no marks {BEGIN.strip()} … {END.strip()}")
            return 1
        head, tail = page.split(BEGIN)[0], page.split(END)[1]
        arguments.update.write_text(head + BEGIN + text + END + tail)
    else:
        print(text, end="")
    return 0 if all("sectors_before" in row and row.get("passed", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
