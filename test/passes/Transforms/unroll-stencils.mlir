// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=32,8" --gpuopt-unroll-stencils="target=sm_90" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// REMARK: StencilUnrolled | Category:gpuopt:UnrollStencils | Function=ring | Remark="loop unrolled: neighbours load the same in other iterations", iterations=3
// REMARK-NOT: UnrollStencils
gpu.module @kernels {
  // The centre is left out: eight loads remain, and no condition.
  // CHECK-LABEL: gpu.func @ring(
  // CHECK-NOT: affine.for
  // CHECK-NOT: scf.if
  // CHECK: affine.load %{{.*}}[symbol(%[[Y:.*]]), symbol(%[[X:.*]])]
  // CHECK: affine.load %{{.*}}[symbol(%[[Y]]), symbol(%[[X]]) + 1]
  // CHECK: affine.load %{{.*}}[symbol(%[[Y]]), symbol(%[[X]]) + 2]
  // CHECK: affine.load %{{.*}}[symbol(%[[Y]]) + 1, symbol(%[[X]])]
  // CHECK: affine.load %{{.*}}[symbol(%[[Y]]) + 1, symbol(%[[X]]) + 2]
  // CHECK-COUNT-3: affine.load %{{.*}}[symbol(%[[Y]]) + 2,
  // CHECK: gpu.return
  gpu.func @ring(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %x = gpu.global_id x
    %y = gpu.global_id y
    %sum = affine.for %i = 0 to 3 iter_args(%s = %zero) -> (f32) {
      %row = affine.for %j = 0 to 3 iter_args(%t = %s) -> (f32) {
        %di = arith.cmpi ne, %i, %one : index
        %dj = arith.cmpi ne, %j, %one : index
        %other = arith.ori %di, %dj : i1
        %u = scf.if %other -> (f32) {
          %v = affine.load %a[%i + symbol(%y), %j + symbol(%x)] : memref<?x4096xf32>
          %w = arith.addf %t, %v : f32
          scf.yield %w : f32
        } else {
          scf.yield %t : f32
        }
        affine.yield %u : f32
      }
      affine.yield %row : f32
    }
    affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }

  // A tile for the loop as it is: it stays.
  // CHECK-LABEL: gpu.func @taps(
  // CHECK: affine.for %{{.*}} = 0 to 5
  gpu.func @taps(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %sum = affine.for %i = 0 to 5 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %a[symbol(%y), %i + symbol(%x)] : memref<?x4096xf32>
      %t = arith.addf %s, %v : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }

  // No neighbour loads a row's elements.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK: affine.for %{{.*}} = 0 to 4
  gpu.func @rows(%a: memref<?x4xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel {
    %x = gpu.global_id x
    affine.for %i = 0 to 4 {
      %v = affine.load %a[symbol(%x), %i] : memref<?x4xf32>
      affine.store %v, %c[%i] : memref<?xf32>
    }
    gpu.return
  }
}
