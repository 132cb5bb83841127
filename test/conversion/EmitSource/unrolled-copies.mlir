// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// What transforms have unrolled, copies whose numbers grow evenly, a reader sees
// as the loop that it was.

gpu.module @kernels {
  // CHECK-LABEL: void stored(
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:    for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      b[i] = a[i * 3];
  // CHECK-NEXT:  }
  gpu.func @stored(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x0 = affine.load %a[0] : memref<?xf32>
    affine.store %x0, %b[0] : memref<?xf32>
    %x1 = affine.load %a[3] : memref<?xf32>
    affine.store %x1, %b[1] : memref<?xf32>
    %x2 = affine.load %a[6] : memref<?xf32>
    affine.store %x2, %b[2] : memref<?xf32>
    %x3 = affine.load %a[9] : memref<?xf32>
    affine.store %x3, %b[3] : memref<?xf32>
    gpu.return
  }

  // Both pointers may be the same: loads stay in front of the stores.
  // CHECK-LABEL: void loaded_before(
  // CHECK-NOT:     for
  // CHECK:         float [[X:[_a-z0-9]+]] = a[3];
  // CHECK:         b[0] = a[0];
  // CHECK-NEXT:    b[1] = [[X]];
  gpu.func @loaded_before(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x0 = affine.load %a[0] : memref<?xf32>
    %x1 = affine.load %a[3] : memref<?xf32>
    %x2 = affine.load %a[6] : memref<?xf32>
    %x3 = affine.load %a[9] : memref<?xf32>
    affine.store %x0, %b[0] : memref<?xf32>
    affine.store %x1, %b[1] : memref<?xf32>
    affine.store %x2, %b[2] : memref<?xf32>
    affine.store %x3, %b[3] : memref<?xf32>
    gpu.return
  }

  // CHECK-LABEL: void uneven(
  // CHECK-NOT:     for
  // CHECK:         b[2] = a[7];
  gpu.func @uneven(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x0 = affine.load %a[0] : memref<?xf32>
    affine.store %x0, %b[0] : memref<?xf32>
    %x1 = affine.load %a[3] : memref<?xf32>
    affine.store %x1, %b[1] : memref<?xf32>
    %x2 = affine.load %a[7] : memref<?xf32>
    affine.store %x2, %b[2] : memref<?xf32>
    %x3 = affine.load %a[9] : memref<?xf32>
    affine.store %x3, %b[3] : memref<?xf32>
    gpu.return
  }

  // Three lines are no longer than the loop.
  // CHECK-LABEL: void few(
  // CHECK-NOT:     for
  // CHECK:         b[2] = a[6];
  gpu.func @few(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x0 = affine.load %a[0] : memref<?xf32>
    affine.store %x0, %b[0] : memref<?xf32>
    %x1 = affine.load %a[3] : memref<?xf32>
    affine.store %x1, %b[1] : memref<?xf32>
    %x2 = affine.load %a[6] : memref<?xf32>
    affine.store %x2, %b[2] : memref<?xf32>
    gpu.return
  }

  // The number may be that of a row.
  // CHECK-LABEL: void in_rows(
  // CHECK:         for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      b[i * 64 + tx] = a[(i + tx) * k + 5];
  gpu.func @in_rows(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}, %k: i32 {gpuopt.name = "k"}) kernel
      attributes {gpuopt.narrow_positions} {
    %ki = arith.index_cast %k : i32 to index
    %tx = gpu.thread_id x upper_bound 64
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%ki, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %x0 = affine.load %A[symbol(%tx), 5] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x0, %b[symbol(%tx) + 0] : memref<?xf32>
    %x1 = affine.load %A[symbol(%tx) + 1, 5] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x1, %b[symbol(%tx) + 64] : memref<?xf32>
    %x2 = affine.load %A[symbol(%tx) + 2, 5] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x2, %b[symbol(%tx) + 128] : memref<?xf32>
    %x3 = affine.load %A[symbol(%tx) + 3, 5] : memref<?x?xf32, strided<[?, 1]>>
    affine.store %x3, %b[symbol(%tx) + 192] : memref<?xf32>
    gpu.return
  }

  // Copies that grow evenly in two ways are two loops.
  // CHECK-LABEL: void two_dimensions(
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:    for (int i = 0; i < 2; ++i)
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:      for (int j = 0; j < 4; ++j)
  // CHECK-NEXT:        b[j * 10 + i * 40] = a[j + i * 100];
  gpu.func @two_dimensions(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %x0 = affine.load %a[0] : memref<?xf32>
    affine.store %x0, %b[0] : memref<?xf32>
    %x1 = affine.load %a[1] : memref<?xf32>
    affine.store %x1, %b[10] : memref<?xf32>
    %x2 = affine.load %a[2] : memref<?xf32>
    affine.store %x2, %b[20] : memref<?xf32>
    %x3 = affine.load %a[3] : memref<?xf32>
    affine.store %x3, %b[30] : memref<?xf32>
    %x4 = affine.load %a[100] : memref<?xf32>
    affine.store %x4, %b[40] : memref<?xf32>
    %x5 = affine.load %a[101] : memref<?xf32>
    affine.store %x5, %b[50] : memref<?xf32>
    %x6 = affine.load %a[102] : memref<?xf32>
    affine.store %x6, %b[60] : memref<?xf32>
    %x7 = affine.load %a[103] : memref<?xf32>
    affine.store %x7, %b[70] : memref<?xf32>
    gpu.return
  }
}
