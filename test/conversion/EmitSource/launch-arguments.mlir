// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s --check-prefix=HIP

// What a kernel takes for granted of its arguments, its launch asks for.

gpu.module @kernels {
  // Arrays that it takes for distinct: one begins behind all that is accessed of the
  // other. A product of sizes and the larger of two ends do not wrap.
  // CHECK:       cudaError_t launch_overlap(
  // CHECK:         b - a >= (long long)n * m ||
  // CHECK-NEXT:    a - b >= std::max<long long>({(long long)m, 10})
  // CHECK-NEXT:      overlap<<<
  // CHECK-NEXT:    else
  // CHECK-NEXT:      overlap_original<<<
  gpu.func @overlap(%a: memref<?xf32> {gpuopt.name = "a", gpuopt.distinct, gpuopt.extent = affine_map<()[a, b, n, m, gx, gy, gz, bx, by, bz] -> (n * m)>},
                    %b: memref<?xf32> {gpuopt.name = "b", gpuopt.distinct, gpuopt.extent = affine_map<()[a, b, n, m, gx, gy, gz, bx, by, bz] -> (m, 10)>},
                    %n: i32 {gpuopt.name = "n"},
                    %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.fallback = @overlap__original, gpuopt.source_name = "overlap",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, b, n, m, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @overlap__original(%a: memref<?xf32> {gpuopt.name = "a", gpuopt.distinct, gpuopt.extent = affine_map<()[a, b, n, m, gx, gy, gz, bx, by, bz] -> (n * m)>},
                              %b: memref<?xf32> {gpuopt.name = "b", gpuopt.distinct, gpuopt.extent = affine_map<()[a, b, n, m, gx, gy, gz, bx, by, bz] -> (m, 10)>},
                              %n: i32 {gpuopt.name = "n"},
                              %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.source_name = "overlap"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // An array whose rows are read as vectors.
  // CHECK:       cudaError_t launch_aligned(
  // CHECK:         if ((size_t)a % 16 == 0)
  // CHECK-NEXT:      aligned<<<dim3((n + 63) / 64), dim3(64), 0, stream>>>(a, n);
  // HIP:         hipError_t launch_aligned(hipStream_t stream, float *a, int n) {
  // HIP:           return hipErrorInvalidValue;
  // HIP:           return hipGetLastError();
  gpu.func @aligned(%a: memref<?xf32> {gpuopt.name = "a", gpuopt.aligned = 16 : i64},
                    %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.fallback = @aligned__original, gpuopt.source_name = "aligned",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @aligned__original(%a: memref<?xf32> {gpuopt.name = "a", gpuopt.aligned = 16 : i64},
                              %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.source_name = "aligned"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // Sizes that it has been compiled for.
  // CHECK:       cudaError_t launch_sizes(
  // CHECK:         if (m == 64 && n == 4096)
  // CHECK-NEXT:      sizes<<<
  gpu.func @sizes(%a: memref<?xf32> {gpuopt.name = "a"},
                  %n: i32 {gpuopt.name = "n"},
                  %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.fallback = @sizes__original, gpuopt.source_name = "sizes",
                  gpuopt.specialized = {n = 4096 : i64, m = 64 : i64},
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, m, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @sizes__original(%a: memref<?xf32> {gpuopt.name = "a"},
                            %n: i32 {gpuopt.name = "n"},
                            %m: i32 {gpuopt.name = "m"}) kernel
      attributes {gpuopt.source_name = "sizes"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }

  // Parameters that have the names of the launch's own variables give way to these,
  // and the kernel is called from outside of them.
  // CHECK:       cudaError_t launch_stream(cudaStream_t stream, float *blocks_2, int stream_2) {
  // CHECK-NEXT:    if (stream_2 <= 0)
  // CHECK:         const dim3 blocks((stream_2 + 63) / 64);
  // CHECK-NEXT:    ::stream<<<blocks, dim3(64), 0, stream>>>(blocks_2, stream_2);
  gpu.func @stream(%a: memref<?xf32> {gpuopt.name = "blocks"},
                   %n: i32 {gpuopt.name = "stream"}) kernel
      attributes {gpuopt.fallback = @stream__original, gpuopt.source_name = "stream",
                  gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1],
                                                     items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
                                                     extents = [affine_map<()[a, n, gx, gy, gz, bx, by, bz] -> (n)>, unit, unit]>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%bx) * 64 + symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @stream__original(%a: memref<?xf32> {gpuopt.name = "blocks"},
                             %n: i32 {gpuopt.name = "stream"}) kernel
      attributes {gpuopt.source_name = "stream"} {
    %x = gpu.global_id x
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}
