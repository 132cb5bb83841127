// RUN: gpuopt-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(gpuopt-call-device-functions))' | FileCheck %s

// A barrier of the whole grid is a call that no thread may be moved across.
gpu.module @kernels {
  // CHECK:       llvm.func @__gpuopt_global_sync() attributes {convergent, no_unwind}
  // CHECK-LABEL: gpu.func @steps(
  // CHECK:         llvm.call @__gpuopt_global_sync() : () -> ()
  // CHECK:         llvm.call @__gpuopt_global_sync() : () -> ()
  gpu.func @steps() kernel {
    gpuopt.grid_barrier
    gpuopt.grid_barrier
    gpu.return
  }
}

// -----

// A module that has the function already keeps it.
gpu.module @kernels {
  // CHECK-COUNT-1: llvm.func @__gpuopt_global_sync()
  llvm.func @__gpuopt_global_sync()
  // CHECK-LABEL: gpu.func @steps(
  // CHECK:         llvm.call @__gpuopt_global_sync()
  gpu.func @steps() kernel {
    gpuopt.grid_barrier
    gpu.return
  }
}

// -----

// One without barriers needs none.
gpu.module @kernels {
  // CHECK-NOT:   __gpuopt_global_sync
  // CHECK-LABEL: gpu.func @plain(
  gpu.func @plain() kernel {
    gpu.return
  }
}
