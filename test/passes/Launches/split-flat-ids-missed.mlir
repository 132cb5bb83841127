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

  // Three neighbours are no row.
  // expected-remark@below {{the flat id is divided by small numbers}}
  gpu.func @colours(%c: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c3 = arith.constant 3 : index
    %t = gpu.global_id x
    %size = arith.index_cast %n : i32 to index
    %pixel = arith.divui %t, %c3 : index
    %inside = arith.cmpi slt, %pixel, %size : index
    scf.if %inside {
      memref.store %v, %c[%pixel] : memref<?xf32>
    }
    gpu.return
  }

  // A column is no part of another kind of row.
  // expected-remark@below {{the flat id is divided by several widths}}
  gpu.func @parts(%c: memref<?xf32>, %h: i32, %w: i32, %p: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %part = arith.remsi %t, %p : i32
    %inside = arith.cmpi slt, %row, %h : i32
    scf.if %inside {
      %q = arith.index_cast %part : i32 to index
      memref.store %v, %c[%q] : memref<?xf32>
    }
    gpu.return
  }
}
