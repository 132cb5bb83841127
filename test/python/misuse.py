# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s
"""Whatever is wrong is one exception that names it, before anything runs where that is possible."""

import pickle

import numpy as np
from expect import raises

import gpuopt

TEXT = """struct Pair { int n; float by; };
__global__ void scale(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= b[i];
}
__global__ void pair(float4 *a, Pair p, unsigned char c) { a[threadIdx.x].x = p.n + c; }
"""
module = gpuopt.compile("wrong.cu", text=TEXT)
scale, pair = module
a, b = np.ones(8, np.float32), np.ones(8, np.float32)

# The arguments' number and names.
raises(TypeError, "scale lacks arguments: b, n", lambda: scale(a))
raises(TypeError, "scale takes 3 arguments, 4 were given", lambda: scale(a, b, 8, 8))
raises(TypeError, "has no parameter 'm'; it has a, b, n", lambda: scale(a, b, m=8))
raises(TypeError, "got argument 'a' twice", lambda: scale(a, b, 8, a=a))

# Arrays.
raises(TypeError, "argument 'a' (float *): the array is of float64", lambda: scale(np.ones(8), b, 8))
raises(TypeError, "argument 'b' (const float *): the array is of int32", lambda: scale(a, np.ones(8, np.int32), 8))
raises(TypeError, "expected an array (NumPy, DLPack or the buffer protocol), found int", lambda: scale(a, 5, 8))
raises(TypeError, "the array is of '>f'", lambda: scale(np.ones(8, ">f4"), b, 8))
raises(TypeError, "the array is of 'O'", lambda: scale(np.array([None] * 8), b, 8))
raises(TypeError, "the array is of 'T{f:x:}'", lambda: scale(np.zeros(8, [("x", "f4")]), b, 8))
raises(TypeError, "found list", lambda: scale(a, [1.0] * 8, 8))
raises(ValueError, "not contiguous", lambda: scale(np.ones(16, np.float32)[::2], b, 8))
frozen = np.ones(8, np.float32)
frozen.flags.writeable = False
raises(ValueError, "argument 'a' (float *): the array is read-only", lambda: scale(frozen, b, 8))
scale(a, frozen, 8)
raises(ValueError, "no whole elements of 16", lambda: pair[1, 1](np.ones(6, np.float32), {"n": 1, "by": 1}, 1))

# Scalars and structures.
raises(TypeError, "argument 'n' (int): expected an integer, found float", lambda: scale(a, b, 8.0))
raises(TypeError, "argument 'n' (int): expected an integer, found ndarray", lambda: scale(a, b, np.ones(2)))
raises(TypeError, "expected an integer, found NoneType", lambda: scale(a, b, None))
raises(ValueError, "argument 'n' (int): 2147483648 does not fit", lambda: scale(a, b, 2**31))
raises(ValueError, "18446744073709551616 does not fit", lambda: scale(a, b, 2**64))
four = np.ones(8, np.float32)
raises(ValueError, "(unsigned char): -1 does not fit", lambda: pair[1, 1](four, {"n": 1, "by": 1}, -1))
raises(TypeError, "(Pair): member 'by' is missing", lambda: pair[1, 1](four, {"n": 1}, 1))
raises(TypeError, "does not have", lambda: pair[1, 1](four, {"n": 1, "by": 1, "z": 1}, 1))
raises(ValueError, "(Pair): expected 8 bytes", lambda: pair[1, 1](four, b"four", 1))
raises(TypeError, "a dictionary of its members, or its bytes, found int", lambda: pair[1, 1](four, 1, 1))

# Launches.
raises(TypeError, "expected kernel[grid, block]", lambda: scale[1])
raises(ValueError, "the grid is 0x1x1", lambda: scale[0, 32](a, b, 8))
raises(ValueError, "the block is 32x-1x1", lambda: scale[1, (32, -1)](a, b, 8))
raises(ValueError, "one to three extents", lambda: scale[1, (1, 1, 1, 1)](a, b, 8))
raises(ValueError, "a block of 2048x1x1 threads is too large", lambda: scale[1, 2048](a, b, 8))
raises(TypeError, "grid: expected integers, found str", lambda: scale["1", 32])
raises(TypeError, "block: expected integers, found float", lambda: scale[1, (32, 1.5)])
raises(ValueError, "grid: 2147483648 is too large", lambda: scale[2**31, 32])
raises(ValueError, "shared_bytes must not be negative", lambda: scale[1, 32, -1](a, b, 8))
raises(ValueError, "kernel 'pair' does not say how many work items", lambda: pair(four, {"n": 1, "by": 1}, 1))

