// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-functions))' \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// A kernel that cannot be a `gpu.func` stays as it is, and the others become one.

gpu.module @kernels {
  // CHECK: llvm.func @numbered
  // expected-remark@below {{not raised: kernel returns a value}}
  llvm.func @numbered(%x: f32) -> f32 attributes {gpu.kernel} {
    llvm.return %x : f32
  }

  // CHECK: llvm.func @open(...)
  // expected-remark@below {{not raised: variable number of arguments}}
  llvm.func @open(...) attributes {gpu.kernel} {
    llvm.return
  }

  // CHECK: llvm.func @wide
  llvm.func @wide(%n: i128) attributes {gpu.kernel} {
    // expected-remark@below {{not raised: switch over more than 64 bits}}
    llvm.switch %n : i128, ^end [5: ^end]
  ^end:
    llvm.return
  }

  // CHECK: gpu.func @plain
  llvm.func @plain() attributes {gpu.kernel} {
    llvm.return
  }
}
