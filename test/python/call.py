# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s %examples/unified.cu
"""Kernels that are called from Python compute what NumPy computes, on the caller's own memory."""

import array
import ctypes
import os
import sys

import numpy as np

import gpuopt

mm = gpuopt.compile(sys.argv[1], kernels=["mm"])["mm"]
assert [parameter.name for parameter in mm.parameters] == ["a", "b", "c", "m", "n", "k"]
assert mm.parameters[0].is_array and mm.parameters[3].type == "int"
m, n, k = 37, 67, 31
random = np.random.default_rng(1)
a = random.integers(-8, 8, (m, k)).astype(np.float32)
b = random.integers(-8, 8, (k, n)).astype(np.float32)
for call in [mm, mm[(5, np.int64(5)), (16, 8)], mm[(5, 37, 1), (16, 1, 1), 0]]:
    c = np.full((m, n), np.nan, np.float32)
    call(a, b, c, m, n, k)
    assert np.array_equal(c, a @ b)
c = np.full((m, n), np.nan, np.float32)
mm(a, b, n=n, k=np.int64(k), c=c, m=m)
assert np.array_equal(c, a @ b)

# What the tuned kernel takes, and what it does not.
tuned, = mm.launch_for((5, 5), (16, 8), m=m, n=n, k=k)
assert tuned.symbol == mm.symbol and not tuned.is_fallback and tuned.block != (16, 8, 1)
original, = mm.launch_for((1, 1), (16, 8), m=m, n=n, k=k)
assert original.is_fallback and "fewer than the kernel has work for" in original.reason

TEXT = r"""
#include <cuda_fp16.h>
struct Scale { int n; float by; };
__constant__ float weights[4];
__device__ int calls;
#define ID int i = blockIdx.x * blockDim.x + threadIdx.x
__global__ void scale(float *a, Scale s) { ID; if (i < s.n) a[i] *= s.by; }
struct View { int n; float *data; const int *at; };
__global__ void gather(View v, float by) { ID; if (i < v.n) v.data[i] = v.at[i] * by; }
__global__ void first(const float4 *a, float4 *b, int n) { ID; if (i < n) { float4 v = a[i]; v.x += 1; b[i] = v; } }
__global__ void twice(const __half *a, __half *b, int n) { ID; if (i < n) b[i] = __hadd(a[i], a[i]); }
__global__ void invert(bool *a, int n) { ID; if (i < n) a[i] = !a[i]; }
__global__ void weigh(float *a, int n) { ID; if (i < n) { a[i] = weights[i % 4]; atomicAdd(&calls, 1); } }
__global__ void sum(long long *a, unsigned long long k, unsigned char c, double d, int n) {
  ID; if (i < n) a[i] = k + c + (long long)d; }
__global__ void follow(float *a, const float *b, int n) { ID; if (i < n) a[i] = b[i] + 1; }
__global__ void ones(int *a) { ID; a[i] = 1; }
template <typename T> __global__ void increment(T *a, int n) { ID; if (i < n) a[i] += 1; }
template __global__ void increment<float>(float *, int);
template __global__ void increment<double>(double *, int);
"""
module = gpuopt.compile("types.cu", text=TEXT)
assert len(module) == 11 and [kernel.name for kernel in module] == module.kernels

numbers = np.arange(6, dtype=np.float32)
module["scale"][1, 32](numbers, {"n": 4, "by": 2.0})
assert list(numbers) == [0, 2, 4, 6, 4, 5]
module["scale"][1, 32](numbers, np.array([(2, 3.0)], dtype=[("n", "i4"), ("by", "f4")]))
assert list(numbers) == [0, 6, 4, 6, 4, 5]

# What a member points to is an array.
assert [parameter.name for parameter in module["gather"].parameters] == ["v", "by"]
module["gather"][1, 32]({"n": 5, "data": numbers, "at": np.arange(1, 7, dtype=np.int32)}, 0.5)
assert list(numbers) == [0.5, 1, 1.5, 2, 2.5, 5]
try:
    module["gather"][1, 32](bytes(24), 0.5)
except TypeError as error:
    assert "expected a dictionary of its members, of which some are arrays" in str(error)
else:
    raise AssertionError("nothing says how large the arrays are")

points = np.arange(12, dtype=np.float32).reshape(3, 4)
moved = np.zeros_like(points)
module["first"](points, moved, 3)
assert np.array_equal(moved, points + np.array([1, 0, 0, 0], np.float32))

halves = np.arange(5, dtype=np.float16)
doubled = np.zeros_like(halves)
module["twice"](halves, doubled, 5)
assert np.array_equal(doubled, halves * 2)
flags = np.array([True, False, True])
module["invert"](flags, 3)
assert list(flags) == [False, True, False]

# Variables of the module keep what the host writes, and what kernels leave.
module.variable("weights").view(np.float32)[:] = [1, 2, 3, 4]
out = np.zeros(6, np.float32)
module["weigh"](out, 6)
module["weigh"](out, 5)
assert list(out) == [1, 2, 3, 4, 1, 2] and module.variable("calls").view(np.int32)[0] == 11

# Scalars of each type, to its ends.
sums = np.zeros(2, np.int64)
module["sum"](sums, 2**64 - 5, 255, 2.9, 2)
assert list(sums) == [252, 252]
module["sum"](sums, np.uint64(7), np.uint8(3), np.float32(1), np.int64(2))
assert list(sums) == [11, 11]

# Arrays that overlap, and one array twice.
line = np.arange(100, dtype=np.float32)
module["follow"](line, line, 100)
assert np.array_equal(line, np.arange(100) + 1)
module["follow"](line[:50], line[50:], 50)
assert np.array_equal(line[:50], line[50:] + 1)

# No guard says how far it goes; and what only the buffer protocol has, or a template argument tells apart.
cells = np.zeros(64, np.int32)
module["ones"][2, 32](cells)
assert cells.sum() == 64
reals = np.zeros(3)
module["increment<double>"](memoryview(reals), 3)
assert list(reals) == [1, 1, 1]

# Structures with arrays, numbers of 128 bits, null pointers, and a parameter called `self`.
MORE = r"""
struct Line { int counts[3]; double slope; };
__global__ void line(double *a, Line l) { int i = threadIdx.x; if (i < 3) a[i] = l.counts[i] * l.slope; }
__global__ void wide(long long *a, __int128 k) { a[0] = (long long)(k >> 64); a[1] = (long long)k; }
__global__ void maybe(float *self, const float *bias, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) self[i] = bias ? bias[i] : 1; }
"""
module = gpuopt.compile("more.cu", text=MORE)
module["line"][1, 32](reals, {"counts": (1, 2, 3), "slope": 0.5})
assert list(reals) == [0.5, 1, 1.5]
wide = np.zeros(2, np.int64)
module["wide"][1, 1](wide, (5 + (7 << 64)).to_bytes(16, "little"))
assert list(wide) == [7, 5]
ctypes_floats = (ctypes.c_float * 4)()
module["maybe"](self=ctypes_floats, bias=None, n=4)
assert list(ctypes_floats) == [1] * 4
module["maybe"](array.array("f", [0] * 4), np.full(4, 3, np.float32), n=np.int64(4))

# A kernel outlives its module, and a child has kernels of its own.
ones = gpuopt.compile("types.cu", text=TEXT)["ones"]
ones[2, 32](cells)
child = os.fork()
if child == 0:
    ones[2, 32](cells)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
