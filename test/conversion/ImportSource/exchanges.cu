// Atomic operations that have no instruction are loops around one that exchanges.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s '-D$SCOPE=device'
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s '-D$SCOPE=agent'

#include <cuda_runtime.h>

// CHECK-LABEL: @_Z7swappedPi(
// CHECK:     %[[BOTH:.*]] = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("[[$SCOPE]]") monotonic monotonic
// CHECK:     %[[OLD:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK:     llvm.store %[[OLD]]
__global__ void swapped(int *a) { a[0] = atomicCAS(&a[1], a[2], a[3]); }

// A counter that starts again: what was read first may be old, and is then read by the exchange.
// CHECK-LABEL: @_Z7wrappedPj(
// CHECK:     llvm.load %{{.*}} atomic syncscope("[[$SCOPE]]")
// CHECK:     ^[[AGAIN:bb[0-9]+]](%[[NOW:.*]]: i32):
// CHECK-DAG:   %[[IS_LAST:.*]] = llvm.icmp "ugt" %[[NOW]],
// CHECK-DAG:   %[[NEXT:.*]] = llvm.add %[[NOW]],
// CHECK:       %[[NEW:.*]] = llvm.select %[[IS_LAST]], %{{.*}}, %[[NEXT]]
// CHECK:       %[[BOTH:.*]] = llvm.cmpxchg %{{.*}}, %[[NOW]], %[[NEW]]
// CHECK:       %[[SEEN:.*]] = llvm.extractvalue %[[BOTH]][0]
// CHECK:       %[[DONE:.*]] = llvm.extractvalue %[[BOTH]][1]
// CHECK:       llvm.cond_br %[[DONE]], ^{{.*}}, ^[[AGAIN]](%[[SEEN]] : i32)
__global__ void wrapped(unsigned *a) { a[0] = atomicInc(&a[1], 63); }

// The loop that programs wrote before `double` had an atomic sum.
// CHECK-LABEL: @_Z8own_loopPdd(
// CHECK:     ^[[AGAIN:bb[0-9]+]](%[[NOW:.*]]: i64):
// CHECK:       %[[NUMBER:.*]] = llvm.bitcast %[[NOW]] : i64 to f64
// CHECK:       %[[SUM:.*]] = llvm.fadd %{{.*}}, %[[NUMBER]]
// CHECK:       %[[NEW:.*]] = llvm.bitcast %[[SUM]] : f64 to i64
// CHECK:       llvm.cmpxchg %{{.*}}, %[[NOW]], %[[NEW]]
// CHECK:       llvm.cond_br %{{.*}}, ^{{.*}}, ^[[AGAIN]](
__global__ void own_loop(double *a, double x) {
  unsigned long long *place = (unsigned long long *)a;
  unsigned long long old = *place, expected;
  do {
    expected = old;
    old = atomicCAS(place, expected, __double_as_longlong(x + __longlong_as_double(expected)));
  } while (expected != old);
}

// Any 32 bits are exchanged as a number.
// CHECK-LABEL: @_Z9exchangedPf(
// CHECK:     %[[OLD:.*]] = llvm.atomicrmw xchg %{{.*}}, %{{.*}} syncscope("[[$SCOPE]]") monotonic {{.*}} i32
// CHECK:     llvm.store %[[OLD]]
__global__ void exchanged(float *a) { a[0] = atomicExch(&a[1], a[2]); }
