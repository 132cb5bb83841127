// Kernels whose x walks down columns: the tuned ones are equal at awkward
// sizes, and nothing they access is uncoalesced any more.
//
// RUN: gpuopt check %s --kernel fan2 --size n=100,t=3 | FileCheck %s
// RUN: gpuopt check %s --kernel cell --size nx=33,ny=5,nz=37 | FileCheck %s
// RUN: gpuopt check %s --kernel product --size m=70,n=90,k=33 | FileCheck %s
// RUN: gpuopt check %s --kernel staged --size m=70,n=90 --block 16,8 | FileCheck %s
// CHECK: passed
//
// RUN: gpuopt profile %s --kernel fan2 --size n=100,t=3 --compare | FileCheck %s --check-prefix=FAN
// FAN: as written
// FAN: strided
// FAN: fan2, optimized:
// FAN-NOT: strided
// FAN: sectors by which thread dimension is x: x {{[0-9]+}} (0 uncoalesced)
//
// RUN: gpuopt profile %s --kernel cell --size nx=33,ny=5,nz=37 --compare | FileCheck %s --check-prefix=CELL
// CELL: as written
// CELL: strided
// CELL: cell, optimized:
// CELL-NOT: strided
// CELL: sectors by which thread dimension is x: x {{[0-9]+}} (0 uncoalesced)
//
// With one id there is no other order: of Fan1's three accesses two stay
// uncoalesced (table 2 of the paper: 2N of 2N + 1).
// RUN: gpuopt profile %s --kernel fan1 --size n=100,t=3 --compare | FileCheck %s --check-prefix=FAN1
// RUN: gpuopt check %s --kernel fan1 --size n=100,t=3 | FileCheck %s
// FAN1: fan1, as written
// FAN1: load a, 4 B    strided
// FAN1: load a, 4 B    broadcast
// FAN1: store m, 4 B   strided
// FAN1: fan1, optimized: 1x1x1 blocks of 256x1x1
// FAN1: {{^ *}}sectors{{ +}}195{{ +}}195
//
// A kernel with workgroup memory keeps its launch.
// RUN: gpuopt profile %s --kernel staged --size m=64,n=64 --block 8,32 --compare | FileCheck %s --check-prefix=STAGED
// STAGED: sectors by which thread dimension is x: x {{[0-9]+}} (2 uncoalesced)
// STAGED: staged, optimized: 8x2x1 blocks of 8x32x1
// STAGED: load a, 4 B coalesced
// STAGED: store c, 4 B coalesced

#pragma gpuopt domain(n - 1 - t) array(m: n, n) array(a: n, n) output(m)
__global__ void fan1(float *__restrict__ m, const float *__restrict__ a, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1 - t) return;
  m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

#pragma gpuopt domain(n - 1 - t, n - t) array(m: n, n) array(a: n, n) array(b: n) output(a, b)
__global__ void fan2(const float *__restrict__ m, float *__restrict__ a, float *__restrict__ b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n - 1 - t || j >= n - t) return;
  a[n * (i + 1 + t) + (j + t)] -= m[n * (i + 1 + t) + t] * a[n * t + (j + t)];
  if (j == 0) b[i + 1 + t] -= m[n * (i + 1 + t) + (j + t)] * b[t];
}

#pragma gpuopt domain(nx, ny, nz) array(in: nx, ny, nz) array(out: nx, ny, nz) output(out)
__global__ void cell(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[(x * ny + y) * nz + z] = in[(x * ny + y) * nz + z];
}

#pragma gpuopt domain(m, n) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                        int m, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
  c[i * n + j] = sum;
}

#pragma gpuopt domain(m, n) array(a: m, n) array(c: m, n) output(c)
__global__ void staged(const float *__restrict__ a, float *__restrict__ c, int m, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int place = threadIdx.x + blockDim.x * threadIdx.y;
  tile[place] = i < m && j < n ? a[i * n + j] : 0.0f;
  __syncthreads();
  if (i < m && j < n) c[i * n + j] = tile[place] + tile[place ^ 1];
}
