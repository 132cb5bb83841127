// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Copies of a load have a tile each. Those that are alike, filled from the same
// array and used at the same places, are the rows of one, so that loops go over
// them.

gpu.module @kernels {
  // CHECK-LABEL: void four(
  // CHECK-NEXT:    __shared__ float a_tile[4][16];
  // CHECK-NOT:     __shared__
  // CHECK:         for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      a_tile[i][tx] = a[i * 64 + tx];
  // CHECK:         for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      b[i * 16 + tx] = a_tile[i][15 - tx];
  gpu.func @four(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s0: memref<16xf32, #gpu.address_space<workgroup>>, %s1: memref<16xf32, #gpu.address_space<workgroup>>, %s2: memref<16xf32, #gpu.address_space<workgroup>>, %s3: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 16
    %x0 = affine.load %a[symbol(%tx) + 0] : memref<?xf32>
    affine.store %x0, %s0[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 64] : memref<?xf32>
    affine.store %x1, %s1[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x2 = affine.load %a[symbol(%tx) + 128] : memref<?xf32>
    affine.store %x2, %s2[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x3 = affine.load %a[symbol(%tx) + 192] : memref<?xf32>
    affine.store %x3, %s3[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y0 = affine.load %s0[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y0, %b[symbol(%tx) + 0] : memref<?xf32>
    %y1 = affine.load %s1[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y1, %b[symbol(%tx) + 16] : memref<?xf32>
    %y2 = affine.load %s2[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y2, %b[symbol(%tx) + 32] : memref<?xf32>
    %y3 = affine.load %s3[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y3, %b[symbol(%tx) + 48] : memref<?xf32>
    gpu.return
  }

  // Two are no row of tiles.
  // CHECK-LABEL: void two(
  // CHECK-NEXT:    __shared__ float a_tile[16];
  // CHECK-NEXT:    __shared__ float a_tile_2[16];
  gpu.func @two(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s0: memref<16xf32, #gpu.address_space<workgroup>>, %s1: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 16
    %x0 = affine.load %a[symbol(%tx) + 0] : memref<?xf32>
    affine.store %x0, %s0[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 64] : memref<?xf32>
    affine.store %x1, %s1[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y0 = affine.load %s0[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y0, %b[symbol(%tx) + 0] : memref<?xf32>
    %y1 = affine.load %s1[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y1, %b[symbol(%tx) + 16] : memref<?xf32>
    gpu.return
  }

  // Rows of 17 floats would not all start where a vector may.
  // CHECK-LABEL: void odd(
  // CHECK-COUNT-4: __shared__ float a_tile{{.*}}[17];
  gpu.func @odd(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s0: memref<17xf32, #gpu.address_space<workgroup>>, %s1: memref<17xf32, #gpu.address_space<workgroup>>, %s2: memref<17xf32, #gpu.address_space<workgroup>>, %s3: memref<17xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 16
    %x0 = affine.load %a[symbol(%tx) + 0] : memref<?xf32>
    affine.store %x0, %s0[symbol(%tx)] : memref<17xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 64] : memref<?xf32>
    affine.store %x1, %s1[symbol(%tx)] : memref<17xf32, #gpu.address_space<workgroup>>
    %x2 = affine.load %a[symbol(%tx) + 128] : memref<?xf32>
    affine.store %x2, %s2[symbol(%tx)] : memref<17xf32, #gpu.address_space<workgroup>>
    %x3 = affine.load %a[symbol(%tx) + 192] : memref<?xf32>
    affine.store %x3, %s3[symbol(%tx)] : memref<17xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y0 = affine.load %s0[-symbol(%tx) + 15] : memref<17xf32, #gpu.address_space<workgroup>>
    affine.store %y0, %b[symbol(%tx) + 0] : memref<?xf32>
    %y1 = affine.load %s1[-symbol(%tx) + 15] : memref<17xf32, #gpu.address_space<workgroup>>
    affine.store %y1, %b[symbol(%tx) + 16] : memref<?xf32>
    %y2 = affine.load %s2[-symbol(%tx) + 15] : memref<17xf32, #gpu.address_space<workgroup>>
    affine.store %y2, %b[symbol(%tx) + 32] : memref<?xf32>
    %y3 = affine.load %s3[-symbol(%tx) + 15] : memref<17xf32, #gpu.address_space<workgroup>>
    affine.store %y3, %b[symbol(%tx) + 48] : memref<?xf32>
    gpu.return
  }

  // The first is also read elsewhere: it stays by itself.
  // CHECK-LABEL: void unlike(
  // CHECK-NEXT:    __shared__ float a_tile[16];
  // CHECK-NEXT:    __shared__ float a_tile_2[3][16];
  gpu.func @unlike(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%s0: memref<16xf32, #gpu.address_space<workgroup>>, %s1: memref<16xf32, #gpu.address_space<workgroup>>, %s2: memref<16xf32, #gpu.address_space<workgroup>>, %s3: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.narrow_positions} {
    %c3 = arith.constant 3 : index
    %tx = gpu.thread_id x upper_bound 16
    %x0 = affine.load %a[symbol(%tx) + 0] : memref<?xf32>
    affine.store %x0, %s0[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x1 = affine.load %a[symbol(%tx) + 64] : memref<?xf32>
    affine.store %x1, %s1[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x2 = affine.load %a[symbol(%tx) + 128] : memref<?xf32>
    affine.store %x2, %s2[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    %x3 = affine.load %a[symbol(%tx) + 192] : memref<?xf32>
    affine.store %x3, %s3[symbol(%tx)] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y0 = affine.load %s0[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y0, %b[symbol(%tx) + 0] : memref<?xf32>
    %y1 = affine.load %s1[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y1, %b[symbol(%tx) + 16] : memref<?xf32>
    %y2 = affine.load %s2[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y2, %b[symbol(%tx) + 32] : memref<?xf32>
    %y3 = affine.load %s3[-symbol(%tx) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %y3, %b[symbol(%tx) + 48] : memref<?xf32>
    %is = arith.cmpi eq, %tx, %c3 : index
    scf.if %is {
      %z = affine.load %s0[0] : memref<16xf32, #gpu.address_space<workgroup>>
      affine.store %z, %b[0] : memref<?xf32>
    } else {
      affine.store %y1, %b[1] : memref<?xf32>
    }
    gpu.return
  }
}
