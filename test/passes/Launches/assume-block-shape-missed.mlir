// RUN: gpuopt-opt %s --gpuopt-assume-block-shape --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.requires
gpu.module @kernels {
  // Nobody says what it is launched with.
  gpu.func @unknown(%a: memref<?xf32>, %v: f32) kernel {
    // expected-remark@below {{it uses 'gpu.thread_id', which may depend on the block shape, and its block is not known}}
    %t = gpu.thread_id x
    affine.store %v, %a[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // No GPU has such blocks.
  gpu.func @large(%a: memref<?xf32>, %v: f32) kernel attributes {gpuopt.launch_block = array<i32: 64, 64, 1>} {
    // expected-remark@below {{and its block is not known}}
    %t = gpu.thread_id x
    affine.store %v, %a[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}
