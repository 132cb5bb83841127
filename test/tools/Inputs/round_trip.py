"""Emits kernels as source, reads them again, and compares what both compute.

  round_trip.py [--steps] [--nvcc NVCC] [--clang CLANG --prelude DIRECTORY]
                SOURCE TARGET DIRECTORY (KERNEL SIZES ITEMS ARRAYS)...

SIZES are those of the scalar parameters (m=33,n=67), ITEMS the work items in x,
y and z (67,33), ARRAYS the numbers of elements of the arrays (a=2211), and, where
not all of them are results, of how many are (a=2211:1). The
untouched import of the original runs in blocks of BLOCK threads; its launch goes
through `launch_KERNEL` of the emitted file, compiled for the host with launches
that print themselves, and the untouched import of the emitted kernels runs what
was printed. All arrays must be close. `--steps` does so after each transform, and
for what `--emit hip` and `--emit opencl` give checks that Clang takes it, as
Clang and nvcc, where named, have to take every CUDA file.
"""

import argparse
import array
import ast
import json
import math
import pathlib
import re
import struct
import subprocess
import sys

BLOCKS = {1: (64, 1, 1), 2: (16, 8, 1), 3: (8, 4, 4)}

HOST = """#include <cstdio>
#include <algorithm>
#include <cstdint>
#include <type_traits>
using std::max; using std::min;
struct dim3 { unsigned x, y, z; dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
typedef void *cudaStream_t, *hipStream_t;
enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };
enum hipError_t { hipSuccess, hipErrorInvalidValue };
static cudaError_t cudaGetLastError() { return cudaSuccess; }
static hipError_t hipGetLastError() { return hipSuccess; }
#define VECTORS(T, NAME) struct NAME##2 { T x, y; }; struct NAME##3 { T x, y, z; }; struct NAME##4 { T x, y, z, w; };
VECTORS(unsigned char, uchar) VECTORS(int, int) VECTORS(float, float) VECTORS(double, double)
struct __half { short bits; }; struct __nv_bfloat16 { short bits; };
template <typename T> static void show(T *) { printf("null"); }
template <typename T> static void show(T value) {
  if constexpr (!std::is_integral_v<T>) printf("%.17g", (double)value);
  else if constexpr (std::is_unsigned_v<T>) printf("%llu", (unsigned long long)value);
  else printf("%lld", (long long)value);
}
struct Launch {
  Launch(const char *name, dim3 g, dim3 b, size_t, void *) {
    printf("[\\"%s\\", [%u, %u, %u], [%u, %u, %u], [", name, g.x, g.y, g.z, b.x, b.y, b.z);
  }
  template <typename... T> void operator()(T... arguments) {
    bool first = true;
    ((first ? void() : void(printf(", ")), show(arguments), first = false), ...);
    puts("]]");
  }
};
"""


