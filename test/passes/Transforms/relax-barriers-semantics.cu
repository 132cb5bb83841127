// Trees, scans and sorting networks in workgroup memory as people write them: their steps are written out, and where a step
// concerns the lanes of a subgroup only, nobody else waits. They compute what they did, and race with nobody.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-LABEL: interleaved ({{.*}}) for sm_90
// CHECK: + UnrollGeometricLoops at {{.*}}: the loop's 7 steps are written out
// CHECK: + RelaxBarriers at {{.*}}: of 8 barrier(s) 1 keep nobody apart and are gone, 5 concern the lanes of a subgroup only
// CHECK-LABEL: scan ({{.*}}) for sm_90
// CHECK: + UnrollGeometricLoops at {{.*}}: the loop's 6 steps are written out
// CHECK-LABEL: prescan ({{.*}}) for sm_90
// CHECK: + RelaxBarriers at {{.*}}: of 17 barrier(s) 2 keep nobody apart and are gone, 11 concern the lanes of a subgroup only
// CHECK-LABEL: bitonic ({{.*}}) for sm_90
// CHECK: + RelaxBarriers at {{.*}}: of 29 barrier(s) 0 keep nobody apart and are gone, 24 concern the lanes of a subgroup only
// CHECK-LABEL: columns ({{.*}}) for sm_90
// CHECK: + RelaxBarriers at
//
// RUN: gpuopt check %s --target sm_90
// RUN: gpuopt check %s --target gfx942
// RUN: gpuopt check %s --target gfx1100
// RUN: gpuopt sanitize %s --target sm_90
//
// In OpenCL C a barrier of the block stays one: subgroups are an extension.
// RUN: gpuopt compile %s --target sm_90 --emit opencl --kernel scan -o - | FileCheck %s --check-prefix=OPENCL
// OPENCL-NOT: sub_group_barrier
// OPENCL: barrier(CLK_LOCAL_MEM_FENCE

__global__ void interleaved(const int *in, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int o = 1; o < blockDim.x; o *= 2) {
    if (t % (2 * o) == 0)
      s[t] += s[t + o];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// Hillis and Steele.
__global__ void scan(const int *in, int *out) {
  __shared__ int s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = t > 0 ? in[blockIdx.x * 64 + t - 1] : 0;
  __syncthreads();
  for (int o = 1; o < 64; o <<= 1) {
    from = 1 - from;
    s[from][t] = s[1 - from][t] + (t >= o ? s[1 - from][t - o] : 0);
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = s[from][t];
}

// Blelloch.
__global__ void prescan(const float *in, float *out) {
  __shared__ float temp[256];
  int thid = threadIdx.x, offset = 1, n = 256;
  temp[2 * thid] = in[blockIdx.x * n + 2 * thid];
  temp[2 * thid + 1] = in[blockIdx.x * n + 2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0)
    temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  out[blockIdx.x * n + 2 * thid] = temp[2 * thid];
  out[blockIdx.x * n + 2 * thid + 1] = temp[2 * thid + 1];
}

__global__ void bitonic(unsigned *data) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = data[blockIdx.x * 128 + t];
  __syncthreads();
  for (unsigned k = 2; k <= 128; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned other = t ^ j;
      if (other > t) {
        if ((t & k) == 0 ? s[t] > s[other] : s[t] < s[other]) {
          unsigned v = s[t];
          s[t] = s[other];
          s[other] = v;
        }
      }
      __syncthreads();
    }
  data[blockIdx.x * 128 + t] = s[t];
}

// Each thread goes down its own column of a tile, over and over, and then across.
__global__ void columns(const float *in, float *out) {
  __shared__ float s[32][64];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i)
    s[i][t] = in[(blockIdx.x * 32 + i) * 64 + t];
  __syncthreads();
  for (int i = 1; i < 31; ++i)
    s[i][t] += 0.5f * (s[i - 1][t] + s[i + 1][t]);
  __syncthreads();
  for (int i = 1; i < 31; ++i)
    s[i][t] -= 0.25f * s[i - 1][t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += s[t % 32][i];
  out[blockIdx.x * 64 + t] = sum;
}

void launch(const int *in, int *out, const float *fin, float *fout, unsigned *data, int blocks) {
  interleaved<<<blocks, 128>>>(in, out);
  scan<<<blocks, 64>>>(in, out);
  prescan<<<blocks, 128>>>(fin, fout);
  bitonic<<<blocks, 128>>>(data);
  columns<<<blocks, 64>>>(fin, fout);
}
