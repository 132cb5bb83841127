// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16" --gpuopt-coalesce-accesses="target=nvidia-gtx285" --canonicalize --cse \
// RUN:   | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16" --gpuopt-coalesce-accesses="target=nvidia-gtx285" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// The kinds of index of section 3.3 of Yang et al. 2012 beyond those of the
// matrix product, in blocks of one half warp.

gpu.module @kernels {
  // A[m*i + n]: a tile for 16 / gcd(m, 16) iterations, here the most that one
  // of the accesses needs. It holds the elements that are read, and those only;
  // with m = 9 hardly two of them lie in one segment, and nothing is gained.
  // CHECK-LABEL: gpu.func @loop_indices(
  // CHECK: affine.for %[[I:.*]] = 0 to %{{.*}} step 16
  // CHECK:   affine.parallel (%[[J:.*]]) = (0) to (16) {
  // CHECK:     affine.load %arg0[%[[I]] * 3 + %[[J]] * 3 + 1]
  // CHECK:   } {gpuopt.collective}
  // CHECK:   affine.parallel (%[[L:.*]], %[[J:.*]]) = (0, 0) to (16, 16) {
  // CHECK:     affine.load %arg1[%[[L]] + symbol(%{{.*}}) * 16, %[[I]] * 4 + %[[J]] * 4 + 2]
  // CHECK:   } {gpuopt.collective}
  // CHECK:   gpu.barrier
  // CHECK:   affine.for %[[K:.*]] = 0
  // CHECK:     affine.load %{{.*}}[%[[K]]] : memref<16xf32, #gpu.address_space<workgroup>>
  // CHECK:     affine.load %{{.*}}[symbol(%{{.*}}), %[[K]]] : memref<16x16xf32, #gpu.address_space<workgroup>>
  // CHECK:     affine.load %arg0[%[[I]] * 9 + %[[K]] * 9]
  // CHECK:   gpu.barrier
  // expected-remark @below {{launched in blocks of 16x1x1}}
  gpu.func @loop_indices(%a: memref<?xf32> {llvm.noalias}, %b: memref<?x4096xf32> {llvm.noalias},
                         %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{broadcast load goes through a tile [16] of workgroup memory}}
      %x = affine.load %a[3 * %i + 1] : memref<?xf32>
      // expected-remark @below {{strided load goes through a tile [16][16] of workgroup memory}}
      %y = affine.load %b[symbol(%idx), 4 * %i + 2] : memref<?x4096xf32>
      // expected-remark @below {{the data loaded has no reuse}}
      %z = affine.load %a[9 * %i] : memref<?xf32>
      %p = arith.mulf %x, %y : f32
      %q = arith.mulf %p, %z : f32
      %t = arith.addf %s, %q : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }

  // A[idx][3], constant and predefined indices: of the segment of each row one
  // element is read, once. It is not converted (section 3.4).
  // CHECK-LABEL: gpu.func @constant_index(
  // CHECK-NOT: gpuopt.collective
  // CHECK: gpu.return
  // expected-remark @below {{launched in blocks of 16x1x1}}
  gpu.func @constant_index(%a: memref<?x4096xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel {
    %idx = gpu.global_id x
    // expected-remark @below {{the data loaded has no reuse}}
    %x = affine.load %a[symbol(%idx), 3] : memref<?x4096xf32>
    affine.store %x, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }
}
