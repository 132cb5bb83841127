// RUN: gpuopt-opt %s -split-input-file | FileCheck %s

// CHECK-LABEL: gpu.module @geometry
// CHECK: gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>
gpu.module @geometry {
  gpu.func @f() kernel attributes {gpuopt.geometry = #gpuopt.geometry<
      block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    gpu.return
  }
}
