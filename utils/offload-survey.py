#!/usr/bin/env python3
"""How many parallel loops of programs `gpuopt offload` offloads, and why not the others.

  offload-survey.py --flags "-I common" a.c b.c     a table of the files, then the reasons, most frequent first
  offload-survey.py --suite "NPB:-I npb/common:npb/*/*.c" --suite "PolyBench:-I utilities:OpenMP/*/*.c"
                                                     a line for each suite, of which $(dirname) of each file is searched, too

Files that do not parse are counted apart. Exit status 1 where a loop is neither offloaded nor has a reason."""

import argparse
import collections
import glob
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

COUNT = re.compile(r"^(\d+) of (\d+) parallel loops offloaded", re.MULTILINE)
REASON = re.compile(r"remark: not offloaded: (.*)")
QUOTED = re.compile(r"'[^']*'")


class Suite:
    """Files that are looked at with the same flags."""

    def __init__(self, name, flags, files):
        self.name, self.flags, self.files = name, shlex.split(flags), files
        self.counts, self.reasons = collections.Counter(), collections.Counter()

    def look(self, tool):
        for file in self.files:
            text = file.read_text(encoding="utf-8", errors="replace")
            if not re.search(r"#\s*pragma\s+omp", text):
                continue
            folders = [f"-I{folder}" for folder in (file.parent, file.parent.parent)]
            done = subprocess.run([tool, "offload", *self.flags, *folders, file, "-o", "/dev/null"], capture_output=True, text=True,
                                  timeout=120, check=False)
            count = COUNT.search(done.stderr)
            self.counts["files" if count else "unread"] += 1
            if not count:
                continue
            reasons = REASON.findall(done.stderr)
            self.reasons.update(QUOTED.sub("X", reason) for reason in reasons)
            self.counts.update(offloaded=int(count[1]), loops=int(count[2]), declined=len(reasons))

    def unexplained(self):
        return self.counts["loops"] - self.counts["offloaded"] - self.counts["declined"]

    def line(self):
        counts = self.counts
        return f"| {self.name} | {counts['files']} | {counts['unread']} | {counts['loops']} | {counts['offloaded']} | " \
               f"{counts['declined']} | {self.unexplained()} |"


def suite_of(text):
    name, flags, pattern = text.split(":", 2)
    return Suite(name, flags, sorted(map(pathlib.Path, glob.glob(pattern, recursive=True))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--suite", action="append", default=[], type=suite_of, help="NAME:FLAGS:PATTERN")
    parser.add_argument("--tool", default=shutil.which("gpuopt"), help="gpuopt")
    parser.add_argument("--flags", default="", help="for the files")
    arguments = parser.parse_args()
    if not arguments.tool:
        parser.error("gpuopt is not on the PATH; name it with --tool")
    suites = arguments.suite + [Suite(file.name, arguments.flags, [file]) for file in arguments.files]
    print("| | files | that do not parse | parallel loops | offloaded | declined with a reason | without |\n|---|---|---|---|---|---|---|")
    reasons = collections.Counter()
    for suite in suites:
        suite.look(arguments.tool)
        reasons.update(suite.reasons)
        print(suite.line(), flush=True)
    print()
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    return 1 if any(suite.unexplained() for suite in suites) else 0


if __name__ == "__main__":
    sys.exit(main())
