// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-global-ids)))' \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpu.global_id

gpu.module @kernels {
  gpu.func @thread(%a: memref<?xindex>) kernel {
    // expected-remark@below {{the kernel uses the thread id along x apart from the work item's id and keeps its launch}}
    %t = gpu.thread_id x
    memref.store %t, %a[%t] : memref<?xindex>
    gpu.return
  }

  // The wrong dimension's size.
  gpu.func @mixed(%a: memref<?xindex>) kernel {
    // expected-remark@below {{the kernel uses the block id along x apart from the work item's id and keeps its launch}}
    %b = gpu.block_id x
    %d = gpu.block_dim y
    %t = gpu.thread_id x
    %p = arith.muli %b, %d : index
    %i = arith.addi %p, %t : index
    memref.store %i, %a[%i] : memref<?xindex>
    gpu.return
  }
}
