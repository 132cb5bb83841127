// What kernels do outside of all memory that the program has is an error of the
// API, as on a device, and the program goes on.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t behind 2>&1 | FileCheck %s --check-prefixes=BEHIND,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t null 2>&1 | FileCheck %s --check-prefixes=NULL,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t host 2>&1 | FileCheck %s --check-prefixes=HOST,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t freed 2>&1 | FileCheck %s --check-prefixes=FREED,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t list 2>&1 | FileCheck %s --check-prefixes=LIST,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t misaligned 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: env GPUOPT_DEVICE=cpu %t near 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: env GPUOPT_DEVICE=cpu %t beside 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: env GPUOPT_DEVICE=cpu %t variable 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: env GPUOPT_DEVICE=cpu %t change 2>&1 | FileCheck %s --check-prefixes=CHANGE,ILLEGAL
// RUN: env GPUOPT_DEVICE=cpu %t right 2>&1 | FileCheck %s --check-prefix=RIGHT

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void store(int *a, int at) {
  if (threadIdx.x == 3)
    a[at] = 1;
}
// BEHIND: gpuopt: {{.*}}bad-accesses.cu:[[#@LINE-2]]:11: kernel 'store(int*, int)', launch 1: out of bounds: thread (3,0,0) of block (0,0,0) writes 4 bytes at a[1000], which has 100 elements
// NULL: kernel 'store(int*, int)', launch 1: out of bounds: {{.*}} writes 4 bytes at address
// HOST: kernel 'store(int*, int)', launch 1: out of bounds: {{.*}} writes 4 bytes at address 0x{{.*}}, which is no memory of the device
// FREED: kernel 'store(int*, int)', launch 2: out of bounds:
// Said once, and no error: a device has memory for this.
// NEAR-COUNT-1: kernel 'store(int*, int)', launch 1: out of bounds: {{.*}} writes 4 bytes at a[100], which has 100 elements
// NEAR-NOT: kernel

struct Node {
  Node *next;
  int value;
};
__global__ void sum(const Node *first, int *result) {
  for (const Node *node = first; node; node = node->next)
    *result += node->value;
}
// LIST: bad-accesses.cu:[[#@LINE-2]]:{{[0-9]+}}: kernel 'sum(Node const*, int*)', launch 2: out of bounds: thread (0,0,0) of block (0,0,0) reads

__global__ void difference(const int *a, int *result) { *result = a[-20] - a[0]; }
// Nor is this: a device has memory around, which is said to be wrong all the same.
// BESIDE: kernel 'difference(int const*, int*)', launch 1: out of bounds: {{.*}} reads 4 bytes at a[-20], which has 100 elements
// BESIDE-NOT: kernel

// Nor are reads beside a variable, which give zeros; writes there are.
__device__ int table[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
__global__ void look(int at, int *result) { *result = table[at] + table[9] + 100; }
__global__ void change(int at) { table[at] = 5; }
// VARIABLE-COUNT-1: kernel 'look(int, int*)', launch 1: out of bounds: {{.*}} reads 4 bytes at table[10], which has 10 elements
// VARIABLE-NOT: kernel
// VARIABLE: found 110
// CHANGE: kernel 'change(int)', launch 1: out of bounds: {{.*}} writes 4 bytes at table[10], which has 10 elements

__global__ void wide(int *a) { *(double *)(a + 1) = 1.5; }
// MISALIGNED: kernel 'wide(int*)', launch 1: misaligned access: {{.*}} which is not a multiple of 8

static void say(const char *what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main(int, char **arguments) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  auto is = [&](const char *name) { return strcmp(arguments[1], name) == 0; };
  int *a, *b;
  cudaMalloc(&a, 100 * sizeof(int));
  cudaMalloc(&b, 100 * sizeof(int));
  if (is("behind"))
    store<<<1, 32>>>(a, 1000);
  if (is("null"))
    store<<<1, 32>>>(nullptr, 0);
  if (is("host"))
    store<<<1, 32>>>((int *)malloc(4), 0);
  if (is("near"))
    for (int i = 0; i < 2; ++i)
      store<<<1, 32>>>(a, 100);
  if (is("beside"))
    difference<<<1, 1>>>(a, b);
  if (is("variable")) {
    int found = 0;
    look<<<1, 1>>>(10, a);
    cudaMemcpy(&found, a, sizeof found, cudaMemcpyDeviceToHost);
    printf("found %d\n", found);
  }
  if (is("change"))
    change<<<1, 1>>>(10);
  if (is("misaligned"))
    wide<<<1, 1>>>(a);
  if (is("freed")) {
    store<<<1, 32>>>(b, 0);
    cudaFree(b);
    store<<<1, 32>>>(b, 0);
  }
  if (is("list") || is("right")) {
    Node *nodes;
    cudaMallocManaged(&nodes, 2 * sizeof(Node));
    nodes[0] = {&nodes[1], 3};
    nodes[1] = {nullptr, 4};
    cudaMemset(a, 0, 4);
    sum<<<1, 1>>>(nodes, a);
    int sumOfNodes = 0;
    cudaMemcpy(&sumOfNodes, a, 4, cudaMemcpyDeviceToHost);
    // RIGHT: sum 7
    printf("sum %d\n", sumOfNodes);
    nodes[1].next = (Node *)&nodes;
    if (is("list"))
      sum<<<1, 1>>>(nodes, a);
    // From the middle of an array to its start.
    if (is("right"))
      store<<<1, 32>>>(a + 50, -50);
  }
  // A launch does not wait for what its kernel does.
  // ILLEGAL: launch: cudaSuccess
  say("launch", cudaGetLastError());
  // ILLEGAL: wait: cudaErrorIllegalAddress
  // MISALIGNED: wait: cudaErrorMisalignedAddress
  // NEAR: wait: cudaSuccess
  // BESIDE: wait: cudaSuccess
  // RIGHT: wait: cudaSuccess
  say("wait", cudaDeviceSynchronize());
  // ILLEGAL: last: cudaErrorIllegalAddress
  // ILLEGAL: again: cudaErrorIllegalAddress
  say("last", cudaGetLastError());
  say("again", cudaFree(a));
}
