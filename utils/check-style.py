#!/usr/bin/env python3
"""Checks what clang-format does not: sizes of files and functions, headers, and leftovers.

  utils/check-style.py          prints each breach as file:line: text; exit 1 if any
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_SOURCE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_LINE = 120
SUFFIXES = {".cpp", ".h", ".td"}
COMPILER_FOLDERS = {"dialects", "passes", "conversion", "runtime", "tools", "c-bindings", "python-bindings"}
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
LABEL = re.compile(r"\s*(public|private|protected):")
# The names of attributes stand in one place; the runtime has none of MLIR's.
ATTRIBUTE_FOLDERS = {"dialects", "passes", "conversion", "tools"}
ATTRIBUTE_NAMES = pathlib.Path("dialects/GPUOpt/AttributeNames.h")
ATTRIBUTE_VERIFIER = pathlib.Path("dialects/GPUOpt/VerifyAttributes.cpp")
ATTRIBUTE = re.compile(r'"(gpuopt\.\w+)"')
# One pass, one name: as a definition, a file, an option and in remarks.
PASS = re.compile(r'^def (\w+)\s*:\s*Pass<"([^"]+)"', re.MULTILINE)
REMARK = re.compile(r"^GPUOPT_REMARK\(\w+,\s*(\w+),", re.MULTILINE)
REMARKS = pathlib.Path("passes/Analysis/Remarks.def")
NO_PASS = "Pipeline"  # says remarks of no pass
TYPE = re.compile(r"\s*(class|struct|union|enum)\b")


def tracked_files() -> list[pathlib.Path]:
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.splitlines() if (ROOT / name).is_file()]


def starts_declaration(line: str, indent: str) -> bool:
    return bool(re.match(indent + r"[A-Za-z_~]", line)) and not LABEL.match(line)


def line_above(lines: list[str], number: int, indent: str) -> int:
    """The nearest line above `number` with code at just this indentation; -1 if there is none."""
    return next((n for n in range(number - 1, -1, -1) if starts_declaration(lines[n], indent)), -1)


def functions(text: str) -> list[tuple[int, int]]:
    """The first line (of the return type) and the last of each function, as clang-format lays it
    out: its closing brace stands alone at column 0, or at column 2 in a class."""
    lines = RAW_STRING.sub(lambda raw: "\n" * raw[0].count("\n"), text).splitlines()
    found = []
    for last, line in enumerate(lines):
        if line not in ("}", "  }"):
            continue
        indent = line[:-1]
        first = line_above(lines, last, indent)
        if indent and not TYPE.match(lines[line_above(lines, last, "")]):
            continue  # a block within a function
        while (first > 0 and starts_declaration(lines[first - 1], indent)
               and lines[first - 1][-1] not in ";{}" and not lines[first - 1].lstrip().startswith("template")):
            first -= 1
        found.append((first + 1, last + 1))
    return found


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
    if name.parts[0] in COMPILER_FOLDERS and path.suffix in {".cpp", ".h"} and not is_prelude:
        found += [f"{name}:{first}: a function of {last - first + 1} lines; split it (limit {MAX_FUNCTION_LINES})"
                  for first, last in functions("\n".join(lines)) if last - first >= MAX_FUNCTION_LINES]
    names_attributes = name.parts[0] in ATTRIBUTE_FOLDERS and path.suffix in {".cpp", ".h"}
    for number, line in enumerate(lines, start=1):
        if names_attributes and name != ATTRIBUTE_NAMES and (attribute := ATTRIBUTE.search(line)):
            found.append(f"{name}:{number}: '{attribute[1]}': use its name from {ATTRIBUTE_NAMES.name}")
        is_table = line.lstrip().startswith("|")  # a Markdown row cannot be broken
        if len(line) > MAX_LINE and not is_prelude and not is_table:
            found.append(f"{name}:{number}: {len(line)} columns (limit {MAX_LINE})")
        if re.search(r"\bTODO\b(?!\(#\d+\))", line):
            found.append(f"{name}:{number}: TODO without an issue")
    return found


def unverified_attributes() -> list[str]:
    verified = (ROOT / ATTRIBUTE_VERIFIER).read_text()
    return [f"{ATTRIBUTE_NAMES}:1: {ATTRIBUTE_VERIFIER.name} does not check {name}"
            for name in re.findall(r"\b(k\w+AttrName) =", (ROOT / ATTRIBUTE_NAMES).read_text())
            if not re.search(rf"\b{name}\b", verified)]


def option_of(pass_name: str) -> str:
    """`LowerKernelABI` is `gpuopt-lower-kernel-abi` on the command line."""
    return "gpuopt-" + re.sub(r"(?<=[a-z])(?=[A-Z])", "-", pass_name).lower()


def misnamed_passes(files: list[pathlib.Path]) -> list[str]:
    known, found = {NO_PASS}, []
    for path in files:
        for name, option in PASS.findall(path.read_text()) if path.suffix == ".td" else []:
            known.add(name)
            place = path.relative_to(ROOT)
            if name.endswith("Pass"):
                found.append(f"{place}:1: {name}: a definition of a pass does not end in 'Pass'")
            if option != option_of(name):
                found.append(f"{place}:1: {name} is '{option}', expected '{option_of(name)}'")
            uses = f"GEN_PASS_DEF_{name.upper()}\n"
            if not any(file.name == f"{name}.cpp" and uses in file.read_text() for file in files):
                found.append(f"{place}:1: {name} is not implemented by a {name}.cpp")
    said = set(REMARK.findall((ROOT / REMARKS).read_text()))
    return found + [f"{REMARKS}:1: no pass is called {name}" for name in sorted(said - known)]


def main() -> int:
    files = tracked_files()
    all_found = unverified_attributes() + misnamed_passes(files)
    for path in files:
        if path.suffix in SUFFIXES:
            all_found += breaches(path)
    print("\n".join(all_found) if all_found else "style: nothing to complain about")
    return 1 if all_found else 0


if __name__ == "__main__":
    sys.exit(main())
