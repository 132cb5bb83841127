// RUN: gpuopt-opt %s --gpuopt-version-guards --canonicalize --split-input-file | FileCheck %s

// Tiles that end in zeros (`gpuopt-pad-tiles`): the computation is the same for
// all blocks and tiles. Two versions are made of the fill, for full tiles of
// blocks inside and for others, and of what follows the loop, for blocks inside
// and for others. What is known of the block is tested once.

// CHECK-LABEL: gpu.func @parts
// CHECK: %[[BY:.*]] = gpu.block_id y
// CHECK: %[[OWN:.*]] = arith.cmpi slt
// CHECK: %[[ROWS:.*]] = affine.apply #{{.*}}()[%[[BY]]]
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi sle, %[[ROWS]], %{{.*}}
// CHECK-NEXT: %[[SUM:.*]] = affine.for %[[I:.*]] = 0 to %[[K:.*]] step 16 iter_args
// CHECK-NEXT:   %[[LEFT:.*]] = affine.apply #{{.*}}(%[[I]])[%[[K]]]
// CHECK-NEXT:   %[[FULL:.*]] = arith.cmpi sge, %[[LEFT]], %{{.*}}
// CHECK-NEXT:   %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[FULL]]
// CHECK-NEXT:   scf.if %[[BOTH]] {
// CHECK-NEXT:     affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (32, 16) {
// CHECK-NEXT:       %[[V:.*]] = affine.load
// CHECK-NEXT:       affine.store %[[V]]
// CHECK-NEXT:     } {gpuopt.collective}
// CHECK-NEXT:     affine.parallel (%{{.*}}) = (0) to (16) {
// CHECK:          } {gpuopt.collective}
// CHECK-NEXT:   } else {
// CHECK-NEXT:     affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (32, 16) {
// CHECK:            scf.if
// CHECK:          affine.parallel (%{{.*}}) = (0) to (16) {
// CHECK:            scf.if
// CHECK:          } {gpuopt.collective}
// CHECK-NEXT:   } {gpuopt.unguarded}
// CHECK-NEXT:   gpu.barrier
// CHECK-NEXT:   affine.for %{{.*}} = 0 to 16
// CHECK-NOT:    scf.if
// CHECK:        gpu.barrier
// CHECK-NEXT:   affine.yield
// CHECK:      scf.if %[[INSIDE]] {
// CHECK-NEXT:   %[[V:.*]] = arith.divf %[[SUM]], %[[SUM]]
// CHECK-NEXT:   affine.store %[[V]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[V:.*]] = arith.divf %[[SUM]], %[[SUM]]
// CHECK-NEXT:   scf.if %[[OWN]] {
// CHECK-NEXT:     affine.store %[[V]]
// CHECK:      } {gpuopt.unguarded}
gpu.module @kernels {
  gpu.func @parts(%a: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %k: index)
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>,
                %other: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1],
          items_per_thread = [1, 2, 1], items_per_block = [16, 32, 1]>} {
    %zero = arith.constant 0.0 : f32
    %negative = arith.constant -0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %idy = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%by, %ty)
    %g = arith.cmpi slt, %idy, %m : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%r, %j) = (0, 0) to (32, 16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %row = affine.apply affine_map<(r)[b] -> (r + b * 32)>(%r)[%by]
        %in_row = arith.cmpi slt, %column, %k : index
        %in_column = arith.cmpi slt, %row, %m : index
        %exists = arith.andi %in_row, %in_column : i1
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%r + symbol(%by) * 32, %i + %j] : memref<?x?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %negative : f32
        }
        affine.store %w, %tile[%r, %j] : memref<32x16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      %next_row = affine.apply affine_map<(i) -> (i + 1)>(%i)
      affine.parallel (%j) = (0) to (16) {
        %row = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %row, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%j, %next_row] : memref<?x?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %other[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%ty, %kk] : memref<32x16xf32, #gpu.address_space<workgroup>>
        %y = affine.load %other[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %p = arith.mulf %x, %y : f32
        %u = arith.addf %t, %p : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    %half = arith.divf %sum, %sum : f32
    scf.if %g {
      affine.store %half, %c[%idy, %tx] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// Where the computation is guarded as well, the whole kernel has two versions, and
// the one without guards a loop for full tiles and one for the rest.

// CHECK-LABEL: gpu.func @guarded_computation
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: %[[FULL:.*]] = affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: scf.if
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16 iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.if
// CHECK: } else {
// CHECK: } {gpuopt.unguarded}
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @guarded_computation(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = scf.if %g -> (f32) {
        %q = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
          %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
          %u = arith.subf %t, %x : f32
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
      affine.store %sum, %c[%id] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Two bytes cannot be copied asynchronously: blocks inside would wait for what the
// guarded fill loads.

// CHECK-LABEL: gpu.func @halves
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: %[[FULL:.*]] = affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: scf.if
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16 iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.if
// CHECK: } else {
// CHECK: } {gpuopt.unguarded}
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @halves(%a: memref<?xf16>, %c: memref<?xf16>, %n: index, %k: index)
      workgroup(%tile: memref<16xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f16
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f16) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f16) {
          %v = affine.load %a[%i + %j] : memref<?xf16>
          scf.yield %v : f16
        } else {
          scf.yield %zero : f16
        }
        affine.store %w, %tile[%j] : memref<16xf16, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f16) {
        %x = affine.load %tile[%kk] : memref<16xf16, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f16
        affine.yield %u : f16
      }
      gpu.barrier
      affine.yield %r : f16
    }
    scf.if %g {
      affine.store %sum, %c[%id] : memref<?xf16>
    }
    gpu.return
  }
}

