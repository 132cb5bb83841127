// RUN: gpuopt-translate --mlir-to-cuda -split-input-file -verify-diagnostics %s

// What has no source form is said where it stands.

gpu.module @kernels {
  // expected-error@+1 {{a kernel that is not raised has no source form}}
  llvm.func @plain(%a: !llvm.ptr) attributes {gpu.kernel} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @maximum(%a: memref<?xf32>) kernel {
    %x = affine.load %a[0] : memref<?xf32>
    %y = affine.load %a[1] : memref<?xf32>
    // expected-error@+1 {{'arith.maximumf' has no source form}}
    %m = arith.maximumf %x, %y : f32
    affine.store %m, %a[0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{a parameter of type i128 has no source form}}
  gpu.func @wide(%n: i128) kernel {
    gpu.return
  }
}

// -----

// expected-error@below {{no raised kernel to emit}}
module {
}
