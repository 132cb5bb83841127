// Ways to read: past or into a cache, and each time anew.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// Which cache is the back end's choice: an array that is only read says so itself.
// CHECK-LABEL: @_Z6cachedPKfPf(
// CHECK-SAME: {gpuopt.name = "a", {{[^{]*}}llvm.readonly}
// CHECK:     llvm.load %{{.*}} -> f32
__global__ void cached(const float *a, float *b) { b[threadIdx.x] = __ldg(&a[threadIdx.x]); }

// A vector is read at once, as without the hint.
// CHECK-LABEL: @_Z8streamedPK6float4PS_(
// CHECK-NOT: -> f32
// CHECK:     %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64{{.*}}} : !llvm.ptr -> vector<4xf32>
// CHECK:     llvm.store %[[V]], %{{.*}} {alignment = 16 : i64{{.*}}} : vector<4xf32>
__global__ void streamed(const float4 *a, float4 *b) { b[threadIdx.x] = __ldcs(&a[threadIdx.x]); }

// Two reads are two.
// CHECK-LABEL: @_Z13volatile_readPViPi(
// CHECK-COUNT-2: llvm.load volatile
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
__global__ void volatile_read(volatile int *a, int *b) { b[0] = a[0] + a[0]; }
