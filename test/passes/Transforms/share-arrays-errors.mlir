// RUN: not gpuopt-opt %s --gpuopt-share-arrays="target=sm_90 items=3" 2>&1 | FileCheck %s --check-prefix=ITEMS
// RUN: not gpuopt-opt %s --gpuopt-share-arrays="target=sm_90 sizes=n" 2>&1 | FileCheck %s --check-prefix=SIZES
// ITEMS: error: expected 'items' to be a power of two, got 3
// SIZES: error: expected NAME=NUMBER in 'sizes', got 'n'

gpu.module @kernels {
  gpu.func @empty() kernel {
    gpu.return
  }
}
