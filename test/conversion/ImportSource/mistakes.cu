// Mistakes in kernels are told as Clang tells them, the first one only: at its place, with the line and, where another
// place matters, a note.
// RUN: split-file %s %t
// RUN: not gpuopt-translate --cuda-to-mlir %t/undeclared.cu 2>&1 | FileCheck %s --check-prefix=UNDECLARED --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/host.cu 2>&1 | FileCheck %s --check-prefix=HOST --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/returns.cu 2>&1 | FileCheck %s --check-prefix=RETURNS --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/header.cu 2>&1 | FileCheck %s --check-prefix=HEADER --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/fourth.cu 2>&1 | FileCheck %s --check-prefix=FOURTH --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/throws.cu 2>&1 | FileCheck %s --check-prefix=THROWS --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/length.cu 2>&1 | FileCheck %s --check-prefix=LENGTH --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/heap.cu 2>&1 | FileCheck %s --check-prefix=HEAP --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/constructor.cu 2>&1 | FileCheck %s --check-prefix=CONSTRUCTOR --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/wanted.cu 2>&1 | FileCheck %s --check-prefix=WANTED --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/declared.cu 2>&1 | FileCheck %s --check-prefix=DECLARED --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/space.cl 2>&1 | FileCheck %s --check-prefix=SPACE --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/unknown.cl 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:

//--- undeclared.cu
// UNDECLARED:      undeclared.cu:4:38: error: use of undeclared identifier 'scale'
// UNDECLARED-NEXT:  4 | __global__ void f(float *a) { a[0] = scale * other; }
// UNDECLARED-NEXT:    |                                      ^~~~~
__global__ void f(float *a) { a[0] = scale * other; }
//--- host.cu
// HOST:      host.cu:4:38: error: no matching function for call to 'half'
// HOST:      host.cu:3:7: note: candidate function not viable: call to __host__ function from __global__ function
float half(float x) { return x / 2; }
__global__ void f(float *a) { a[0] = half(a[1]); }
//--- returns.cu
// RETURNS: returns.cu:2:12: error: kernel function type 'int (float *)' must have void return type
__global__ int f(float *a) { return 1; }
//--- header.cu
// What comes of a header that is not there is an error of its own.
// HEADER: header.cu:4:1: warning: 'my_constants.h' not found; going on without it
// HEADER: header.cu:5:38: error: use of undeclared identifier 'SCALE'
#include "my_constants.h"
__global__ void f(float *a) { a[0] = SCALE; }
//--- fourth.cu
// FOURTH: fourth.cu:2:43: error: no member named 'w' in
__global__ void f(float *a) { a[threadIdx.w] = 0; }
//--- throws.cu
// THROWS: throws.cu:2:31: error: cannot use 'throw' in __global__ function
__global__ void f(float *a) { throw 1; }
//--- length.cu
// LENGTH: length.cu:2:45: error: cannot use variable-length arrays in __global__ functions
__global__ void f(float *a, int n) { float b[n]; a[0] = b[0]; }
//--- heap.cu
// HEAP: heap.cu:2:42: error: 'operator new[]' has no body that a kernel can call
__global__ void f(float *a) { float *b = new float[3]; a[0] = b[1]; }
//--- constructor.cu
// CONSTRUCTOR: constructor.cu:3:33: error: 'S::S' has no body that a kernel can call
struct S { __device__ S(); int x; };
__global__ void f(float *a) { S s; a[0] = s.x; }
//--- wanted.cu
// WANTED: wanted.cu:2:2: error: "needs a newer GPU"
#error "needs a newer GPU"
__global__ void f(float *a) { a[0] = 1; }
//--- declared.cu
// A kernel without a body is none.
// DECLARED: declared.cu: error: no kernel found in this file
__global__ void f(float *a);
//--- space.cl
// SPACE: space.cl:2:24: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
__kernel void f(float *a) { a[0] = 1; }
//--- unknown.cl
// UNKNOWN: unknown.cl:2:45: error: use of undeclared identifier 'fast_scale'
__kernel void f(__global float *a) { a[0] = fast_scale(1); }
