// OpenCL C: global pointers are plain ones, local memory stays what it is.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK: llvm.func {{.*}}kernelcc @f(%[[A:.*]]: !llvm.ptr {gpuopt.name = "a"{{.*}}%[[W:.*]]: !llvm.ptr {gpuopt.name = "w"{{.*}}%{{.*}}: !llvm.ptr<3> {gpuopt.name = "s"
// CHECK: llvm.call @__gpuopt_block_id_x
// CHECK: llvm.getelementptr inbounds %[[A]][
// CHECK: llvm.call @__gpuopt_barrier
// CHECK: llvm.intr.sqrt
// CHECK: llvm.atomicrmw {{.*}}add
__kernel void f(__global float *restrict a, __constant float *w,
                __local float *s, __global int *count, int n) {
  int i = get_global_id(0), l = get_local_id(0);
  s[l] = i < n ? a[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = (float4)(s[l], w[0], w[1], w[2]);
  if (i < n)
    a[i] = sqrt(v.x) + dot(v, v.wzyx);
  atomic_inc(count);
}
