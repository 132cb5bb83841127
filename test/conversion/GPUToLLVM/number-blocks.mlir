// Branches are told apart for the conversion, and are alike again behind it.
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-number-blocks))' | FileCheck %s
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-number-blocks,gpuopt-number-blocks{remove=true}))' | FileCheck %s --check-prefix=REMOVED

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @guarded
  // REMOVED-LABEL: gpu.func @guarded
  gpu.func @guarded(%condition: i1, %a: f32, %out: memref<f32>) kernel {
    // CHECK: cf.cond_br {{.*}} {block_number = [[FIRST:[0-9]+]] : i64}
    // REMOVED-NOT: block_number
    cf.cond_br %condition, ^bb1, ^bb2
  ^bb1:
    memref.store %a, %out[] : memref<f32>
    // CHECK: cf.br ^bb3 {block_number = [[SECOND:[0-9]+]] : i64}
    cf.br ^bb3
  ^bb2:
    memref.store %a, %out[] : memref<f32>
    // CHECK-NOT: block_number = [[SECOND]] :
    // CHECK: cf.br ^bb3 {block_number = {{[0-9]+}} : i64}
    cf.br ^bb3
  ^bb3:
    // CHECK: gpu.return{{$}}
    gpu.return
  }
}
