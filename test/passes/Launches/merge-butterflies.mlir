// RUN: gpuopt-opt --gpuopt-split-at-grid-barriers --gpuopt-merge-grid-steps="target=sm_90" --canonicalize --cse %s | FileCheck %s

// The host chooses three steps, two, or one as before. All groups of 2 * h
// elements have to be whole.
// CHECK-LABEL: func.func @butterflies
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xi32>
// CHECK: scf.while
// CHECK: ^bb0(%[[H:.*]]: index):
// CHECK: %[[ITEMS:.*]] = arith.divsi %{{.*}}, %c2
// CHECK: arith.cmpi sle, %[[ITEMS]]
// CHECK: %[[REST:.*]] = arith.remsi %[[ITEMS]], %[[H]]
// CHECK: arith.cmpi eq, %[[REST]], %c0
// CHECK: arith.remsi %[[H]], %c4
// CHECK: %[[THREADS:.*]] = arith.shrui %[[ITEMS]], %c2
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[THREADS]], %c256
// CHECK: gpu.launch_func @kernels::@butterflies__8_points blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c256, %c1, %c1) args(%[[X]] : memref<?xi32>, %{{.*}} : index, %[[H]] : index)
// CHECK: arith.shrui %[[H]], %c3
// CHECK: arith.remsi %[[H]], %c2
// CHECK: gpu.launch_func @kernels::@butterflies__4_points
// CHECK: arith.shrui %[[H]], %c2
// CHECK: gpu.launch_func @kernels::@butterflies__phase0

// Thread t = Q * u + R has the elements 2 * h * Q + R + j * u: eight loads, then
// twelve butterflies, then eight stores. It knows the quotients of its items.
// CHECK-LABEL: gpu.func @butterflies__8_points
// CHECK-SAME: (%[[X:.*]]: memref<?xi32>
// CHECK: %[[T:.*]] = gpu.global_id x
// CHECK: %[[U:.*]] = arith.shrui %[[H:.*]], %c2
// CHECK: scf.if
// CHECK: %[[Q:.*]] = arith.divsi %[[T]], %[[U]]
// CHECK: %[[R:.*]] = arith.remsi %[[T]], %[[U]]
// CHECK: %[[TWICE:.*]] = arith.muli %[[H]], %c2
// CHECK: %[[GROUP:.*]] = arith.muli %[[Q]], %[[TWICE]]
// CHECK: %[[BASE:.*]] = arith.addi %[[GROUP]], %[[R]]
// CHECK: %[[X0:.*]] = memref.load %[[X]][%[[BASE]]]
// CHECK: %[[FAR:.*]] = arith.muli %[[U]], %c4
// CHECK: %[[AT4:.*]] = arith.addi %[[BASE]], %[[FAR]]
// CHECK: %[[X4:.*]] = memref.load %[[X]][%[[AT4]]]
// CHECK: arith.addi %[[X0]], %[[X4]] : i32
// CHECK: arith.subi %[[X0]], %[[X4]] : i32
// CHECK-COUNT-6: memref.load %[[X]]
// CHECK-NOT: memref.load
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK-COUNT-8: memref.store %{{.*}}, %[[X]]
// CHECK-NOT: memref.store
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @butterflies(%x: memref<?xi32> {gpuopt.name = "x"}, %n: index {gpuopt.name = "n"}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %half = arith.divui %n, %c2 : index
    %last = scf.while (%h = %half) : (index) -> index {
      %more = arith.cmpi ne, %h, %c0 : index
      scf.condition(%more) %h : index
    } do {
    ^bb0(%h: index):
      %group = arith.divsi %id, %h : index
      %position = arith.remsi %id, %h : index
      %twice = arith.muli %h, %c2 overflow<nsw> : index
      %start = arith.muli %group, %twice overflow<nsw> : index
      %i = arith.addi %start, %position overflow<nsw> : index
      %far = arith.addi %i, %h overflow<nsw> : index
      %in = arith.cmpi slt, %far, %n : index
      scf.if %in {
        %left = memref.load %x[%i] : memref<?xi32>
        %right = memref.load %x[%far] : memref<?xi32>
        %sum = arith.addi %left, %right : i32
        %difference = arith.subi %left, %right : i32
        memref.store %sum, %x[%i] : memref<?xi32>
        memref.store %difference, %x[%far] : memref<?xi32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %h, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }

  // The quotient of two bytes is none of the id by the step.
  // CHECK-LABEL: gpu.func @bytes__4_points
  // CHECK: %[[ID:.*]] = arith.trunci %{{.*}} : i32 to i8
  // CHECK: %[[H:.*]] = arith.trunci %{{.*}} : i32 to i8
  // CHECK: arith.divui %[[ID]], %[[H]] : i8
  gpu.func @bytes(%x: memref<?xi32> {llvm.noalias}, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %idx = gpu.global_id x
    %id = arith.index_cast %idx : index to i32
    %h0 = arith.divsi %n, %c2 : i32
    %last = scf.while (%s = %h0) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %c0 : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      %step = arith.index_cast %s : i32 to index
      %q = arith.divsi %idx, %step : index
      %m = arith.muli %q, %step : index
      %i = arith.addi %idx, %m : index
      %p = arith.addi %i, %step : index
      %in = arith.cmpi slt, %id, %h0 : i32
      scf.if %in {
        %id8 = arith.trunci %id : i32 to i8
        %s8 = arith.trunci %s : i32 to i8
        %q8 = arith.divui %id8, %s8 : i8
        %qw = arith.extui %q8 : i8 to i32
        %l = memref.load %x[%i] : memref<?xi32>
        %r = memref.load %x[%p] : memref<?xi32>
        %a = arith.addi %l, %r : i32
        %b = arith.addi %a, %qw : i32
        %d = arith.subi %l, %r : i32
        memref.store %b, %x[%i] : memref<?xi32>
        memref.store %d, %x[%p] : memref<?xi32>
      }
      gpuopt.grid_barrier
      %next = arith.divsi %s, %c2 : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
