// OpenCL C's own functions: ids, arithmetic, vectors, memory of a work-group.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// An array of a work-group belongs to its kernel.
// CHECK: llvm.mlir.global internal @local_memory.tile() {addr_space = 3 : i32{{.*}}} : !llvm.array<64 x f32>

// Work-items are threads, and there are as many as a group has times the groups.
// CHECK-LABEL: kernelcc @places(
// CHECK-DAG: llvm.call @__gpuopt_thread_id_x()
// CHECK-DAG: llvm.call @__gpuopt_block_id_y()
// CHECK-DAG: llvm.call @__gpuopt_block_dim_z()
// CHECK-DAG: %[[GROUPS:.*]] = llvm.call @__gpuopt_grid_dim_x()
// CHECK-DAG: %[[SIZE:.*]] = llvm.call @__gpuopt_block_dim_x()
// CHECK:     llvm.mul %[[GROUPS]], %[[SIZE]] : i32
__kernel void places(__global int *a) {
  a[0] = get_local_id(0);
  a[1] = get_group_id(1);
  a[2] = get_local_size(2);
  a[3] = get_num_groups(0);
  a[4] = get_global_size(0);
}

// What the language leaves to the implementation is the plain operation.
// CHECK-LABEL: kernelcc @arithmetic(
// CHECK:     %[[PRODUCT:.*]] = llvm.fmul
// CHECK:     llvm.fadd %[[PRODUCT]],
// CHECK:     %[[FLOOR:.*]] = llvm.intr.maxnum(
// CHECK:     llvm.intr.minnum(%[[FLOOR]],
// CHECK:     llvm.intr.sqrt(
// CHECK:     llvm.mul %{{.*}}, %{{.*}} : i32
// CHECK:     llvm.sitofp %{{.*}} : i32 to f32
// CHECK:     %[[IS:.*]] = llvm.icmp "sgt"
// The value for `true` is the second one.
// CHECK:     llvm.select %[[IS]], %[[SECOND:.*]], %[[FIRST:.*]] : i1, i32
__kernel void arithmetic(__global float *a, __global int *b) {
  a[0] = mad(a[1], a[2], a[3]);
  a[4] = clamp(a[5], 0.0f, 1.0f);
  a[6] = native_sqrt(a[7]);
  b[0] = mul24(b[1], b[2]);
  a[9] = convert_float(b[4]);
  b[5] = select(b[6], b[7], b[8] > 0);
}

// A vector of a plain array need not be aligned as one: it is read by its elements.
// CHECK-LABEL: kernelcc @vectors(
// CHECK-COUNT-4: llvm.load {{.*}} -> f32
// CHECK-COUNT-4: llvm.store {{.*}} : f32
__kernel void vectors(__global float *a) {
  float4 v = vload4(0, a);
  vstore4(v.wzyx, 1, a);
}

// CHECK-LABEL: kernelcc @local_memory(
// CHECK:     llvm.mlir.addressof @local_memory.tile : !llvm.ptr<3>
// CHECK:     llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK:     llvm.call @__gpuopt_barrier()
// CHECK:     llvm.load %{{.*}} : !llvm.ptr<3> -> f32
__kernel void local_memory(__global float *a) {
  __local float tile[64];
  tile[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = tile[63 - get_local_id(0)];
}
