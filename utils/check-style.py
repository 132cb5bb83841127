#!/usr/bin/env python3
"""Checks what clang-format does not: file sizes, headers, and leftovers.

  utils/check-style.py          prints each breach as file:line: text; exit 1 if any
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_SOURCE_LINES = 600
MAX_LINE = 120
SUFFIXES = {".cpp", ".h", ".td"}


def tracked_files() -> list[pathlib.Path]:
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.splitlines() if (ROOT / name).is_file()]


def breaches(path: pathlib.Path) -> list[str]:
    """What is wrong with one file, each as 'file:line: text'."""
    name = path.relative_to(ROOT)
    lines = path.read_text(errors="replace").splitlines()
    found = []
    is_prelude = "prelude" in name.parts or "test" in name.parts  # tables of declarations
    if len(lines) > MAX_SOURCE_LINES and not is_prelude:
        found.append(f"{name}:1: {len(lines)} lines; split it (limit {MAX_SOURCE_LINES})")
    if not is_prelude and lines and not lines[0].startswith("//==="):
        found.append(f"{name}:1: expected a '//===- {path.name} - …' header")
    for number, line in enumerate(lines, start=1):
        is_table = line.lstrip().startswith("|")  # a Markdown row cannot be broken
        if len(line) > MAX_LINE and not is_prelude and not is_table:
            found.append(f"{name}:{number}: {len(line)} columns (limit {MAX_LINE})")
        if re.search(r"\bTODO\b(?!\(#\d+\))", line):
            found.append(f"{name}:{number}: TODO without an issue")
    return found


def main() -> int:
    all_found = []
    for path in tracked_files():
        if path.suffix in SUFFIXES:
            all_found += breaches(path)
    print("\n".join(all_found) if all_found else "style: nothing to complain about")
    return 1 if all_found else 0


if __name__ == "__main__":
    sys.exit(main())
