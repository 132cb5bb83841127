"""Many kernels through one `gpuopt-check-batch`, which answers a line for each file."""

import json
import os
import subprocess
import tempfile
import threading

from .ranges import extents_of
from .tree import PREAMBLE


def sizes_of(kernel, launch):
    """Values of scalars, and numbers of elements of arrays."""
    sizes = {**launch.scalars, **extents_of(kernel, launch)}
    for name, other in launch.same.items():
        sizes[other] = max(sizes[other], sizes[name])
    return sizes


def request_of(path, kernels):
    """What the tool is asked about the kernels of a file, which are all for one target."""
    entries = [{"name": kernel.name,
                "launches": [{"sizes": sizes_of(kernel, launch), "grid": launch.grid, "block": launch.block,
                              "same": launch.same} for launch in kernel.launches]} for kernel in kernels]
    return {"file": path, "target": kernels[0].target, "kernels": entries}


def command_of(kernel, launch, path="kernel.cu"):
    """The same as a call of the driver, for a person."""
    sizes = sizes_of(kernel, launch)
    words = ["gpuopt", "check", path, "--target", kernel.target, "--size",
             ",".join(f"{name}={value}" for name, value in sizes.items()),
             "--grid", ",".join(map(str, launch.grid)), "--block", ",".join(map(str, launch.block))]
    for name, other in launch.same.items():
        words += ["--same-array", f"{name}={other}"]
    return " ".join(words)


def computed_by(process):
    """Seconds of CPU time of a process, as Linux counts them."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0


# What becomes of launches that do not fail. Of some that pass nobody can tell whether their text may differ.
UNBOUNDED = "text without a bound"
FINE = ("passed", "fallback", UNBOUNDED)


def fails(answer):
    return any(outcome not in FINE for outcome in answer["launches"])


class Checker:
    """A process of the tool; starts another one where it ends or takes too long."""

    def __init__(self, tool, seconds=30, text=False):
        self.tool, self.seconds, self.text = tool, seconds, text
        self.process = None
        self.directory = tempfile.TemporaryDirectory()
        self.log = os.path.join(self.directory.name, "log")

    @staticmethod
    def command_of(kernel, launch):
        return command_of(kernel, launch)

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ask(self, kernels, sanitize):
        """The answer for the kernels of one file, or why there is none."""
        return self.exchange({**request_of(self.write(kernels), kernels), "sanitize": sanitize, "text": self.text})

    def write(self, kernels):
        """A file with these kernels."""
        path = os.path.join(self.directory.name, "batch.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PREAMBLE + "\n".join(kernel.source() for kernel in kernels))
        return path

    def exchange(self, request):
        """The tool's answer, or why there is none."""
        if not self.process:
            with open(self.log, "w", encoding="utf-8") as log:
                self.process = subprocess.Popen([self.tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                                text=True)
        process = self.process
        is_done, is_late = threading.Event(), threading.Event()
        watch = threading.Thread(target=self.watch, args=(process, is_done, is_late))
        watch.start()
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        is_done.set()
        watch.join()
        if answer:
            return json.loads(answer)["kernels"]
        self.close()
        return f"takes more than {self.seconds} seconds" if is_late.is_set() else "crash: " + self.said()

    def watch(self, process, is_done, is_late):
        """Ends `process` when it has computed for too long: the machine may be busy, so the clock does not tell."""
        begin = computed_by(process)
        while not is_done.wait(1):
            if computed_by(process) - begin > self.seconds:
                is_late.set()
                process.kill()
                return

    def said(self):
        """The last lines that the tool wrote to standard error."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return " ".join(log.read().split("\n")[-12:])[:600]

    def check(self, kernels, sanitize=False):
        """What became of each kernel and its launches: {seed: answer of the tool}."""
        answer = self.ask(kernels, sanitize)
        if isinstance(answer, list) and len(answer) == len(kernels):
            return self.without_victims(kernels, answer, sanitize)
        if len(kernels) == 1:
            reason = answer if isinstance(answer, str) else "does not compile: " + self.said()
            return {kernels[0].seed: {"raised": False, "transformed": False,
                                      "launches": ["tuned: " + reason] * len(kernels[0].launches)}}
        # One of them spoils it for all.
        middle = len(kernels) // 2
        return {**self.check(kernels[:middle], sanitize), **self.check(kernels[middle:], sanitize)}

    def without_victims(self, kernels, answer, sanitize):
        """Kernels of a file are lowered together: what fails beside one that fails alone is asked again, alone."""
        results = {kernel.seed: entry for kernel, entry in zip(kernels, answer)}
        failed = [kernel for kernel, entry in zip(kernels, answer) if fails(entry)]
        if len(failed) < 2:
            return results
        alone = {}
        for kernel in failed:
            alone.update(self.check([kernel], sanitize))
        if any(map(fails, alone.values())):
            results.update(alone)
        return results
