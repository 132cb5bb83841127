// A barrier of the grid stays a call, which the CPU executor knows, until code is made for a GPU: then blocks count
// themselves, and the first thread of each waits for the sign of the counter to change.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=CALL
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX

// CALL: define ptx_kernel void @f
// CALL: call void @__gpuopt_global_sync()
// PTX: .global .align 4 .u32 f__grid_barrier
// PTX: .entry f
// PTX: bar.sync
// PTX: membar.gl
// PTX: atom{{.*}}.add.u32 %[[BEFORE:r[0-9]+]]
// PTX: ld{{.*}}.b32 %[[NOW:r[0-9]+]]
// PTX: xor.b32 {{.*}}%[[BEFORE]]
// PTX: bra
// PTX: membar.gl
// PTX: bar.sync
gpu.module @kernels {
  gpu.func @f(%a: memref<?xf32>) kernel {
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %a[%id] : memref<?xf32>
    gpuopt.grid_barrier
    memref.store %zero, %a[%id] : memref<?xf32>
    gpu.return
  }
}
