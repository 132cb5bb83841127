// RUN: gpuopt-opt --gpuopt-split-at-grid-barriers --gpuopt-merge-grid-steps="target=sm_90" --canonicalize --cse --split-input-file %s | FileCheck %s

// A sum. The host chooses, for each step, one block, several steps by many
// blocks, or the step as before.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?xf32>
// CHECK: scf.while
// CHECK: ^bb0(%[[S:.*]]: i32):
// CHECK: %[[STEP:.*]] = arith.index_cast %[[S]]
// CHECK: %[[SMALL:.*]] = arith.cmpi sle, %[[STEP]], %c32768
// CHECK: scf.if
// CHECK: gpu.launch_func @kernels::@sum__last_steps blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%[[A]] : memref<?xf32>, {{.*}}, %[[S]] : i32)
// CHECK: %[[CLASSES:.*]] = arith.shrsi %[[STEP]], %c7
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %[[CLASSES]], %c32
// CHECK: gpu.launch_func @kernels::@sum__steps blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK: arith.shrsi %[[S]], %c8_i32
// CHECK: gpu.launch_func @kernels::@sum__phase0

// Thread (row, lane) adds its 32 elements in the order of the source: 32 loads,
// 31 sums, no store; three steps between the rows follow, and one store of what
// later steps read, since nothing but a[0] is an output.
// CHECK-LABEL: gpu.func @sum__steps
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<8x32xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-32: memref.load %{{.*}} : memref<?xf32>
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: memref.store %{{.*}} : memref<?xf32>
// CHECK-NOT: memref.store
// CHECK: gpu.return

