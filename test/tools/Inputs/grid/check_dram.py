"""check_dram.py REPORT N…: fails unless kernel i of the report moves at most 5 % more than N[i] floats (by the model)."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for kernel, elements in zip(report, sys.argv[2:], strict=True):
    dram = kernel["check"]["tuned"]["dram"]
    moved = dram["read_bytes"] + dram["written_bytes"]
    if moved > 1.05 * 4 * int(elements):
        sys.exit(f"{kernel['kernel']} moves {moved} bytes for {elements} elements")
