"""The source that is printed for kernels: its host side compiled and called, and what that launches run.

For a file of kernels, `gpuopt-check-batch` prints what `gpuopt compile --emit cuda` (hip) does. A C++ compiler takes the
host functions `launch_NAME` of it, with kernels that print how they are launched, and each is called for each launch of
the original. `gpuopt-check-batch` then imports the printed kernels, runs what was launched, and compares all arrays
with the original's.
"""

import json
import math
import os
import re
import subprocess
from dataclasses import dataclass, field, replace

from .batch import Checker, command_of, request_of, sizes_of
from .ranges import Undefined, extents_of

# What a file needs of CUDA's and HIP's runtime to compile for the host. A launch prints itself.
HOST = r"""
#include <initializer_list>
extern "C" int printf(const char *, ...);
extern "C" int atoi(const char *);
extern "C" int fflush(void *);
typedef decltype(sizeof 0) size_t;
#define __global__
#define __constant__
#define __device__
#define __launch_bounds__(...)
template <typename T> const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> const T &min(const T &a, const T &b) { return b < a ? b : a; }
namespace std {
template <typename T> T max(initializer_list<T> all) { T most = *all.begin(); for (T one : all) most = most < one ? one : most; return most; }
template <typename T> T min(initializer_list<T> all) { T least = *all.begin(); for (T one : all) least = one < least ? one : least; return least; }
}
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
typedef struct CUstream_st *cudaStream_t, *hipStream_t;
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
enum hipError_t { hipSuccess, hipErrorInvalidValue };
static cudaError_t cudaGetLastError() { return cudaSuccess; }
static hipError_t hipGetLastError() { return hipSuccess; }
struct __half { short bits; };
template <typename T> static void show(T *pointer) { printf(", {\"address\": %llu}", (unsigned long long)pointer); }
template <typename T> static void show(T value) {
  printf(", {\"bytes\": \"");
  for (size_t i = 0; i < sizeof value; ++i)
    printf("%02x", ((unsigned char *)&value)[i]);
  printf("\"}");
}
template <typename Kernel> struct Launch;
template <typename... T> struct Launch<void(T...)> {
  Launch(const char *name, dim3 g, dim3 b, size_t shared, void *) {
    printf("[\"%s\", [%u, %u, %u], [%u, %u, %u], %zu", name, g.x, g.y, g.z, b.x, b.y, b.z, shared);
  }
  void operator()(T... arguments) { (show(arguments), ...); printf("]\n"); }
};
struct Pointer { unsigned long long value; template <typename T> operator T *() const { return (T *)value; } };
struct Number { unsigned long long value; template <typename T> operator T() const { return (T)value; } };
"""

# Faults of the host side that its compiler can find; a trap needs no library.
TRAPS = ["signed-integer-overflow", "integer-divide-by-zero", "shift"]

# What a grid may have along x, y and z, and a block.
MOST_BLOCKS, MOST_THREADS = (2**31 - 1, 65535, 65535), 1024
# Work items of a launch that is enlarged to cover a problem.
MOST_ITEMS = 1 << 16

KERNEL = re.compile(r"^(__global__ void\b[^;{]*?\b(\w+)\([^;{}]*\)) (\{\}$|\{\n.*?^\}$)", re.S | re.M)
DEVICE_FUNCTION = re.compile(r"^(?:static )?__device__ [^;{]*\{\n.*?^\}$", re.S | re.M)
HELPER = re.compile(r"^(\w+)\s+launch_(\w+)\((\w+)", re.M)


@dataclass
class Call:
    """A call of a helper in the place of `launch`, and what came of it."""

    kernel: object
    launch: object
    number: int
    displaced: dict = field(default_factory=dict)
    made: list = field(default_factory=list)
    error: str = ""


