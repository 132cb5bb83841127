"""Runs the Python of Markdown pages, with a kernel to compile and a CuPy that only notes what is launched."""
import os
import pathlib
import re
import sys
import types

DIRECTORY = pathlib.Path(sys.argv[1])
DIRECTORY.mkdir(parents=True, exist_ok=True)
PAGES = [pathlib.Path(page).resolve() for page in sys.argv[2:]]
launches = []


class RawModule:
    def __init__(self, path: str) -> None:
        self.code = pathlib.Path(path).read_text()

    def get_function(self, symbol: str):
        assert f".entry {symbol}(" in self.code, symbol
        return lambda *launch: launches.append(launch)


sys.modules["cupy"] = types.SimpleNamespace(RawModule=RawModule, int32=int)
readme = next(page for page in PAGES if page.name == "README.md").read_text()
(DIRECTORY / "mm.cu").write_text(re.search(r"^```cuda\n(.*?)^```", readme, re.S | re.M).group(1))
os.chdir(DIRECTORY)
for page in PAGES:
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M):
        launches.clear()
        exec(block, {"a": 1, "b": 2, "c": 3, "m": 1000, "n": 500, "k": 10})
        print(page.name, *launches)
