"""Many programs through one `gpuopt-check-batch`: what PTX does against what its C++ does."""

import os
import shlex

from kernelfuzz import batch

from . import text

TARGET = "sm_90"


def request_of(source, ptx, programs):
    """What the tool is asked about the programs of two files."""
    def launch_of(program):
        return {"sizes": text.sizes_of(program), "grid": [*program.grid, 1], "block": [*program.block, 1]}
    entries = [{"name": program.name, "launches": [launch_of(program)]} for program in programs]
    return {"file": source, "with": ptx, "target": TARGET, "kernels": entries}


def command_of(program, source="programs.cu", ptx="programs.ptx"):
    """The same as a call of the driver, for a person."""
    sizes = ",".join(f"{name}={value}" for name, value in text.sizes_of(program).items())
    return shlex.join(["gpuopt", "check", source, ptx, "--kernel", program.name, "--target", TARGET, "--size", sizes,
                       "--grid", ",".join(map(str, program.grid)), "--block", ",".join(map(str, program.block)),
                       "--inputs", "both", "--signature", text.SIGNATURE])


class Checker(batch.Checker):
    """A process of the tool, which is given two files."""

    def write(self, kernels):
        paths = [os.path.join(self.directory.name, name) for name in ("batch.cu", "batch.ptx")]
        for path, written in zip(paths, (text.cpp_file(kernels), text.ptx_file(kernels))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(written)
        return paths

    def without_victims(self, kernels, answer, sanitize):
        """None is tuned, so that none fails because of another."""
        return {program.seed: entry for program, entry in zip(kernels, answer)}

    def ask(self, kernels, sanitize):
        return self.exchange({**request_of(*self.write(kernels), kernels), "sanitize": sanitize})
