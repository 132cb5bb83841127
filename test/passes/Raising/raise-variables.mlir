// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpuopt-raise-memory,gpu.func(gpuopt-raise-indices,gpuopt-delinearize-accesses)))" | FileCheck %s

// Variables stay what they are: the host looks for them in the binary.
// CHECK: llvm.mlir.global external constant @filter(dense<0.000000e+00> : tensor<9x9xf32>) {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized}
// CHECK: llvm.mlir.global external @sums
gpu.module @kernels {
  llvm.mlir.global external constant @filter(dense<0.0> : tensor<9x9xf32>) {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized} : !llvm.array<9 x array<9 x f32>>
  llvm.mlir.global external constant @n(3 : i32) {addr_space = 4 : i32} : i32
  llvm.mlir.global external @sums(dense<0.0> : tensor<16xf32>) {addr_space = 1 : i32, externally_initialized} : !llvm.array<16 x f32>
  llvm.mlir.global external @pair() {addr_space = 1 : i32} : !llvm.struct<(f32, i32)>

  // Subscripts of the declared shape need no proof.
  // CHECK-LABEL: gpu.func @constant
  // CHECK: %[[FLAT:.*]] = gpuopt.get_variable @filter : memref<81xf32, 4>
  // CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[FLAT]] to offset: [0], sizes: [9, 9], strides: [9, 1]
  // CHECK: affine.load %[[VIEW]][symbol(%{{.*}}), symbol(%{{.*}}) + 1]
  gpu.func @constant(%out: !llvm.ptr, %r: i32, %c: i32) kernel {
    %f = llvm.mlir.addressof @filter : !llvm.ptr<4>
    %g = llvm.addrspacecast %f : !llvm.ptr<4> to !llvm.ptr
    %r64 = arith.extsi %r : i32 to i64
    %c64 = arith.extsi %c : i32 to i64
    %row = llvm.getelementptr inbounds %g[%r64] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<9 x f32>
    %at = llvm.getelementptr inbounds %row[%c64] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %next = llvm.getelementptr inbounds %at[4] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.load %next : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr
    gpu.return
  }

  // A number is an array of one.
  // CHECK-LABEL: gpu.func @scalar
  // CHECK: %[[N:.*]] = gpuopt.get_variable @n : memref<1xi32, 4>
  // CHECK: affine.load %[[N]][0]
  gpu.func @scalar(%out: !llvm.ptr) kernel {
    %n = llvm.mlir.addressof @n : !llvm.ptr<4>
    %v = llvm.load %n : !llvm.ptr<4> -> i32
    llvm.store %v, %out : i32, !llvm.ptr
    gpu.return
  }

  // What may be written is in the default space. All its addresses are one
  // array; members of a structure are elements of the smallest.
  // CHECK-LABEL: gpu.func @written
  // CHECK-DAG: %[[PAIR:.*]] = gpuopt.get_variable @pair : memref<2xf32>
  // CHECK-DAG: %[[SUMS:.*]] = gpuopt.get_variable @sums : memref<16xf32>
  // CHECK: %[[V:.*]] = affine.load %[[SUMS]][3]
  // CHECK: affine.load %[[PAIR]][1]
  // CHECK: affine.store %[[V]], %[[SUMS]][4]
  gpu.func @written(%out: !llvm.ptr) kernel {
    %a = llvm.mlir.addressof @sums : !llvm.ptr<1>
    %p = llvm.mlir.addressof @pair : !llvm.ptr<1>
    %from = llvm.getelementptr inbounds %a[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> f32
    %second = llvm.getelementptr inbounds %p[0, 1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.struct<(f32, i32)>
    %i = llvm.load %second : !llvm.ptr<1> -> i32
    %first = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.store %i, %out : i32, !llvm.ptr
    llvm.store %first, %out : f32, !llvm.ptr
    %b = llvm.mlir.addressof @sums : !llvm.ptr<1>
    %to = llvm.getelementptr inbounds %b[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v, %to : f32, !llvm.ptr<1>
    gpu.return
  }
}
