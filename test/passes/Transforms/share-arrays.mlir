// RUN: gpuopt-opt %s --gpuopt-share-arrays="target=nvidia-gtx690 transaction-bytes=256 sizes=n=1024" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck --input-file %t.remarks %s --check-prefix=REMARKS
// RUN: gpuopt-opt %s --gpuopt-share-arrays="target=nvidia-gtx690 items=4" --split-input-file | FileCheck %s --check-prefix=ITEMS

// The walk-through of Li et al. 2016, section 3.2: profit 8 * n * TBY * (TBX + 32)
// for blocks of 32 x 32, of which a quarter of 48 KB holds both parts where
// k1 + k2 <= 96.
// REMARKS: planned: A, B in workgroup memory, for blocks of 32x32x1 work items; each moves 16777216 bytes less, 8*TBX*TBY*n + 256*TBY*n, where k1 + k2 <= 96
// CHECK-LABEL: gpu.func @gemm(
// CHECK-SAME: gpuopt.partition = {arrays = ["A", "B"], block = array<i32: 32, 32, 1>, items = array<i32: 1, 1, 1>, iterations = 32 : i64}
// A thread has four rows of the 32 x 32 work items.
// ITEMS-LABEL: gpu.func @gemm(
// ITEMS-SAME: block = array<i32: 32, 8, 1>, items = array<i32: 1, 4, 1>
gpu.module @kernels {
  gpu.func @gemm(%a: memref<?x?xf32> {gpuopt.name = "A"}, %b: memref<?x?xf32> {gpuopt.name = "B"},
                 %c: memref<?x?xf32> {gpuopt.name = "C"}, %n: index {gpuopt.name = "n"})
      kernel attributes {gpuopt.share = ["A[TBY][*]:coalesce", "B[*][TBX]"]} {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %gx = arith.cmpi slt, %x, %n : index
    %gy = arith.cmpi slt, %y, %n : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %k = 0 to %n iter_args(%s = %zero) -> (f32) {
        %l = affine.load %a[symbol(%y), %k] : memref<?x?xf32>
        %r = affine.load %b[%k, symbol(%x)] : memref<?x?xf32>
        %p = arith.mulf %l, %r : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// Neighbours load the same: the part of a block is the hull, with two more
// columns. Without hints what loads select by ids is as long as the block.
// REMARKS: planned: in in workgroup memory, {{.*}}, where {{[0-9]+}} bytes <= 12288
// CHECK-LABEL: gpu.func @neighbours(
// CHECK-SAME: arrays = ["in"]
gpu.module @kernels {
  gpu.func @neighbours(%in: memref<?x?xf32> {gpuopt.name = "in"}, %out: memref<?x?xf32> {gpuopt.name = "out"}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %l = affine.load %in[symbol(%y), symbol(%x)] : memref<?x?xf32>
    %m = affine.load %in[symbol(%y), symbol(%x) + 1] : memref<?x?xf32>
    %r = affine.load %in[symbol(%y), symbol(%x) + 2] : memref<?x?xf32>
    %s = arith.addf %l, %m : f32
    %t = arith.addf %s, %r : f32
    affine.store %t, %out[symbol(%y), symbol(%x)] : memref<?x?xf32>
    gpu.return
  }
}

// -----

// Neither is reused, but one of both is not coalesced: its rows in workgroup
// memory are as long as a line.
// REMARKS: planned: in in workgroup memory, for blocks of 32x32x1 work items
// CHECK-LABEL: gpu.func @transpose(
// CHECK-SAME: arrays = ["in"]
gpu.module @kernels {
  gpu.func @transpose(%in: memref<?x?xf32> {gpuopt.name = "in"}, %out: memref<?x?xf32> {gpuopt.name = "out"}) kernel {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %l = affine.load %in[symbol(%x), symbol(%y)] : memref<?x?xf32>
    affine.store %l, %out[symbol(%y), symbol(%x)] : memref<?x?xf32>
    gpu.return
  }
}
