// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// Where a thread is, and how many there are.

gpu.module @kernels {
  // Ids are declared in front, those of one kind in one line; the number of blocks,
  // read once, is not.
  // CHECK-LABEL: void all(
  // CHECK-NEXT:    const int block_x = blockDim.x;
  // CHECK-NEXT:    const int bx = blockIdx.x;
  // CHECK-NEXT:    const int tx = threadIdx.x, ty = threadIdx.y;
  // CHECK-NEXT:    const int idz = blockIdx.z * blockDim.z + threadIdx.z;
  // CHECK-NEXT:    a[tx] = 0.0f;
  // CHECK:         a[(int)gridDim.y] = 0.0f;
  // OPENCL-LABEL: void all(
  // OPENCL-NEXT:   const int block_x = get_local_size(0);
  // OPENCL-NEXT:   const int bx = get_group_id(0);
  // OPENCL-NEXT:   const int tx = get_local_id(0), ty = get_local_id(1);
  // OPENCL-NEXT:   const int idz = get_global_id(2);
  // OPENCL:        a[(int)get_num_groups(1)] = 0.0f;
  gpu.func @all(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %dx = gpu.block_dim x
    %gy = gpu.grid_dim y
    %idz = gpu.global_id z
    memref.store %zero, %a[%tx] : memref<?xf32>
    memref.store %zero, %a[%ty] : memref<?xf32>
    memref.store %zero, %a[%bx] : memref<?xf32>
    memref.store %zero, %a[%dx] : memref<?xf32>
    memref.store %zero, %a[%gy] : memref<?xf32>
    memref.store %zero, %a[%idz] : memref<?xf32>
    gpu.return
  }

  // A position has the name that the source gave it.
  // CHECK-LABEL: void named(
  // CHECK-NEXT:    const int row = blockIdx.y * blockDim.y + threadIdx.y;
  gpu.func @named(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %zero = arith.constant 0.0 : f32
    %row = gpu.global_id y loc("row")
    memref.store %zero, %a[%row] : memref<?xf32>
    gpu.return
  }

  // A geometry says how many threads there are, and what they do: the compiler gets
  // its bounds, the reader a comment, and no id is asked for that is always zero.
  // CHECK:       // A block of 64 x 2 threads does the work of 64 x 4 work items.
  // CHECK-NEXT:  __global__ void __launch_bounds__(128) flat(float *a) {
  // CHECK-NOT:     threadIdx.z
  // CHECK:         a[0] = 0.0f;
  gpu.func @flat(%a: memref<?xf32> {gpuopt.name = "a"}) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 2, 1], items_per_thread = [1, 2, 1], items_per_block = [64, 4, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %tz = gpu.thread_id z
    %dy = gpu.block_dim y
    memref.store %zero, %a[%tx] : memref<?xf32>
    memref.store %zero, %a[%tz] : memref<?xf32>
    memref.store %zero, %a[%dy] : memref<?xf32>
    gpu.return
  }
}
