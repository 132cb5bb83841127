// Which functions of a file are kernels of the module, under which symbol and which name.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 2>&1 | FileCheck %s --implicit-check-not=kernelcc
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 2>&1 | FileCheck %s --implicit-check-not=kernelcc
// RUN: gpuopt-translate --cuda-to-mlir %s --kernel=filled 2>/dev/null | FileCheck %s --check-prefix=CHOSEN --implicit-check-not=kernelcc

// A template that nothing instantiates has no body yet.
// CHECK: which-kernels.cu:[[# @LINE + 1]]:36: warning: kernel template 'never' is left out: nothing instantiates it
template <class T> __global__ void never(T *a) { *a = 6; }

// CHECK: kernelcc @plain({{.*}}gpuopt.source_name = "plain"
extern "C" __global__ void plain(int *a) { *a = 1; }

// One without an array has its place too.
// CHECK: kernelcc @_Z5tracei({{.*}}gpuopt.source_name = "trace"
__global__ void trace(int n) { if (n < 0) __builtin_trap(); }

// CHECK: kernelcc @_ZN5outer12_GLOBAL__N_16hiddenEPi({{.*}}gpuopt.source_name = "hidden"
namespace outer { namespace { __global__ void hidden(int *a) { *a = 2; } } }

// CHECK: kernelcc @_ZL5localPi({{.*}}gpuopt.source_name = "local"
static __global__ void local(int *a) { *a = 3; }

// Overloads are told apart by their symbols.
// CHECK: kernelcc @_Z10overloadedPi({{.*}}gpuopt.source_name = "overloaded"
// CHECK: kernelcc @_Z10overloadedPf({{.*}}gpuopt.source_name = "overloaded"
__global__ void overloaded(int *a) { *a = 4; }
__global__ void overloaded(float *a) { *a = 5; }

// An instance that the file asks for, and one that its host's code launches.
// CHECK: kernelcc @_Z6filledIdLi3EEvPT_({{.*}}gpuopt.source_name = "filled"
// CHECK: kernelcc @_Z6filledIfLi2EEvPT_({{.*}}gpuopt.source_name = "filled"
// The name chooses all of them.
// CHOSEN-COUNT-2: kernelcc @_Z6filledI
template <class T, int N> __global__ void filled(T *a) { for (int i = 0; i < N; ++i) a[i] = T(N); }
template __global__ void filled<double, 3>(double *);
void host(float *a, int *b) {
  filled<float, 2><<<1, 1>>>(a);
  outer::hidden<<<1, 1>>>(b);
  local<<<1, 1>>>(b);
}

// A function of the device is part of what calls it.
__device__ void helper(int *a) { *a = 7; }
