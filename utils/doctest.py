#!/usr/bin/env python3
"""Runs the commands in Markdown pages and compares what they print.

A page shows commands in fenced blocks of kind `console`: a line that starts
with `$ ` is a command (continued by lines that end in a backslash), the lines
up to the next command are what it prints. A line `...` stands for any number
of lines. Commands run by bash in the root of the repository, standard error
included, with the tools of --bin first on PATH.

  utils/doctest.py --bin build/bin docs/tutorial.md            compares
  utils/doctest.py --bin build/bin --update docs/tutorial.md   rewrites the page
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def misplaced_commands(text: str) -> list[str]:
    """Commands in blocks of another kind, which nobody compares."""
    kind, found = "", []
    for line in text.splitlines():
        if line.startswith("```"):
            kind = "" if kind else line
        elif kind not in ("", "```console") and line.startswith("$ "):
            found.append(line)
    return found


def split_block(text: str) -> list[tuple[str, list[str]]]:
    """The commands of one block, each with the lines expected from it."""
    examples: list[tuple[str, list[str]]] = []
    continues = False
    for line in text.splitlines():
        if continues:
            command, expected = examples[-1]
            examples[-1] = (command + "\n" + line, expected)
        elif line.startswith("$ "):
            examples.append((line, []))
        elif examples:
            examples[-1][1].append(line)
        continues = (continues or line.startswith("$ ")) and line.endswith("\\")
    return examples


def run(command: str, environment: dict[str, str]) -> list[str]:
    """What `command` (with its `$ `) prints, without trailing blanks."""
    done = subprocess.run(["bash", "-c", command.removeprefix("$ ")], cwd=ROOT,
                          env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return [line.rstrip() for line in done.stdout.rstrip().splitlines()]


def matches(expected: list[str], found: list[str]) -> bool:
    """True where the lines agree; `...` in `expected` skips any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + "\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--bin", default="build/bin", help="directory of the tools")
    parser.add_argument("--with-ptxas", action="store_true",
                        help="only what compiles or tunes, with the assembler that it finds")
    parser.add_argument("--update", action="store_true",
                        help="put what the commands print into the pages")
    arguments = parser.parse_args()
    environment = dict(os.environ)
    # What an assembler says differs between machines, and may not be on a page.
    if not arguments.with_ptxas:
        environment["GPUOPT_PTXAS"] = ""
    environment["GPUOPT_CACHE_LIMIT"] = "0"
    environment["PATH"] = f"{pathlib.Path(arguments.bin).resolve()}:{environment['PATH']}"

    failures = 0
    for page in arguments.pages:

        def check(block: re.Match[str]) -> str:
            nonlocal failures
            shown = []
            for command, expected in split_block(block.group(1)):
                if arguments.with_ptxas and not re.search(r"gpuopt (compile|tune) ", command):
                    shown += [command, *expected]
                    continue
                found = run(command, environment)
                shown += [command, *(expected if matches(expected, found) else found)]
                if not arguments.update and not matches(expected, found):
                    failures += 1
                    print(f"{page}: {command}")
                    print("\n".join(difflib.unified_diff(expected, found, "page", "found",
                                                         lineterm="")))
            return "```console\n" + "\n".join(shown) + "\n```"

        text = page.read_text()
        for command in misplaced_commands(text):
            failures += 1
            print(f"{page}: not in a block of kind 'console': {command}")
        updated = BLOCK.sub(check, text)
        if arguments.update and updated != text:
            page.write_text(updated)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
