// What programs declare for host code alone may be wrong: without the header of a library, its types are not known. No kernel needs them.
// RUN: split-file --leading-lines %s %t
// RUN: gpuopt-translate --cuda-to-mlir %t/program.cu --target=sm_90 2>&1 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %t/program.cu --target=gfx942 2>&1 | FileCheck %s

// Where device code does, or may, it is an error of the declaration.
// RUN: not gpuopt-translate --cuda-to-mlir %t/member.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not gpuopt-translate --cuda-to-mlir %t/alias.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=ALIAS
// RUN: not gpuopt-translate --cuda-to-mlir %t/constant.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not gpuopt-translate --cuda-to-mlir %t/variable.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: not gpuopt-translate --cuda-to-mlir %t/enumerator.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=ENUMERATOR
// RUN: not gpuopt-translate --cuda-to-mlir %t/friend.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=FRIEND
// RUN: not gpuopt-translate --cuda-to-mlir %t/instantiated.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=INSTANTIATED
// RUN: not gpuopt-translate --cuda-to-mlir %t/attribute.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not gpuopt-translate --cuda-to-mlir %t/overload.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=OVERLOAD
// RUN: not gpuopt-translate --cuda-to-mlir %t/parameter.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: not gpuopt-translate --cuda-to-mlir %t/brace.cu --target=sm_90 2>&1 | FileCheck %s --check-prefix=BRACE

//--- program.cu
// CHECK: program.cu:[[# @LINE + 1]]:1: warning: 'vendor_library.h' not found; going on without it
#include <vendor_library.h>
// CHECK-NOT: error:
libHandle_t handle, *handles[4];
extern "C" libStatus_t multiply(libHandle_t handle, float *a, int n);
typedef libStatus_t Status;
namespace host {
struct Plan {
  libHandle_t handle;
  Status status;
};
template <class T> libStatus_t check(T value) { return value; }
void run(Plan &plan) { check(multiply(plan.handle, nullptr, unknown)); }
template <class F> float measure(F function) {
  libTimer_t timer = start(handle);
  function();
  return stop(timer, unknown);
}
} // namespace host

// CHECK: llvm.func {{.*}}kernelcc @_Z1fPfi
__global__ void f(float *a, int n) {
  if (threadIdx.x < n)
    a[threadIdx.x] += 1;
}

// Each kernel of a template that host code starts is there, too, though the function that starts it does not compile.
// CHECK: llvm.func {{.*}}kernelcc @_Z1gIdEvPT_
template <class T> __global__ void g(T *a) { a[threadIdx.x] += 1; }
void start(double *a) {
  if (multiply(handle, nullptr, 0) == LIB_SUCCESS)
    g<<<1, 32>>>(a);
}

//--- member.cu
struct Both {
// MEMBER: member.cu:[[# @LINE + 1]]:3: error: unknown type name 'libHandle_t'
  libHandle_t handle;
  float factor;
};
__global__ void f(float *a, Both both) { a[threadIdx.x] *= both.factor; }

//--- alias.cu
// ALIAS: alias.cu:[[# @LINE + 1]]:9: error: unknown type name 'libFloat'
typedef libFloat Number;
struct Pair {
  Number first, second;
};
__global__ void f(Pair *a) { a[threadIdx.x].first += 1; }

//--- constant.cu
// CONSTANT: constant.cu:[[# @LINE + 1]]:19: error: use of undeclared identifier 'LIB_WIDTH'
const int width = LIB_WIDTH;
__global__ void f(float *a) { a[threadIdx.x] += sizeof(width); }

//--- variable.cu
// Clang says nothing more of a use, and has no value for it.
// VARIABLE: variable.cu:[[# @LINE + 1]]:1: error: no template named 'libTable'
libTable<float, 1> table;
template <class Table> __device__ float get(const Table &t, int i) { return t[i]; }
__global__ void f(float *a) { a[threadIdx.x] = get(table, threadIdx.x); }

//--- enumerator.cu
// ENUMERATOR: enumerator.cu:[[# @LINE + 1]]:20: error: use of undeclared identifier 'LIB_FAST'
enum Mode { Fast = LIB_FAST, Slow };
__global__ void f(int *a) { a[threadIdx.x] = Slow; }

//--- friend.cu
__device__ int twice(int x);
struct Plan {
// FRIEND: friend.cu:[[# @LINE + 1]]:3: error: unknown type name 'libHandle_t'
  libHandle_t handle;
  friend __device__ int twice(int x) { return unknown * x; }
};
__global__ void f(int *a) { a[threadIdx.x] = twice(a[threadIdx.x]); }

//--- instantiated.cu
// Only what host code launches shows that the kernel depends on it.
// INSTANTIATED: instantiated.cu:[[# @LINE + 1]]:26: error: use of undeclared identifier 'LIB_WIDTH'
struct Wide { enum { n = LIB_WIDTH }; };
template <class T> __global__ void f(int *a) { a[threadIdx.x] = T::n; }
void start(int *a) { f<Wide><<<1, 32>>>(a); }

//--- attribute.cu
// A kernel that Clang takes for a function of the host's, since it is wrong.
#define KERNEL __global__
__global__ void other(float *a) { a[threadIdx.x] += 1; }
// ATTRIBUTE: attribute.cu:[[# @LINE + 1]]:15: error: kernel function type 'int (float *)' must have void return type
static KERNEL int f(float *a) { a[threadIdx.x] += 1; return 0; }

//--- overload.cu
// OVERLOAD: overload.cu:[[# @LINE + 1]]:25: error: unknown type name 'libFloat'
__device__ float scaled(libFloat x) { return x; }
__device__ float scaled(double x) { return 2 * x; }
__global__ void f(float *a) { a[threadIdx.x] = scaled(a[threadIdx.x]); }

//--- parameter.cu
// PARAMETER: parameter.cu:[[# @LINE + 1]]:29: error: unknown type name 'libFloat'
__global__ void f(float *a, libFloat x) { a[threadIdx.x] += 1; }

//--- brace.cu
// What the parser has lost may have been a kernel.
// BRACE: brace.cu:[[# @LINE + 1]]:11: error: unknown type name 'libHandle_t'
void host(libHandle_t h, (libStatus_t s);
__global__ void f(float *a) { a[threadIdx.x] += 1; }
