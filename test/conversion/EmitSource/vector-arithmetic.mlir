// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// CUDA and HIP have no operators for vectors: lanes are computed one by one.
// CHECK-LABEL: void scale(
// CHECK:         float4 [[X:.*]] = *(float4 *)&a[tx * 4];
// CHECK-NEXT:    *(float4 *)&b[tx * 4] = make_float4([[X]].x * 2.0f, [[X]].y * 2.0f,
// CHECK-NEXT:                                        [[X]].z * 2.0f, [[X]].w * 2.0f);
// OPENCL-LABEL: void scale(
// OPENCL:         float4 [[X:.*]] = *(__global float4 *)&a[tx * 4];
// OPENCL-NEXT:    *(__global float4 *)&b[tx * 4] = (float4)([[X]].x * 2.0f, [[X]].y * 2.0f,
// OPENCL-NEXT:                                              [[X]].z * 2.0f, [[X]].w * 2.0f);
gpu.module @kernels {
  gpu.func @scale(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %two = arith.constant dense<2.0> : vector<4xf32>
    %at = arith.muli %tx, %c4 : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<4xf32>
    %y = arith.mulf %x, %two : vector<4xf32>
    vector.store %y, %b[%at] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  // Functions and choices, too; what no lane of the result takes is not there.
  // CHECK-LABEL: void choose(
  // CHECK:         float3 [[X:.*]] = *(float3 *)&a[tx * 4];
  // CHECK:         make_float3([[X]].x < 0.0f ? sqrtf([[X]].z) : [[X]].x,
  // CHECK-NOT:     .w
  // OPENCL-LABEL: void choose(
  // OPENCL:         float3 [[X:.*]] = *(__global float3 *)&a[tx * 4];
  // OPENCL:         (float3)([[X]].x < 0.0f ? sqrt([[X]].z) : [[X]].x,
  gpu.func @choose(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : vector<3xf32>
    %at = arith.muli %tx, %c4 : index
    %x = vector.load %a[%at] : memref<?xf32>, vector<3xf32>
    %turned = llvm.shufflevector %x, %zero [2, 1, 0] : vector<3xf32>
    %roots = math.sqrt %turned : vector<3xf32>
    %isLess = arith.cmpf olt, %x, %zero : vector<3xf32>
    %y = arith.select %isLess, %roots, %x : vector<3xi1>, vector<3xf32>
    vector.store %y, %b[%at] : memref<?xf32>, vector<3xf32>
    gpu.return
  }
}
