// Where an OpenCL work-item is, and what it waits for.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// A place in the range is a group's start and a place in it, in the 32 bits that the hardware has.
// CHECK-LABEL: kernelcc @place(
// CHECK-DAG: %[[GROUP:.*]] = llvm.call @__gpuopt_block_id_y()
// CHECK-DAG: %[[SIZE:.*]] = llvm.call @__gpuopt_block_dim_y()
// CHECK-DAG: %[[ITEM:.*]] = llvm.call @__gpuopt_thread_id_y()
// CHECK-DAG: %[[START:.*]] = llvm.mul %[[GROUP]], %[[SIZE]] : i32
// CHECK:     llvm.add %[[START]], %[[ITEM]] : i32
__kernel void place(__global int *a) { a[0] = get_global_id(1); }

// There are three dimensions: along a fourth one every work-item is the first.
// CHECK-LABEL: kernelcc @fourth(
// CHECK:     %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NOT: llvm.call
// CHECK:     llvm.store %[[ZERO]]
__kernel void fourth(__global int *a) { a[0] = get_global_id(3); }

// Both kinds of memory or one: a barrier of the group is a barrier for all.
// CHECK-LABEL: kernelcc @barriers(
// CHECK-COUNT-2: llvm.call @__gpuopt_barrier()
__kernel void barriers(__global int *a) {
  a[0] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[0] = 2;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  a[0] = 3;
}

// A fence of global memory is one for the device, one of local memory for the group.
// CHECK-LABEL: kernelcc @fences(
// CHECK-DAG: %[[GROUP:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[DEVICE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK:     llvm.call @__gpuopt_fence(%[[DEVICE]])
// CHECK:     llvm.call @__gpuopt_fence(%[[GROUP]])
__kernel void fences(__global int *a) {
  a[1] = 7;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  a[1] = 8;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[1] = 9;
}
