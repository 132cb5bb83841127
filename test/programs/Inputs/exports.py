"""Prints the functions that a header declares and the runtime of programs does not have: exports.py HEADER"""

import ctypes
import pathlib
import re
import shutil
import sys

root = pathlib.Path(shutil.which("gpuopt")).resolve().parent.parent
library = ctypes.CDLL(root / "lib" / "libgpuopt_runtime.so")
names = set(re.findall(r"\b(?:__)?cuda\w*(?=\()", pathlib.Path(sys.argv[1]).read_text()))
missing = sorted(name for name in names if not hasattr(library, name))
print("many" if len(names) > 50 else len(names), "functions; missing:", *missing)
