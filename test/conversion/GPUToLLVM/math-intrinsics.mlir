// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-call-math-intrinsics))' | FileCheck %s

// Functions of the LLVM dialect that the conversions to NVVM and ROCDL reject
// become calls of intrinsics, which they do not look at.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @reals(
  // CHECK:         llvm.call_intrinsic "llvm.sin"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK:         llvm.call_intrinsic "llvm.pow"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  // A remainder is one of `arith`, for which there is a library.
  // CHECK:         arith.remf
  llvm.func @reals(%a: !llvm.ptr, %x: f32) {
    %0 = llvm.intr.sin(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %1 = llvm.intr.pow(%0, %x) : (f32, f32) -> f32
    %2 = llvm.frem %1, %x : f32
    llvm.store %2, %a : f32, !llvm.ptr
    llvm.return
  }

  // Upstream would fuse floats instead of halves, and round twice.
  // CHECK-LABEL: gpu.func @fused(
  // CHECK:         llvm.call_intrinsic "llvm.fma"(%{{.*}}, %{{.*}}, %{{.*}}) : (f16, f16, f16) -> f16
  // CHECK:         math.fma %{{.*}} : f32
  gpu.func @fused(%a: memref<?xf16>, %b: memref<?xf32>, %h: f16, %x: f32, %i: index) kernel {
    %0 = math.fma %h, %h, %h : f16
    %1 = math.fma %x, %x, %x : f32
    memref.store %0, %a[%i] : memref<?xf16>
    memref.store %1, %b[%i] : memref<?xf32>
    gpu.return
  }

  // What changes a sign changes that of a NaN, and no other bit.
  // CHECK-LABEL: gpu.func @signs(
  // CHECK:         llvm.call_intrinsic "llvm.fabs"(%{{.*}}) : (f16) -> f16
  // CHECK:         llvm.call_intrinsic "llvm.copysign"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  gpu.func @signs(%a: memref<?xf16>, %b: memref<?xf32>, %h: f16, %x: f32, %i: index) kernel {
    %0 = math.absf %h : f16
    %1 = math.copysign %x, %x : f32
    memref.store %0, %a[%i] : memref<?xf16>
    memref.store %1, %b[%i] : memref<?xf32>
    gpu.return
  }

  // Integers have instructions: theirs stay. An absolute value has one, and is
  // itself for the least number; that of an index is the larger of two.
  // CHECK-LABEL: gpu.func @integers(
  // CHECK:         llvm.intr.ctpop
  // CHECK:         "llvm.intr.abs"(%{{.*}}) <{is_int_min_poison = false}> : (i32) -> i32
  // CHECK:         %[[MINUS:.*]] = arith.subi %{{.*}}, %[[X:.*]] : index
  // CHECK:         arith.maxsi %[[X]], %[[MINUS]] : index
  gpu.func @integers(%a: memref<?xi32>, %i: i32, %x: index) kernel {
    %0 = llvm.intr.ctpop(%i) : (i32) -> i32
    %1 = math.absi %0 : i32
    %2 = math.absi %x : index
    memref.store %1, %a[%2] : memref<?xi32>
    gpu.return
  }
}
