"""What `gpuopt compile` keeps on disk: used where it is right, and only there."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
shutil.rmtree(ROOT, ignore_errors=True)
ROOT.mkdir(parents=True)
os.chdir(ROOT)
CACHE = ROOT / "cache"
RESULTS = CACHE / "compiled-v1"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "GPUOPT_CACHE_LIMIT"}
ENVIRONMENT["GPUOPT_CACHE_DIR"] = str(CACHE)

SOURCE = """#include "scale.h"
__global__ void scale(const float *__restrict__ a, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int unused = 1;
  if (i < n)
    c[i] = a[i] * SCALE;
}
"""
pathlib.Path("first").mkdir()
pathlib.Path("second").mkdir()
pathlib.Path("scale.cu").write_text(SOURCE)
pathlib.Path("second/scale.h").write_text("#define SCALE 2.0f\n")
COMMON = ["scale.cu", "-I", "first", "-I", "second"]
SEARCH = ["--search", "model", "--size", "n=64", "--target", "nvidia-gtx480"]


def start(*options: str, **variables: str) -> subprocess.Popen:
    return subprocess.Popen(["gpuopt", "compile", *COMMON, *options], env={**ENVIRONMENT, **variables},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def compiled(*options: str, **variables: str) -> tuple[bytes, bytes]:
    process = start(*options, **variables)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out, err


def results() -> list[pathlib.Path]:
    return sorted(RESULTS.glob("llvmcache-*"))


def same_thrice(*options: str) -> None:
    """Kept, read and made without the cache: all the same, and something is new."""
    before = len(results())
    kept = compiled(*options)
    assert len(results()) > before, options
    after = results()
    read = compiled(*options)
    assert results() == after, options
    assert kept == read == compiled("--no-cache", *options), options
    assert results() == after, options


def checksum(key: str, value: bytes) -> bytes:
    parts = b"".join(str(len(part)).encode() + b":" + part for part in (key.encode(), value))
    return hashlib.sha256(parts).hexdigest().encode() + b"\n"


def write(result: pathlib.Path, value: bytes) -> None:
    result.write_bytes(checksum(result.name.removeprefix("llvmcache-"), value) + value)


# It is read: what stands there is what comes out. What is damaged is made again.
plain = compiled()
[result] = results()
write(result, b"forged")
assert compiled()[0] == b"forged"
assert compiled("--no-cache") == plain
for damage in (lambda data: data[:-1], lambda data: data + b"x", lambda data: b"", lambda data: data.replace(b"mul", b"add")):
    write(result, plain[0])
    assert damage(result.read_bytes()) != result.read_bytes()
    result.write_bytes(damage(result.read_bytes()))
    assert compiled() == plain
    assert result.read_bytes().endswith(plain[0])
print("read, unless damaged")

# Whatever the result depends on is in the key.
for options in (["--target", "sm_80"], ["--target", "gfx942"], ["--no-opt"], ["--assume-noalias"], ["--reassociate"], ["--size", "n=64"],
                ["--size", "n=64", "--no-specialize"], ["--design", "threads=4,1"], ["--kernel", "scale"], ["-ffast-math"],
                ["-ffp-contract=off"], ["-DSOMETHING"], ["-std=c++20"], ["--emit", "llvm"], ["--emit", "mlir"], ["--emit", "cuda"],
                ["--emit", "hip"], ["--report", "-", "-o", os.devnull], ["-Wall"]):
    same_thrice(*options)
assert b"unused variable" in compiled("-Wall")[1]
target = subprocess.run(["gpuopt", "targets", "sm_90"], capture_output=True, text=True, check=True).stdout
pathlib.Path("own.target").write_text(target)
same_thrice("--target", "own.target")
pathlib.Path("own.target").write_text(target.replace("sectorBytes", "sectorBytes", 1).replace("132", "66", 1))
same_thrice("--target", "own.target")
pathlib.Path("second/scale.h").write_text("#define SCALE 3.0f\n")
same_thrice()
assert compiled() != plain
# A header that comes to lie in front of another.
pathlib.Path("first/scale.h").write_text("#define SCALE 4.0f\n")
same_thrice()
# Positions: they are in reports.
pathlib.Path("scale.cu").write_text("\n" + SOURCE)
same_thrice("--report", "-", "-o", os.devnull)
# The same for MLIR.
MLIR = """gpu.module @kernels {
  gpu.func @fill(%a: memref<?xf32>, %n: index) kernel {
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %value = arith.constant 1.0 : f32
      memref.store %value, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}
"""
COMMON, SOURCES = ["fill.mlir"], COMMON
for text in (MLIR, "\n" + MLIR, MLIR.replace("1.0", "2.0")):
    pathlib.Path("fill.mlir").write_text(text)
    same_thrice("--report", "-", "-o", os.devnull)
COMMON = SOURCES
# A tool that is found or not.
before = len(results())
compiled(GPUOPT_PTXAS="", GPUOPT_NVDISASM="", GPUOPT_NO_DEVICE_LIBRARY="1")
assert len(results()) == before + 1
print("all inputs count")

# What somebody wants to see is done.
for options in (["--explain"], SEARCH, ["--dump-steps", "steps"]):
    before = results()
    compiled(*options)
    assert results() == before, options
print("what is watched is done")

# Several at once.
wanted = {n: compiled("--no-cache", f"-DN={n}")[0] for n in range(2)}
running = [(n % 2, start(f"-DN={n % 2}")) for n in range(8)]
for n, process in running:
    assert process.communicate()[0] == wanted[n]
assert all(len(result.name) == len("llvmcache-") + 64 for result in results()), "something is left over"
print("several at once")


def show() -> str:
    return subprocess.run(["gpuopt", "cache"], env=ENVIRONMENT, capture_output=True, text=True, check=True).stdout


def cache(*words: str) -> None:
    subprocess.run(["gpuopt", "cache", *words], env=ENVIRONMENT, check=True)


# Read where nothing can be written, results of searches too.
cache("clear")
compiled()
[result] = results()
write(result, b"forged")
found = compiled(*SEARCH)
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && ! touch "$0/x" 2>/dev/null && shift 0 && "$@"'


def read_only(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, str(CACHE), *command],
                          env=ENVIRONMENT, capture_output=True)


if shutil.which("unshare") and read_only("true").returncode == 0:
    assert read_only("gpuopt", "compile", *COMMON).stdout == b"forged"
    other = read_only("gpuopt", "compile", *COMMON, "-DOTHER")
    assert (other.returncode, other.stderr) == (0, b""), other
    again = read_only("gpuopt", "compile", *COMMON, *SEARCH)
    assert (again.stdout, again.stderr) == found, again
    print("read where nothing can be written")
else:
    print("no file system that cannot be written")

# The limit.
assert "compiled: 1 results" in show() and "searches: 1 results" in show(), show()
for n in range(4):
    compiled(f"-DN={n}")
cache("limit", "8k")
assert 0 < sum(result.stat().st_size for result in results()) <= 8192
assert " of 8.0 KiB" in show()
# Of every run that adds something, of several at once too, and of what the environment says.
for n in range(4, 8):
    compiled(f"-DN={n}")
    assert 0 < sum(result.stat().st_size for result in results()) <= 8192
together = [start(f"-DN={n}", GPUOPT_CACHE_LIMIT="4k") for n in range(8, 14)]
assert all(process.communicate()[1] == b"" and process.returncode == 0 for process in together)
assert sum(result.stat().st_size for result in results()) <= 4096
cache("clear")
assert "compiled: 0 results" in show() and "searches: 0 results" in show(), show()
cache("limit", "0")
compiled()
assert not results()
cache("limit", "1m")
compiled(GPUOPT_CACHE_LIMIT="0")
assert not results()
compiled()
assert len(results()) == 1
print("limited")

# Nowhere to keep anything: nothing is said, and nothing is left here.
nowhere = compiled(GPUOPT_CACHE_DIR="", XDG_CACHE_HOME="", HOME="")
assert nowhere == compiled() and not pathlib.Path("compiled-v1").exists()
print("or nowhere")
