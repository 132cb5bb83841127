// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// A kernel without guards does what its launch asks for: the helper takes the
// original grid and block, and launches the original where blocks of the new
// kernel do not cover that exactly.

gpu.module @kernels {
  // CHECK:       // Launches unguarded in place of unguarded_original<<<grid, block>>>.
  // CHECK-NEXT:  void launch_unguarded(dim3 grid, dim3 block, size_t shared_bytes,
  // CHECK-NEXT:                        cudaStream_t stream, float *a, int n) {
  // CHECK-NEXT:    const long long items_x = (long long)grid.x * block.x;
  // CHECK-NEXT:    const dim3 blocks((items_x + 127) / 128, grid.y * block.y, grid.z * block.z);
  // CHECK-NEXT:    if (items_x % 128 == 0 && items_x <= 0x7fffff80)
  // CHECK-NEXT:      unguarded<<<blocks, dim3(64), shared_bytes, stream>>>(a, n);
  // CHECK-NEXT:    else
  // CHECK-NEXT:      unguarded_original<<<grid, block, shared_bytes, stream>>>(a, n);
  // The host's code of OpenCL is not here: it gets the rule in words.
  // OPENCL:      // Launch: unguarded in groups of 64 x 1 x 1 work-items, each group for 128 x 1
  // OPENCL-NEXT: // x 1 of the original ones. It takes the place of unguarded_original where:
  // OPENCL-NEXT: //   items_x % 128 == 0
  // OPENCL-NEXT: //   items_x <= 0x7fffff80
  gpu.func @unguarded(%a: memref<?xf32> {gpuopt.name = "a"},
                      %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @unguarded__original, gpuopt.source_name = "unguarded",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [2, 1, 1], items_per_block = [128, 1, 1]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 128 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @unguarded__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "unguarded"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // It may ask for the shape of the original blocks.
  // CHECK:       void launch_rows_of_blocks(
  // CHECK:         if (items_x % 64 == 0 && items_x <= 0x7fffffc0 && block.y == 4 &&
  // CHECK-NEXT:        block.z == 1)
  gpu.func @rows_of_blocks(%a: memref<?xf32> {gpuopt.name = "a"},
                           %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @rows_of_blocks__original, gpuopt.source_name = "rows_of_blocks",
                  gpuopt.geometry = #gpuopt.geometry<original_block = [0, 4, 1], block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @rows_of_blocks__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                     %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "rows_of_blocks"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // Along x a guard drops what lies behind n, so that blocks may cover more. Blocks
  // along y are no taller than those asked for, so that there may be too many.
  // CHECK:       void launch_guarded_in_part(
  // CHECK:         if ((items_x % 32 == 0 || n <= items_x) && items_x <= 0x7fffffe0 &&
  // CHECK-NEXT:        items_y % 8 == 0 && items_y <= 0x7ffffff8 && blocks.y <= 65535)
  // CHECK-NEXT:      guarded_in_part<<<blocks, dim3(32, 8), shared_bytes, stream>>>(a, n);
  gpu.func @guarded_in_part(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @guarded_in_part__original, gpuopt.source_name = "guarded_in_part",
                  gpuopt.geometry = #gpuopt.geometry<block = [32, 8, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [32, 8, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %by = gpu.block_id y
    %ty = gpu.thread_id y
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 32 + symbol(%tx) + symbol(%by) * 8 + symbol(%ty)] : memref<?xf32>
    gpu.return
  }
  gpu.func @guarded_in_part__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                      %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "guarded_in_part"} {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x) + symbol(%y)] : memref<?xf32>
    gpu.return
  }
}
