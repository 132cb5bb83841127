// RUN: gpuopt-opt %s --gpuopt-slice-accesses | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-slice-accesses --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The kernel of figure 6.3: three accesses, of which the store becomes a load.
// CHECK-LABEL: gpu.func @vector_add(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<?xf32> {{.*}}, %[[B:[a-z0-9]+]]: memref<?xf32> {{.*}}, %[[C:[a-z0-9]+]]: memref<?xf32>
// CHECK-NEXT:    %[[ID:.*]] = gpu.global_id x
// CHECK-NEXT:    affine.prefetch %[[A]][symbol(%[[ID]])], read
// CHECK-NEXT:    affine.prefetch %[[B]][symbol(%[[ID]])], read
// CHECK-NEXT:    affine.prefetch %[[C]][symbol(%[[ID]])], read
// CHECK-NEXT:    gpu.return
// REMARK: [Passed] AccessesSliced | Category:gpuopt:SliceAccesses | Function=vector_add |
// REMARK-SAME: "3 access(es) of global memory and the 0 load(s) that their addresses need, without the rest of the kernel"
gpu.module @light {
  gpu.func @vector_add(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"},
                       %c: memref<?xf32> {gpuopt.name = "c"}) kernel {
    %id = gpu.global_id x
    %x = affine.load %a[symbol(%id)] : memref<?xf32>
    %y = affine.load %b[symbol(%id)] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %c[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}

// The kernel of figure 6.9: the loop stays, without the sum that it carries.
// CHECK-LABEL: gpu.func @tmv(
// CHECK:         affine.for %[[I:.*]] = 0 to %{{.*}} {
// CHECK-NEXT:      affine.prefetch %{{.*}}[%[[I]], symbol(%[[ID:.*]])], read
// CHECK-NEXT:      affine.prefetch %{{.*}}[%[[I]]], read
// CHECK-NEXT:    }
// CHECK-NEXT:    affine.prefetch %{{.*}}[symbol(%[[ID]])], read
// CHECK-NEXT:    gpu.return
gpu.module @heavy {
  gpu.func @tmv(%a: memref<?x64xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %l = affine.load %a[%i, symbol(%x)] : memref<?x64xf32>
      %r = affine.load %b[%i] : memref<?xf32>
      %p = arith.mulf %l, %r : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%x)] : memref<?xf32>
    gpu.return
  }
}

