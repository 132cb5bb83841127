// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// Where the guards of a kernel say how many work items have something to do, its
// launch is computed from the arguments. Nothing to do is a success without a
// launch, what no launch can do an error.

gpu.module @kernels {
  // Blocks are rounded up, and the last one is to have positions that fit `int`.
  // CHECK:       // Launches rows for n work items.
  // CHECK-NEXT:  cudaError_t launch_rows(cudaStream_t stream, float *a, int n) {
  // CHECK-NEXT:    if (n <= 0)
  // CHECK-NEXT:      return cudaSuccess;
  // CHECK-NEXT:    if (n > 0x7fffff80)
  // CHECK-NEXT:      return cudaErrorInvalidValue;
  // CHECK-NEXT:    const dim3 blocks((n + 127) / 128);
  // CHECK-NEXT:    rows<<<blocks, dim3(64), 0, stream>>>(a, n);
  // CHECK-NEXT:    return cudaGetLastError();
  // The original is not in the file: nothing launches it.
  // CHECK-NOT:   rows_original
  // OPENCL:      // Launch: (n + 127) / 128 groups of 64 work-items.
  gpu.func @rows(%a: memref<?xf32> {gpuopt.name = "a"},
                 %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @rows__original, gpuopt.source_name = "rows",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [2, 1, 1], items_per_block = [128, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 128 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @rows__original(%a: memref<?xf32> {gpuopt.name = "a"},
                           %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "rows"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // CHECK:       // Launches plane for n x m work items.
  // CHECK:         if (n <= 0 || m <= 0)
  // CHECK:         if (n > 0x7fffffe0 || m > 0x7ffffff8)
  // CHECK:         const dim3 blocks((n + 31) / 32, (m + 7) / 8);
  // CHECK-NEXT:    plane<<<blocks, dim3(32, 8), 0, stream>>>(a, n, m);
  // OPENCL:      // Launch: (n + 31) / 32 x (m + 7) / 8 groups of 32 x 8 work-items.
  gpu.func @plane(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: i32 {gpuopt.name = "n"},
                  %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.fallback = @plane__original, gpuopt.source_name = "plane",
                  gpuopt.geometry = #gpuopt.geometry<block = [32, 8, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [32, 8, 1],
                                                     extents = [affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (n)>,
                                                                affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (m)>, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %by = gpu.block_id y
    %ty = gpu.thread_id y
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 32 + symbol(%tx) + symbol(%by) * 8 + symbol(%ty)] : memref<?xf32>
    gpu.return
  }
  gpu.func @plane__original(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"},
                            %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.source_name = "plane"} {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x) + symbol(%y)] : memref<?xf32>
    gpu.return
  }

  // What is not a parameter is computed once, in a type that has it for all `int`s.
  // CHECK:       // Launches inner for n - 2 work items.
  // CHECK:         const long long items_x = (long long)n - 2;
  // CHECK-NEXT:    if (items_x <= 0)
  // CHECK:         const dim3 blocks((items_x + 63) / 64);
  gpu.func @inner(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @inner__original, gpuopt.source_name = "inner",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n - 2)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @inner__original(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "inner"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // A quotient that rounds up.
  // CHECK:       // Launches every_third for (n + 2) / 3 work items.
  // CHECK:         const long long items_x = ((long long)n + 2) / 3;
  gpu.func @every_third(%a: memref<?xf32> {gpuopt.name = "a"},
                        %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @every_third__original, gpuopt.source_name = "every_third",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n ceildiv 3)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @every_third__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                  %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "every_third"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // Of several guards the least counts.
  // CHECK:       // Launches least for min(n, m) work items.
  // CHECK:         items_x = std::min<long long>({(long long)n, (long long)m});
  gpu.func @least(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: i32 {gpuopt.name = "n"},
                  %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.fallback = @least__original, gpuopt.source_name = "least",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @least__original(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"},
                            %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.source_name = "least",
                  gpuopt.own_extents = [affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (n, m)>, unit, unit]} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // A size without a sign is not negative.
  // CHECK:       cudaError_t launch_unsigned_size(cudaStream_t stream, float *a, unsigned n) {
  // CHECK-NEXT:    if (n == 0)
  // CHECK-NEXT:      return cudaSuccess;
  gpu.func @unsigned_size(%a: memref<?xf32> {gpuopt.name = "a"},
                          %n: i32 {gpuopt.name = "n", gpuopt.unsigned}) kernel
      attributes {gpuopt.fallback = @unsigned_size__original, gpuopt.source_name = "unsigned_size",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n mod 4294967296)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @unsigned_size__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                    %n: i32 {gpuopt.name = "n", gpuopt.unsigned}) kernel
      attributes {gpuopt.source_name = "unsigned_size"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // One of fewer bits neither.
  // CHECK:       cudaError_t launch_narrow_size(cudaStream_t stream, float *a, unsigned char n) {
  // CHECK-NEXT:    if (n == 0)
  // CHECK-NEXT:      return cudaSuccess;
  gpu.func @narrow_size(%a: memref<?xf32> {gpuopt.name = "a"},
                          %n: i8 {gpuopt.name = "n", gpuopt.unsigned}) kernel
      attributes {gpuopt.fallback = @narrow_size__original, gpuopt.source_name = "narrow_size",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n mod 256)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @narrow_size__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                    %n: i8 {gpuopt.name = "n", gpuopt.unsigned}) kernel
      attributes {gpuopt.source_name = "narrow_size"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // A number that is known needs no question.
  // CHECK:       // Launches known for 1000 work items.
  // CHECK-NEXT:  cudaError_t launch_known(
  // CHECK-NEXT:    const dim3 blocks(16);
  gpu.func @known(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @known__original, gpuopt.source_name = "known",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (1000)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @known__original(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "known"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // A kernel that only stands for its original under conditions comes with that.
  // What follows from the rest is not asked: n is 64 or more, so that it is positive.
  // CHECK:       void conditional_original(float *a, int n, int m) {
  // CHECK:       cudaError_t launch_conditional(
  // CHECK:         if (n >= 64 && {{.*}}n <= {{.*}}m)
  // CHECK-NEXT:      conditional<<<dim3((n + 63) / 64), dim3(64), 0, stream>>>(a, n, m);
  // CHECK-NEXT:    else
  // CHECK-NEXT:      conditional_original<<<dim3((n + 255) / 256), dim3(256), 0, stream>>>(
  gpu.func @conditional(%a: memref<?xf32> {gpuopt.name = "a"},
                        %n: i32 {gpuopt.name = "n"},
                        %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.fallback = @conditional__original, gpuopt.source_name = "conditional",
                  gpuopt.requires = affine_set<()[a, n, m, gx, gy, gz, bx, by, bz] : (n - 64 >= 0, n >= 0, m - n >= 0)>,
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @conditional__original(%a: memref<?xf32> {gpuopt.name = "a"},
                                  %n: i32 {gpuopt.name = "n"},
                                  %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.source_name = "conditional"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}
