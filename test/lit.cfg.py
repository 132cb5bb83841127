"""How lit runs gpuopt's tests: which files are tests, and which tools they find."""

import glob
import os
import shutil
import sys

import lit.formats

config.name = "gpuopt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".cu", ".hip", ".cl", ".ll", ".ptx", ".test", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py.in"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.gpuopt_build_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.gpuopt_build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
config.environment["FILECHECK_OPTS"] = (
    "-enable-var-scope --allow-unused-prefixes=false"
)

# Never the user's cache.
config.environment["GPUOPT_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
# Nothing that an earlier run has compiled.
config.environment["GPUOPT_CACHE_LIMIT"] = "0"

config.substitutions += [
    ("%python", sys.executable),
    ("%venv_python", os.path.join(config.gpuopt_build_dir, "venv", "bin", "python")),
    ("%gpuopt_build", config.gpuopt_build_dir),
    ("%gpuopt_source", config.gpuopt_source_dir),
    ("%llvm_include", os.path.join(config.llvm_tools_dir, "..", "include")),
    ("%examples", os.path.join(config.gpuopt_source_dir, "examples")),
    # Runs a program as on a GPU, by a driver of ours.
    ("%on_gpu", "env GPUOPT_DEVICE=gpu GPUOPT_DRIVER="
     + os.path.join(config.gpuopt_build_dir, "lib", "libgpuopt-ptx-driver.so")),
]

# Features that a test may require.
ptxas_directories = [
    os.path.join(config.gpuopt_build_dir, "cuda", "bin"),
    "/usr/local/cuda/bin",
    config.environment["PATH"],
]
ptxas = shutil.which("ptxas", path=os.pathsep.join(ptxas_directories))
if ptxas:
    config.available_features.add("ptxas")
    config.environment["PATH"] += os.pathsep + os.path.dirname(ptxas)
nvcc = shutil.which("nvcc", path=os.pathsep.join(ptxas_directories))
if nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
if shutil.which("cuobjdump", path=os.path.join(config.gpuopt_build_dir, "bin")) or shutil.which("cuobjdump"):
    config.available_features.add("cuobjdump")
# Of the newest kind only, as the test names what it keeps where.
if os.path.isdir("/usr/local/cuda/include/cccl") and os.path.exists("/usr/local/cuda/include/cublasLt.h"):
    config.available_features.add("cuda-sdk")
if os.path.exists(os.path.join(config.gpuopt_build_dir, "lib", "libgpuopt_cublas.so")):
    config.available_features.add("cublas")
if os.path.isdir(os.path.join(config.gpuopt_build_dir, "python", "gpuopt")):
    config.available_features.add("python-bindings")
if os.path.exists(os.path.join(config.gpuopt_build_dir, "venv", ".numpy")):
    config.available_features.add("numpy")
if config.gpuopt_static and os.path.exists(os.path.join(config.gpuopt_build_dir, "wheel-tools", ".complete")):
    config.available_features.add("wheel")
# Not installed by utils/setup.sh: it takes a gigabyte. `build/venv/bin/pip install triton` does.
if glob.glob(os.path.join(config.gpuopt_build_dir, "venv", "lib", "*", "site-packages", "triton")):
    config.available_features.add("triton")
if os.path.exists(os.path.join(config.gpuopt_build_dir, "venv", ".simpy")):
    config.available_features.add("simpy")
if os.path.exists(os.path.join(config.gpuopt_build_dir, "venv", ".z3")):
    config.available_features.add("z3")
