"""Kernels and the programs of `gpuopt assist` on the same data: what each of them accesses."""

import _ctypes
import collections
import ctypes
import dataclasses
import json
import pathlib
import re
import subprocess

import numpy

from bench.simulation import trace

RECORDER = pathlib.Path(__file__).with_name("recorder.c")
VISIT = 0xFFFF
TYPES = {
    "int": ctypes.c_int32,
    "unsigned": ctypes.c_uint32,
    "long long": ctypes.c_int64,
    "unsigned long long": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "bool": ctypes.c_bool,
}


class Extent(ctypes.Structure):
    _fields_ = [(axis, ctypes.c_int) for axis in "xyz"]


@dataclasses.dataclass
class Launch:
    """A kernel as it is launched, and all that gpuopt is told of it."""

    gpuopt: str
    file: str
    kernel: str
    sizes: str = ""  # n=64,m=32
    grid: str = ""
    block: str = ""
    target: str = "sm_90"
    optimized: bool = False
    more: tuple = ()  # options of the front end

    def command(self, name, *options, launched=True):
        """A command of gpuopt; one that runs the kernel is told the launch."""
        shape = [("--grid", self.grid), ("--block", self.block)] if launched else [("--block", self.block)]
        wanted = [("--kernel", self.kernel), ("--target", self.target), *shape]
        given = [part for option, value in wanted if value for part in (option, value)]
        # What compiles for sizes would make a kernel for these alone.
        given += ["--size", self.sizes] if launched and self.sizes else []
        return [self.gpuopt, name, self.file, *given, *self.more, *map(str, options)]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
    return done.stdout


class Declined(Exception):
    """A kernel that no program is written for; says why."""


