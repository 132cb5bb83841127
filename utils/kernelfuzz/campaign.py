"""Seeds through worker processes, and which of them are done."""

import concurrent.futures
import hashlib
import os
import pathlib


def version_of(tool, package, word=""):
    """Changes with the tool, with the generator, which is the folder of a package, and with what is checked."""
    digest = hashlib.sha256(pathlib.Path(tool).read_bytes())
    digest.update(word.encode())
    for path in sorted(pathlib.Path(package).iterdir()):
        if path.suffix in (".py", ".cuh"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class State:
    """Which seeds are done with which version of the tool: lines `VERSION SEED…`."""

    def __init__(self, path, version):
        self.path, self.version, self.done = path, version, set()
        if path and os.path.exists(path):
            for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
                known, *seeds = line.split()
                if known == version:
                    self.done.update(map(int, seeds))

    def add(self, seeds):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                print(self.version, *seeds, file=file)


def seeds_of(text):
    """`FIRST:END`, or one seed."""
    first, _, end = text.partition(":")
    return range(int(first), int(end) if end else int(first) + 1)


def results_of(check, seeds, state, jobs, at_once):
    """Counts and failures of the seeds that are not done, `at_once` of them at a time. `check` is called in a process
    of its own; of seeds it returns them, counts, and failures, which begin with their seed."""
    left = [seed for seed in seeds if seed not in state.done]
    chunks = [left[first:first + at_once] for first in range(0, len(left), at_once)]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(check, chunk) for chunk in chunks]
        for future in concurrent.futures.as_completed(waiting):
            done, counts, failures = future.result()
            failed = {failure[0] for failure in failures}
            state.add([seed for seed in done if seed not in failed])
            yield counts, failures
