// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// The unrolled steps of a reduction: elements that lie s apart, the halves of
// what is left added to each other.
// CHECK-LABEL: void reduce(
// CHECK:         float part[8];
// CHECK-NEXT:  #pragma unroll
// CHECK-NEXT:    for (int i = 0; i < 8; ++i)
// CHECK-NEXT:      part[i] = a[tx + (long long)i * s];
// CHECK-NEXT:  #pragma unroll
// CHECK-NEXT:    for (int width = 4; width > 0; width /= 2)
// CHECK-NEXT:  #pragma unroll
// CHECK-NEXT:      for (int i = 0; i < 4; ++i)
// CHECK-NEXT:        if (i < width)
// CHECK-NEXT:          part[i] += part[width + i];
// CHECK-NEXT:    a[tx] = part[0];
gpu.module @kernels {
  gpu.func @reduce(%a: memref<?xf32> {gpuopt.name = "a"}, %s: i32 {gpuopt.name = "s"}) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %si = arith.index_cast %s : i32 to index
    %x0 = affine.load %a[symbol(%tx)] : memref<?xf32>
    %x1 = affine.load %a[symbol(%tx) + symbol(%si)] : memref<?xf32>
    %x2 = affine.load %a[symbol(%tx) + symbol(%si) * 2] : memref<?xf32>
    %x3 = affine.load %a[symbol(%tx) + symbol(%si) * 3] : memref<?xf32>
    %x4 = affine.load %a[symbol(%tx) + symbol(%si) * 4] : memref<?xf32>
    %x5 = affine.load %a[symbol(%tx) + symbol(%si) * 5] : memref<?xf32>
    %x6 = affine.load %a[symbol(%tx) + symbol(%si) * 6] : memref<?xf32>
    %x7 = affine.load %a[symbol(%tx) + symbol(%si) * 7] : memref<?xf32>
    %y0 = arith.addf %x0, %x4 : f32
    %y1 = arith.addf %x1, %x5 : f32
    %y2 = arith.addf %x2, %x6 : f32
    %y3 = arith.addf %x3, %x7 : f32
    %z0 = arith.addf %y0, %y2 : f32
    %z1 = arith.addf %y1, %y3 : f32
    %w = arith.addf %z0, %z1 : f32
    affine.store %w, %a[symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // Another order of the additions is another sum.
  // CHECK-LABEL: void other(
  // CHECK-NOT:     part
  // CHECK:       }
  gpu.func @other(%a: memref<?xf32> {gpuopt.name = "a"}, %s: i32 {gpuopt.name = "s"}) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %si = arith.index_cast %s : i32 to index
    %x0 = affine.load %a[symbol(%tx)] : memref<?xf32>
    %x1 = affine.load %a[symbol(%tx) + symbol(%si)] : memref<?xf32>
    %x2 = affine.load %a[symbol(%tx) + symbol(%si) * 2] : memref<?xf32>
    %x3 = affine.load %a[symbol(%tx) + symbol(%si) * 3] : memref<?xf32>
    %x4 = affine.load %a[symbol(%tx) + symbol(%si) * 4] : memref<?xf32>
    %x5 = affine.load %a[symbol(%tx) + symbol(%si) * 5] : memref<?xf32>
    %x6 = affine.load %a[symbol(%tx) + symbol(%si) * 6] : memref<?xf32>
    %x7 = affine.load %a[symbol(%tx) + symbol(%si) * 7] : memref<?xf32>
    %y0 = arith.addf %x0, %x4 : f32
    %y1 = arith.addf %x5, %x1 : f32
    %y2 = arith.addf %x2, %x6 : f32
    %y3 = arith.addf %x3, %x7 : f32
    %z0 = arith.addf %y0, %y2 : f32
    %z1 = arith.addf %y1, %y3 : f32
    %w = arith.addf %z0, %z1 : f32
    affine.store %w, %a[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
}
