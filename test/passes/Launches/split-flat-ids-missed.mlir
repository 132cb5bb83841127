// RUN: gpuopt-opt %s --gpuopt-split-flat-ids=target=sm_90 --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

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

  // Rows that need not start at whole sectors would only cost.
  // expected-remark@below {{all that it accesses lies side by side along the flat id}}
  gpu.func @rows(%c: memref<?xf32>, %h: i32, %w: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %t = arith.index_cast %id : index to i32
    %row = arith.divsi %t, %w : i32
    %inside = arith.cmpi sgt, %h, %row : i32
    scf.if %inside {
      memref.store %v, %c[%id] : memref<?xf32>
    }
    gpu.return
  }

  // 333 floats are 41 sectors and a part of one.
  // expected-remark@below {{its rows are no whole sectors}}
  gpu.func @odd(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %h: i32) kernel {
    %w = arith.constant 333 : index
    %t = gpu.global_id x
    %height = arith.index_cast %h : i32 to index
    %row = arith.divui %t, %w : index
    %column = arith.remui %t, %w : index
    %inside = arith.cmpi slt, %row, %height : index
    scf.if %inside {
      %x = memref.load %b[%column] : memref<?xf32>
      %y = memref.load %a[%t] : memref<?xf32>
      %v = arith.mulf %x, %y : f32
      memref.store %v, %c[%t] : memref<?xf32>
    }
    gpu.return
  }

  // Each work item has a column of its own, of its own row.
  // expected-remark@below {{no elements that a loop goes along are shared by digits}}
  gpu.func @planes(%a: memref<?xf32>, %c: memref<?xf32>, %h: i32, %w: i32, %n: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %t = gpu.global_id x
    %height = arith.index_cast %h : i32 to index
    %width = arith.index_cast %w : i32 to index
    %count = arith.index_cast %n : i32 to index
    %row = arith.divsi %t, %width : index
    %column = arith.remsi %t, %width : index
    %inside = arith.cmpi slt, %row, %height : index
    scf.if %inside {
      %first = arith.muli %row, %count overflow<nsw> : index
      %sum = affine.for %i = 0 to %count iter_args(%s = %zero) -> (f32) {
        %plane = arith.addi %first, %i overflow<nsw> : index
        %start = arith.muli %plane, %width overflow<nsw> : index
        %at = arith.addi %start, %column overflow<nsw> : index
        %v = memref.load %a[%at] : memref<?xf32>
        %next = arith.addf %s, %v : f32
        affine.yield %next : f32
      }
      memref.store %sum, %c[%t] : memref<?xf32>
    }
    gpu.return
  }
}
