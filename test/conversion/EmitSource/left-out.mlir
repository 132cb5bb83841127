// RUN: gpuopt-translate --mlir-to-cuda %s 2>/dev/null | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda -verify-diagnostics %s

// A kernel without a source form is left out, with the types, variables and
// headers that only it needs; the others are there.

// CHECK-NOT: cuda_fp16
// CHECK:     __constant__ float w[4];
// CHECK-NOT: only_of_lanes
// CHECK-NOT: lanes
// CHECK:     void twice(
// CHECK-NOT: plain
gpu.module @kernels {
  llvm.mlir.global external @w() {addr_space = 4 : i32} : !llvm.array<4 x f32>
  llvm.mlir.global external @only_of_lanes() {addr_space = 4 : i32} : !llvm.array<4 x f32>

  gpu.func @lanes(%a: memref<?xf16> {gpuopt.name = "a"}) kernel attributes {gpuopt.source_name = "lanes"} {
    %c0 = arith.constant 0 : index
    %w = gpuopt.get_variable @only_of_lanes : memref<4xf32, 4>
    %x = vector.load %a[%c0] : memref<?xf16>, vector<4xf16>
    // expected-warning@+1 {{kernel 'lanes' is left out: 'vector.reduction' has no source form}}
    %y = vector.reduction <add>, %x : vector<4xf16> into f16
    affine.store %y, %a[0] : memref<?xf16>
    gpu.return
  }

  gpu.func @twice(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x upper_bound 4
    %w = gpuopt.get_variable @w : memref<4xf32, 4>
    %x = memref.load %w[%tx] : memref<4xf32, 4>
    memref.store %x, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // expected-warning@+1 {{kernel 'plain' is left out: a kernel that is not raised has no source form}}
  llvm.func @plain(%a: !llvm.ptr) attributes {gpu.kernel} {
    llvm.return
  }
}
