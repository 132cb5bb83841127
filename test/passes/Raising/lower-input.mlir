// Transfers of vectors become loads and stores, with masks where they may reach
// over an end; an assertion is a trap.
//
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-lower-input))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @inside(
  // CHECK:       vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
  // CHECK:       vector.store %{{.*}} : memref<64xf32>, vector<4xf32>
  gpu.func @inside(%a: memref<64xf32>, %i: index) kernel {
    %zero = arith.constant 0.0 : f32
    %x = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<64xf32>, vector<4xf32>
    vector.transfer_write %x, %a[%i] {in_bounds = [true]} : vector<4xf32>, memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @over_an_end(
  // CHECK-SAME:    %[[A:.*]]: memref<?xf32>
  // CHECK:       memref.dim %[[A]]
  // CHECK:       arith.cmpi sgt, %{{.*}} : vector<4xi64>
  // CHECK:       vector.maskedload
  // CHECK-NOT:   vector.transfer_read
  gpu.func @over_an_end(%a: memref<?xf32>, %b: memref<64xf32>, %i: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %x = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<4xf32>
    vector.transfer_write %x, %b[%c0] {in_bounds = [true]} : vector<4xf32>, memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assertion(
  // CHECK-SAME:    %[[HOLDS:.*]]: i1
  // CHECK:       %[[FAILS:.*]] = arith.xori %[[HOLDS]],
  // CHECK:       scf.if %[[FAILS]] {
  // CHECK-NEXT:    llvm.call @__gpuopt_trap()
  gpu.func @assertion(%holds: i1) kernel {
    cf.assert %holds, "text"
    gpu.return
  }

  // What the passes and LLVM know stays as it is.
  // CHECK-LABEL: gpu.func @known(
  // CHECK:       vector.broadcast
  // CHECK-NEXT:  vector.reduction
  gpu.func @known(%a: memref<64xf32>, %x: f32, %i: index) kernel {
    %all = vector.broadcast %x : f32 to vector<4xf32>
    %sum = vector.reduction <add>, %all : vector<4xf32> into f32
    memref.store %sum, %a[%i] : memref<64xf32>
    gpu.return
  }
}
