// RUN: gpuopt-opt %s --gpuopt-specialize-sizes="sizes=n=4096,rows=-1,wide=0x100000000" --canonicalize | FileCheck %s

// The loop's end and the view's extents are known; the kernel for all sizes
// stays beside the one for these.

// CHECK-LABEL: gpu.func @copy(
// CHECK-SAME:    %[[A:.*]]: memref<?xf32>, %{{.*}}: i32 {gpuopt.name = "n"}, %{{.*}}: i64 {gpuopt.name = "wide"}
// CHECK-SAME:    gpuopt.fallback = @copy__original, gpuopt.specialized = {n = 4096 : i64, wide = 4294967296 : i64}
// CHECK-DAG:   %[[WIDE:.*]] = arith.constant 4294967296 : index
// CHECK-DAG:   memref.reinterpret_cast %[[A]] to offset: [0], sizes: [4096, 4096], strides: [4096, 1]
// CHECK:       affine.for %{{.*}} = 0 to 4096
// CHECK-LABEL: gpu.func @copy__original(
// CHECK-NOT:     gpuopt.specialized
// CHECK:         affine.for %{{.*}} = 0 to %
gpu.module @kernels {
  gpu.func @copy(%a: memref<?xf32>, %n: i32 {gpuopt.name = "n"}, %wide: i64 {gpuopt.name = "wide"}) kernel {
    %x = gpu.global_id x
    %ni = arith.index_cast %n : i32 to index
    %wi = arith.index_cast %wide : i64 to index
    %v = memref.reinterpret_cast %a to offset: [0], sizes: [%ni, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    affine.for %i = 0 to %ni {
      %e = affine.load %v[symbol(%x), %i] : memref<?x?xf32, strided<[?, 1]>>
      memref.store %e, %a[%wi] : memref<?xf32>
    }
    gpu.return
  }

  // Values below zero are values; an array of that name is none of the sizes.
  // CHECK-LABEL: gpu.func @negative(
  // CHECK-SAME:    gpuopt.specialized = {rows = -1 : i64}
  // CHECK:         arith.constant -1 : i8
  gpu.func @negative(%rows: i8 {gpuopt.name = "rows"}, %n: memref<?xi8> {gpuopt.name = "n"}) kernel {
    %x = gpu.global_id x
    memref.store %rows, %n[%x] : memref<?xi8>
    gpu.return
  }

  // A view of an extent below zero, which no access reaches.
  // CHECK-LABEL: gpu.func @backwards(
  // CHECK:         sizes: [0, 0], strides: [-1, 1]
  gpu.func @backwards(%a: memref<?xf32>, %rows: i32 {gpuopt.name = "rows"}) kernel {
    %x = gpu.global_id x
    %ri = arith.index_cast %rows : i32 to index
    %less = affine.apply affine_map<()[s0] -> (s0 * 2 - 4)>()[%ri]
    %v = memref.reinterpret_cast %a to offset: [0], sizes: [%less, %ri], strides: [%ri, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %c0 = arith.constant 0.0 : f32
    affine.store %c0, %v[0, symbol(%x)] : memref<?x?xf32, strided<[?, 1]>>
    gpu.return
  }
}
