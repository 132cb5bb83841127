// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s

// A convolution: threads read what their neighbours read in other iterations.
// The block loads its 16x16 elements and a halo of 31 rows and columns once.
//
//   for (i0 = 0; i0 < kh; i0 += 32)          if 0 < kw <= 32
//     tile[u][v] = image[by*16 + u + i0][bx*16 + v], u, v < 47
//     filters[u][v] = filter[i0 + u][v], u, v < 32
//     __syncthreads();
//     for (i = 0; i < min(32, kh - i0); i++)
//       for (j = 0; j < kw; j++)
//         sum += tile[ty + i][tx + j] * filters[i][j];
//     __syncthreads();
//
// The order of the additions stays. Element (u, v) is loaded for the work item
// (bx*16 + v - (kw - 1), by*16 + u - (min(32, kh - i0) - 1)), where that is in
// the guard; beyond the ends of a shorter filter no thread of the block needs
// it.

// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0)[s0] -> (32, -d0 + s0)>
// CHECK-DAG: #[[$FIRST:.*]] = affine_map<(d0)[s0] -> (d0 - s0 + 1)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0)[s0, s1] -> (d0 - s0 + s1 * 16 + 1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0)[s0] -> (d0 + s0 * 16 - 31)>
// CHECK-LABEL: gpu.func @conv(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<47x47xf32, {{.*}}>, %[[FILTER:.*]] : memref<32x32xf32, {{.*}}>, %{{[a-z0-9]*}} : memref<16xf32
// CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
// CHECK-DAG: %[[TY:.*]] = gpu.thread_id y
// CHECK-DAG: %[[BX:.*]] = gpu.block_id x
// CHECK-DAG: %[[BY:.*]] = gpu.block_id y
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[KW:.*]], %c0
// CHECK: %[[FIT:.*]] = arith.cmpi sle, %[[KW]], %c32
// CHECK: %[[FITS:.*]] = arith.andi %[[SOME]], %[[FIT]]
// CHECK: scf.if %[[FITS]] -> (f32) {
// CHECK:   affine.for %[[I0:.*]] = 0 to %[[KH:.*]] step 32
// CHECK:     affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (47, 47) {
// CHECK:       affine.apply #[[$FIRST]](%[[V]])[%[[KW]]]
// CHECK:       %[[X:.*]] = affine.apply #[[$COLUMN]](%[[V]])[%[[KW]], %[[BX]]]
// CHECK:       arith.cmpi slt, %[[X]], %{{.*}} : index
// CHECK:       %[[Y:.*]] = affine.apply #[[$ROW]](%[[U]])[%[[BY]]]
// CHECK:       arith.cmpi slt, %[[Y]], %{{.*}} : index
// CHECK:       scf.if
// CHECK:         affine.load %{{.*}}[%[[I0]] + %[[U]] + symbol(%[[BY]]) * 16, %[[V]] + symbol(%[[BX]]) * 16]
// CHECK:         affine.store %{{.*}}, %[[TILE]][%[[U]], %[[V]]]
// CHECK:     } {gpuopt.collective}
// CHECK:     affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (32, 32) {
// CHECK:         affine.load %{{.*}}[%[[I0]] + %[[U]], %[[V]]]
// CHECK:         affine.store %{{.*}}, %[[FILTER]][%[[U]], %[[V]]]
// CHECK:     } {gpuopt.collective}
// CHECK:     gpu.barrier
// CHECK:     affine.for %[[I:.*]] = 0 to min #[[$REST]](%[[I0]])
// CHECK:       affine.for %[[J:.*]] = 0 to %[[KW]]
// CHECK:         affine.load %[[TILE]][%[[I]] + symbol(%[[TY]]), %[[J]] + symbol(%[[TX]])]
// CHECK:         affine.load %[[FILTER]][%[[I]], %[[J]]]
// CHECK:     gpu.barrier
// CHECK: } else {
// CHECK:   affine.for
gpu.module @kernels {
  gpu.func @conv(%image: memref<?xf32> {gpuopt.name = "image", llvm.noalias},
                 %filter: memref<?xf32> {gpuopt.name = "filter", llvm.noalias},
                 %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias}, %h: index {gpuopt.name = "h"},
                 %w: index {gpuopt.name = "w"}, %kh: index {gpuopt.name = "kh"}, %kw: index {gpuopt.name = "kw"}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %rows = affine.apply affine_map<()[s0, s1] -> (s0 + s1 - 1)>()[%h, %kh]
    %row = affine.apply affine_map<()[s0, s1] -> (s0 + s1 - 1)>()[%w, %kw]
    %I = memref.reinterpret_cast %image to offset: [0], sizes: [%rows, %row], strides: [%row, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %F = memref.reinterpret_cast %filter to offset: [0], sizes: [%kh, %kw], strides: [%kw, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%h, %w], strides: [%w, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %w : index
    %gy = arith.cmpi slt, %idy, %h : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %kh iter_args(%s = %zero) -> (f32) {
        %r = affine.for %j = 0 to %kw iter_args(%q = %s) -> (f32) {
          %x = affine.load %I[%i + symbol(%idy), %j + symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
          %y = affine.load %F[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
          %p = arith.mulf %x, %y fastmath<contract> : f32
          %t = arith.addf %q, %p fastmath<contract> : f32
          affine.yield %t : f32
        }
        affine.yield %r : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// A filter of five taps along x: every strip is full, no test is needed, and a
// row of the tile holds 16 + 4 elements.
// CHECK-LABEL: gpu.func @taps(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<16x20xf32, {{.*}}>
// CHECK-NOT: scf.if {{.*}} -> (f32)
// CHECK: affine.parallel (%[[U:.*]], %[[V:.*]]) = (0, 0) to (16, 20) {
// CHECK:   affine.load %{{.*}}[%[[U]] + symbol(%{{.*}}) * 16, {{.*}}%[[V]] + symbol(%{{.*}}) * 16]
// CHECK:   affine.store %{{.*}}, %[[TILE]][%[[U]], %[[V]]]
// CHECK: } {gpuopt.collective}
// CHECK: gpu.barrier
// CHECK: affine.for %[[K:.*]] = 0 to 5
// CHECK:   affine.load %[[TILE]][symbol(%{{.*}}), %[[K]] + symbol(%{{.*}})]
gpu.module @kernels {
  gpu.func @taps(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias},
                 %c: memref<?x4096xf32> {gpuopt.name = "c", llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %sum = affine.for %i = 0 to 5 iter_args(%s = %zero) -> (f32) {
      %x = affine.load %a[symbol(%idy), %i + symbol(%idx)] : memref<?x4096xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x4096xf32>
    gpu.return
  }
}
