// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-control-flow)))' | FileCheck %s

gpu.module @kernels {
  // for (int i = 0; i < n; i++) sum += a[i];
  // CHECK-LABEL: gpu.func @counted
  // CHECK: %[[END:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %c1{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
  // CHECK: memref.load
  // CHECK: scf.yield
  // CHECK: memref.store %[[SUM]]
  gpu.func @counted(%a: memref<?xf32>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %first = arith.constant 0 : index
    cf.br ^test(%c0, %zero : i32, f32)
  ^test(%i: i32, %s: f32):
    %c = arith.cmpi slt, %i, %n : i32
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    %v = memref.load %a[%at] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    %next = arith.addi %i, %c1 overflow<nsw> : i32
    cf.br ^test(%next, %t : i32, f32)
  ^end:
    memref.store %s, %a[%first] : memref<?xf32>
    gpu.return
  }

  // if (i >= n) return;
  // CHECK-LABEL: gpu.func @early_return
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt
  // CHECK: scf.if %[[INSIDE]] {
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: }
  gpu.func @early_return(%a: memref<?xf32>, %i: index, %n: index, %v: f32) kernel {
    %c = arith.cmpi sge, %i, %n : index
    cf.cond_br %c, ^end, ^rest
  ^rest:
    memref.store %v, %a[%i] : memref<?xf32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // int i = 0; do a[i] = v; while (++i < n): at least once.
  // CHECK-LABEL: gpu.func @at_least_once
  // CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: %[[END:.*]] = arith.maxsi %[[N]], %c1
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[END]] step %c1
  gpu.func @at_least_once(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cf.br ^body(%c0 : i32)
  ^body(%i: i32):
    %at = arith.index_cast %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.addi %i, %c1 overflow<nsw> : i32
    %c = arith.cmpi slt, %next, %n : i32
    cf.cond_br %c, ^body(%next : i32), ^end
  ^end:
    gpu.return
  }

  // Advanced in the header: `for (k = i + 1; k < n; ++k)` as LLVM leaves it.
  // CHECK-LABEL: gpu.func @advanced_first
  // CHECK:         %[[FIRST:.*]] = arith.addi %[[I:.*]], %{{.*}} overflow<nsw> : i32
  // CHECK:         scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
  // CHECK:           memref.store %{{.*}}, %{{.*}}[%{{.*}}]
  // CHECK-NOT:     scf.while
  gpu.func @advanced_first(%a: memref<?xf32>, %i: i32, %n: i32, %v: f32) kernel {
    %one = arith.constant 1 : i32
    cf.br ^header(%i : i32)
  ^header(%x: i32):
    %k = arith.addi %x, %one overflow<nsw> : i32
    %more = arith.cmpi slt, %k, %n : i32
    cf.cond_br %more, ^body, ^exit
  ^body:
    %at = arith.index_cast %k : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    cf.br ^header(%k : i32)
  ^exit:
    gpu.return
  }

  // A grid-stride loop: i += stride with a stride that is known to be positive
  // wraps where n is larger than 2^31 - 1 - stride.
  // CHECK-LABEL: gpu.func @grid_stride
  // CHECK: %[[ROOM:.*]] = arith.subi %c2147483647_i32, %[[STRIDE:.*]] : i32
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %{{.*}}, %[[ROOM]] : i32
  // CHECK: scf.if %[[FITS]] {
  // CHECK: %[[STEP:.*]] = arith.index_cast %[[STRIDE]] : i32 to index
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]]
  // CHECK: } else {
  // CHECK: scf.while
  // CHECK: } {gpuopt.index_range_version}
  gpu.func @grid_stride(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %begin = arith.index_cast %id : index to i32
    %threads = gpu.block_dim x
    %blocks = gpu.grid_dim x
    %size = arith.muli %threads, %blocks : index
    %stride = arith.index_cast %size : index to i32
    cf.br ^test(%begin : i32)
  ^test(%i: i32):
    %c = arith.cmpi slt, %i, %n : i32
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.addi %i, %stride : i32
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // A stride that may be anything is tested as well.
  // CHECK-LABEL: gpu.func @any_stride
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %{{.*}}, %c0_i32 : i32
  // CHECK: scf.if %[[POSITIVE]] {
  // CHECK: scf.for
  // CHECK: } else {
  // CHECK: scf.while
  gpu.func @any_stride(%a: memref<?xf32>, %n: i32, %stride: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    cf.br ^test(%c0 : i32)
  ^test(%i: i32):
    %c = arith.cmpi slt, %i, %n : i32
    cf.cond_br %c, ^body, ^end
  ^body:
    %at = arith.index_cast %i : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    %next = arith.addi %i, %stride overflow<nsw> : i32
    cf.br ^test(%next : i32)
  ^end:
    gpu.return
  }

  // A loop that runs once, by a flag, is its body.
  // CHECK-LABEL: gpu.func @once
  // CHECK-NOT: scf.while
  // CHECK: %[[SUM:.*]] = arith.addf %arg1, %arg1 : f32
  // CHECK-NEXT: memref.store %[[SUM]], %arg0
  gpu.func @once(%a: memref<?xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %false = arith.constant false
    cf.br ^test(%true, %v : i1, f32)
  ^test(%more: i1, %s: f32):
    cf.cond_br %more, ^body, ^end
  ^body:
    %t = arith.addf %s, %v : f32
    cf.br ^test(%false, %t : i1, f32)
  ^end:
    memref.store %s, %a[%c0] : memref<?xf32>
    gpu.return
  }

  // A loop that counts in `index`, by a step of which nothing is known.
  // CHECK-LABEL: gpu.func @counts_in_index
  // CHECK-SAME:    memref<?xf32>, %[[N:.*]]: index, %[[S:.*]]: index)
  // CHECK: %[[MOVES:.*]] = arith.cmpi sgt, %[[S]], %{{.*}} : index
  // CHECK: %[[ROOM:.*]] = arith.subi %{{.*}}, %[[S]] : index
  // CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[N]], %[[ROOM]] : index
  // CHECK: scf.if
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]] step %[[S]]
  // CHECK: } else {
  // CHECK: scf.while
  gpu.func @counts_in_index(%b: memref<?xf32>, %n: index, %s: index) kernel {
    %v = arith.constant 1.0 : f32
    %t = gpu.global_id x
    %1 = scf.while (%i = %t) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %v, %b[%i] : memref<?xf32>
      %5 = arith.addi %i, %s : index
      scf.yield %5 : index
    }
    gpu.return
  }

  // Without a sign: an end beyond what a signed index holds is cut off.
  // CHECK-LABEL: gpu.func @counts_unsigned_in_index
  // CHECK-SAME:    memref<?xf32>, %[[N:.*]]: index)
  // CHECK: %[[END:.*]] = arith.minui %[[N]], %c9223372036854775807
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
  gpu.func @counts_unsigned_in_index(%b: memref<?xf32>, %n: index) kernel {
    %v = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %v, %b[%c0] : memref<?xf32>
      %5 = arith.addi %i, %c1 : index
      scf.yield %5 : index
    }
    gpu.return
  }

  // for (int i = 0; i < n; i++) with an n of 64 bits: i wraps before it gets beyond what it holds, which it must not.
  // CHECK-LABEL: gpu.func @counts_in_fewer_bits
  // CHECK-SAME:    memref<?xf32>, %[[N:.*]]: i64)
  // CHECK: %[[END:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
  // CHECK: arith.trunci %{{.*}} overflow<nsw> : i64 to i32
  gpu.func @counts_in_fewer_bits(%b: memref<?xf32>, %n: i64) kernel {
    %v = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %1 = scf.while (%i = %c0) : (i32) -> i32 {
      %wide = arith.extsi %i : i32 to i64
      %more = arith.cmpi ult, %wide, %n : i64
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %b[%at] : memref<?xf32>
      %next = arith.addi %i, %c1 overflow<nsw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // for (unsigned i = 0; i <= t; i++) where t < n: t is not the largest number.
  // CHECK-LABEL: gpu.func @guard_bounds_the_end
  // CHECK: scf.for
  gpu.func @guard_bounds_the_end(%b: memref<?xf32>, %t: i32, %n: i32) kernel {
    %v = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %inside = arith.cmpi ult, %t, %n : i32
    scf.if %inside {
      %1 = scf.while (%i = %c0) : (i32) -> i32 {
        %more = arith.cmpi ule, %i, %t : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        %at = arith.index_castui %i : i32 to index
        memref.store %v, %b[%at] : memref<?xf32>
        %next = arith.addi %i, %c1 : i32
        scf.yield %next : i32
      }
    }
    gpu.return
  }

  // if (left && right) a = 1; else b = 2;
  // CHECK-LABEL: gpu.func @shared_else
  // CHECK: %[[BOTH:.*]] = arith.andi
  // CHECK: scf.if %[[BOTH]] {
  // CHECK-NEXT: memref.store %{{.*}}, %arg0
  // CHECK-NEXT: } else {
  // CHECK-NEXT: memref.store %{{.*}}, %arg1
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @shared_else(%a: memref<1xi32>, %b: memref<1xi32>, %left: i1, %right: i1) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    cf.cond_br %left, ^second, ^other
  ^second:
    cf.cond_br %right, ^both, ^other
  ^both:
    memref.store %one, %a[%c0] : memref<1xi32>
    cf.br ^end
  ^other:
    memref.store %two, %b[%c0] : memref<1xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // The second condition is a load, which is made only where the first one holds.
  // CHECK-LABEL: gpu.func @loaded_condition
  // CHECK: scf.if %{{.*}} {
  // CHECK-NEXT: %[[RIGHT:.*]] = memref.load
  // CHECK-NEXT: scf.if %[[RIGHT]] {
  // CHECK-NEXT: memref.store %{{.*}}, %arg0
  // CHECK-NEXT: } else {
  // CHECK-NEXT: memref.store %{{.*}}, %arg1
  // CHECK-NEXT: }
  // CHECK-NEXT: } else {
  // CHECK-NEXT: memref.store %{{.*}}, %arg1
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @loaded_condition(%a: memref<1xi32>, %b: memref<1xi32>, %left: i1, %flags: memref<1xi1>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    cf.cond_br %left, ^second, ^other
  ^second:
    %right = memref.load %flags[%c0] : memref<1xi1>
    cf.cond_br %right, ^both, ^other
  ^both:
    memref.store %one, %a[%c0] : memref<1xi32>
    cf.br ^end
  ^other:
    memref.store %two, %b[%c0] : memref<1xi32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Threads that go both ways meet at a barrier: it stays one.
  // CHECK-LABEL: gpu.func @shared_barrier
  // CHECK-COUNT-1: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @shared_barrier(%a: memref<1xi32>, %left: i1, %flags: memref<1xi1>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    cf.cond_br %left, ^second, ^other
  ^second:
    %right = memref.load %flags[%c0] : memref<1xi1>
    cf.cond_br %right, ^both, ^other
  ^both:
    memref.store %one, %a[%c0] : memref<1xi32>
    cf.br ^end
  ^other:
    gpu.barrier
    cf.br ^end
  ^end:
    gpu.return
  }

  // A switch reads numbers as unsigned.
  // CHECK-LABEL: gpu.func @unsigned_way
  // CHECK: scf.if
  // CHECK-NEXT: memref.store %c0_i32
  // CHECK-NEXT: memref.store %c1_i32
  // CHECK-NEXT: } else {
  // CHECK-NEXT: memref.store %c2_i32
  gpu.func @unsigned_way(%a: memref<1xi32>, %left: i1) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %minus = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %way = scf.if %left -> (i32) {
      memref.store %zero, %a[%c0] : memref<1xi32>
      scf.yield %minus : i32
    } else {
      scf.yield %zero : i32
    }
    %case = arith.index_castui %way : i32 to index
    scf.index_switch %case
    case 4294967295 {
      memref.store %one, %a[%c0] : memref<1xi32>
      scf.yield
    }
    default {
      memref.store %two, %a[%c0] : memref<1xi32>
    }
    gpu.return
  }
}
