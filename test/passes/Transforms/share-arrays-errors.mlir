// RUN: not gpuopt-opt %s --gpuopt-share-arrays="target=sm_90 items=3" 2>&1 | FileCheck %s --check-prefix=ITEMS
// RUN: not gpuopt-opt %s --gpuopt-share-arrays="target=sm_90 sizes=n" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not gpuopt-opt %s --gpuopt-share-arrays="target=sm_90 memory-share=2" 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: expected 'memory-share' above 0 and up to 1
// ITEMS: error: expected 'items' to be a power of two up to 1024, got 3
// SIZES: error: expected a size of the form 'name=value', found 'n'

gpu.module @kernels {
  gpu.func @empty() kernel {
    gpu.return
  }
}
