// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=32,8" --gpuopt-unroll-stencils="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @long(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias}) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %x = gpu.global_id x
    %y = gpu.global_id y
    // expected-remark @below {{loop over neighbours stays: 9 iterations are more than 8}}
    %sum = affine.for %i = 0 to 9 iter_args(%s = %zero) -> (f32) {
      %other = arith.cmpi ne, %i, %one : index
      %u = scf.if %other -> (f32) {
        %v = affine.load %a[symbol(%y), %i + symbol(%x)] : memref<?x4096xf32>
        %w = arith.addf %s, %v : f32
        scf.yield %w : f32
      } else {
        scf.yield %s : f32
      }
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-remark @below {{launched in blocks of 32x8x1}}
  gpu.func @unknown(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias}, %c: memref<?x4096xf32> {llvm.noalias},
                    %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %x = gpu.global_id x
    %y = gpu.global_id y
    // expected-remark @below {{loop over neighbours stays: the number of iterations is not constant}}
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %other = arith.cmpi ne, %i, %one : index
      %u = scf.if %other -> (f32) {
        %v = affine.load %a[symbol(%y), %i + symbol(%x)] : memref<?x4096xf32>
        %w = arith.addf %s, %v : f32
        scf.yield %w : f32
      } else {
        scf.yield %s : f32
      }
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%y), symbol(%x)] : memref<?x4096xf32>
    gpu.return
  }
}