class EmittedFile:
    """The text of a file that gpuopt has printed."""

    def __init__(self, text):
        self.text = text
        self.kernels = {match[2]: match[0] for match in KERNEL.finditer(text)}
        # Those that take the original launch, and those that compute it from the sizes.
        self.helpers = {match[2]: match[3] for match in HELPER.finditer(text)}

    def takes_launch(self, name):
        return self.helpers[name] == "dim3"

    def reads_addresses(self, name):
        """Whether the kernel does another thing where its arrays lie elsewhere."""
        return "(size_t)" in self.kernels.get(name, "")

    def host_program(self, calls):
        """Host code that makes the calls from the number on that it is given."""
        code = re.sub(r"^#.*\n|//.*", "", self.text, flags=re.M)
        code = KERNEL.sub(r"\1;", DEVICE_FUNCTION.sub("", code))
        code = re.sub(r"\b(\w+)\s*<<<(.*?)>>>\(", r'Launch<decltype(\1)>("\1", \2)(', code, flags=re.S)
        lines = [HOST, code, "int main(int, char **words) {", "  int first = atoi(words[1]);"]
        for number, call in enumerate(calls):
            lines += [f'  if (first <= {number}) {{ printf("call {number}\\n"); fflush(nullptr); {self.text_of(call)} }}']
        return "\n".join(lines + ["}", ""])

    def text_of(self, call):
        """A call of the helper in C++."""
        kernel, launch = call.kernel, call.launch
        words = ["nullptr"]
        if self.takes_launch(kernel.name):
            words = [f"dim3{tuple(launch.grid)}", f"dim3{tuple(launch.block)}", "0", "nullptr"]
        words += [f"Pointer{{{address}ull}}" for address in addresses_of(call).values()]
        words += [f"Number{{{launch.scalars[scalar.name] % 2**64}ull}}" for scalar in kernel.scalars]
        text = f"launch_{kernel.name}({', '.join(words)})"
        return f"{text};" if self.takes_launch(kernel.name) else f'printf("%d\\n", (int){text});'


def addresses_of(call):
    """Arrays lie apart, aligned as the runtime aligns them, unless the call displaces them."""
    addresses = {array.name: (number + 1 << 40) + call.displaced.get(array.name, 0)
                 for number, array in enumerate(call.kernel.arrays)}
    return {name: addresses[call.launch.same.get(name, name)] for name in addresses}


def fault_of(name, grid, block, shared):
    """What no GPU can launch."""
    if any(not 1 <= count <= most for count, most in zip(grid, MOST_BLOCKS)):
        return f"launches {name} with a grid of {grid}"
    if min(block) < 1 or math.prod(block) > MOST_THREADS or block[2] > 64:
        return f"launches {name} with blocks of {block}"
    return f"launches {name} with {shared} bytes of workgroup memory" if shared else ""


def take_line(call, line):
    """Adds a line that the call has printed."""
    if not line.startswith("["):
        call.error = call.error or ("" if line == "0" else f"returns error {line}")
        return
    name, grid, block, shared, *given = json.loads(line)
    call.error = call.error or fault_of(name, grid, block, shared)
    names = {address: array for array, address in addresses_of(call).items()}
    arguments = [argument if "bytes" in argument else {"array": names.get(argument["address"], "")}
                 for argument in given]
    call.made.append({"kernel": name, "grid": grid, "block": block, "arguments": arguments})


