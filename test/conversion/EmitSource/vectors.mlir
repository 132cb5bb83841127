// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// Eight halves have no type of their own: they move as 16 bytes, and are an
// array where their lanes are read.
// CHECK-LABEL: void halves(
// CHECK:         *(uint4 *)&a_tile[tx * 8] = *(uint4 *)&a[tx * 8];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:    alignas(16) __half [[X:.*]][8];
// CHECK-NEXT:    *(uint4 *)[[X]] = *(uint4 *)&a_tile[504 - tx * 8];
// CHECK:           = [[X]][7] + [[X]][0];
// CHECK:         *(uint4 *)&a[tx * 8 + 512] = *(uint4 *)
// OPENCL-LABEL: void halves(
// OPENCL:         *(__local uint4 *)&a_tile[tx * 8] = *(__global uint4 *)&a[tx * 8];
gpu.module @kernels {
  gpu.func @halves(%a: memref<?xf16> {gpuopt.name = "a"})
      workgroup(%tile: memref<512xf16, #gpu.address_space<workgroup>> {gpuopt.name = "tile"})
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c8 = arith.constant 8 : index
    %c504 = arith.constant 504 : index
    %c512 = arith.constant 512 : index
    %at = arith.muli %tx, %c8 overflow<nsw> : index
    %from = arith.subi %c504, %at overflow<nsw> : index
    %to = arith.addi %at, %c512 overflow<nsw> : index
    %x = vector.load %a[%at] : memref<?xf16>, vector<8xf16>
    vector.store %x, %tile[%at] : memref<512xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier
    %y = vector.load %tile[%from] : memref<512xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    %0 = vector.extract %y[0] : f16 from vector<8xf16>
    %7 = vector.extract %y[7] : f16 from vector<8xf16>
    %s = arith.addf %7, %0 : f16
    %z = vector.broadcast %s : f16 to vector<8xf16>
    vector.store %z, %a[%to] : memref<?xf16>, vector<8xf16>
    gpu.return
  }

  // C++ has no conversion between int4 and uint4: all vectors are of signed numbers. A constant has lanes.
  // CHECK-LABEL: void unsigned_numbers(
  // CHECK-SAME:    unsigned *a, float *b)
  // CHECK:         *(int4 *)&a_tile[tx * 4] = *(int4 *)&a[tx * 4];
  // CHECK:         int4 [[V:.*]] = *(int4 *)&a[tx * 4];
  // CHECK-NEXT:    *(int4 *)&a[tx * 4] = make_int4([[V]].y, (int)((unsigned)[[V]].x / 3u),
  // CHECK:         *(float4 *)&b[tx * 4] = make_float4(0.0f, 1.5f, -2.0f, 0.0f);
  // OPENCL-LABEL: void unsigned_numbers(
  // OPENCL:        *(__local int4 *)&a_tile[tx * 4] = *(__global int4 *)&a[tx * 4];
  // OPENCL:        *(__global float4 *)&b[tx * 4] = (float4)(0.0f, 1.5f, -2.0f, 0.0f);
  gpu.func @unsigned_numbers(%a: memref<?xi32> {gpuopt.name = "a", gpuopt.unsigned}, %b: memref<?xf32> {gpuopt.name = "b"})
      workgroup(%tile: memref<256xi32, #gpu.address_space<workgroup>> {gpuopt.name = "tile"})
      kernel attributes {gpuopt.narrow_positions} {
    %tx = gpu.thread_id x upper_bound 64
    %c4 = arith.constant 4 : index
    %three = arith.constant 3 : i32
    %numbers = arith.constant dense<[0.0, 1.5, -2.0, 0.0]> : vector<4xf32>
    %at = arith.muli %tx, %c4 overflow<nsw> : index
    %x = vector.load %a[%at] : memref<?xi32>, vector<4xi32>
    vector.store %x, %tile[%at] : memref<256xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    gpu.barrier
    %y = vector.load %a[%at] : memref<?xi32>, vector<4xi32>
    %0 = vector.extract %y[0] : i32 from vector<4xi32>
    %1 = vector.extract %y[1] : i32 from vector<4xi32>
    %q = arith.divui %0, %three : i32
    %z = vector.from_elements %1, %q, %0, %0 : vector<4xi32>
    vector.store %z, %a[%at] : memref<?xi32>, vector<4xi32>
    vector.store %numbers, %b[%at] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
