// The prelude stands in for the headers of an SDK. Those that are installed do not mix with it, wherever they stand.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 --clang-arg=-I%S/Inputs/sdk/include 2>&1 | FileCheck %s

// With --cuda-path the SDK takes the place of the prelude.
// RUN: not gpuopt-translate --cuda-to-mlir %s --target=sm_90 --cuda-path=%S/Inputs/sdk 2>&1 | FileCheck %s --check-prefix=SDK
// SDK: this SDK's types are its own

// CHECK-NOT: this SDK's types are its own
#include <cuda_fp16.h>
// CHECK: sdk-headers.cu:[[# @LINE + 1]]:1: warning: 'sdk_library.h' not found; going on without it
#include <sdk_library.h>
// Beside them may stand what is not the SDK's.
// CHECK-NOT: warning:
#include <of_the_machine.h>

sdkHandle_t handle;

// CHECK: llvm.func {{.*}}@_Z1fPDF16_i
// CHECK: llvm.fadd %{{.*}}, %{{.*}} {{.*}}: f16
__global__ void f(__half *a, int n) {
  if (threadIdx.x < n)
    a[threadIdx.x] = __hadd(a[threadIdx.x], a[threadIdx.x]);
}

// What host headers declare that the SDK's own include is found, too.
// CHECK: llvm.func {{.*}}@_Z1gPmS_
__global__ void g(uint64_t *a, uint64_t *b) {
  a[threadIdx.x] = of_the_machine + UINT32_MAX;
  assert(b != nullptr);
}
