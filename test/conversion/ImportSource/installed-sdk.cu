// Libraries of an installed SDK in device code: CUB stands on the prelude. Host code that is instantiated with them launches
// kernels as the SDK's version does.
// REQUIRES: cuda-sdk
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 2>&1 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 --clang-arg=-DTEXTURES 2>&1 | FileCheck %s --check-prefix=TEXTURE
// RUN: not gpuopt-translate --cuda-to-mlir %s --target=gfx942 --clang-arg=-DTEXTURES 2>&1 | FileCheck %s --check-prefix=AMD

#ifdef TEXTURES
// Fetches are LLVM's, not the SDK's statements.
// TEXTURE: llvm.call_intrinsic "llvm.nvvm.tex.unified.2d.v4f32.f32"
__global__ void fetch(cudaTextureObject_t t, float *a) {
  // AMD: installed-sdk.cu:[[# @LINE + 1]]:{{[0-9]+}}: error: textures and surfaces in a kernel are supported for NVIDIA's targets only
  a[threadIdx.x] = tex2D<float>(t, threadIdx.x, blockIdx.x);
}
#else

#include <cub/block/block_reduce.cuh>
#include <cublasLt.h>

cublasLtHandle_t handle;

// CHECK-NOT: warning:
// CHECK-NOT: error:
// CHECK-LABEL: llvm.func {{.*}}@_Z4sumsIfLi128EEvPKT_PS0_
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.call @__gpuopt_shuffle_down(
// CHECK: llvm.call @__gpuopt_barrier()
template <class T, int Threads> __global__ void sums(const T *a, T *b) {
  typedef cub::BlockReduce<T, Threads> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  T sum = Reduce(storage).Sum(a[blockIdx.x * Threads + threadIdx.x]);
  if (threadIdx.x == 0)
    b[blockIdx.x] = sum;
}
template <class T> void run(const T *a, T *b, int n) { sums<T, 128><<<n / 128, 128>>>(a, b); }
int main() { run<float>(nullptr, nullptr, 1024); }
#endif
