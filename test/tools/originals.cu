// The kernel that launches fall back to is what Clang has made of the source:
// vectors stay vectors, in global and in workgroup memory, and index arithmetic
// stands there once. Variables are those of the tuned kernel.
//
// RUN: gpuopt compile %s --target sm_90 --emit ptx -o - | FileCheck %s
// RUN: gpuopt compile %s --target gfx942 --emit llvm -o - | FileCheck %s --check-prefix=AMD
//
// RUN: gpuopt check %s --kernel scale --target sm_90 --size n=1001,out=1001,in=1001
// RUN: gpuopt check %s --kernel staged --target sm_90 --size n=40,out=2048,in=2560 --block 8,8 --grid 1

__constant__ float factors[4] = {2, 3, 4, 5};

// CHECK-COUNT-1: .const .align 4 .b8 factors[16]
// CHECK-NOT: .b8 factors
// CHECK-LABEL: .entry _Z5scalePfPKfi__original(
// CHECK-NOT: ld.global.b32
// CHECK: ld.global.v4.b32
// CHECK-NOT: ld.global.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: st.global.b32
// CHECK: ret;
// AMD-LABEL: define{{.*}} amdgpu_kernel void @_Z5scalePfPKfi__original(
// AMD: load <4 x float>, {{.*}}, align 16
__global__ void scale(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 >= n)
    return;
  float4 v = reinterpret_cast<const float4 *>(in)[i];
  v.x *= factors[0];
  v.y *= factors[1];
  v.z *= factors[2];
  v.w *= factors[3];
  reinterpret_cast<float4 *>(out)[i] = v;
}

// CHECK-LABEL: .entry _Z6stagedPfPKfi__original(
// CHECK: ld.global.v4.b32
// CHECK: st.shared.v4.b32
// CHECK-NOT: st.shared.b32
// CHECK: ld.shared.v4.b32
// CHECK-NOT: ld.shared.b32
// CHECK: st.global.v4.b32
__global__ void staged(float *out, const float *in, int n) {
  __shared__ float tile[64][32];
  for (int y = threadIdx.y; y < 64; y += 8)
    *(float4 *)&tile[y][4 * threadIdx.x] = *(const float4 *)(in + y * n + 4 * threadIdx.x);
  __syncthreads();
  int row = threadIdx.x * 8 + threadIdx.y;
  *(float4 *)(out + (blockIdx.x * 64 + row) * 32) = *(float4 *)&tile[row][0];
}
