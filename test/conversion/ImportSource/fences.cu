// Barriers, fences, traps and clocks keep their place among the accesses: none of them is pure.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cassert>
#include <cuda_runtime.h>

// Who is to see the stores before a fence is a number: 0 the block, 1 the device, 2 the system.
// CHECK-LABEL: @_Z6fencesPi(
// CHECK-DAG: %[[BLOCK:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[DEVICE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[SYSTEM:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_fence(%[[BLOCK]])
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_fence(%[[DEVICE]])
// CHECK:     llvm.store
// CHECK:     llvm.call @__gpuopt_fence(%[[SYSTEM]])
// CHECK:     llvm.store
__global__ void fences(int *a) {
  a[0] = 1;
  __threadfence_block();
  a[0] = 2;
  __threadfence();
  a[0] = 3;
  __threadfence_system();
  a[0] = 4;
}

// A barrier that counts is the only one: whether any thread says yes is whether the count is zero.
// CHECK-LABEL: @_Z7countedPi(
// CHECK:     %[[COUNT:.*]] = llvm.call @__gpuopt_barrier_count(
// CHECK:     %[[OTHERS:.*]] = llvm.call @__gpuopt_barrier_count(
// CHECK:     %[[ANY:.*]] = llvm.icmp "ne" %[[OTHERS]]
// CHECK:     %[[NUMBER:.*]] = llvm.zext %[[ANY]]
// CHECK:     llvm.add %[[COUNT]], %[[NUMBER]]
__global__ void counted(int *a) { a[threadIdx.x] = __syncthreads_count(a[0] > 0) + __syncthreads_or(a[1]); }

// What is asserted holds behind it, since a failed assertion does not come back.
// CHECK-LABEL: @_Z8assertedPi(
// CHECK:     llvm.cond_br %{{.*}}, ^[[ON:.*]], ^[[STOP:.*]]
// CHECK:     ^[[STOP]]:
// CHECK:       llvm.call @{{__assertfail|__gpuopt_trap}}(
// CHECK-NEXT:  llvm.unreachable
// CHECK:     ^[[ON]]:
// CHECK:       llvm.store
__global__ void asserted(int *a) {
  assert(a[0] > 0);
  a[1] = 1;
}

// Two readings of a clock are two.
// CHECK-LABEL: @_Z5timedPx(
// CHECK-COUNT-2: llvm.call @__gpuopt_clock()
// CHECK:         llvm.sub
__global__ void timed(long long *a) {
  long long start = clock64();
  a[0] = clock64() - start;
}
