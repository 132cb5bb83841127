// Mathematics under all its names: the math dialect, LLVM's intrinsics, C's and
// CUDA's functions; with the vendor's library and with ours.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=LOWERED
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: gpuopt-translate --mlir-to-assembly --target=gfx942 %s | FileCheck %s --check-prefix=GCN
// RUN: env GPUOPT_NO_DEVICE_LIBRARY=1 gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: env GPUOPT_NO_DEVICE_LIBRARY=1 gpuopt-translate --mlir-to-assembly --target=gfx942 %s | FileCheck %s --check-prefix=GCN
// RUN: env GPUOPT_NO_DEVICE_LIBRARY=1 gpuopt-translate --mlir-to-resources --target=gfx942 %s | FileCheck %s --check-prefix=RESOURCES

// What the executor sees: names as they came.
// LOWERED-LABEL: define ptx_kernel void @raised(
// LOWERED: call float @__nv_expf(float
// LOWERED: call double @__nv_cos(double
// LOWERED-LABEL: define ptx_kernel void @unraised(
// LOWERED: call float @llvm.sin.f32(float
// LOWERED: call float @llvm.pow.f32(float
// LOWERED: call float @erff(float

// Everything is linked in and inlined or internal; nothing is left to resolve.
// PTX-NOT: .extern
// PTX: .visible .entry {{unraised|raised}}(
// PTX: .visible .entry {{unraised|raised}}(
// PTX-NOT: .visible .func

// GCN-NOT: .globl __o
// GCN: {{^}}raised:
// GCN: {{^}}unraised:
// GCN-NOT: .globl __o

// RESOURCES: raised: {{[0-9]+}} registers
// RESOURCES: unraised: {{[0-9]+}} registers
gpu.module @kernels {
  llvm.func @erff(f32) -> f32
  llvm.func @cbrt(f64) -> f64
  llvm.func @rsqrtf(f32) -> f32
  llvm.func @sincosf(f32, !llvm.ptr, !llvm.ptr)
  llvm.func @__expf(f32) -> f32
  llvm.func @remquof(f32, f32, !llvm.ptr) -> f32
  llvm.func @tanpi(f64) -> f64
  llvm.func @lrintf(f32) -> i64
  llvm.func @frexpf(f32, !llvm.ptr) -> f32
  llvm.func @modf(f64, !llvm.ptr) -> f64
  gpu.func @raised(%a: memref<?xf32>, %d: memref<?xf64>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %d[%i] : memref<?xf64>
    %0 = math.exp %x : f32
    %1 = math.log %0 : f32
    %2 = math.sin %1 : f32
    %3 = math.tanh %2 : f32
    %4 = math.powf %3, %x : f32
    %5 = math.sqrt %4 : f32
    %6 = arith.remf %5, %x : f32
    %7 = math.exp %y : f64
    %8 = math.cos %7 : f64
    %9 = math.erf %8 : f64
    %h = arith.truncf %6 : f32 to f16
    %h2 = math.exp2 %h : f16
    %10 = arith.extf %h2 : f16 to f32
    memref.store %10, %a[%i] : memref<?xf32>
    memref.store %9, %d[%i] : memref<?xf64>
    gpu.return
  }
  llvm.func @unraised(%a: !llvm.ptr, %d: !llvm.ptr) attributes {gpu.kernel} {
    %x = llvm.load volatile %a : !llvm.ptr -> f32
    %y = llvm.load volatile %d : !llvm.ptr -> f64
    %0 = llvm.intr.sin(%x) : (f32) -> f32
    %1 = llvm.intr.exp(%0) : (f32) -> f32
    %2 = llvm.intr.pow(%1, %x) : (f32, f32) -> f32
    %3 = llvm.call @erff(%2) : (f32) -> f32
    %4 = llvm.call @rsqrtf(%3) : (f32) -> f32
    %5 = llvm.call @cbrt(%y) : (f64) -> f64
    llvm.store volatile %5, %d : f64, !llvm.ptr
    llvm.store volatile %4, %a : f32, !llvm.ptr
    llvm.call @sincosf(%4, %a, %a) : (f32, !llvm.ptr, !llvm.ptr) -> ()
    %6 = llvm.call @__expf(%x) : (f32) -> f32
    llvm.store volatile %6, %a : f32, !llvm.ptr
    %7 = llvm.call @remquof(%x, %6, %d) : (f32, f32, !llvm.ptr) -> f32
    %12 = llvm.call @tanpi(%y) : (f64) -> f64
    llvm.store volatile %12, %d : f64, !llvm.ptr
    llvm.store volatile %7, %a : f32, !llvm.ptr
    %8 = llvm.call @lrintf(%x) : (f32) -> i64
    llvm.store volatile %8, %d : i64, !llvm.ptr
    %9 = llvm.call @frexpf(%x, %d) : (f32, !llvm.ptr) -> f32
    llvm.store volatile %9, %a : f32, !llvm.ptr
    %10 = llvm.call @modf(%y, %a) : (f64, !llvm.ptr) -> f64
    llvm.store volatile %10, %d : f64, !llvm.ptr
    llvm.return
  }
}
