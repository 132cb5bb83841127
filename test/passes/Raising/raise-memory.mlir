// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpuopt-raise-memory))" | FileCheck %s

gpu.module @kernels {
  // Pointers become arrays of their elements; what is only read says so.
  // CHECK-LABEL: gpu.func @copy
  // CHECK-SAME: (%[[A:.*]]: memref<?xf32> {{.*}}llvm.readonly{{.*}}, %[[C:.*]]: memref<?xf32>
  // CHECK: memref.load %[[A]]
  // CHECK: memref.store %{{.*}}, %[[C]]
  gpu.func @copy(%a: !llvm.ptr {gpuopt.name = "a"}, %c: !llvm.ptr {gpuopt.name = "c"}) kernel {
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i64
    %p = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %v = llvm.load %p : !llvm.ptr -> f32
    %q = llvm.getelementptr inbounds %c[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %v, %q : f32, !llvm.ptr
    gpu.return
  }

  // A parameter without accesses excludes `llvm.readonly` by `llvm.readnone`.
  // CHECK-LABEL: gpu.func @unused
  // CHECK-SAME: llvm.readnone
  // CHECK-NOT: llvm.readonly
  // CHECK: gpu.return
  gpu.func @unused(%a: !llvm.ptr {llvm.readnone}) kernel {
    gpu.return
  }
}
