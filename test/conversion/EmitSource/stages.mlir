// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

gpu.module @kernels {
  // Which of several tiles an iteration reads has a name, where it is asked for more
  // than once; which one it fills is asked for once.
  // CHECK-LABEL: void pipeline(
  // CHECK:           a_tile[(i / 16 + 2) % 3][tx] = a[i + tx + 32];
  // CHECK-NEXT:      __syncthreads();
  // CHECK-NEXT:      const int stage = i / 16 % 3;
  // CHECK-NEXT:      b[i + tx] = a_tile[stage][0] * a_tile[stage][15 - tx];
  gpu.func @pipeline(%a: memref<?xf32> {gpuopt.name = "a", llvm.readonly, llvm.noalias}, %b: memref<?xf32> {gpuopt.name = "b", llvm.noalias}, %n: i32 {gpuopt.name = "n"})
      workgroup(%s: memref<3x16xf32, #gpu.address_space<workgroup>>) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 16
    %ni = arith.index_cast %n : i32 to index
    affine.for %i = 0 to %ni step 16 {
      %x = affine.load %a[%i + symbol(%tx) + 32] : memref<?xf32>
      affine.store %x, %s[(%i floordiv 16 + 2) mod 3, symbol(%tx)] : memref<3x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = affine.load %s[(%i floordiv 16) mod 3, 0] : memref<3x16xf32, #gpu.address_space<workgroup>>
      %z = affine.load %s[(%i floordiv 16) mod 3, 15 - symbol(%tx)] : memref<3x16xf32, #gpu.address_space<workgroup>>
      %v = arith.mulf %y, %z : f32
      affine.store %v, %b[%i + symbol(%tx)] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }
}
