// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(test-gpuopt-uniformity)))" | FileCheck %s

gpu.module @kernels {
  // Ids, what is computed from them, and parameters.
  // CHECK-LABEL: gpu.func @ids
  gpu.func @ids(%n: index) kernel {
    // CHECK: gpu.thread_id y {depends = "thread_y"}
    %t = gpu.thread_id y
    // CHECK: gpu.block_id x {depends = "block_x"}
    %b = gpu.block_id x
    // CHECK: gpu.global_id z {depends = "thread_z block_z"}
    %g = gpu.global_id z
    // CHECK: gpu.lane_id {depends = "thread_x thread_y thread_z"}
    %l = gpu.lane_id
    // CHECK: gpu.block_dim x {depends = "uniform"}
    %d = gpu.block_dim x
    // CHECK: affine.apply {{.*}} {depends = "thread_y block_x"}
    %i = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    // CHECK: arith.addi %{{.*}} {depends = "uniform"}
    %u = arith.addi %n, %d : index
    gpu.return
  }

  // What lanes exchange depends on the lane, and on what each of them gave.
  // CHECK-LABEL: gpu.func @exchanges
  llvm.func @__gpuopt_ballot(i64, i32) -> i64
  gpu.func @exchanges(%a: memref<?xi32> {llvm.noalias}, %mask: i64) kernel {
    %b = gpu.block_id y
    %v = memref.load %a[%b] : memref<?xi32>
    // CHECK: llvm.call @__gpuopt_ballot{{.*}} {depends = "thread_x thread_y thread_z block_y"}
    %w = llvm.call @__gpuopt_ballot(%mask, %v) : (i64, i32) -> i64
    gpu.return
  }

  // A restrict argument that nothing writes is the same for whoever reads it.
  // CHECK-LABEL: gpu.func @loads
  gpu.func @loads(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32>) kernel {
    %b = gpu.block_id x
    // CHECK: memref.load {{.*}} {depends = "block_x"}
    %v = memref.load %a[%b] : memref<?xf32>
    // CHECK: memref.load {{.*}} {depends = "block_x unknown"}
    %w = memref.load %c[%b] : memref<?xf32>
    memref.store %v, %c[%b] : memref<?xf32>
    gpu.return
  }

  // Without restrict, the store may hit what is read.
  // CHECK-LABEL: gpu.func @may_alias
  gpu.func @may_alias(%a: memref<?xf32>, %c: memref<?xf32>, %i: index) kernel {
    // CHECK: memref.load {{.*}} {depends = "unknown"}
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %c[%i] : memref<?xf32>
    gpu.return
  }

  // What is chosen depends on what chooses.
  // CHECK-LABEL: gpu.func @control
  gpu.func @control(%n: index, %p: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %b = gpu.block_id y
    %q = arith.cmpi slt, %t, %n : index
    // CHECK: } {depends = "thread_x"}
    %r = scf.if %q -> index { scf.yield %c0 : index } else { scf.yield %c1 : index }
    // CHECK: scf.for
    // CHECK:   gpu.barrier {control = "block_y"}
    // CHECK: } {depends = "block_y"}
    %s = scf.for %i = %c0 to %b step %c1 iter_args(%x = %c0) -> index {
      gpu.barrier
      scf.yield %c1 : index
    }
    // CHECK: affine.for
    // CHECK:   arith.addi {{.*}} {depends = "thread_x"}
    // CHECK: } {depends = "thread_x"}
    %u = affine.for %i = 0 to %n iter_args(%x = %c0) -> index {
      %y = arith.addi %x, %t : index
      affine.yield %y : index
    }
    // The trip count of the loop is carried by its values.
    // CHECK: scf.while
    // CHECK:   gpu.barrier {control = "thread_x"}
    // CHECK: } attributes {depends = "thread_x"}
    %w = scf.while (%x = %c0) : (index) -> index {
      %e = arith.cmpi slt, %x, %t : index
      scf.condition(%e) %x : index
    } do {
    ^bb0(%x: index):
      gpu.barrier
      %y = arith.addi %x, %c1 : index
      scf.yield %y : index
    }
    gpu.return
  }

  // Blocks of one row fill the tile with the same data.
  // CHECK-LABEL: gpu.func @tile
  // CHECK-SAME: test.contents = ["block_y workgroup_memory", "workgroup_memory"]
  gpu.func @tile(%a: memref<?x?xf32> {llvm.noalias})
      workgroup(%w: memref<16xf32, #gpu.address_space<workgroup>>,
                %z: memref<16xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id y
    %v = memref.load %a[%b, %t] : memref<?x?xf32>
    memref.store %v, %w[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    %f = memref.load %a[%t, %t] : memref<?x?xf32>
    memref.store %f, %z[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    // CHECK: gpu.barrier {control = "uniform"}
    gpu.barrier
    %c0 = arith.constant 0 : index
    // CHECK: memref.load {{.*}} {depends = "block_y workgroup_memory"}
    %x = memref.load %w[%c0] : memref<16xf32, #gpu.address_space<workgroup>>
    // CHECK: memref.load {{.*}} {depends = "thread_x workgroup_memory"}
    %y = memref.load %z[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // A guard that all stores share decides whether a block fills the array at
  // all, not with what; other guards make the contents depend on the block. So
  // does a guard inside of a loop, which may leave what an earlier iteration
  // stored, and an address that leaves our sight.
  // CHECK-LABEL: gpu.func @guarded
  // CHECK-SAME: test.contents = ["workgroup_memory", "block_x workgroup_memory", "block_x workgroup_memory", "thread_x {{.*}} unknown"]
  gpu.func @guarded(%n: index, %m: index)
      workgroup(%w: memref<16xf32, #gpu.address_space<workgroup>>,
                %x: memref<16xf32, #gpu.address_space<workgroup>>,
                %y: memref<16xf32, #gpu.address_space<workgroup>>,
                %z: memref<16xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c = arith.constant 1.0 : f32
    %q = arith.cmpi slt, %b, %n : index
    scf.if %q {
      memref.store %c, %w[%t] : memref<16xf32, #gpu.address_space<workgroup>>
      memref.store %c, %x[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    %r = arith.cmpi slt, %b, %m : index
    scf.if %r {
      memref.store %c, %x[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    affine.for %i = 0 to %n {
      %s = arith.cmpi slt, %b, %i : index
      scf.if %s {
        memref.store %c, %y[%t] : memref<16xf32, #gpu.address_space<workgroup>>
      }
    }
    %p = memref.extract_aligned_pointer_as_index %z
        : memref<16xf32, #gpu.address_space<workgroup>> -> index
    gpu.return
  }

  // Atomics return what happens to be there.
  // CHECK-LABEL: gpu.func @atomic
  gpu.func @atomic(%c: memref<?xi32> {llvm.noalias}, %one: i32) kernel {
    %c0 = arith.constant 0 : index
    // CHECK: memref.atomic_rmw {{.*}} {depends = "thread_x {{.*}} unknown"}
    %old = memref.atomic_rmw addi %one, %c[%c0] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}
