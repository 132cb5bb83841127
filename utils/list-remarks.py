#!/usr/bin/env python3
"""Prints docs/remarks.md: every remark that passes make, from passes/Analysis/Remarks.def.

  utils/list-remarks.py > docs/remarks.md
"""

import pathlib
import re

DEFINITIONS = pathlib.Path(__file__).resolve().parent.parent / "passes/Analysis/Remarks.def"
REMARK = re.compile(r'^GPUOPT_REMARK\((\w+),\s*(\w+),\s*((?:"[^"]*"\s*)+)\)', re.MULTILINE)

INTRODUCTION = """\
# What passes say

`gpuopt compile --explain` prints these sentences; in `--report` each step has the code, the sentence as `reason`, and
what stands in it in the place of `{names}` as `values` ([report](report.md)). In the sources, a remark is made where
its code stands.

| code | pass | sentence |
|---|---|---|"""


def main() -> None:
    print(INTRODUCTION)
    for code, name, parts in REMARK.findall(DEFINITIONS.read_text()):
        sentence = "".join(re.findall(r'"([^"]*)"', parts))
        print(f"| `{code}` | {name} | {sentence} |")


if __name__ == "__main__":
    main()
