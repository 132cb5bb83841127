// What cannot be lowered is said at its place; nothing is written.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 --split-input-file --verify-diagnostics %s

gpu.module @kernels {
  // expected-error @below {{argument 0 of type 'memref<?x?xf32>' cannot be a bare pointer: expected rank 1 or static shape}}
  gpu.func @f(%a: memref<?x?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f(%a: memref<?xf32>, %b: memref<?xindex>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{asks for an extent of kernel argument 0, which is passed as a bare pointer}}
    %d = memref.dim %a, %c0 : memref<?xf32>
    memref.store %d, %b[%c0] : memref<?xindex>
    gpu.return
  }
}

// -----

// expected-error @below {{holds no gpu.module to lower}}
module {}
