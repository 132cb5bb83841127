// The merged kernels compute what the naive one does, bit by bit, at sizes that
// fill no tile and no block, without races or accesses out of bounds.

// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s -o %t.naive.ll
// RUN: gpuopt-run-ll %t.naive.ll --kernel mm --grid 5,9 --block 16,16 --arg 'f32[2340]=rand' --arg 'f32[1260]=rand' \
// RUN:   --arg 'f32[9100]=zero' --arg i32=130 --arg i32=70 --arg i32=18 --print 2 > %t.naive

// RUN: gpuopt-opt %s --gpuopt-optimize="target=sm_90" | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.tuned.ll
// RUN: gpuopt-run-ll %t.tuned.ll --kernel mm --grid 2,2 --block 16,16 --arg 'f32[2340]=rand' --arg 'f32[1260]=rand' \
// RUN:   --arg 'f32[9100]=zero' --arg i32=130 --arg i32=70 --arg i32=18 --print 2 --races > %t.tuned
// RUN: diff %t.naive %t.tuned

// Each transform alone, with factors that are no powers of two: 48 x 16 threads
// and, along y, 3 items each.
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --gpuopt-coalesce-accesses="target=sm_90" \
// RUN:   --gpuopt-merge-blocks="dim=x factor=3 target=sm_90" --gpuopt-merge-threads="dim=y factor=3 target=sm_90" \
// RUN:   --gpuopt-version-guards --gpuopt-distribute-tiles="target=sm_90" --canonicalize \
// RUN:   | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.odd.ll
// RUN: gpuopt-run-ll %t.odd.ll --kernel mm --grid 2,3 --block 48,16 --arg 'f32[2340]=rand' --arg 'f32[1260]=rand' \
// RUN:   --arg 'f32[9100]=zero' --arg i32=130 --arg i32=70 --arg i32=18 --print 2 --races > %t.odd
// RUN: diff %t.naive %t.odd

// Without guards being versioned, and the merges in the other order and
// dimension.
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --gpuopt-coalesce-accesses="target=sm_90" \
// RUN:   --gpuopt-merge-threads="dim=x factor=2 target=sm_90" --gpuopt-merge-blocks="dim=y factor=2 target=sm_90" \
// RUN:   --gpuopt-distribute-tiles="target=sm_90" \
// RUN:   | gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 -o %t.other.ll
// RUN: gpuopt-run-ll %t.other.ll --kernel mm --grid 3,5 --block 16,32 --arg 'f32[2340]=rand' --arg 'f32[1260]=rand' \
// RUN:   --arg 'f32[9100]=zero' --arg i32=130 --arg i32=70 --arg i32=18 --print 2 --races > %t.other
// RUN: diff %t.naive %t.other

gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias, llvm.readonly},
               %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
               %c: memref<?xf32> {gpuopt.name = "c", llvm.noalias},
               %m: i32 {gpuopt.name = "m"}, %n: i32 {gpuopt.name = "n"}, %k: i32 {gpuopt.name = "k"})
      kernel attributes {gpuopt.source_name = "mm"} {
    %c0 = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %ki iter_args(%s = %c0) -> (f32) {
        %x = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