class KernelRun:
    """What a kernel accesses, by the executor, and its arrays' contents."""

    def __init__(self, launch, directory):
        self.launch, self.directory = launch, pathlib.Path(directory)
        path, report = self.directory / "kernel.trace", self.directory / "kernel.json"
        version = ["--optimized"] if launch.optimized else []
        run(launch.command("profile", *version, "--sample", "all", "--trace", path, "--json", report))
        profile = json.loads(report.read_text(encoding="utf-8"))[0]
        self.grid, self.block = profile["grid"], profile["block"]
        # Then it is the original kernel that has run.
        self.used_fallback = profile["used_fallback"]
        self.operations = sum(profile["operations"].values())
        self.head, records = trace.stream(path)
        # Of each block and interval between barriers the requests to global memory.
        self.blocks = collections.defaultdict(lambda: collections.defaultdict(list))
        self.requests = 0  # all of them
        for number, interval, request in records:
            self.requests += 1
            # In a kernel without barriers each subgroup has been run to its end, and traced as an interval.
            requests = self.blocks[number][interval if profile["barriers_per_block"] else 0]
            if not request.is_workgroup:
                requests.append(request)

    def arrays(self):
        """By name, what arrays hold that the kernel only reads; others hold what it leaves."""
        arrays = self.directory / "arrays"
        run(self.launch.command("check", "--no-opt", "--inputs", "ordinary", "--no-races", "--output-dir", arrays))
        return {path.stem: numpy.load(path) for path in arrays.glob("*.npy")}

    def lines(self, size):
        """The lines of `size` bytes that are accessed: {(array, number)}."""
        touched = set()
        for intervals in self.blocks.values():
            for request in (request for interval in intervals.values() for request in interval):
                name = self.head["accesses"][request.site]["array"]
                for address in request.addresses:
                    byte = address & ((1 << 48) - 1)
                    touched.update((name, line) for line in range(byte // size, (byte + request.size - 1) // size + 1))
        return touched


def constants_of(text):
    """The numbers at the head of a program, by name."""
    numbers = re.search(r"^enum \{$(.*?)^\};$", text, re.DOTALL | re.MULTILINE).group(1)
    return {name: int(number) for name, number in re.findall(r"^ +(\w+) = (\d+)(?:,|$)", numbers, re.MULTILINE)}


class AssistantRun:
    """What the program of `gpuopt assist` loads: all visits of a thread, each with its loads in order."""

    def __init__(self, kernel, options=(), concurrent_blocks=None):
        launch, directory = kernel.launch, kernel.directory
        source, library = directory / "assistant.c", directory / "assistant.so"
        version = [] if launch.optimized else ["--no-opt"]
        blocks = ["--concurrent-blocks", concurrent_blocks] if concurrent_blocks else []
        # That of a tuned kernel is fixed.
        blocks += [] if launch.optimized or launch.block else ["--block", ",".join(map(str, kernel.block))]
        command = launch.command("assist", *version, "--skip-factor", "1", *options, *blocks, "--fetch", "load", "-o", source, launched=False)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 1:
            raise Declined(done.stderr.strip())
        done.check_returncode()
        self.text = source.read_text(encoding="utf-8")
        instrument = ["-fsanitize-coverage=edge,trace-loads", "-finstrument-functions", "-Wall", "-Wextra", "-Werror"]
        run(["clang-22", "-std=c11", "-O1", "-fno-inline", "-fPIC", "-c", *instrument, str(source), "-o", str(directory / "assistant.o")])
        # The C library has functions of these names as well, which do nothing.
        own = ["-shared", "-Wl,-Bsymbolic"]
        run(["clang-22", "-O2", "-fPIC", *own, str(directory / "assistant.o"), str(RECORDER), "-lm", "-o", str(library)])
        self.library = ctypes.CDLL(str(library))
        self.names = []
        self.records = self.record(kernel, library)
        # A later one may be a file with the same number, which the loader would take for this one.
        _ctypes.dlclose(self.library._handle)  # pylint: disable=protected-access

    def parameters(self):
        """(type, name in the kernel) of what the program is given behind the grid."""
        head = re.search(r"^long long prefetch_\w+\((.*?)\) \{", self.text, re.DOTALL | re.MULTILINE).group(1)
        parts = [" ".join(part.split()) for part in head.split(",")][1:]
        named = [re.fullmatch(r"(.*?[ *])(\w+)", part).groups() for part in parts]
        # What would hide a name of the program's own has another one there.
        kernels = dict(re.findall(r"^// (\w+) is what the kernel calls (\S+)\.$", self.text, re.MULTILINE))
        return [(kind, kernels.get(name, name)) for kind, name in named]

    def arguments(self, kernel):
        arrays = kernel.arrays()
        sizes = dict(pair.split("=") for pair in kernel.launch.sizes.split(",") if pair)
        arguments = [Extent(*kernel.grid)]
        for kind, name in self.parameters():
            if kind.endswith("*"):
                array = arrays[name]
                self.names.append(name)
                self.library.recorder_add_array(ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(array.nbytes))
                arguments.append(ctypes.c_void_p(array.ctypes.data))
            else:
                kind = TYPES[kind.strip()]
                value = float(sizes[name]) if kind in (ctypes.c_float, ctypes.c_double) else int(sizes[name])
                arguments.append(kind(value))
        return arguments, arrays

    def record(self, kernel, library):
        entry = re.search(r"^long long (prefetch_\w+)\(", self.text, re.MULTILINE).group(1)
        symbols = dict(reversed(line.split()[::2]) for line in run(["nm", "--defined-only", str(library)]).splitlines())
        function = getattr(self.library, entry)
        base = ctypes.cast(function, ctypes.c_void_p).value - int(symbols[entry], 16)
        self.library.recorder_add_function.argtypes = [ctypes.c_void_p]
        number = 1
        while f"fetch_{number}" in symbols:
            self.library.recorder_add_function(base + int(symbols[f"fetch_{number}"], 16))
            number += 1
        arguments, kept = self.arguments(kernel)
        function.restype = ctypes.c_int64
        self.visits = function(*arguments)
        del kept
        self.library.recorder_count.restype = ctypes.c_uint64
        self.library.recorder_records.restype = ctypes.POINTER(ctypes.c_uint64)
        count = self.library.recorder_count()
        if not count:
            return numpy.zeros(0, numpy.uint64)
        return numpy.ctypeslib.as_array(self.library.recorder_records(), (count,)).copy()

    def loads(self):
        """(array, byte) of each load."""
        loads = self.records[self.records >> numpy.uint64(48) != VISIT]
        return loads >> numpy.uint64(48), loads & numpy.uint64((1 << 48) - 1)

    def lines(self, size):
        """As those of a kernel."""
        arrays, bytes_ = self.loads()
        pairs = numpy.unique(numpy.stack([arrays, bytes_ // numpy.uint64(size)]), axis=1)
        return {(self.names[array], int(line)) for array, line in pairs.T}
