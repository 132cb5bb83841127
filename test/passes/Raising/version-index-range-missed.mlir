// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-version-index-range)))" --remarks-filter-missed=gpuopt --remark-format=emitRemark --verify-diagnostics

gpu.module @kernels {
  // The loop's bound is loaded at the top level: inside a version it would be
  // no affine symbol.
  gpu.func @loaded_bound(%a: memref<?xf32>, %count: memref<?xi32>, %w: i32) kernel {
    %v = arith.constant 1.0 : f32
    %x = gpu.global_id x
    %x32 = arith.index_cast %x : index to i32
    %n = memref.load %count[%x] : memref<?xi32>
    %ni = arith.index_castui %n : i32 to index
    %0 = arith.muli %x32, %w : i32
    %1 = arith.index_castui %0 : i32 to index
    // expected-remark @below {{no version: this is affine in a value that the kernel loads or computes itself}}
    affine.for %i = 0 to %ni {
      memref.store %v, %a[%1] : memref<?xf32>
    }
    gpu.return
  }
}
