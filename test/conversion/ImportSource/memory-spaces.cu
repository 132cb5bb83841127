// Workgroup memory, static and dynamic, constant memory and device variables keep
// their address spaces, the same on both targets.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-DAG: llvm.mlir.global {{.*}}@weights{{.*}}addr_space = 4 : i32{{.*}} : !llvm.array<16 x f32>
// CHECK-DAG: llvm.mlir.global {{.*}}@counter{{.*}}addr_space = 1 : i32{{.*}} : i32
// CHECK-DAG: llvm.mlir.global {{.*}}tile{{.*}}addr_space = 3 : i32{{.*}} : !llvm.array<32 x array<33 x f32>>
// CHECK-DAG: llvm.mlir.global {{.*}}@dynamic{{.*}}addr_space = 3 : i32{{.*}} : !llvm.array<0 x f32>
__constant__ float weights[16];
__device__ int counter;
extern __shared__ float dynamic[];

// CHECK: llvm.func {{.*}}kernelcc @_Z1fPf
// CHECK: llvm.call @__gpuopt_barrier()
__global__ void f(float *a) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.x];
  dynamic[threadIdx.x] = weights[threadIdx.y];
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x][threadIdx.y] + dynamic[threadIdx.y];
  atomicAdd(&counter, 1);
}