# What the kernel itself does wrong is found while it runs.
error = raises(gpuopt.LaunchError, "wrong.cu:4:22: out of bounds", lambda: scale(a, b, 9))
assert error.faults[0].kind == "out of bounds" and "which has 8 elements" in error.faults[0].message

# Input that does not compile.
error = raises(gpuopt.CompileError, "undeclared identifier 'q'",
               lambda: gpuopt.compile("f.cu", text="__global__ void f(int *a) {\n  a[0] = q;\n}"))
assert (error.file, error.line, error.column) == ("f.cu", 2, 10) and isinstance(error, ValueError)
assert error.text == "use of undeclared identifier 'q'" and "a[0] = q;" in error.diagnostics
error = raises(gpuopt.CompileError, "no such file", lambda: gpuopt.compile("nowhere.cu"))
assert error.file == "nowhere.cu" and error.line is None
raises(gpuopt.CompileError, "unknown target 'sm_0'", lambda: gpuopt.compile("f.cu", text=TEXT, target="sm_0"))
raises(gpuopt.CompileError, "no kernel 'g' in this file", lambda: gpuopt.compile("f.cu", text=TEXT, kernels=["g"]))
raises(ValueError, "kind: expected cu, hip, cl or mlir", lambda: gpuopt.compile("f", text=TEXT, kind="c"))
raises(KeyError, "'g' is no kernel: there are scale, pair", lambda: module["g"])
raises(ValueError, "no variable 'v'", lambda: module.variable("v"))
raises(ValueError, "--emit takes ptx", lambda: module.emit("hsaco"))

raises(TypeError, "target: expected text, found NoneType", lambda: gpuopt.compile("f.cu", text=TEXT, target=None))
raises(TypeError, "kernels: expected a list of texts", lambda: gpuopt.compile("f.cu", text=TEXT, kernels="scale"))
raises(TypeError, "sizes: expected an integer for 'n', found str", lambda: gpuopt.compile("f.cu", text=TEXT, sizes={"n": "3"}))
raises(ValueError, "no kernel has a parameter 'q'", lambda: gpuopt.compile("f.cu", text=TEXT, sizes={"q": 3}))
raises(ValueError, "there is a null in it", lambda: gpuopt.compile("f\0.cu", text=TEXT))
raises(ValueError, "expected cuda, hip or opencl", lambda: module.source("ptx"))
raises(TypeError, "such as 'ptx', found NoneType", lambda: module.emit(None))
deep = "template<int N> __device__ int t() { return t<N + 1>(); } __global__ void f(int *a) { a[0] = t<0>(); }"
error = raises(gpuopt.CompileError, "recursive template", lambda: gpuopt.compile("f.cu", text=deep))
assert error.line == 1 and raises(gpuopt.CompileError, "sm_0", lambda: gpuopt.compile("f.cu", text=TEXT, target="sm_0")).file is None

# Launches that nobody makes.
raises(ValueError, "there is no value for 'n'", lambda: scale.launch_for(1, 32))
raises(TypeError, "has no parameter 'q'", lambda: scale.launch_for(1, 32, q=4))
raises(ValueError, "the grid is 0x1x1", lambda: scale.launch_for(0, 32, n=4))

# What ends a kernel, and what is said of it, goes to other processes as well.
again = pickle.loads(pickle.dumps(gpuopt.LaunchError([gpuopt.Fault("trap", "stops", "f.cu:1:1")])))
assert str(again) == "f.cu:1:1: trap: stops" and again.faults[0].kind == "trap"

# Checks.
line = np.ones(9, np.float32)
raises(ValueError, "'b' and 'a' overlap in part", lambda: scale.check(a=line[1:], b=line[:8], n=8))
raises(TypeError, "values is an option", lambda: scale.check(values=2))
raises(TypeError, "has no parameter 'm'", lambda: scale.check(m=5))
raises(TypeError, "from_ is an option", lambda: scale.check(from_=2))
raises(ValueError, "from_: expected", lambda: scale.check(n=5, from_="sass"))
raises(ValueError, "values: expected", lambda: scale.check(n=5, values="odd"))
raises(ValueError, "which is no value of type 'int'", lambda: scale.check(n=2**31))
