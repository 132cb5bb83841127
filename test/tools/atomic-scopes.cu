// Who sees an atomic update at once, and what it orders, is what the source asks for.
// RUN: gpuopt compile %s --target sm_90 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt compile %s --target gfx942 --emit llvm -o - | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: gpuopt check %s --target sm_90 --size n=100,a=7,b=7,c=7 --grid 4 --block 32

// CHECK-LABEL: define {{.*}}counters
// NVIDIA: atomicrmw add {{.*}} syncscope("device") monotonic
// AMD: atomicrmw add {{.*}} syncscope("agent") monotonic
// CHECK: atomicrmw add {{.*}}1 monotonic
// CHECK: atomicrmw add {{.*}}1 acq_rel
__global__ void counters(int *a, int *b, int *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(a + i % 7, 1);
  atomicAdd_system(b + i % 7, 1);
  __atomic_fetch_add(c + i % 7, 1, __ATOMIC_ACQ_REL);
}
