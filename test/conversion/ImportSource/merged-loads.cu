// A load in each branch stays one: the array that is read is known there, and would be a value of the program in one load behind them.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK-LABEL: @_Z7borders
// CHECK:     llvm.call @__gpuopt_barrier()
// CHECK:     llvm.cond_br
// CHECK:     %[[WEST:.*]] = llvm.load
// CHECK:     llvm.br ^[[JOINED:bb[0-9]+]](%[[WEST]] : f32)
// CHECK:     %[[TILE:.*]] = llvm.load
// CHECK:     llvm.br ^[[JOINED]](%[[TILE]] : f32)
// CHECK:     ^[[JOINED]](%{{.*}}: f32):
// CHECK-NOT: llvm.load
// CHECK:     llvm.return
__global__ void borders(const float *a, const float *b, float *c) {
  __shared__ float tile[16], west[16];
  int x = threadIdx.x;
  tile[x] = a[x];
  west[x] = b[x];
  __syncthreads();
  float left;
  if (x == 0)
    left = west[15];
  else
    left = tile[x - 1];
  c[x] = left;
}

// What is loaded behind a store, or only where another branch was not taken, stays where it stands.
// CHECK-LABEL: @_Z7changed
// CHECK:     ^{{.*}}(%[[WHICH:.*]]: !llvm.ptr):
// CHECK:     llvm.store
// CHECK:     llvm.load %[[WHICH]]
__global__ void changed(float *a, float *b, float *c, int n) {
  float *p = a;
  if (n > 3) {
    c[1] = 2;
    p = b + n;
  }
  c[0] = 1;
  c[2] = *p;
}
