// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=y factor=2 target=sm_90" --split-input-file | FileCheck %s

// A coalesced matrix product: the load of b is shared, the tile of a and the sums
// are made per replica, loops and barriers stay single; without guards it is figure
// 10 of Yang et al. 2012 (test/paper/yang2012-fig10.cu). The guard tells replicas apart, so that the loop behind
// it, which loads from %b, is there jammed (all replicas inside) and separately.

// CHECK-LABEL: gpu.func @mm
// CHECK-SAME: workgroup(%[[A0:.*]] : memref<16x16xf32, {{.*}}>, %[[A1:.*]] : memref<16x16xf32
// CHECK-SAME: gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 2, 1], items_per_block = [16, 32, 1]>
// CHECK: %[[BY:.*]] = gpu.block_id y
// CHECK: %[[BY0:.*]] = affine.apply {{.*}}(%[[BY]])
// CHECK: %[[BY1:.*]] = affine.apply {{.*}}(%[[BY]])
// CHECK: %[[IDX:.*]] = affine.apply
// CHECK-NEXT: %[[IDY0:.*]] = affine.apply {{.*}}(%[[BY0]],
// CHECK-NEXT: %[[IDY1:.*]] = affine.apply {{.*}}(%[[BY1]],
// CHECK: %[[SUM:.*]]:2 = affine.for %[[I:.*]] = 0 to {{.*}} step 16 iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (f32, f32)
// CHECK:   %[[V0:.*]] = affine.load %{{.*}}[%[[IDY0]],
// CHECK:   affine.store %[[V0]], %[[A0]]
// CHECK:   %[[V1:.*]] = affine.load %{{.*}}[%[[IDY1]],
// CHECK:   affine.store %[[V1]], %[[A1]]
// CHECK:   gpu.barrier
// CHECK:   %[[ALL:.*]] = arith.andi
// CHECK:   scf.if %[[ALL]] -> (f32, f32) {
// CHECK:     affine.for {{.*}} iter_args(%[[T0:.*]] = %[[S0]], %[[T1:.*]] = %[[S1]]) -> (f32, f32)
// CHECK-DAG:   %[[X0:.*]] = affine.load %[[A0]]
// CHECK-DAG:   %[[X1:.*]] = affine.load %[[A1]]
// CHECK:       %[[Y:.*]] = affine.load %{{.*}}[{{.*}}, %[[IDX]]]
// CHECK-DAG:   arith.mulf %[[X0]], %[[Y]]
// CHECK-DAG:   arith.mulf %[[X1]], %[[Y]]
// CHECK:       affine.yield {{.*}}, {{.*}} : f32, f32
// CHECK:   } else {
// CHECK-COUNT-2: scf.if
// CHECK:   gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: affine.store %[[SUM]]#0, %{{.*}}[%[[IDY0]], %[[IDX]]]
// CHECK: affine.store %[[SUM]]#1, %{{.*}}[%[[IDY1]], %[[IDX]]]
gpu.module @kernels {
  gpu.func @mm(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
               %c: memref<?xf32> {llvm.noalias}, %m: i32, %n: i32, %k: i32)
      workgroup(%tile: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %idx = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%bx, %tx)
    %idy = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%by, %ty)
    %mi = arith.index_cast %m : i32 to index
    %ni = arith.index_cast %n : i32 to index
    %ki = arith.index_cast %k : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%mi, %ki], strides: [%ki, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%ki, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%mi, %ni], strides: [%ni, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %ni : index
    %gy = arith.cmpi slt, %idy, %mi : index
    %g = arith.andi %gx, %gy : i1
    %sum = affine.for %i = 0 to %ki step 16 iter_args(%s = %zero) -> (f32) {
      %col = affine.apply affine_map<(i, t) -> (i + t)>(%i, %tx)
      %inside = arith.cmpi slt, %col, %ki : index
      %load = arith.andi %gy, %inside : i1
      scf.if %load {
        %v = affine.load %A[%idy, %i + %tx] : memref<?x?xf32, strided<[?, 1]>>
        affine.store %v, %tile[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %r = scf.if %g -> (f32) {
        %q = affine.for %kk = 0 to min affine_map<(i)[k] -> (16, k - i)>(%i)[%ki]
            iter_args(%t = %s) -> (f32) {
          %x = affine.load %tile[%ty, %kk] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = affine.load %B[%i + %kk, %idx] : memref<?x?xf32, strided<[?, 1]>>
          %p = arith.mulf %x, %y fastmath<contract> : f32
          %u = arith.addf %t, %p fastmath<contract> : f32
          affine.yield %u : f32
        }
        scf.yield %q : f32
      } else {
        scf.yield %s : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Control flow of all kinds: a loop whose bound tells replicas apart is made
// per replica, one whose bound does not is jammed whatever its kind; a while
// loop is made per replica; an array that all blocks fill alike stays single,
// and so do the stores to it; private arrays follow their contents.

// CHECK-LABEL: gpu.func @mixed
// CHECK-SAME: workgroup(%[[SAME:[a-z0-9]*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[B0:.*]] = affine.apply
// CHECK: %[[B1:.*]] = affine.apply
// CHECK: affine.store %{{.*}}, %[[SAME]]
// CHECK-NOT: affine.store
// CHECK: gpu.barrier
// CHECK: memref.alloca
// CHECK: memref.alloca
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[B0]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[B1]]
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32, index)
// CHECK: scf.while
// CHECK: scf.while
// CHECK: scf.if %{{.*}} -> (f32, f32) {
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @mixed(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index, %p: i1)
      workgroup(%same: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id y
    %v = affine.load %a[%t] : memref<?xf32>
    affine.store %v, %same[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %own = memref.alloca() : memref<4xf32>
    %x = affine.load %a[%b] : memref<?xf32>
    affine.store %x, %own[0] : memref<4xf32>
    %l0 = scf.for %i = %c0 to %b step %c1 iter_args(%s = %zero) -> f32 {
      %y = memref.load %same[%i] : memref<16xf32, #gpu.address_space<workgroup>>
      %z = arith.addf %s, %y : f32
      scf.yield %z : f32
    }
    %l1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %l0, %j = %c0) -> (f32, index) {
      %y = memref.load %own[%c0] : memref<4xf32>
      %z = arith.addf %s, %y : f32
      %k = arith.addi %j, %c1 : index
      scf.yield %z, %k : f32, index
    }
    %w = scf.while (%s = %l1#0) : (f32) -> f32 {
      %e = arith.cmpf olt, %s, %zero : f32
      scf.condition(%e) %s : f32
    } do {
    ^bb0(%s: f32):
      %z = arith.addf %s, %x : f32
      scf.yield %z : f32
    }
    %r = scf.if %p -> f32 { scf.yield %w : f32 } else { scf.yield %zero : f32 }
    %o = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    affine.store %r, %c[%o] : memref<?xf32>
    gpu.return
  }
}

// -----

// A tile that both blocks fill alike, each if it has any work at all, is filled
// once if either has; the part of the condition that they share stays apart.

// CHECK-LABEL: gpu.func @common
// CHECK-SAME: workgroup(%[[TILE:[a-z0-9]*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[G0:.*]] = arith.cmpi slt
// CHECK: %[[G1:.*]] = arith.cmpi slt
// CHECK: %[[T:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}}
// CHECK: %[[ANY:.*]] = arith.ori %[[G0]], %[[G1]]
// CHECK: %[[ALL:.*]] = arith.andi %[[T]], %[[ANY]]
// CHECK: scf.if %[[ALL]] {
// CHECK-NEXT: affine.load
// CHECK-NEXT: affine.store %{{.*}}, %[[TILE]]
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
gpu.module @kernels {
  gpu.func @common(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %t = gpu.thread_id x
    %b = gpu.block_id y
    %o = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    %any = arith.cmpi slt, %b, %n : index
    %inside = arith.cmpi slt, %t, %k : index
    %g = arith.andi %any, %inside : i1
    scf.if %g {
      %v = affine.load %a[%t] : memref<?xf32>
      affine.store %v, %tile[%t] : memref<16xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %w = affine.load %tile[0] : memref<16xf32, #gpu.address_space<workgroup>>
    affine.store %w, %c[%o] : memref<?xf32>
    gpu.return
  }
}

// -----

// What only reads tiles may be computed by everybody: the guard around it goes,
// and the loop, which all replicas share, is there once. The sums of items
// outside are never stored.

// CHECK-LABEL: gpu.func @tiled
// CHECK: %[[G0:.*]] = arith.cmpi slt
// CHECK: %[[G1:.*]] = arith.cmpi slt
// CHECK: %[[SUM:.*]]:2 = affine.for {{.*}} step 16 iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}) -> (f32, f32)
// CHECK-NOT: scf.if
// CHECK:   gpu.barrier
// CHECK:   %[[Q:.*]]:2 = affine.for %{{.*}} = 0 to min {{.*}} iter_args(%{{.*}} = %[[S0]], %{{.*}} = %[[S1]])
// CHECK-NOT: arith.select
// CHECK:   affine.yield %[[Q]]#0, %[[Q]]#1
// CHECK-NOT: affine.for
// CHECK: scf.if %[[G0]]
// CHECK: scf.if %[[G1]]

// Where the results are looked at, those from before come back.

// CHECK-LABEL: gpu.func @looked_at
// CHECK: %[[G0:.*]] = arith.cmpi slt
// CHECK: %[[G1:.*]] = arith.cmpi slt
// CHECK: %[[Q:.*]] = affine.for
// CHECK: arith.select %[[G0]], %[[Q]], %{{.*}}
// CHECK: arith.select %[[G1]], %[[Q]], %{{.*}}
// CHECK-NOT: affine.for

// Not so where a subscript may leave the tile, where a branch depends on what
// the tile holds, or where the condition holds for one item only.

// CHECK-LABEL: gpu.func @outside
// CHECK-COUNT-3: affine.for
// CHECK-LABEL: gpu.func @branches
// CHECK-COUNT-3: affine.for
// CHECK-LABEL: gpu.func @one_item
// CHECK-COUNT-3: affine.for
#tile = #gpu.address_space<workgroup>
#shape = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  gpu.func @tiled(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #tile>) kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id y
    %g = arith.cmpi slt, %b, %n : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<16xf32, #tile>
      gpu.barrier
      %r = scf.if %g -> (f32) {
        %q = affine.for %kk = 0 to min affine_map<(i)[k] -> (16, k - i)>(%i)[%k] iter_args(%p = %s) -> (f32) {
          %x = affine.load %tile[%kk] : memref<16xf32, #tile>
          %u = arith.addf %p, %x : f32
          affine.yield %u : f32
        }
        scf.yield %q : f32
      } else {
        scf.yield %s : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %c[symbol(%b) * 16 + symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }

  gpu.func @looked_at(%c: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #tile>) kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id y
    %g = arith.cmpi slt, %b, %n : index
    %r = scf.if %g -> (f32) {
      %q = affine.for %kk = 0 to 16 iter_args(%p = %zero) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #tile>
        %u = arith.addf %p, %x : f32
        affine.yield %u : f32
      }
      scf.yield %q : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %r, %c[symbol(%b)] : memref<?xf32>
    gpu.return
  }

  gpu.func @outside(%c: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #tile>) kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id y
    %g = arith.cmpi slt, %b, %n : index
    %r = scf.if %g -> (f32) {
      %q = affine.for %kk = 0 to %n iter_args(%p = %zero) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #tile>
        %u = arith.addf %p, %x : f32
        affine.yield %u : f32
      }
      scf.yield %q : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %r, %c[symbol(%b)] : memref<?xf32>
    gpu.return
  }

  gpu.func @branches(%c: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #tile>) kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id y
    %g = arith.cmpi slt, %b, %n : index
    %r = scf.if %g -> (f32) {
      %q = affine.for %kk = 0 to 16 iter_args(%p = %zero) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #tile>
        %h = arith.cmpf ogt, %x, %p : f32
        %u = scf.if %h -> (f32) {
          scf.yield %x : f32
        } else {
          scf.yield %p : f32
        }
        affine.yield %u : f32
      }
      scf.yield %q : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %r, %c[symbol(%b)] : memref<?xf32>
    gpu.return
  }

  gpu.func @one_item(%c: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #tile>) kernel attributes {gpuopt.geometry = #shape} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id y
    %g = arith.cmpi eq, %b, %n : index
    %r = scf.if %g -> (f32) {
      %q = affine.for %kk = 0 to 16 iter_args(%p = %zero) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #tile>
        %u = arith.addf %p, %x : f32
        affine.yield %u : f32
      }
      scf.yield %q : f32
    } else {
      scf.yield %zero : f32
    }
    affine.store %r, %c[symbol(%b)] : memref<?xf32>
    gpu.return
  }
}

// -----

// In blocks of a size that the source gives, and without a guard, launches come
// in multiples of merged blocks: the number of the source's is known.
// CHECK: #[[$TWICE:.*]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-LABEL: gpu.func @counted
// CHECK-SAME: items_per_thread = [1, 2, 1]
// CHECK: %[[GRID:.*]] = gpu.grid_dim y
// CHECK: %[[OLD:.*]] = affine.apply #[[$TWICE]](%[[GRID]])
// CHECK: memref.store %[[OLD]]
// CHECK: memref.store %[[OLD]]
gpu.module @exact_grid {
  gpu.func @counted(%c: memref<?xindex>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<original_block = [1, 16, 1], block = [1, 16, 1],
          items_per_thread = [1, 1, 1], items_per_block = [1, 16, 1]>} {
    %b = gpu.block_id y
    %size = gpu.grid_dim y
    memref.store %size, %c[%b] : memref<?xindex>
    gpu.return
  }
}

// -----

// A while loop that all replicas leave together is one, around the barriers in
// it; what it carries is there once for each where replicas differ.
// CHECK-LABEL: gpu.func @halving
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, f32, f32) -> (index, f32, f32) {
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}}, %{{.*}} : index, f32, f32
// CHECK: ^bb0(%{{.*}}: index, %[[FIRST:.*]]: f32, %[[SECOND:.*]]: f32):
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: arith.divui
// CHECK-NOT: arith.divui
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : index, f32, f32
// CHECK-NOT: scf.while
// CHECK: gpu.return
gpu.module @whiles {
  gpu.func @halving(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1],
          items_per_block = [16, 1, 1]>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %b = gpu.block_id y
    %own = memref.load %a[%b] : memref<?xf32>
    %w:2 = scf.while (%s = %n, %x = %own) : (index, f32) -> (index, f32) {
      %e = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%e) %s, %x : index, f32
    } do {
    ^bb0(%s: index, %x: f32):
      gpu.barrier
      %half = arith.divui %s, %c2 : index
      %y = arith.addf %x, %x : f32
      scf.yield %half, %y : index, f32
    }
    memref.store %w#1, %c[%b] : memref<?xf32>
    gpu.return
  }
}
