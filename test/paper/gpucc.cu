// What gpucc (Wu et al. 2016, "gpucc: An Open-Source GPGPU Compiler") does to
// device code, at work in what is compiled here: docs/gpucc.md says where each
// technique lives. Kernels are compiled as they are written, so that nothing but
// LLVM's passes, and how they are run, is looked at.
//
// RUN: gpuopt compile %s --target sm_70 --no-opt --emit ptx -o - | FileCheck %s
// DEFINE: %{check} = gpuopt check %s --target sm_70 --grid 1 --block 32 --allow-fallback
// RUN: %{check} --kernel inlined --kernel space --kernel disjoint --size out=64,g=64,n=60
// RUN: %{check} --kernel submatrix --size b=3,c=5,n=60,a=4096,out=32
// RUN: %{check} --kernel speculated --size b=1,c=1,i=100,j=1000,a=4096,out=32
// RUN: %{check} --kernel divided --size d=7,out=32

__device__ float halfOf(float v) { return v / 2; }

// Section 3.1: the loop is unrolled and the function inlined, by which the array
// becomes values.
// CHECK-LABEL: .entry _Z7inlinedPf(
// CHECK-NOT: .local
// CHECK-NOT: call
// CHECK-NOT: bra
// CHECK: ret;
__global__ void inlined(float *out) {
  float v[4] = {1, 2, 3, 4};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    v[i] = halfOf(v[i]) + threadIdx.x;
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}

// Section 3.2, figure 4: a pointer that depends on itself points to workgroup
// memory, which the load names.
// CHECK-LABEL: .entry _Z5spacePf(
// CHECK: bar.sync
// CHECK-NOT: {{[[:space:]]ld\.(b32|v4|f32)}}
// CHECK: ld.shared
__global__ void space(float *out) {
  __shared__ float a[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    a[i] = i;
  __syncthreads();
  float *p = a;
  float *end = a + 1024;
  float sum = 0;
  while (p != end) {
    float v = *p;
    sum += v;
    ++p;
  }
  out[threadIdx.x] = sum;
}

// Section 3.3: a store to global memory leaves workgroup memory as it is, so the
// number that was stored there need not be loaded, and its store is dead.
// CHECK-LABEL: .entry _Z8disjointPfS_i(
// CHECK-NOT: ld.shared
// CHECK: st.shared
// CHECK-NOT: st.shared
// CHECK: st.global
// CHECK: bar.sync
__global__ void disjoint(float *g, float *out, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = n;
  g[t] = 1;
  s[t] = s[t] + 2;
  g[t] = s[t];
  __syncthreads();
  out[t] = s[31 - t];
}

// Section 3.4, figures 5 and 6: of nine addresses one is computed; six more are
// constants beside another, and two take one addition.
// CHECK-LABEL: .entry _Z9submatrixPKfPflll(
// CHECK: mul.lo.s64
// CHECK-NOT: mul.lo.s64
// CHECK: ld.global.b32 %{{.*}}, [%[[P0:rd[0-9]+]]];
// CHECK: ld.global.b32 %{{.*}}, [%[[P0]]+4];
// CHECK: ld.global.b32 %{{.*}}, [%[[P0]]+8];
// CHECK: shl.b64 %[[ROW:rd[0-9]+]], %{{.*}}, 2;
// CHECK-NEXT: add.s64 %[[P3:rd[0-9]+]], %[[P0]], %[[ROW]];
// CHECK: ld.global.b32 %{{.*}}, [%[[P3]]];
// CHECK: ld.global.b32 %{{.*}}, [%[[P3]]+4];
// CHECK: ld.global.b32 %{{.*}}, [%[[P3]]+8];
// CHECK: add.s64 %[[P6:rd[0-9]+]], %[[P3]], %[[ROW]];
// CHECK: ld.global.b32 %{{.*}}, [%[[P6]]];
// CHECK: ld.global.b32 %{{.*}}, [%[[P6]]+4];
// CHECK: ld.global.b32 %{{.*}}, [%[[P6]]+8];
// CHECK: ret;
__global__ void submatrix(const float *a, float *out, long b, long c, long n) {
  float sum = 0;
#pragma unroll
  for (long x = 0; x < 3; ++x)
#pragma unroll
    for (long y = 0; y < 3; ++y) {
      const float *p = &a[(c + y) + (b + x) * n];
      sum += *p;
    }
  out[threadIdx.x] = sum;
}

// Section 3.5, figure 7: the first address is computed in front of both
// branches, and the second from it.
// CHECK-LABEL: .entry _Z10speculatedPKfPfbbll(
// CHECK: shl.b64 %[[I:rd[0-9]+]], %{{.*}}, 2;
// CHECK-NEXT: add.s64 %[[P:rd[0-9]+]], %{{.*}}, %[[I]];
// CHECK: bra
// CHECK: ld.global.b32 %{{.*}}, [%[[P]]];
// CHECK: add.s64 %[[Q:rd[0-9]+]], %[[P]], %{{.*}};
// CHECK: ld.global.b32 %{{.*}}, [%[[Q]]];
__global__ void speculated(const float *a, float *out, bool b, bool c, long i, long j) {
  float u = 0, v = 0;
  if (b)
    u = a[i];
  if (c)
    v = a[i + j];
  out[threadIdx.x] = u + v;
}

// Section 3.6: a division of 64 bits is one of 32 where both numbers allow it.
// CHECK-LABEL: .entry _Z7dividedPll(
// CHECK: or.b64 %[[BOTH:rd[0-9]+]], %{{.*}}, %{{.*}};
// CHECK: and.b64 %[[HIGH:rd[0-9]+]], %[[BOTH]], -4294967296;
// CHECK: setp.ne.b64 %{{.*}}, %[[HIGH]], 0;
// CHECK-DAG: div.s64
// CHECK-DAG: div.u32
__global__ void divided(long *out, long d) { out[threadIdx.x] = out[threadIdx.x] / d; }
