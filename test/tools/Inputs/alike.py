"""alike.py SOURCE DIRECTORY: whether what the PTX and the report of a file say of each kernel is what those of the kernel alone
say."""

import json
import pathlib
import re
import subprocess
import sys

source, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def entries_of(path):
    """The text of each function."""
    # Labels have the number of the function, lines that of the file.
    text = re.sub(r"\.loc\t\d+", ".loc", path.read_text())
    text = re.sub(r"(\$L__BB|\$L__func_begin|\$L__func_end|\$L__tmp|__local_depot)\d+", r"\1", text)
    return {part.split("(")[0].split()[-1]: part.split("\n}\n")[0]
            for part in re.split(r"^\.visible (?=\.entry|\.func)", text, flags=re.M)[1:]}


def compiled(name, *options):
    """The functions and the report of some kernels."""
    path = directory / name
    subprocess.run(["gpuopt", "compile", source, "--target", "sm_90", "--no-cache", "-o", path.with_suffix(".ptx"),
                    "--report", path.with_suffix(".json"), *options], check=True)
    return entries_of(path.with_suffix(".ptx")), json.loads(path.with_suffix(".json").read_text())


entries, reports = compiled("whole")
for report in reports:
    alone, (said,) = compiled("alone", "--kernel", report["kernel"])
    print(report["kernel"], "reported alike" if report == said else "reported otherwise")
    for name, text in alone.items():
        if entries[name] != text:
            print(report["kernel"], "has other code in", name)