def covering(kernel, launch, extents):
    """The launch, enlarged until it covers what has something to do; None where that is too much or not known."""
    if all(extent is None for extent in extents):
        return None
    grid = tuple(max(count, -(-(extent or 0) // size)) for count, extent, size in zip(launch.grid, extents, launch.block))
    if math.prod(grid) * math.prod(launch.block) > max(MOST_ITEMS, math.prod(launch.grid) * math.prod(launch.block)):
        return None
    enlarged = replace(launch, grid=grid)
    try:
        extents_of(kernel, enlarged)
    except Undefined:
        return None
    return enlarged


def displaced(call):
    """The same call with one array behind where the runtime would have placed it."""
    arrays = [array for array in call.kernel.arrays if array.name not in call.launch.same]
    array = arrays[(call.kernel.seed + call.number) % len(arrays)]
    size = 4 if array.struct else array.element.bits // 8
    return replace(call, displaced={array.name: size}, made=[])


class SourceChecker(Checker):
    """A checker of the source that is printed for kernels."""

    def __init__(self, tool, compiler, seconds=30):
        super().__init__(tool, seconds)
        self.compiler = compiler

    @staticmethod
    def command_of(kernel, launch):
        """For a person: how the source is printed, and what it takes the place of."""
        language = "hip" if kernel.target.startswith("gfx") else "cuda"
        return f"gpuopt compile kernel.cu --target {kernel.target} --emit {language}\n" \
            f"# in the place of: {command_of(kernel, launch)}"

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def ask(self, kernels, sanitize):
        path = self.write(kernels)
        emitted = self.path("emitted.hip" if kernels[0].target.startswith("gfx") else "emitted.cu")
        request = request_of(path, kernels)
        answer = self.exchange({**request, "emit": emitted})
        if not isinstance(answer, list) or len(answer) != len(kernels):
            return "printing the source: " + (answer if isinstance(answer, str) else self.said())
        with open(emitted, encoding="utf-8") as text:
            file = EmittedFile(text.read())
        calls = [call for kernel, entry in zip(kernels, answer) if not entry["formless"]
                 for call in self.calls_of(file, kernel, entry)]
        error = self.call_host(file, [call for call in calls if call.kernel.name in file.helpers])
        if error:
            return error
        entries = {kernel.name: entry for kernel, entry in zip(kernels, answer)}
        for call in calls:
            self.judge(call, entries[call.kernel.name])
        outcomes = self.run(file, {**request, "emitted": emitted, "sanitize": sanitize}, calls)
        return outcomes if isinstance(outcomes, str) else \
            [self.answer_of(file, kernel, entry, calls, outcomes) for kernel, entry in zip(kernels, answer)]

    def calls_of(self, file, kernel, entry):
        """The calls for the launches of a kernel. Without a helper it is launched as it was."""
        for number, (launch, extents) in enumerate(zip(kernel.launches, entry["extents"])):
            if kernel.name not in file.helpers:
                arguments = [{"array": array.name} for array in kernel.arrays]
                arguments += [{"bytes": (launch.scalars[scalar.name] % 2**64).to_bytes(8, "little")
                               .hex()[:max(2, scalar.type.bits // 4)]} for scalar in kernel.scalars]
                yield Call(kernel, launch, number, made=[{"kernel": kernel.name, "grid": launch.grid,
                                                          "block": launch.block, "arguments": arguments}])
                continue
            # Computed from the sizes, a launch does all that there is to do.
            whole = launch if file.takes_launch(kernel.name) else covering(kernel, launch, extents)
            if whole:
                call = Call(kernel, whole, number)
                yield call
                yield displaced(call)

    def call_host(self, file, calls):
        """Makes the calls; says why the host's side does not compile, if so."""
        if not calls:
            return ""
        program, binary = self.path("host.cpp"), self.path("host")
        with open(program, "w", encoding="utf-8") as text:
            text.write(file.host_program(calls))
        command = [self.compiler, "-std=c++17", "-O0", "-w", "-fuse-ld=lld", "-fsanitize=" + ",".join(TRAPS),
                   "-fsanitize-trap=all", program, "-o", binary]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            errors = [line for line in made.stderr.splitlines() if "error:" in line]
            return f"the host's side does not compile: {' '.join(errors or made.stderr.splitlines()[-3:])[:600]}"
        first = 0
        while first < len(calls):
            done = subprocess.run([binary, str(first)], capture_output=True, text=True, check=False)
            for line in done.stdout.splitlines():
                if line.startswith("call "):
                    call = calls[int(line[5:])]
                else:
                    take_line(call, line)
            if not done.returncode:
                break
            call.error = "computes what C++ does not define"
            first = calls.index(call) + 1
        return ""

    @staticmethod
    def judge(call, entry):
        """Finds what is wrong with a call before anything runs."""
        addresses = addresses_of(call)
        for name, alignment in entry["aligned"].items():
            if addresses[name] % alignment and any(made["kernel"] == call.kernel.name for made in call.made):
                call.error = call.error or f"launches {call.kernel.name} although '{name}' is not aligned"

    def run(self, file, request, calls):
        """What became of the calls that have to run, as {index: outcome}; or why nothing can run."""
        wanted = {}
        for index, call in enumerate(calls):
            before = calls[index - 1]
            is_known = call.displaced and call.made == before.made and \
                not any(file.reads_addresses(made["kernel"]) for made in call.made)
            if not call.error and not is_known:
                wanted.setdefault(call.kernel.name, []).append(index)
        entries = [{"name": name, "launches": [self.entry_of(calls[index]) for index in indices]}
                   for name, indices in wanted.items()]
        if not entries:
            return {}
        answer = self.exchange({**request, "kernels": entries})
        if not isinstance(answer, list) or len(answer) != len(entries):
            return "running the source: " + (answer if isinstance(answer, str) else "does not compile: " + self.said())
        return {index: outcome for indices, entry in zip(wanted.values(), answer)
                for index, outcome in zip(indices, entry["launches"])}

    @staticmethod
    def entry_of(call):
        launch = call.launch
        return {"sizes": sizes_of(call.kernel, launch), "grid": launch.grid, "block": launch.block,
                "same": launch.same, "displaced": call.displaced, "made": call.made}

    @staticmethod
    def answer_of(file, kernel, entry, calls, outcomes):
        """An answer as that of a check of tuned kernels, with an outcome for each launch."""
        launches = ["formless" if entry["formless"] else "uncovered"] * len(kernel.launches)
        for index, call in enumerate(calls):
            if call.kernel is not kernel or launches[call.number] not in ("uncovered", "passed"):
                continue
            outcome = f"tuned: launch_{kernel.name} {call.error}" if call.error else outcomes.get(index, "passed")
            if call.displaced and outcome != "passed":
                outcome += f" ({next(iter(call.displaced))} displaced)"
            launches[call.number] = outcome
        return {"raised": not entry["formless"], "transformed": kernel.name in file.helpers, "launches": launches}
