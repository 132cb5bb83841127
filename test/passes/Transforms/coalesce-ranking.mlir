// RUN: gpuopt-opt %s --gpuopt-coalesce-accesses="target=nvidia-gtx285" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics -o /dev/null

// Ranking when workgroup memory is short (left as future work in section 3.4 of
// Yang et al. 2012): of 16 kB the kernel uses 14 itself. The tile of b saves
// fewer sectors for each of its 2048 bytes than that of a, which takes 1024.
gpu.module @kernels {
  gpu.func @short(%a: memref<?x4096xf32> {gpuopt.name = "a", llvm.noalias},
                  %b: memref<?x4096xf64> {gpuopt.name = "b", llvm.noalias},
                  %c: memref<?x4096xf64> {llvm.noalias}, %n: index)
      workgroup(%used: memref<3584xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
          items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f64
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %idx = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%bx, %tx]
    %idy = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%by, %ty]
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f64) {
      // expected-remark @below {{does not fit in the 1024 bytes of workgroup memory left by tiles that save more for each byte}}
      %y = affine.load %b[symbol(%idy), %i] : memref<?x4096xf64>
      // expected-remark @below {{strided load goes through a tile [16][16] of workgroup memory}}
      %x = affine.load %a[symbol(%idx), %i] : memref<?x4096xf32>
      %e = arith.extf %x : f32 to f64
      %p = arith.mulf %e, %y : f64
      %t = arith.addf %s, %p : f64
      affine.yield %t : f64
    }
    affine.store %sum, %c[symbol(%idy), symbol(%idx)] : memref<?x4096xf64>
    gpu.return
  }
}
