// Atomics are relaxed and at device scope, unless the source said otherwise.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefixes=CHECK,NV
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: gpuopt-translate --mlir-to-assembly --target=gfx942 %s | FileCheck %s --check-prefix=GCN

gpu.module @kernels {
  // CHECK-LABEL: @histogram(
  // NV: atomicrmw add ptr %{{.*}}, i32 1 syncscope("device") monotonic
  // NV: atomicrmw fadd ptr %{{.*}}, float %{{.*}} syncscope("device") monotonic
  // AMD: atomicrmw add ptr %{{.*}}, i32 1 syncscope("agent") monotonic
  // AMD: atomicrmw fadd ptr %{{.*}}, float %{{.*}} syncscope("agent") monotonic
  // CHECK: atomicrmw add ptr %{{.*}}, i32 1 acq_rel
  // PTX-LABEL: .entry histogram(
  // PTX: {{atom|red}}{{.*}}.global.add.u32
  // PTX: {{atom|red}}{{.*}}.global.add.f32
  // GCN-LABEL: histogram:
  // GCN: global_atomic_add
  // GCN: s_endpgm
  gpu.func @histogram(%h: memref<?xi32>, %f: memref<?xf32>, %x: f32, %p: !llvm.ptr) kernel {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : i32
    memref.atomic_rmw addi %c1, %h[%i] : (i32, memref<?xi32>) -> i32
    memref.atomic_rmw addf %x, %f[%i] : (f32, memref<?xf32>) -> f32
    %old = llvm.atomicrmw add %p, %c1 acq_rel : !llvm.ptr, i32
    gpu.return
  }
}
