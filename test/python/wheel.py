# REQUIRES: wheel
# RUN: %python %s %gpuopt_source %gpuopt_build %llvm_include/../lib
"""`pip wheel .` makes a wheel that works where there is no LLVM, and in a process that has another one."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

source, build, llvm = map(pathlib.Path, sys.argv[1:])
SYSTEM_LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}
STABLE_ABI_SINCE = 12

PROGRAM = """
#include <cstdio>
__global__ void twice(int *a) { a[threadIdx.x] = threadIdx.x * 2; }
int main() {
  int *a;
  cudaMallocManaged(&a, 64 * sizeof(int));
  twice<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  printf("%d\\n", a[63]);
}
"""

USE_PACKAGE = """
import sys, gpuopt
mm = gpuopt.compile(sys.argv[1], target="sm_90", kernels=["mm"])
assert b".visible .entry" in mm.emit("ptx") and mm.report()[0]["launch"]["block"]
assert gpuopt.compile(sys.argv[1], target="gfx942", kernels=["mm"]).emit("hsaco")[:4] == b"\\x7fELF"
text = "#include <immintrin.h>\\n__global__ void f(float *a) { a[threadIdx.x] = 1; }"
assert b"__global__" in gpuopt.compile("f", text=text, kind="cu").emit("cuda")
text = "__kernel void g(__global float *a) { a[get_global_id(0)] = sin(1.0f); }"
assert gpuopt.compile("g", text=text, kind="cl").kernels == ["g"]
"""


def output(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def pythons():
    """Those of this machine that share one wheel, oldest first; else the one that the build's bindings are for."""
    found = []
    asks = "import os, sys, sysconfig; os.stat(sysconfig.get_path('include') + '/Python.h'); print(sys.executable)"
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    for minor in range(STABLE_ABI_SINCE, STABLE_ABI_SINCE + 8):
        name = f"python3.{minor}"
        # pyenv puts a script into PATH for each version, which refuses all but the chosen ones.
        for python in filter(None, [shutil.which(name), *pyenv.glob(f"*/bin/{name}")]):
            done = subprocess.run([python, "-c", asks], capture_output=True, text=True)
            if done.returncode == 0:
                found.append(pathlib.Path(done.stdout.strip()))
                break
    return found or [build / "venv" / "bin" / "python"]


def make_wheel(python, folder):
    # No network, and no other build than the one under test.
    output(python, "-m", "pip", "wheel", source, "--no-build-isolation", "--no-deps", "--no-index", "-w", folder,
           "-C", f"cmake.define.GPUOPT_BUILD={build}", "-C", f"build-dir={build}/wheel-test/{{wheel_tag}}",
           env=dict(os.environ, PYTHONPATH=str(build / "wheel-tools")))
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size <= 150e6, wheel.stat().st_size
    return wheel


def check_binary(file, exports):
    """Nothing of `file` is missing on another machine, and nothing that it need not show is seen."""
    needed = {line.split("[")[1].rstrip("]") for line in output("llvm-readelf", "-d", file).splitlines() if "(NEEDED)" in line}
    assert needed <= SYSTEM_LIBRARIES, f"{file}: {needed - SYSTEM_LIBRARIES}"
    assert ".symtab" not in output("llvm-readelf", "-S", file), f"{file} is not stripped"
    assert "GNU_BUILD_ID" in output("llvm-readelf", "-n", file), f"the cache cannot tell {file} from others"
    seen = output("llvm-nm", "-D", "--defined-only", "--format=just-symbols", file).split()
    others = [name for name in seen if not name.startswith(exports)]
    assert not others, f"{file}: {others[:10]}"


def hide(*folders):
    """A command in front of others that do not see `folders`; none where the system does not let us."""
    script = "for folder in {}; do mount -t tmpfs none $folder || exit; done; exec \"$@\"".format(" ".join(map(str, folders)))
    command = ["unshare", "-rm", "sh", "-c", script, "sh"]
    try:
        subprocess.run(command + ["true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        print("LLVM is not hidden: no name spaces for mounts")
        return []
    return command


def install(python, wheel, folder):
    output(python, "-m", "venv", "--without-pip", folder)
    output(python, "-m", "pip", "--python", folder / "bin" / "python", "install", "--no-index", "--no-deps", wheel)
    return folder


def use_tools(environment, hidden, folder):
    clean = [*hidden, "env", "-i", f"GPUOPT_CACHE_DIR={folder}/cache"]
    gpuopt = environment / "bin" / "gpuopt"
    kernels = folder / "unified.cu"
    assert output(*clean, gpuopt, "--version").startswith("gpuopt ")
    assert "passed" in output(*clean, gpuopt, "check", kernels, "--kernel", "mm", "--size", "m=64,n=64,k=64")
    (folder / "twice.cu").write_text(PROGRAM)
    output(*clean, "PATH=/usr/bin:/bin", environment / "bin" / "gpuopt-cc", folder / "twice.cu", "-o", folder / "twice")
    assert output(*clean, "GPUOPT_DEVICE=cpu", folder / "twice") == "126\n"
    toolkit = environment / "lib" / "gpuopt" / "toolkit"
    assert "12.4" in output(*clean, "PATH=/usr/bin:/bin", toolkit / "bin" / "nvcc", "--version")
    # Where a build links the SDK's library by its name.
    program = "int cudaFree(void *); int main(void) { return cudaFree(0); }"
    output("cc", "-x", "c", "-", "-L", toolkit / "lib64", "-lcudart", "-o", folder / "free", input=program)
    output(*clean, "GPUOPT_DEVICE=cpu", folder / "free")


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gpuopt-wheel-"))
    try:
        shutil.copy(source / "examples" / "unified.cu", folder)
        supported = pythons()
        wheel = make_wheel(supported[0], folder / "wheels")
        hidden = hide(llvm.resolve().parent, source)
        environments = [install(python, wheel, folder / f"venv{i}") for i, python in enumerate(dict.fromkeys([supported[0], supported[-1]]))]
        for environment in environments:
            output(*hidden, "env", "-i", environment / "bin" / "python", "-c", USE_PACKAGE, folder / "unified.cu", cwd=folder)
        use_tools(environments[0], hidden, folder)
        (module,) = environments[0].glob("lib/python3*/site-packages/gpuopt/_gpuopt*.so")
        check_binary(module, ("PyInit__gpuopt",))
        check_binary(environments[0] / "bin" / "gpuopt", ())
        check_binary(environments[0] / "lib" / "libgpuopt_runtime.so",
                     ("cuda", "__cuda", "__trunc", "acc_", "gpuopt_acc_", "gpuopt_offload_"))
        other = f"import ctypes; ctypes.CDLL('{next(llvm.glob('libLLVM.so.*'))}', ctypes.RTLD_GLOBAL)\n"
        output(environments[0] / "bin" / "python", "-c", other + USE_PACKAGE, folder / "unified.cu", cwd=folder)
    finally:
        shutil.rmtree(folder)


main()