// One block: five steps at a time; then in workgroup memory, then by shuffles.
// CHECK-LABEL: gpu.func @sum__last_steps
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<512xf32, #gpu.address_space<workgroup>>)
// CHECK: scf.while
// CHECK: scf.condition
// CHECK-COUNT-32: memref.load %{{.*}} : memref<?xf32>
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK: scf.while
// CHECK: memref.load %[[TILE]]
// CHECK: gpu.barrier
// CHECK: gpu.shuffle down
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %{{.*}}, %c1
// CHECK: memref.store %{{.*}} : memref<?xf32>
gpu.module @kernels {
  gpu.func @sum(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"})
      kernel attributes {gpuopt.outputs = {a = ["1"]}} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %id = gpu.global_id x
    %id32 = arith.index_cast %id : index to i32
    %half = arith.divsi %n, %c2 : i32
    %r = scf.while (%s = %half) : (i32) -> i32 {
      %more = arith.cmpi sgt, %s, %c0 : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      %si = arith.index_cast %s : i32 to index
      %in = arith.cmpi slt, %id32, %s : i32
      scf.if %in {
        %at = arith.addi %id, %si : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}

// -----

// Without outputs every element counts: a thread stores each of the 16 that it
// wrote in registers but its first, which the rows go on with.
// CHECK-LABEL: gpu.func @all__steps
// CHECK-COUNT-32: memref.load %{{.*}} : memref<?xf64>
// CHECK: memref.store %{{.*}} : memref<8x32xf64
// CHECK-COUNT-15: memref.store %{{.*}} : memref<?xf64>
// CHECK-NOT: memref.store %{{.*}} : memref<?xf64>
// CHECK: gpu.barrier
// Numbers of 64 bits stay in workgroup memory to the end.
// CHECK-LABEL: gpu.func @all__last_steps
// CHECK-NOT: gpu.shuffle
gpu.module @kernels {
  gpu.func @all(%a: memref<?xf64>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    %r = scf.while (%s = %n) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %a[%at] : memref<?xf64>
        %x = memref.load %a[%id] : memref<?xf64>
        %t = arith.maximumf %x, %y : f64
        memref.store %t, %a[%id] : memref<?xf64>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

// What sets the elements before the loop goes with the first steps: they load
// pairs of b and never r.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[START:.*]] = scf.if
// CHECK: gpu.launch_func @kernels::@pairs__first_last_steps
// CHECK: gpu.launch_func @kernels::@pairs__first_steps
// CHECK: gpu.launch_func @kernels::@pairs__phase0
// CHECK: scf.while (%{{.*}} = %[[START]])
// CHECK-LABEL: gpu.func @pairs__first_steps
// CHECK-SAME: (%[[B:[a-z0-9]+]]: memref<?xf32> {{.*}}, %[[R:[a-z0-9]+]]: memref<?xf32>
// CHECK-NOT: memref.load %[[R]]
// CHECK-COUNT-64: memref.load %[[B]]
// CHECK-NOT: memref.load %[[R]]
// CHECK: memref.store %{{.*}}, %[[R]]
gpu.module @kernels {
  gpu.func @pairs(%b: memref<?xf32> {gpuopt.name = "b", llvm.noalias, llvm.readonly},
                  %r: memref<?xf32> {gpuopt.name = "r", llvm.noalias}, %n: index)
      kernel attributes {gpuopt.outputs = {r = ["1"]}} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %id = gpu.global_id x
    %exists = arith.cmpi slt, %id, %n : index
    scf.if %exists {
      %even = arith.muli %id, %c2 : index
      %odd = arith.addi %even, %c1 : index
      %x = memref.load %b[%even] : memref<?xf32>
      %y = memref.load %b[%odd] : memref<?xf32>
      %t = arith.mulf %x, %y : f32
      memref.store %t, %r[%id] : memref<?xf32>
    }
    gpuopt.grid_barrier
    %half = arith.shrui %n, %c1 : index
    %last = scf.while (%s = %half) : (index) -> index {
      %more = arith.cmpi ne, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi slt, %id, %s : index
      scf.if %in {
        %at = arith.addi %id, %s : index
        %y = memref.load %r[%at] : memref<?xf32>
        %x = memref.load %r[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %r[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrui %s, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

// A loop that halves what it carries before it tests it carries the step then.
// CHECK-LABEL: func.func @halvesFirst
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK: %[[FIRST:.*]] = arith.divsi %[[N]], %c2_i32
// CHECK: scf.while (%[[S:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi sgt, %[[S]], %c0_i32
// CHECK-NEXT: scf.condition(%[[MORE]]) %[[S]]
// CHECK: gpu.launch_func @kernels::@halvesFirst__last_steps
gpu.module @kernels {
  gpu.func @halvesFirst(%a: memref<?xi32>, %n: i32) kernel {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %id = gpu.global_id x
    %id32 = arith.index_cast %id : index to i32
    %r = scf.while (%before = %n) : (i32) -> i32 {
      %more = arith.cmpi sgt, %before, %c1 : i32
      %half = arith.divsi %before, %c2 : i32
      scf.condition(%more) %half : i32
    } do {
    ^bb0(%s: i32):
      %in = arith.cmpi slt, %id32, %s : i32
      scf.if %in {
        %si = arith.index_cast %s : i32 to index
        %at = arith.addi %id, %si : index
        %y = memref.load %a[%at] : memref<?xi32>
        %x = memref.load %a[%id] : memref<?xi32>
        // A store under a condition becomes a select.
        %greater = arith.cmpi sgt, %y, %x : i32
        scf.if %greater {
          memref.store %y, %a[%id] : memref<?xi32>
        }
      }
      gpuopt.grid_barrier
      scf.yield %s : i32
    }
    gpu.return
  }
}
// CHECK-LABEL: gpu.func @halvesFirst__steps
// CHECK: arith.cmpi sgt
// CHECK-NEXT: arith.select

// -----

// Halves of negative steps may never be zero. Steps are merged where they are
// positive; others are launched as the source does.
// CHECK-LABEL: func.func @until_zero
// CHECK: scf.while
// CHECK: arith.cmpi ne
// CHECK: %[[STEP:.*]] = arith.index_cast %[[S:.*]] : i32 to index
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %[[STEP]], %c0
// CHECK: %[[KNOWN:.*]] = arith.andi %[[POSITIVE]], %
// CHECK: %[[NEXT:.*]] = arith.shrsi %[[S]], %c1_i32
// CHECK: %[[SMALL:.*]] = arith.andi %[[KNOWN]], %
// CHECK: scf.if %[[SMALL]]
// CHECK: scf.if %[[KNOWN]]
// CHECK: } else {
// CHECK-NEXT: gpu.launch_func @kernels::@until_zero__phase0
// CHECK-NEXT: scf.yield %[[NEXT]]
gpu.module @kernels {
  gpu.func @until_zero(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"})
      kernel attributes {gpuopt.outputs = {a = ["1"]}} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %id = gpu.global_id x
    %id32 = arith.index_cast %id : index to i32
    %last = scf.while (%s = %n) : (i32) -> i32 {
      %more = arith.cmpi ne, %s, %c0 : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      %in = arith.cmpi slt, %id32, %s : i32
      scf.if %in {
        %s1 = arith.index_cast %s : i32 to index
        %at = arith.addi %id, %s1 : index
        %y = memref.load %a[%at] : memref<?xf32>
        %x = memref.load %a[%id] : memref<?xf32>
        %t = arith.addf %x, %y : f32
        memref.store %t, %a[%id] : memref<?xf32>
      }
      gpuopt.grid_barrier
      %next = arith.shrsi %s, %c1 : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
