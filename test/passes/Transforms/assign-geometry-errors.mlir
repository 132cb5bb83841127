// RUN: not gpuopt-opt %s --gpuopt-assign-geometry 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gpuopt-opt %s --gpuopt-assign-geometry="target=sm_9O" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not gpuopt-opt %s --gpuopt-assign-geometry="block=16,0" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not gpuopt-opt %s --gpuopt-assign-geometry="block=8,8,1,1" 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90 resident=-1" 2>&1 | FileCheck %s --check-prefix=RESIDENT

// TARGET: error: expected a 'gpuopt.target' attribute or the option 'target'
// UNKNOWN: error: unknown target 'sm_9O'; did you mean 'sm_90'?
// EMPTY: error: expected between 1 and 1024 threads in each dimension of a block, found 0
// RESIDENT: error: expected 'resident' to be 0 or more, got -1
// FOUR: error: expected at most three threads per block, found 4
gpu.module @kernels {
  gpu.func @kernel(%c: memref<?xf32>) kernel {
    gpu.return
  }
}
