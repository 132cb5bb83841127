// RUN: gpuopt-translate --mlir-to-cuda -split-input-file -verify-diagnostics %s

// Every value that the source has no form for is named where it stands, and the
// file is not written.

// Arithmetic across the lanes of a vector.
gpu.module @kernels {
  gpu.func @lanes(%a: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = vector.load %a[%c0] : memref<?xf32>, vector<4xf32>
    // expected-error@+1 {{'vector.reduction' has no source form}}
    %y = vector.reduction <add>, %x : vector<4xf32> into f32
    affine.store %y, %a[0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{a parameter of type vector<4xi1> has no source form}}
  gpu.func @choice_of_lanes(%a: memref<?xf32>, %is: vector<4xi1>) kernel {
    gpu.return
  }
}

// -----

// In `float` a product and a sum of numbers of 16 bits would be rounded twice.
gpu.module @kernels {
  gpu.func @fused(%a: memref<?xbf16>) kernel {
    %x = affine.load %a[0] : memref<?xbf16>
    // expected-error@+1 {{'math.fma' of bf16 has no source form}}
    %y = math.fma %x, %x, %x : bf16
    affine.store %y, %a[0] : memref<?xbf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @carries(%a: memref<?xi8>, %x: i1, %y: i1) kernel {
    // expected-error@+1 {{'arith.addi' of truth values has no source form}}
    %z = arith.addi %x, %y : i1
    %w = arith.extui %z : i1 to i8
    affine.store %w, %a[0] : memref<?xi8>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @order(%a: memref<?xf32>, %x: i1, %y: i1) kernel {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{an order of truth values has no source form}}
    %z = arith.cmpi ult, %x, %y : i1
    scf.if %z {
      affine.store %one, %a[0] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @bits(%a: memref<?xf16>, %b: memref<?xbf16>) kernel {
    %x = affine.load %a[0] : memref<?xf16>
    // expected-error@+1 {{'arith.bitcast' from f16 to bf16 has no source form}}
    %y = arith.bitcast %x : f16 to bf16
    affine.store %y, %b[0] : memref<?xbf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @large(%a: memref<?xi64>) kernel {
    %x = arith.constant 5 : i128
    // expected-error@+1 {{'arith.trunci' has no source form}}
    %y = arith.trunci %x : i128 to i64
    affine.store %y, %a[0] : memref<?xi64>
    gpu.return
  }
}

// -----

// A division by what may be zero or negative rounds in no way that C++ has.
gpu.module @kernels {
  // expected-error@+1 {{an index divided by what is no positive constant has no source form}}
  gpu.func @quotient(%a: memref<?xf32>, %n: index, %m: index) kernel {
    %one = arith.constant 1.0 : f32
    affine.store %one, %a[symbol(%n) floordiv symbol(%m)] : memref<?xf32>
    gpu.return
  }
}
