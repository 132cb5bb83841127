// What is wrong on any device, in a program as it stands, each place once.
// RUN: gpuopt cc -g %s -o %t
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --sanitize --report %t.json -- %t 2>&1 | FileCheck %s
// RUN: %python -c "import json; lines = json.load(open('%t.json')); print([(line['launch'], fault['kind']) for line in lines for fault in line.get('faults', [])], [line['leak'] for line in lines if 'leak' in line])" \
// RUN:   | FileCheck %s --check-prefix=JSON
// JSON: [(1, 'data race'), (1, 'data race'), (1, 'uninitialised read'), (2, 'uninitialised read'), (3, 'out of bounds'), {{.*}}(4, 'barrier divergence'), (5, 'data race'), {{.*}}] [4096]

// A program that keeps the rules.
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --sanitize -- %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RIGHT-NOT: gpuopt:
// RIGHT: 120
// RIGHT: kernel {{ *}}launches  clean
// RIGHT-NEXT: neighbours(float*) {{ *}}2 {{ *}}2
// RIGHT-NEXT: sum(float const*, float*, int) {{ *}}1 {{ *}}1
// RIGHT-NEXT: sanitized: all 3 launches

// Samples are of each kernel's launches.
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --sanitize --first 1 -- %t 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: sanitized: 4 of 5 launches
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check --every 2 --report %t.json -- %t right 2>&1 | FileCheck %s --check-prefix=EVERY
// EVERY: checked: 2 of 3 launches
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --sanitize --check -- %t 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --check, --sanitize and --profile are runs of their own
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --sanitize --every 0 -- %t 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: --every: '0' is no positive number
// RUN: not env GPUOPT_DEVICE=cpu gpuopt run --first 2 -- %t 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --first goes with --check, --sanitize or --profile

#include <cstdio>

__global__ void reverse(float *a) {
  __shared__ float tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
// CHECK: gpuopt: {{.*}}sanitize.cu:[[#@LINE-3]]:{{[0-9]+}}: kernel 'reverse(float*)', launch 1 at {{.*}}sanitize.cu:[[#@LINE+50]]:{{[0-9]+}}: data race: thread {{.*}} writes tile that thread {{.*}} reads at {{.*}}, and no barrier orders the two
// CHECK-NEXT: kernel 'reverse(float*)', launch 1 at {{.*}}: uninitialised read: {{.*}} of tile that no thread of its block has written

__global__ void sum(const float *a, float *result, int n) {
  float total = 0;
  for (int i = 0; i < n; ++i)
    total += a[i];
  *result = total;
}
// CHECK-NEXT: sanitize.cu:[[#@LINE-3]]:{{[0-9]+}}: kernel 'sum(float const*, float*, int)', launch 2 at {{.*}}: uninitialised read: thread (0,0,0) of block (0,0,0) reads 4 bytes at a[16], in the allocation of 4096 bytes at 0x{{.*}}, which nobody has written

__global__ void twice(float *a) { a[threadIdx.x] *= 2; }
// A device would not notice.
// CHECK-NEXT: sanitize.cu:[[#@LINE-2]]:{{[0-9]+}}: kernel 'twice(float*)', launch 3 at {{.*}}: out of bounds: thread (60,0,0) of block (0,0,0) {{.*}} which has 60 elements

__global__ void leave(float *a) {
  if (threadIdx.x > 40)
    return;
  __syncthreads();
  a[threadIdx.x] = 1;
}
// CHECK: kernel 'leave(float*)', launch 4 at {{.*}}: barrier divergence:

__global__ void neighbours(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
}
// CHECK-NOT: gpuopt:
// CHECK: gpuopt: {{.*}}sanitize.cu:[[#@LINE+17]]:{{[0-9]+}}: leak: the allocation of 4096 bytes at 0x{{.*}} is never freed
// CHECK: kernel {{ *}}launches  clean
// CHECK-NEXT: reverse(float*) {{ *}}2 {{ *}}0
// CHECK-NEXT: launch 1: data race
// CHECK: sanitized: all 5 launches; 1 allocations with 4096 bytes are never freed

int main(int count, char **) {
  float *a, *b, host[16] = {};
  if (count == 2) {
    cudaMalloc(&a, 64 * sizeof(float));
    neighbours<<<2, 8>>>(a);
    neighbours<<<2, 8>>>(a);
    sum<<<1, 1>>>(a, a + 20, 16);
    cudaMemcpy(host, a + 20, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", *host);
    return cudaFree(a);
  }
  cudaMalloc(&a, 1024 * sizeof(float));
  cudaMalloc(&b, 60 * sizeof(float));
  cudaMemset(b, 0, 60 * sizeof(float));
  cudaMemset(a, 0, 16 * sizeof(float));
  cudaMemset(a + 64, 0, 64 * sizeof(float));
  reverse<<<1, 64>>>(a + 64);
  sum<<<1, 1>>>(a, b, 17);
  twice<<<1, 64>>>(b);
  leave<<<1, 64>>>(b);
  reverse<<<1, 64>>>(a + 64);
  cudaFree(b);
}
