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

  // A block id alone stays: it is a work item's only in some launches.
  gpu.func @block(%a: memref<?xindex>) kernel {
    // expected-remark@below {{the block id along z is the work item's id in launches of blocks with one thread along z}}
    %b = gpu.block_id z
    memref.store %b, %a[%b] : memref<?xindex>
    gpu.return
  }

  // Nor is it one where the kernel reads how many threads there are, or says so.
  gpu.func @block_and_size(%a: memref<?xindex>) kernel {
    // expected-remark@below {{the kernel uses the block id along y apart from the work item's id and keeps its launch}}
    %b = gpu.block_id y
    %d = gpu.block_dim y
    memref.store %d, %a[%b] : memref<?xindex>
    gpu.return
  }
  gpu.func @pairs(%a: memref<?xindex>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    // expected-remark@below {{the kernel uses the block id along y apart from the work item's id and keeps its launch}}
    %b = gpu.block_id y
    memref.store %b, %a[%b] : memref<?xindex>
    gpu.return
  }
}
