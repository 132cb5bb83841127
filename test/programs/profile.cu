// What the launches of a program ask of memory, over all of them, with the program's own data.
// RUN: gpuopt cc %s -o %t
// RUN: rm -rf %t.dir && env GPUOPT_DEVICE=cpu gpuopt run --profile %t.dir --report %t.json -- %t 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/read_profile.py %t.dir/profile.json | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t.dir/index.html
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --profile %t.dir --first 1 -- %t fork 2>&1 | FileCheck %s --check-prefix=FORK
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --profile %t.dir -- true 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gpuopt run --profile %s -- %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: rm -rf %t.traces && env GPUOPT_DEVICE=cpu gpuopt run --profile %t.dir --trace %t.traces --first 1 -- %t > %t.log 2>&1
// RUN: ls %t.traces | FileCheck %s --check-prefix=TRACES
// RUN: %python -c "data = open('%t.traces/launch-1.as_written.trace', 'rb').read(); print(data[:12], data[16:16 + int.from_bytes(data[12:16], 'little')])" \
// RUN:   | FileCheck %s --check-prefix=HEAD
// RUN: %python %S/../tools/Inputs/profile/read_trace.py %t.traces/launch-1.as_written.trace %t.dir/profile.json | FileCheck %s --check-prefix=TRACE
// RUN: not gpuopt run --trace %t.traces -- %t 2>&1 | FileCheck %s --check-prefix=ALONE
// TRACES: launch-1.as_written.trace
// TRACES-NEXT: launch-1.optimized.trace
// TRACES-NEXT: launch-2.as_written.trace
// TRACES-NEXT: launch-2.optimized.trace
// TRACES-NOT: launch
// HEAD: b'GPUOPTTRACE2' b'{"accesses":[{{.*}}"array":"a"{{.*}}"kernel":"columns(float const*, float*, int)","launch":1,"subgroup_size":32,"target":"sm_90","version":"as_written"}'
// TRACE: columns(float const*, float*, int) on sm_90: 1 blocks, as in the profile
// ALONE: --trace goes with --profile
// NONE: gpuopt: no kernel was profiled
// FOLDER-NOT: sum
// FOLDER: error: {{.*}}profile.cu{{.*}}: {{[Nn]}}ot a directory
// FOLDER-NOT: sum

#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

// 32 sectors for a request of 32 lanes, 4 where lanes are neighbours.
__global__ void columns(const float *a, float *sums, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += a[row * 64 + i];
  sums[row] = sum;
}

// In place: each launch must see what the last one has left, once.
__global__ void twice(float *sums, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    sums[row] *= 2;
}

// Each of 128 rows is read by sectors of its own: 4 subgroups, 64 requests of 32 sectors, and 4 of 4 that write.
// CHECK: sum 1024
// CHECK: kernel {{ *}}launches  traffic  sectors  optimized
// CHECK-NEXT: columns(float const*, float*, int) {{ *}}1 {{ *}}98.{{[0-9]}}% {{ *}}8208 {{ *}}[[#]]
// CHECK-NEXT: twice(float*, int) {{ *}}4 {{ *}}1.{{[0-9]}}% {{ *}}128 {{ *}}128
// CHECK-NEXT: profiled: all 5 launches
// CHECK-NEXT: the program's page: {{.*}}.dir/index.html

// JSON: columns(float const*, float*, int) as_written launches 1 sectors 8208 dram read True
// JSON-NEXT: {{.*}}profile.cu:[[#@LINE-20]]:{{[0-9]+}} a load 32
// JSON-NEXT: {{.*}}profile.cu:[[#@LINE-20]]:{{[0-9]+}} sums store 4
// JSON: columns(float const*, float*, int) optimized launches 1
// JSON: twice(float*, int) as_written launches 4 sectors 128
// JSON: twice(float*, int) optimized launches 4 sectors 128
// PAGE: "name":"profile.cu"

// Children launch kernels of their own.
// FORK: kernel {{ *}}launches  traffic  sectors  optimized
// FORK-NEXT: columns(float const*, float*, int) {{ *}}1
// FORK: profiled: 2 of 5 launches

int main(int argc, char **argv) {
  if (argc > 1 && fork() != 0)
    return wait(nullptr) < 0;
  constexpr int rows = 128;
  static float a[rows * 64], sums[rows];
  for (float &element : a)
    element = 1;
  float *onDevice, *sumsOnDevice;
  cudaMalloc(&onDevice, sizeof a);
  cudaMalloc(&sumsOnDevice, sizeof sums);
  cudaMemcpy(onDevice, a, sizeof a, cudaMemcpyHostToDevice);
  columns<<<1, rows>>>(onDevice, sumsOnDevice, rows);
  for (int i = 0; i < 4; ++i)
    twice<<<1, rows>>>(sumsOnDevice, rows);
  cudaMemcpy(sums, sumsOnDevice, sizeof sums, cudaMemcpyDeviceToHost);
  printf("sum %g\n", sums[rows - 1]);
  fflush(stdout);
}
