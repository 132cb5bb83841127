// RUN: gpuopt-opt --gpuopt-split-at-grid-barriers --split-input-file %s | FileCheck %s

// A loop around a barrier moves to the host; its variable becomes a parameter,
// which the guard is compared with and the address counts from.
// CHECK-LABEL: func.func @levels
// CHECK-SAME: (%[[A:.*]]: memref<?xf32> {gpuopt.name = "a", llvm.noalias}, %[[N:.*]]: i32 {gpuopt.name = "n"},
// CHECK-SAME: %[[GX:.*]]: index {gpuopt.name = "grid_x"}, %[[GY:.*]]: index {{.*}}, %[[GZ:.*]]: index {{.*}}, %[[BX:.*]]: index {gpuopt.name = "block_x"}
// CHECK: %[[HALF:.*]] = arith.divsi %[[N]]
// CHECK: scf.while (%[[S:.*]] = %[[HALF]])
// CHECK: arith.cmpi sgt, %[[S]]
// CHECK: ^bb0(%[[S1:.*]]: i32):
// CHECK: gpu.launch_func @kernels::@levels__phase0 blocks in (%[[GX]], %[[GY]], %[[GZ]]) threads in (%[[BX]], {{.*}}) args(%[[A]] : memref<?xf32>, %[[N]] : i32, %[[S1]] : i32)
// CHECK: %[[NEXT:.*]] = arith.shrui %[[S1]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: gpu.func @levels__phase0(%[[A:.*]]: memref<?xf32> {{.*}}, %{{.*}}: i32 {{.*}}, %[[S:.*]]: i32 {gpuopt.name = "carried0"}) kernel attributes {gpuopt.phase_of = @levels}
// CHECK-NEXT: %[[ID:.*]] = gpu.global_id x
// CHECK-NEXT: %[[SI:.*]] = arith.index_cast %[[S]] : i32 to index
// CHECK-NEXT: arith.cmpi slt, %[[ID]], %[[SI]] : index
// CHECK: affine.load %[[A]][symbol(%[[ID]]) + symbol(%[[SI]])]
// CHECK-NOT: grid_barrier
gpu.module @kernels {
  gpu.func @levels(%a: memref<?xf32> {gpuopt.name = "a", llvm.noalias}, %n: i32 {gpuopt.name = "n"}) kernel {
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

// What lies before, between and behind are kernels of their own. What was
// loaded from memory that nobody writes is loaded again; a barrier at the end
// makes no launch.
// CHECK-LABEL: func.func @sequence
// CHECK: gpu.launch_func @kernels::@sequence__phase0
// CHECK-NEXT: gpu.launch_func @kernels::@sequence__phase1
// CHECK-NEXT: return
// CHECK: gpu.func @sequence__phase0
// CHECK: gpu.func @sequence__phase1(%[[A:.*]]: memref<?xf32> {llvm.noalias, llvm.readonly}, %[[B:.*]]: memref<?xf32> {llvm.noalias}, %[[C:.*]]: memref
// CHECK: %[[X:.*]] = affine.load %[[A]]
// CHECK: %[[Y:.*]] = affine.load %[[B]]
// CHECK: arith.addf %[[X]], %[[Y]]
gpu.module @kernels {
  gpu.func @sequence(%a: memref<?xf32> {llvm.noalias, llvm.readonly}, %b: memref<?xf32> {llvm.noalias},
                     %c: memref<?xf32> {llvm.noalias}) kernel {
    %c1 = arith.constant 1 : index
    %id = gpu.global_id x
    %x = memref.load %a[%id] : memref<?xf32>
    memref.store %x, %b[%id] : memref<?xf32>
    gpuopt.grid_barrier
    %after = arith.addi %id, %c1 : index
    %y = memref.load %b[%after] : memref<?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%id] : memref<?xf32>
    gpuopt.grid_barrier
    gpu.return
  }
}

// -----

// A branch and a counted loop over launches; the number of blocks is the
// launch's.
// CHECK-LABEL: func.func @branch
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32, %[[GX:[a-z0-9]*]]: index {gpuopt.name = "grid_x"}
// CHECK: scf.if
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[GX]]
// CHECK: gpu.launch_func @kernels::@branch__phase0 {{.*}} args(%{{.*}} : memref<?xi32>, %[[N]] : i32, %[[I]] : index)
// CHECK: else
// CHECK: gpu.launch_func @kernels::@branch__phase1
gpu.module @kernels {
  gpu.func @branch(%a: memref<?xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : i32
    %id = gpu.global_id x
    %blocks = gpu.grid_dim x
    %many = arith.cmpi sgt, %n, %c9 : i32
    scf.if %many {
      scf.for %i = %c0 to %blocks step %c1 {
        %at = arith.addi %id, %i : index
        %x = memref.load %a[%at] : memref<?xi32>
        gpuopt.grid_barrier
        %v = arith.index_cast %i : index to i32
        memref.store %v, %a[%id] : memref<?xi32>
        gpuopt.grid_barrier
      }
    } else {
      memref.store %n, %a[%id] : memref<?xi32>
      gpuopt.grid_barrier
    }
    gpu.return
  }
}

// -----

// The condition of a loop that is tested behind its body.
// CHECK-LABEL: func.func @doWhile
// CHECK: scf.while (%[[S:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK: gpu.launch_func @kernels::@doWhile__phase0
// CHECK: scf.condition
gpu.module @kernels {
  gpu.func @doWhile(%a: memref<?xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %id = gpu.global_id x
    %r = scf.while (%s = %n) : (i32) -> i32 {
      memref.store %s, %a[%id] : memref<?xi32>
      gpuopt.grid_barrier
      %next = arith.subi %s, %c1 : i32
      %more = arith.cmpi sgt, %next, %c0 : i32
      scf.condition(%more) %next : i32
    } do {
    ^bb0(%s: i32):
      scf.yield %s : i32
    }
    gpu.return
  }
}

// -----

// Workgroup memory stays where one launch alone uses it.
// CHECK-LABEL: func.func @tile
// CHECK: gpu.func @tile__phase0({{.*}}) workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>)
// CHECK: gpu.func @tile__phase1({{.*}}) kernel
gpu.module @kernels {
  gpu.func @tile(%a: memref<?xf32>) workgroup(%w: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    memref.store %zero, %w[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %x = memref.load %w[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%t] : memref<?xf32>
    gpuopt.grid_barrier
    memref.store %zero, %a[%c0] : memref<?xf32>
    gpu.return
  }
}
