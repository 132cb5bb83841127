// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpuopt-raise-memory))" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global external @sums() {addr_space = 1 : i32} : !llvm.array<16 x f32>
  llvm.mlir.global external @unsized() {addr_space = 1 : i32} : !llvm.array<0 x f32>
  llvm.mlir.global external @place() {addr_space = 1 : i32} : !llvm.ptr

  // CHECK-LABEL: gpu.func @escapes
  // CHECK-NOT: gpuopt.get_variable
  gpu.func @escapes(%out: !llvm.ptr) kernel {
    %a = llvm.mlir.addressof @sums : !llvm.ptr<1>
    // expected-remark @below {{array 'sums' not raised: its address is stored in memory}}
    // expected-remark @below {{array of argument 0 not raised}}
    llvm.store %a, %out : !llvm.ptr<1>, !llvm.ptr
    // expected-remark @below {{array 'unsized' not raised: its size is not known here}}
    %u = llvm.mlir.addressof @unsized : !llvm.ptr<1>
    %v = llvm.load %u : !llvm.ptr<1> -> f32
    %p = llvm.mlir.addressof @place : !llvm.ptr<1>
    // expected-remark @below {{array 'place' not raised: access of an element that is not a number}}
    %q = llvm.load %p : !llvm.ptr<1> -> !llvm.ptr
    llvm.store %v, %q : f32, !llvm.ptr
    gpu.return
  }
}