// -----

// Another tile that is not filled up: its guard decides what it holds.

// CHECK-LABEL: gpu.func @other_tile
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: %[[FULL:.*]] = affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: scf.if
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16 iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.if
// CHECK: } else {
// CHECK: } {gpuopt.unguarded}
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @other_tile(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>,
                %other: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      affine.parallel (%j) = (0) to (16) {
        %exists = arith.cmpi slt, %j, %n : index
        scf.if %exists {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          affine.store %v, %other[%j] : memref<16xf32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %c[%id] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// There is no one loop to keep.

// CHECK-LABEL: gpu.func @two_loops
// CHECK: scf.if %{{.*}} {
// CHECK: affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16
// CHECK: affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16
// CHECK: } else {
// CHECK: affine.for %{{.*}} = 0 to %{{.*}} step 16
// CHECK: affine.for %{{.*}} = 0 to %{{.*}} step 16
// CHECK: } {gpuopt.unguarded}
gpu.module @kernels {
  gpu.func @two_loops(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    %both = affine.for %i = 0 to %k step 16 iter_args(%s = %sum) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %both, %c[%id] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// What is guarded before the loop would be a third part.

// CHECK-LABEL: gpu.func @before
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: affine.store
// CHECK: %[[FULL:.*]] = affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: scf.if
// CHECK: affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16 iter_args(%{{.*}} = %[[FULL]])
// CHECK: scf.if
// CHECK: } else {
// CHECK: } {gpuopt.unguarded}
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @before(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    scf.if %g {
      affine.store %zero, %c[%id] : memref<?xf32>
    }
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %g {
      affine.store %sum, %c[%id] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// Nothing follows the loop: its iterations store.

// CHECK-LABEL: gpu.func @nothing_behind
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK: } else {
// CHECK: } {gpuopt.unguarded}
// CHECK-NEXT: gpu.return
gpu.module @kernels {
  gpu.func @nothing_behind(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    affine.for %i = 0 to %k step 16 {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %zero) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      scf.if %g {
        affine.store %r, %c[%id] : memref<?xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// No block-wide guard: the fill alone has two versions, one of them for full tiles.

// CHECK-LABEL: gpu.func @only_fill
// CHECK: affine.for
// CHECK: %[[FULL:.*]] = arith.cmpi sge
// CHECK-NEXT: scf.if %[[FULL]] {
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: scf.if
// CHECK: } {gpuopt.unguarded}
// CHECK-NOT: scf.if
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @only_fill(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    affine.store %sum, %c[%id] : memref<?xf32>
    gpu.return
  }
}

// -----

// Blocks that do not lie inside have nothing to do, not even fill: no test in the loop.

// CHECK-LABEL: gpu.func @all_inside
// CHECK: scf.if %{{.*}} {
// CHECK: affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: gpuopt.unguarded
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @all_inside(%a: memref<?xf32>, %c: memref<?xf32>, %n: index, %k: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1],
          extents = [affine_map<()[s0, s1] -> (64)>, unit, unit]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %b = gpu.block_id x
    %id = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %tx)
    %g = arith.cmpi slt, %id, %n : index
    %c64 = arith.constant 64 : index
    %inside = arith.cmpi slt, %id, %c64 : index
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %exists = arith.cmpi slt, %column, %k : index
        %w = scf.if %exists -> (f32) {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          scf.yield %v : f32
        } else {
          scf.yield %zero : f32
        }
        affine.store %w, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
      } {gpuopt.collective}
      gpu.barrier
      %r = affine.for %kk = 0 to 16 iter_args(%t = %s) -> (f32) {
        %x = affine.load %tile[%kk] : memref<16xf32, #gpu.address_space<workgroup>>
        %u = arith.subf %t, %x : f32
        affine.yield %u : f32
      }
      gpu.barrier
      affine.yield %r : f32
    }
    scf.if %inside {
      affine.store %sum, %c[%id] : memref<?xf32>
    }
    gpu.return
  }
}
