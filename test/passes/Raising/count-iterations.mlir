// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-control-flow)))' | FileCheck %s

// Which loops have iterations that can be counted: those whose variable cannot
// wrap before the test fails.

gpu.module @kernels {
  // A step of 1 meets every number, the bound included.
  // CHECK-LABEL: gpu.func @by_one(
  // CHECK-SAME:    memref<?xf32>, %[[N:.*]]: i32,
  // CHECK:         %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
  // CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c1
  gpu.func @by_one(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // A larger one may step over the bound. The source says that nothing wraps.
  // CHECK-LABEL: gpu.func @by_three(
  // CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c3
  gpu.func @by_three(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 3 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step overflow<nsw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @by_three_may_wrap(
  // CHECK-NOT:     scf.for
  // CHECK:         scf.while
  gpu.func @by_three_may_wrap(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 3 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // A bound of 100 leaves room.
  // CHECK-LABEL: gpu.func @by_three_to_a_constant(
  // CHECK:         scf.for %{{.*}} = %c0 to %c100 step %c3
  gpu.func @by_three_to_a_constant(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 3 : i32
    %end = arith.constant 100 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // The last iteration is that of n itself: the index has the room for n + 1 that
  // 32 bits may not have.
  // CHECK-LABEL: gpu.func @inclusive(
  // CHECK:         %[[N:.*]] = arith.index_cast
  // CHECK:         %[[END:.*]] = arith.addi %[[N]], %c1 : index
  // CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c1
  gpu.func @inclusive(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi sle, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step overflow<nsw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // With the largest n such a loop never ends.
  // CHECK-LABEL: gpu.func @inclusive_may_wrap(
  // CHECK:         scf.while
  gpu.func @inclusive_may_wrap(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi sle, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // Counting down is counting up how far.
  // CHECK-LABEL: gpu.func @down(
  // CHECK:         %[[COUNT:.*]] = arith.subi %c100, %{{.*}} : index
  // CHECK:         scf.for %[[K:.*]] = %c0 to %[[COUNT]] step %c1
  // CHECK:           arith.subi %c100, %[[K]] : index
  gpu.func @down(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 100 : i32
    %step = arith.constant -1 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi sgt, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step overflow<nsw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @without_a_sign(
  // CHECK:         %[[END:.*]] = arith.index_castui %{{.*}} : i32 to index
  // CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c2
  gpu.func @without_a_sign(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 2 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi ult, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step overflow<nuw> : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // From zero in steps of 1 every number without a sign is met.
  // CHECK-LABEL: gpu.func @until_equal(
  // CHECK:         %[[END:.*]] = arith.index_castui %{{.*}} : i32 to index
  // CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c1
  gpu.func @until_equal(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // In steps of 2 no odd number is.
  // CHECK-LABEL: gpu.func @until_equal_by_two(
  // CHECK:         scf.while
  gpu.func @until_equal_by_two(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %first = arith.constant 0 : i32
    %step = arith.constant 2 : i32
    scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %n : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %at = arith.index_cast %i : i32 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // What grows by the same amount in each iteration is not carried: it is computed
  // from the number of the iteration, and wraps as it did.
  // CHECK-LABEL: gpu.func @advancing(
  // CHECK-SAME:    memref<?xf32>, %{{.*}}: i32, %[[STRIDE:.*]]: i64,
  // CHECK:         scf.for %[[K:.*]] = %c0 to %{{.*}} step %c1 {
  // CHECK:           %[[BY:.*]] = arith.index_cast %[[STRIDE]] : i64 to index
  // CHECK:           arith.muli %[[K]], %[[BY]] : index
  gpu.func @advancing(%a: memref<?xf32>, %n: i32, %stride: i64, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i64
    scf.while (%i = %c0, %p = %zero) : (i32, i64) -> (i32, i64) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %p : i32, i64
    } do {
    ^bb0(%i: i32, %p: i64):
      %at = arith.index_cast %p : i64 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %c1 : i32
      %q = arith.addi %p, %stride : i64
      scf.yield %next, %q : i32, i64
    }
    gpu.return
  }

  // What doubles does not.
  // CHECK-LABEL: gpu.func @doubling(
  // CHECK:         scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args(%[[P:.*]] = %{{.*}}) -> (i64) {
  // CHECK:           %[[NEXT:.*]] = arith.addi %[[P]], %[[P]] : i64
  // CHECK:           scf.yield %[[NEXT]] : i64
  gpu.func @doubling(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1 : i64
    scf.while (%i = %c0, %p = %one) : (i32, i64) -> (i32, i64) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %i, %p : i32, i64
    } do {
    ^bb0(%i: i32, %p: i64):
      %at = arith.index_cast %p : i64 to index
      memref.store %v, %a[%at] : memref<?xf32>
      %next = arith.addi %i, %c1 : i32
      %q = arith.addi %p, %p : i64
      scf.yield %next, %q : i32, i64
    }
    gpu.return
  }
}
