// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Variables of the module, as the host sees and sets them.

// In the order of the source, those that a kernel uses. What the host may set is
// no `const`; what only this file sees is `static`, by the name that it has there.
// CHECK:       {{^}}__constant__ float weights[2] = {0.5f, -1.0f};
// The least `int` has no literal: in C++ it is the negation of one that is too large.
// CHECK-NEXT:  static __constant__ const int steps[2][3] = {{[{][{]}}1, 2, 3},
// CHECK-NEXT:                                               {-4, 5, (-2147483647 - 1)}};
// Zero is what a variable is without a word.
// CHECK-NEXT:  __device__ unsigned long long total;
// CHECK-NEXT:  alignas(16) __device__ unsigned seed = 7u;
// Text is numbers, with the sign of its type.
// CHECK-NEXT:  static __constant__ const signed char letters[3] = {1, -1, 0};
// CHECK-NEXT:  __device__ float a[4];
// What is put together of members and zeros is, too, as long as all are numbers of one type.
// CHECK-NEXT:  __constant__ int pairs[6] = {1, 2, 0, 0, 5, 0};
// CHECK-NOT:   unread

gpu.module @kernels {
  llvm.mlir.global external constant @weights(dense<[0.5, -1.0]> : tensor<2xf32>) {addr_space = 4 : i32, externally_initialized} : !llvm.array<2 x f32>
  llvm.mlir.global internal constant @_ZL5steps(dense<[[1, 2, 3], [-4, 5, -2147483648]]> : tensor<2x3xi32>) {addr_space = 4 : i32} : !llvm.array<2 x array<3 x i32>>
  llvm.mlir.global external @total(0 : i64) {addr_space = 1 : i32, gpuopt.unsigned} : i64
  llvm.mlir.global external @seed(7 : i32) {addr_space = 1 : i32, alignment = 16 : i64, gpuopt.unsigned} : i32
  llvm.mlir.global internal constant @letters("\01\FF\00") {addr_space = 4 : i32} : !llvm.array<3 x i8>
  llvm.mlir.global external @a(dense<0.0> : tensor<4xf32>) {addr_space = 1 : i32} : !llvm.array<4 x f32>
  llvm.mlir.global external constant @pairs() {addr_space = 4 : i32, alignment = 4 : i64, externally_initialized} : !llvm.array<3 x struct<"int2", (i32, i32)>> {
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %none = llvm.mlir.zero : !llvm.struct<"int2", (i32, i32)>
    %a = llvm.insertvalue %one, %none[0] : !llvm.struct<"int2", (i32, i32)>
    %b = llvm.insertvalue %two, %a[1] : !llvm.struct<"int2", (i32, i32)>
    %c = llvm.insertvalue %five, %none[0] : !llvm.struct<"int2", (i32, i32)>
    %all = llvm.mlir.undef : !llvm.array<3 x struct<"int2", (i32, i32)>>
    %d = llvm.insertvalue %b, %all[0] : !llvm.array<3 x struct<"int2", (i32, i32)>>
    %e = llvm.insertvalue %none, %d[1] : !llvm.array<3 x struct<"int2", (i32, i32)>>
    %f = llvm.insertvalue %c, %e[2] : !llvm.array<3 x struct<"int2", (i32, i32)>>
    llvm.return %f : !llvm.array<3 x struct<"int2", (i32, i32)>>
  }
  llvm.mlir.global external @unread(1.0 : f32) {addr_space = 1 : i32} : f32
  // A variable is an element of itself.
  // CHECK-LABEL: void reads(
  // CHECK:         out[0] = weights[tx];
  // CHECK-NEXT:    numbers[0] = steps[1][tx];
  // CHECK-NEXT:    numbers[1] = (int)seed;
  gpu.func @reads(%out: memref<?xf32> {gpuopt.name = "out"}, %numbers: memref<?xi32> {gpuopt.name = "numbers"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %tx = gpu.thread_id x upper_bound 2
    %w = gpuopt.get_variable @weights : memref<2xf32, 4>
    %x = memref.load %w[%tx] : memref<2xf32, 4>
    affine.store %x, %out[0] : memref<?xf32>
    %s = gpuopt.get_variable @_ZL5steps : memref<2x3xi32, 4>
    %y = affine.load %s[1, symbol(%tx)] : memref<2x3xi32, 4>
    affine.store %y, %numbers[0] : memref<?xi32>
    %c0 = arith.constant 0 : index
    %seed = gpuopt.get_variable @seed : memref<1xi32>
    %z = memref.load %seed[%c0] : memref<1xi32>
    affine.store %z, %numbers[1] : memref<?xi32>
    %t = gpuopt.get_variable @letters : memref<3xi8, 4>
    %l = memref.load %t[%tx] : memref<3xi8, 4>
    %e = arith.extsi %l : i8 to i32
    affine.store %e, %numbers[2] : memref<?xi32>
    %p = gpuopt.get_variable @pairs : memref<6xi32, 4>
    %five = affine.load %p[4] : memref<6xi32, 4>
    affine.store %five, %numbers[3] : memref<?xi32>
    gpu.return
  }

  // CHECK-LABEL: void adds(
  // CHECK-SAME:    atomicAdd(&total, (unsigned long long)n);
  gpu.func @adds(%n: i64 {gpuopt.name = "n"}) kernel {
    %c0 = arith.constant 0 : index
    %total = gpuopt.get_variable @total : memref<1xi64>
    %0 = memref.atomic_rmw addi %n, %total[%c0] : (i64, memref<1xi64>) -> i64
    gpu.return
  }

  // A parameter of the same name hides it.
  // CHECK-LABEL: void hides(float *a)
  // CHECK:         a[tx] = ::a[tx];
  gpu.func @hides(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x upper_bound 4
    %all = gpuopt.get_variable @a : memref<4xf32>
    %x = memref.load %all[%tx] : memref<4xf32>
    memref.store %x, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // Read as numbers of another type, it has a second name.
  // CHECK-LABEL: void views(
  // CHECK-NEXT:    const int *weights_ints = (const int *)weights;
  // CHECK:         out[tx] = weights_ints[tx];
  gpu.func @views(%out: memref<?xi32> {gpuopt.name = "out"}) kernel {
    %tx = gpu.thread_id x upper_bound 2
    %w = gpuopt.get_variable @weights : memref<2xi32, 4>
    %x = memref.load %w[%tx] : memref<2xi32, 4>
    memref.store %x, %out[%tx] : memref<?xi32>
    gpu.return
  }
}
