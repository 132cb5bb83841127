// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Vectors are read at once, and used lane by lane.

gpu.module @kernels {
  // Where a loop takes one lane after the other, the vector is a small array,
  // aligned for the access that fills it.
  // CHECK-LABEL: void each_lane(
  // CHECK:         alignas(16) float [[X:[_a-z0-9]+]][4];
  // CHECK-NEXT:    *(float4 *)[[X]] = *(float4 *)&a[tx * 4];
  // CHECK-NEXT:  #pragma unroll
  // CHECK-NEXT:    for (int i = 0; i < 4; ++i)
  // CHECK-NEXT:      b[i * 64 + tx] = [[X]][i];
  gpu.func @each_lane(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %at = arith.muli %tx, %c4 overflow<nsw> : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<4xf32>
    %0 = vector.extract %x[0] : f32 from vector<4xf32>
    %1 = vector.extract %x[1] : f32 from vector<4xf32>
    %2 = vector.extract %x[2] : f32 from vector<4xf32>
    %3 = vector.extract %x[3] : f32 from vector<4xf32>
    affine.store %0, %b[symbol(%tx)] : memref<?xf32>
    affine.store %1, %b[symbol(%tx) + 64] : memref<?xf32>
    affine.store %2, %b[symbol(%tx) + 128] : memref<?xf32>
    affine.store %3, %b[symbol(%tx) + 192] : memref<?xf32>
    gpu.return
  }

  // Few lanes have their letters.
  // CHECK-LABEL: void one_lane(
  // CHECK:         float4 [[X:[_a-z0-9]+]] = *(float4 *)&a[tx * 4];
  // CHECK-NEXT:    b[tx] = [[X]].x + [[X]].w;
  gpu.func @one_lane(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %at = arith.muli %tx, %c4 overflow<nsw> : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<4xf32>
    %0 = vector.extract %x[0] : f32 from vector<4xf32>
    %3 = vector.extract %x[3] : f32 from vector<4xf32>
    %s = arith.addf %0, %3 : f32
    affine.store %s, %b[symbol(%tx)] : memref<?xf32>
    gpu.return
  }

  // A vector is made of what is computed.
  // CHECK-LABEL: void joined(
  // CHECK:         *(float4 *)&b[tx * 4] = make_float4([[X:[_a-z0-9]+]].x * 2.0f, [[X]].y * 2.0f,
  // CHECK-NEXT:    [[X]].z * 2.0f, [[X]].w * 2.0f);
  gpu.func @joined(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2.0 : f32
    %at = arith.muli %tx, %c4 overflow<nsw> : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<4xf32>
    %0 = vector.extract %x[0] : f32 from vector<4xf32>
    %1 = vector.extract %x[1] : f32 from vector<4xf32>
    %2 = vector.extract %x[2] : f32 from vector<4xf32>
    %3 = vector.extract %x[3] : f32 from vector<4xf32>
    %d0 = arith.mulf %0, %c2 : f32
    %d1 = arith.mulf %1, %c2 : f32
    %d2 = arith.mulf %2, %c2 : f32
    %d3 = arith.mulf %3, %c2 : f32
    %y = vector.from_elements %d0, %d1, %d2, %d3 : vector<4xf32>
    vector.store %y, %b[%at] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