def load(path):
    """The elements of a NumPy file of numbers."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10 : 10 + length].decode())
    if header["descr"][1:] == "f2":  # The array module knows no halves.
        return [x for (x,) in struct.iter_unpack("<e", data[10 + length :])]
    kind = {"f4": "f", "f8": "d", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
            "i1": "b", "u1": "B", "i2": "h", "u2": "H", "b1": "B"}[header["descr"][1:]]
    elements = array.array(kind)
    elements.frombytes(data[10 + length :])
    return elements


def run(*command, cwd=None):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")
    return result.stdout


def execute(source, kernel, target, grid, block, sizes, output, inputs=None):
    command = ["gpuopt", "check", source, "--kernel", kernel, "--no-opt", "--no-races",
               "--target", target, "--size", sizes, "--output-dir", output,
               "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block))]
    for name, path in (inputs or {}).items():
        command += ["--input", f"{name}={path}"]
    run(*command)


def parameters(text, kernel):
    """Types and names of the parameters of a kernel."""
    head = re.search(r"__global__ void[^;{]*?\b" + kernel + r"\((.*?)\)\s*\{", text, re.S)
    skipped = 0 if head else 4  # grid, block, bytes, stream
    head = head or re.search(r"^void launch_" + kernel + r"\((.*?)\)\s*\{", text, re.S | re.M)
    assert head, f"{kernel} is not in the emitted source"
    return [re.match(r"(.*?)(\w+)$", part.strip(), re.S).groups()
            for part in head[1].split(",")[skipped:]]


class Checker:
    def __init__(self, options):
        self.options = options
        self.language = "hip" if options.target.startswith("gfx") else "cuda"
        self.ending = ".hip" if self.language == "hip" else ".cu"

    def host_launches(self, text, kernel, grid, block, sizes, work):
        """What `launch_KERNEL` launches for a launch of the original."""
        functions = re.findall(r"^\w+\s+launch_\w+\(.*?^\}$", text, re.S | re.M)
        helper = [function for function in functions if re.match(rf"\w+\s+launch_{kernel}\(", function)]
        if not helper:
            return [(kernel, grid, block, None)]
        code = re.sub(r"(\w+)\s*<<<(.*?)>>>\(", r'Launch("\1", \2)(', "\n".join(functions), flags=re.S)
        values = dict(entry.split("=") for entry in sizes.split(","))
        # Arrays that lie apart, aligned as the runtime aligns them.
        arguments = [f"({kind.replace('__restrict__', '')})({index + 1}ull << 40)" if "*" in kind
                     else values[name]
                     for index, (kind, name) in enumerate(parameters(text, kernel))]
        # A helper that computes its launch from the problem takes a stream only.
        original = [] if "(cudaStream_t" in helper[0] or "(hipStream_t" in helper[0] else \
            ["dim3(%d, %d, %d)" % tuple(grid), "dim3(%d, %d, %d)" % tuple(block), "0"]
        call = ", ".join(original + ["nullptr"] + arguments)
        program = work / "launches.cpp"
        program.write_text(f"{HOST}{code}\nint main() {{ launch_{kernel}({call}); }}\n")
        run(self.options.clang + "++", "-std=c++17", "-w", program, "-o", work / "launches")
        launches = []
        for line in run(work / "launches").splitlines():
            name, new_grid, new_block, given = json.loads(line)
            launches.append((name, new_grid, new_block, given))
        return launches

    def compiles(self, path, language):
        options = self.options
        if not options.prelude:
            return
        common = ["-fsyntax-only", "-Werror", "-Wno-unused-value", path]
        # The front end's own headers stand for those of an SDK.
        headers = pathlib.Path(options.prelude).resolve()
        link = pathlib.Path(options.work) / "headers" / "gpuopt" / "DeviceFunctions.def"
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(headers / "DeviceFunctions.def")
        prelude = ["-isystem", headers / "prelude", "-isystem", link.parent.parent, "-include", "gpuopt_prelude.h"]
        if language == "opencl":
            run(options.clang, "-x", "cl", "-cl-std=CL2.0", "-target", "spir64", *common)
        elif language == "hip":
            run(options.clang, "-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpuinc",
                "-nogpulib", *prelude, *common)
        else:
            run(options.clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80",
                "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", *prelude, *common)
            if options.nvcc:
                run(options.nvcc, "-arch=sm_80", "-ptx", path, "-o", path.with_suffix(".ptx"))

    def check_file(self, path, kernel, launch, sizes, arrays, expected):
        """Whether the kernel in `path` computes `expected`."""
        text = path.read_text()
        work = path.with_suffix("")
        work.mkdir(exist_ok=True)
        self.compiles(path, self.language)
        target, inputs = self.options.target, {}
        names = [entry.split("=")[0] for entry in arrays.split(",")]
        for step, (name, grid, block, given) in enumerate(
                self.host_launches(text, kernel, *launch, sizes, work)):
            scalars = sizes
            if given:
                scalars = ",".join(f"{parameter}={value if isinstance(value, int) else round(value)}" for (_, parameter), value
                                   in zip(parameters(text, name), given) if value is not None)
            output = work / str(step)
            own = [parameter for _, parameter in parameters(text, name)]
            own_arrays = [entry for entry in arrays.split(",") if entry.split("=")[0] in own]
            execute(path, name, target, grid, block, ",".join([scalars, *own_arrays]), output,
                    {array: place for array, place in inputs.items() if array in own})
            inputs.update({array: output / f"{array}.npy" for array in names if array in own})
        for name in names:
            found = load(inputs[name])
            assert len(expected[name]) == len(found), f"{path}: {name} has another length"
            # Sums in which large numbers cancel are as exact as those are.
            largest = max((abs(x) for x in expected[name] if math.isfinite(x)), default=0)
            for position, (x, y) in enumerate(zip(expected[name], found[:self.results[name]])):
                same = x == y or (x != x and y != y)
                assert same or abs(x - y) <= 1e-6 + 1e-5 * abs(x) + 1e-7 * largest, \
                    f"{path}: {name}[{position}] is {y}, not {x}"

    def check(self, kernel, sizes, items, arrays):
        parts = [entry.partition(":") for entry in arrays.split(",")]
        arrays = ",".join(part[0] for part in parts)
        self.results = {part[0].split("=")[0]: int(part[2]) if part[2] else None for part in parts}
        options, work = self.options, pathlib.Path(self.options.work)
        source, target = options.source, options.target
        extents = [int(count) for count in items.split(",")]
        block = BLOCKS[len(extents)]
        extents += [1, 1]
        grid = [-(-extents[dim] // block[dim]) for dim in range(3)]
        original = work / f"{kernel}.original"
        run("gpuopt", "check", source, "--kernel", kernel, "--no-opt", "--no-races", "--target", target,
            "--size", sizes + "," + arrays, "--output-dir", original,
            "--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block)))
        expected = {entry.split("=")[0]: load(original / f"{entry.split('=')[0]}.npy")
                    for entry in arrays.split(",")}
        emitted = work / f"{kernel}{self.ending}"
        common = ["gpuopt", "compile", source, "--kernel", kernel, "--target", target]
        steps = work / f"{kernel}.steps"
        dump = ["--dump-steps", steps] if options.steps else []
        run(*common, "--emit", self.language, "-o", emitted, *dump)
        files = [emitted]
        if options.steps:
            files += sorted(steps.glob("*" + self.ending))
            for language, ending in (("hip", ".hip"), ("opencl", ".cl")):
                other = work / (kernel + ".other" + ending)
                made = subprocess.run([*map(str, common), "--emit", language, "-o", str(other)],
                                      capture_output=True, text=True)
                # What OpenCL C cannot say is a diagnostic, and no file.
                if made.returncode == 1 and "has no form in OpenCL C" in made.stderr:
                    assert not other.exists()
                    continue
                assert made.returncode == 0, made.stderr
                self.compiles(other, language)
        done = {}
        for path in files:
            # Some steps change nothing in the source but its comments.
            code = re.sub(r"^//.*\n", "", path.read_text(), flags=re.M)
            if code not in done:
                done[code] = path
                self.check_file(path, kernel, (grid, block), sizes, arrays, expected)
        print(f"{kernel} for {target}: equal" + (f", {len(files) - 1} steps" if options.steps else ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--nvcc")
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--prelude")
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("work")
    parser.add_argument("problems", nargs="*")
    options = parser.parse_args()
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)
    checker = Checker(options)
    for begin in range(0, len(options.problems), 4):
        checker.check(*options.problems[begin : begin + 4])


main()
