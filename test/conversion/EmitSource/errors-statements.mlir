// RUN: gpuopt-translate --mlir-to-cuda -split-input-file -verify-diagnostics %s

// Every statement that the source has no form for is named where it stands.

// A loop may step backwards, or not at all, for all that is known of n.
gpu.module @kernels {
  gpu.func @step(%a: memref<?xf32>, %n: i32) kernel {
    %one = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %ni = arith.index_cast %n : i32 to index
    // expected-error@+1 {{a loop whose step may not be positive, or that does not count an index, has no source form}}
    scf.for %i = %c0 to %ni step %ni {
      memref.store %one, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @parallel(%a: memref<?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{a parallel loop in a kernel has no source form}}
    affine.parallel (%i) = (0) to (8) {
      affine.store %one, %a[%i] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{a kernel with branches that are not structured has no source form; raise it first}}
  gpu.func @jumps(%a: memref<?xf32>, %is: i1) kernel {
    cf.cond_br %is, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb2
  ^bb2:
    gpu.return
  }
}

// -----

// There is no atomic product, and none of two bytes.
gpu.module @kernels {
  gpu.func @product(%a: memref<?xf32>, %x: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{an atomic 'mulf' of f32 has no source form}}
    %0 = memref.atomic_rmw mulf %x, %a[%c0] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @short(%a: memref<?xi16>, %x: i16) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{an atomic 'addi' of i16 has no source form}}
    %0 = memref.atomic_rmw addi %x, %a[%c0] : (i16, memref<?xi16>) -> i16
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @width(%a: memref<?xf32>, %w: i32) kernel {
    %one = arith.constant 1 : i32
    %x = affine.load %a[0] : memref<?xf32>
    // expected-error@+1 {{a shuffle whose width is no constant, of less than 32 bits or that asks who answered has no source form}}
    %y, %valid = gpu.shuffle xor %x, %one, %w : f32
    affine.store %y, %a[0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  llvm.func @mystery()
  gpu.func @call() kernel {
    // expected-error@+1 {{a call of 'mystery' has no source form}}
    llvm.call @mystery() : () -> ()
    gpu.return
  }
}

// -----

// The rest of such a copy is filled with zeros, which a plain one does not do.
gpu.module @kernels {
  gpu.func @part(%a: memref<?xf32>, %n: index)
      workgroup(%t: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{a partial asynchronous copy has no source form}}
    %0 = nvgpu.device_async_copy %a[%c0], %t[%c0], 4, %n : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// Nothing says how far the rows of a parameter are apart.
gpu.module @kernels {
  gpu.func @rows(%a: memref<?x?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    // expected-error@+1 {{an access to memref<?x?xf32> has no source form}}
    affine.store %one, %a[1, 2] : memref<?x?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @between_members(%a: memref<?xf32>,
      %s: !llvm.ptr {gpuopt.structure = {members = [{element = f32, name = "x", offset = 0 : i64}], type = "S"}}) kernel {
    %p = llvm.getelementptr %s[2] : (!llvm.ptr) -> !llvm.ptr, i8
    // expected-error@+1 {{a read of what is no member of a structure has no source form}}
    %x = llvm.load %p : !llvm.ptr -> f32
    affine.store %x, %a[0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error@+1 {{a structure with an element whose place is computed has no source form}}
  gpu.func @computed(%a: memref<?xf32>, %i: i64,
      %s: !llvm.ptr {gpuopt.structure = {members = [{element = f32, extents = array<i64: 4>, name = "x", offset = 0 : i64}], type = "S"}}) kernel {
    %p = llvm.getelementptr %s[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %x = llvm.load %p : !llvm.ptr -> f32
    affine.store %x, %a[0] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @address(%a: memref<?xf32>, %b: !llvm.ptr {gpuopt.name = "b"}, %i: i64) kernel {
    %0 = llvm.getelementptr %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    // expected-error@+1 {{array 'b' is not raised: an access by its address has no source form}}
    %1 = llvm.load volatile %0 : !llvm.ptr -> i32
    gpu.return
  }
}
