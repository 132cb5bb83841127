// RUN: gpuopt-opt %s --gpuopt-split-flat-ids --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// CHECK-NOT: gpuopt.work_items
gpu.module @kernels {
  // Nothing bounds the row.
  gpu.func @unbounded(%c: memref<?xf32>, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %r = arith.index_cast %row : i32 to index
    // expected-remark@below {{no guard bounds the quotient of the flat id}}
    memref.store %v, %c[%r] : memref<?xf32>
    gpu.return
  }

  // n need be no multiple of w.
  gpu.func @partial(%c: memref<?xf32>, %n: i32, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %column = arith.remsi %t, %w : i32
    %inside = arith.cmpi slt, %t, %n : i32
    scf.if %inside {
      %q = arith.index_cast %column : i32 to index
      // expected-remark@below {{no guard bounds the quotient of the flat id}}
      memref.store %v, %c[%q] : memref<?xf32>
    }
    gpu.return
  }

  // expected-remark@below {{the flat id is divided by several widths}}
  gpu.func @several(%c: memref<?xf32>, %h: i32, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %other = arith.divsi %t, %h : i32
    %inside = arith.cmpi slt, %row, %other : i32
    scf.if %inside {
      memref.store %v, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // Blocks would be others.
  gpu.func @barrier(%c: memref<?xf32>, %h: i32, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %inside = arith.cmpi slt, %row, %h : i32
    scf.if %inside {
      memref.store %v, %c[%id] : memref<?xf32>
    }
    // expected-remark@below {{'gpu.barrier' tells more than the flat id}}
    gpu.barrier
    gpu.return
  }
}