// A tile in workgroup memory and its barriers go; what filled it stays. So do
// loops without accesses, calls of mathematical functions, and the array of
// registers that only sums are kept in.
// CHECK-LABEL: gpu.func @tiled(
// CHECK-SAME:    memref<?xf32>, %{{[a-z0-9]+}}: memref<?xf32>) kernel {
// CHECK-NOT:     workgroup
// CHECK:         affine.prefetch %{{.*}}[symbol(%{{.*}}) * 16
// CHECK-NEXT:    affine.prefetch
// CHECK-NEXT:    gpu.return
gpu.module @workgroup {
  llvm.func @__nv_expf(f32) -> f32
  gpu.func @tiled(%a: memref<?xf32>, %c: memref<?xf32>)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %registers = memref.alloca() : memref<1xf32>
    affine.store %zero, %registers[0] : memref<1xf32>
    %x = affine.load %a[symbol(%b) * 16 + symbol(%t)] : memref<?xf32>
    affine.store %x, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.for %i = 0 to 16 {
      %y = affine.load %tile[%i] : memref<16xf32, #gpu.address_space<workgroup>>
      %e = llvm.call @__nv_expf(%y) : (f32) -> f32
      %s = affine.load %registers[0] : memref<1xf32>
      %n = arith.addf %s, %e : f32
      affine.store %n, %registers[0] : memref<1xf32>
    }
    %sum = affine.load %registers[0] : memref<1xf32>
    affine.store %sum, %c[symbol(%b) * 16 + symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// The subscript that is loaded is needed: it stays a load, and is one fetch
// with it. Of the data that it leads to only the address is.
// CHECK-LABEL: gpu.func @gather(
// CHECK:         %[[AT:.*]] = affine.load %{{.*}}[symbol(%{{.*}})] : memref<?xi32>
// CHECK-NEXT:    %[[INDEX:.*]] = arith.index_cast %[[AT]]
// CHECK-NEXT:    memref.prefetch %{{.*}}[%[[INDEX]]], read
// CHECK-NEXT:    affine.prefetch
// CHECK-NEXT:    gpu.return
// REMARK: Function=gather | Remark="2 access(es) of global memory and the 1 load(s)
gpu.module @indirect {
  gpu.func @gather(%at: memref<?xi32> {llvm.noalias}, %a: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}) kernel {
    %id = gpu.global_id x
    %i = affine.load %at[symbol(%id)] : memref<?xi32>
    %index = arith.index_cast %i : i32 to index
    %x = memref.load %a[%index] : memref<?xf32>
    affine.store %x, %c[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}

// Where the two are exchanged depends on what they hold, but both have been
// fetched by then: the branch is not needed (bitonic sort).
// CHECK-LABEL: gpu.func @exchange(
// CHECK:         affine.prefetch %{{.*}}[symbol(%{{.*}})]
// CHECK-NEXT:    affine.prefetch %{{.*}}[symbol(%{{.*}}) + 1]
// CHECK-NEXT:    gpu.return
gpu.module @sort {
  gpu.func @exchange(%a: memref<?xf32>) kernel {
    %id = gpu.global_id x
    %x = affine.load %a[symbol(%id)] : memref<?xf32>
    %y = affine.load %a[symbol(%id) + 1] : memref<?xf32>
    %greater = arith.cmpf ogt, %x, %y : f32
    scf.if %greater {
      affine.store %y, %a[symbol(%id)] : memref<?xf32>
      affine.store %x, %a[symbol(%id) + 1] : memref<?xf32>
    }
    gpu.return
  }
}

// Lanes that add up what they have: nothing of that matters, though each sum
// is what the next call is given.
// CHECK-LABEL: gpu.func @add_lanes(
// CHECK-NOT:     for
// CHECK-NOT:     llvm.call
// CHECK:         affine.prefetch
// CHECK-NEXT:    affine.prefetch
// CHECK-NEXT:    gpu.return
gpu.module @lanes {
  llvm.func @__gpuopt_shuffle_down(f32, i32, i32, i32) -> f32
  gpu.func @add_lanes(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}) kernel {
    %mask = arith.constant -1 : i32
    %width = arith.constant 32 : i32
    %by = arith.constant 1 : i32
    %id = gpu.global_id x
    %x = affine.load %a[symbol(%id)] : memref<?xf32>
    %sum = affine.for %i = 0 to 5 iter_args(%s = %x) -> (f32) {
      %other = llvm.call @__gpuopt_shuffle_down(%s, %by, %width, %mask) : (f32, i32, i32, i32) -> f32
      %t = arith.addf %s, %other : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}

// What an atomic operation accesses is fetched, too.
// CHECK-LABEL: gpu.func @histogram(
// CHECK:         %[[BIN:.*]] = affine.load
// CHECK:         memref.prefetch %{{.*}}[%{{.*}}], read
// CHECK-NEXT:    gpu.return
gpu.module @atomic {
  gpu.func @histogram(%bins: memref<?xi32> {llvm.noalias}, %a: memref<?xi32> {llvm.noalias}) kernel {
    %one = arith.constant 1 : i32
    %id = gpu.global_id x
    %i = affine.load %a[symbol(%id)] : memref<?xi32>
    %bin = arith.index_cast %i : i32 to index
    %old = memref.atomic_rmw addi %one, %bins[%bin] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}

// One in workgroup memory goes, though its result is used where it does not
// matter.
// CHECK-LABEL: gpu.func @ranks(
// CHECK-NOT:     memref.atomic_rmw
// CHECK-NOT:     memref.load
// CHECK:         affine.prefetch %{{.*}}[symbol(%{{.*}})], read
// CHECK-NEXT:    gpu.return
gpu.module @atomic_in_block {
  gpu.func @ranks(%a: memref<?xi32>)
      workgroup(%count: memref<1xi32, #gpu.address_space<workgroup>>) kernel {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : index
    %id = gpu.global_id x
    %old = memref.atomic_rmw addi %one, %count[%zero] : (i32, memref<1xi32, #gpu.address_space<workgroup>>) -> i32
    affine.store %old, %a[symbol(%id)] : memref<?xi32>
    gpu.return
  }
}

// What is copied to workgroup memory, and what a kernel prefetches itself, is
// not written: the subscript there may be loaded.
// CHECK-LABEL: gpu.func @copied(
// CHECK-SAME:    %[[AT:[a-z0-9]+]]: memref<?xi32>
// CHECK:         affine.prefetch %[[AT]][symbol(%{{.*}}) + 1], read
// CHECK-NOT:     nvgpu
// CHECK:         %[[I:.*]] = affine.load %[[AT]][symbol(%{{.*}})]
// CHECK-NEXT:    %[[INDEX:.*]] = arith.index_cast %[[I]]
// CHECK-NEXT:    memref.prefetch %{{.*}}[%[[INDEX]]], read
// CHECK-NEXT:    gpu.return
gpu.module @asynchronous {
  gpu.func @copied(%at: memref<?xi32> {llvm.noalias}, %a: memref<?xf32> {llvm.noalias})
      workgroup(%tile: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    affine.prefetch %at[symbol(%t) + 1], read, locality<3>, data : memref<?xi32>
    %copy = nvgpu.device_async_copy %at[%t], %tile[%t], 1 : memref<?xi32> to memref<32xi32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    %i = affine.load %at[symbol(%t)] : memref<?xi32>
    %index = arith.index_cast %i : i32 to index
    memref.store %one, %a[%index] : memref<?xf32>
    gpu.return
  }
}

// An array of the thread's own that addresses come from keeps what is stored
// in it.
// CHECK-LABEL: gpu.func @own_array(
// CHECK:         %[[OWN:.*]] = memref.alloca
// CHECK:         memref.store %{{.*}}, %[[OWN]]
// CHECK:         %[[I:.*]] = memref.load %[[OWN]]
// CHECK:         memref.prefetch %{{.*}}[%[[I]]], read
gpu.module @private {
  gpu.func @own_array(%a: memref<?xf32>, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %id = gpu.global_id x
    %own = memref.alloca() : memref<4xindex>
    %at = arith.remui %id, %c4 : index
    memref.store %n, %own[%at] : memref<4xindex>
    %other = arith.remui %n, %c4 : index
    %i = memref.load %own[%other] : memref<4xindex>
    %x = memref.load %a[%i] : memref<?xf32>
    affine.store %x, %a[symbol(%id)] : memref<?xf32>
    gpu.return
  }
}
