"""What people would use instead of gpuopt: other compilers and libraries."""

import pathlib
import re

from common import Absent, ROOT, find_clang, find_nvcc, run

COMPILERS = ("nvcc", "clang")
# gpuopt's word for a barrier of the grid; kernels that have one are left out for others.
DEFINES = ["-Dgpuopt_global_sync()="]


def compile_naive(compiler: str, source: pathlib.Path, out: pathlib.Path, kind: str,
                  target: str) -> None:
    """A whole file at -O3 by nvcc or clang; Absent where that cannot be."""
    is_hip = target.startswith("gfx")
    if compiler == "nvcc":
        with_nvcc(source, out, kind, target)
    elif is_hip:
        with_clang_for_amd(source, out, kind, target)
    else:
        with_clang(source, out, kind, target)


def with_nvcc(source: pathlib.Path, out: pathlib.Path, kind: str, target: str) -> None:
    if target.startswith("gfx"):
        raise Absent("nvcc compiles for NVIDIA only")
    if kind == "llvm":
        raise Absent("nvcc writes no LLVM IR, which dry runs need")
    nvcc = find_nvcc()
    if not nvcc:
        raise Absent("no CUDA SDK")
    run([nvcc, f"-{kind}", "-O3", f"-arch={target}", *DEFINES, str(source), "-o", str(out)])


def with_clang(source: pathlib.Path, out: pathlib.Path, kind: str, target: str) -> None:
    clang, nvcc = find_clang(), find_nvcc()
    if not clang or not nvcc:
        raise Absent("no clang" if nvcc else "no CUDA SDK")
    cuda = pathlib.Path(nvcc).resolve().parent.parent
    text = out if kind != "cubin" else out.with_suffix(".ptx")
    run([clang, "-x", "cuda", "--cuda-device-only", "-S", "-O3", f"--cuda-gpu-arch={target}",
         f"--cuda-path={cuda}", "-Wno-unknown-cuda-version", "-Wno-unknown-pragmas",
         *(["-emit-llvm"] if kind == "llvm" else []), *DEFINES, str(source), "-o", str(text)])
    if kind == "llvm" and re.search(r" asm ", out.read_text()):
        raise Absent("its headers are written in PTX, which the CPU executor does not run")
    if kind == "cubin":
        try:
            run([f"{cuda}/bin/ptxas", "-O3", f"-arch={target}", str(text), "-o", str(out)])
        finally:
            text.unlink(missing_ok=True)


def with_clang_for_amd(source: pathlib.Path, out: pathlib.Path, kind: str, target: str) -> None:
    """As HIP, without ROCm: what kernels need of its headers is in hip.h."""
    clang = find_clang()
    if not clang:
        raise Absent("no clang")
    headers = ROOT / "bench/peers/hip"
    run([clang, "-x", "hip", "--cuda-device-only", "-O3", f"--offload-arch={target}", "-nogpuinc",
         "-nostdinc++", "-fdeclspec", "-nogpulib",
         f"-isystem{headers}", "-include", str(headers / "hip.h"),
         "-Wno-unknown-pragmas", *(["-S", "-emit-llvm"] if kind == "llvm" else
                                   ["--no-gpu-bundle-output"]),
         *DEFINES, str(source), "-o", str(out)])


def libraries(names: list[str], is_hip: bool) -> tuple[list[str], list[tuple[str, str]]]:
    """Of the library functions those that there are for the target, and why not the others."""
    if not is_hip:
        return names, []
    kept, missing = [], []
    for name in names:
        if name.startswith("cublas"):
            kept.append(name.replace("cublas", "hipblas"))
        elif name == "copy":
            kept.append(name)
        else:
            missing.append((name, "NVIDIA's; not for AMD"))
    return kept, missing


def build_cub(target: str, out: pathlib.Path) -> None:
    """CUB's reductions as a library to open at run time (cub.cu), if it is not there yet."""
    nvcc, source = find_nvcc(), ROOT / "bench/peers/cub.cu"
    if not nvcc:
        raise Absent("no CUDA SDK where the bundle was built")
    if not (out.exists() and out.stat().st_mtime > source.stat().st_mtime):
        run([nvcc, "-O3", "-shared", "-Xcompiler", "-fPIC", "-cudart", "static",
             f"-arch={target}", str(source), "-o", str(out)])
