// RUN: gpuopt-opt %s --gpuopt-version-guards --canonicalize --split-input-file | FileCheck %s

// Every guard of the coalesced matrix product is true for all threads of a block
// that lies inside, and the loop over tiles has full tiles and a rest.

// CHECK-LABEL: gpu.func @mm
// CHECK: %[[BX:.*]] = gpu.block_id x
// CHECK: %[[BY:.*]] = gpu.block_id y
// CHECK: arith.andi
// CHECK: %[[MY:.*]] = affine.apply #{{.*}}()[%[[BY]], %{{.*}}]
// CHECK: %[[TY:.*]] = arith.cmpi sge, %[[MY]], %{{.*}}
// CHECK: %[[MX:.*]] = affine.apply #{{.*}}()[%[[BX]], %{{.*}}]
// CHECK: %[[TX:.*]] = arith.cmpi sge, %[[MX]], %{{.*}}
// CHECK: %[[INSIDE:.*]] = arith.andi %[[TY]], %[[TX]]
// CHECK: scf.if %[[INSIDE]] {
// CHECK:   %[[FULL:.*]] = affine.for %{{.*}} = 0 to #{{.*}}()[%{{.*}}] step 16
// CHECK-NOT: arith.cmpi
// CHECK:     affine.for %{{.*}} = 0 to 16 iter_args
// CHECK:   affine.for %{{.*}} = max #{{.*}}()[%{{.*}}] to %{{.*}} step 16 iter_args(%{{.*}} = %[[FULL]])
// CHECK:     arith.cmpi slt
// CHECK:     gpu.barrier
// CHECK-NOT: scf.if
// CHECK:     affine.for %{{.*}} = 0 to min
// CHECK:   affine.store
// CHECK: } else {
// CHECK:   affine.for %{{.*}} = 0 to %{{.*}} step 16
// CHECK:     affine.for %{{.*}} = 0 to min
// CHECK:   scf.if
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

// Two items per thread: the farther one decides. Unsigned comparisons of what is
// never negative count too, and a guard from below.

// CHECK-LABEL: gpu.func @streaming
// CHECK-DAG: affine.apply #[[FAR:.*]]()[
// CHECK-DAG: affine.apply #[[BELOW:.*]]()[
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: memref.store
// CHECK: memref.store
// CHECK: else
// CHECK: scf.if
// CHECK: memref.store
gpu.module @kernels {
  gpu.func @streaming(%c: memref<?xf32>, %n: index)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [128, 1, 1],
          items_per_thread = [2, 1, 1], items_per_block = [256, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %i0 = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%b, %t)
    %i1 = affine.apply affine_map<(b, t) -> (b * 256 + 128 + t)>(%b, %t)
    %g0 = arith.cmpi slt, %i0, %n : index
    scf.if %g0 {
      memref.store %one, %c[%i0] : memref<?xf32>
    }
    %g1 = arith.cmpi slt, %i1, %n : index
    %h1 = arith.cmpi sge, %i1, %c1 : index
    %k1 = arith.andi %g1, %h1 : i1
    scf.if %k1 {
      memref.store %one, %c[%i1] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A loop over tiles without guards outside of it needs no test.

// CHECK-LABEL: gpu.func @tiles
// CHECK-NOT: scf.if
// CHECK: affine.for %{{.*}} = 0 to #{{.*}} step 32
// CHECK:   affine.for %{{.*}} = 0 to 32
// CHECK: affine.for %{{.*}} = max
// CHECK:   affine.for %{{.*}} = 0 to min
gpu.module @kernels {
  gpu.func @tiles(%c: memref<?xf32>, %n: index, %m: index)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [128, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [128, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    affine.for %i = 0 to %n step 32 {
      affine.for %j = 0 to min affine_map<(i)[n] -> (n - i, 32)>(%i)[%n] {
        affine.store %one, %c[%i + %j] : memref<?xf32>
      }
    }
    gpu.return
  }
}

// -----

// With a known extent that blocks fill exactly, a block is wholly inside or has
// nothing to do: there is no other version.

// CHECK-LABEL: gpu.func @known_extent
// CHECK: %[[INSIDE:.*]] = arith.cmpi sge
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NOT: scf.if
// CHECK:   affine.store
// CHECK-NOT: else
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @known_extent(%a: memref<64x128xf32>, %c: memref<64xf32>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1],
          items_per_block = [16, 1, 1], extents = [affine_map<()[s0, s1] -> (64)>, unit, unit]>} {
    %zero = arith.constant 0.0 : f32
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    %g = arith.cmpi slt, %x, %c64 : index
    scf.if %g {
      %sum = affine.for %i = 0 to 128 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%x, %i] : memref<64x128xf32>
        %n = arith.addf %s, %v : f32
        affine.yield %n : f32
      }
      affine.store %sum, %c[%x] : memref<64xf32>
    }
    gpu.return
  }
}

// -----

// The last block of an extent that they do not fill needs the other version.

// CHECK-LABEL: gpu.func @ragged_extent
// CHECK: scf.if
// CHECK:   affine.store
// CHECK: else
// CHECK:   scf.if
gpu.module @kernels {
  gpu.func @ragged_extent(%a: memref<60x128xf32>, %c: memref<60xf32>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1],
          items_per_block = [16, 1, 1], extents = [affine_map<()[s0, s1] -> (60)>, unit, unit]>} {
    %zero = arith.constant 0.0 : f32
    %c60 = arith.constant 60 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 16 + t)>(%b, %t)
    %g = arith.cmpi slt, %x, %c60 : index
    scf.if %g {
      %sum = affine.for %i = 0 to 128 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%x, %i] : memref<60x128xf32>
        %n = arith.addf %s, %v : f32
        affine.yield %n : f32
      }
      affine.store %sum, %c[%x] : memref<60xf32>
    }
    gpu.return
  }
}

// -----

// Threads that do nothing together each find out for themselves: of the last
// block only the last threads take their work items one by one.

// CHECK-LABEL: gpu.func @neighbours
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index)
// CHECK-DAG: %[[T:.*]] = gpu.thread_id x
// CHECK-DAG: %[[B:.*]] = gpu.block_id x
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]], %[[T]]]
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]], %[[T]]]
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]], %[[T]]]
// CHECK:     %[[INSIDE:.*]] = arith.cmpi sle, %[[LAST]], %[[N]]
// CHECK:     scf.if %[[INSIDE]] {
// CHECK-NOT:   scf.if
// CHECK:       affine.store
// CHECK:       affine.store
// CHECK:     } else {
// CHECK:       scf.if
// CHECK:       scf.if
gpu.module @kernels {
  gpu.func @neighbours(%c: memref<?xf32>, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [2, 1, 1],
          items_per_block = [64, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 64 + t * 2)>(%b, %t)
    %y = affine.apply affine_map<(b, t) -> (b * 64 + t * 2 + 1)>(%b, %t)
    %first = arith.cmpi slt, %x, %n : index
    scf.if %first {
      affine.store %one, %c[%x] : memref<?xf32>
    }
    %second = arith.cmpi slt, %y, %n : index
    scf.if %second {
      affine.store %one, %c[%y] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// With a barrier a block decides together.

// CHECK-LABEL: gpu.func @together
// CHECK-DAG: %[[B:.*]] = gpu.block_id x
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]]]
// CHECK:     arith.cmpi sle, %[[LAST]]
gpu.module @kernels {
  gpu.func @together(%c: memref<?xf32>, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [2, 1, 1],
          items_per_block = [64, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 64 + t * 2)>(%b, %t)
    %first = arith.cmpi slt, %x, %n : index
    scf.if %first {
      affine.store %one, %c[%x] : memref<?xf32>
    }
    gpu.barrier
    gpu.return
  }
}

// -----

// So it does where nobody knows what threads do together, and where a thread's work items are a block apart, so that accesses are never wide.

// CHECK-LABEL: gpu.func @vendors_barrier
// CHECK-DAG: %[[B:.*]] = gpu.block_id x
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]]]
// CHECK:     arith.cmpi sle, %[[LAST]]
// CHECK-LABEL: gpu.func @rows_apart
// CHECK-DAG: %[[B:.*]] = gpu.block_id x
// CHECK:     %[[LAST:.*]] = affine.apply #{{.*}}()[%[[B]]]
// CHECK:     arith.cmpi sle, %[[LAST]]
gpu.module @kernels {
  gpu.func @vendors_barrier(%c: memref<?xf32>, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [2, 1, 1],
          items_per_block = [64, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 64 + t * 2)>(%b, %t)
    %first = arith.cmpi slt, %x, %n : index
    scf.if %first {
      affine.store %one, %c[%x] : memref<?xf32>
    }
    nvvm.barrier0
    gpu.return
  }
  gpu.func @rows_apart(%c: memref<?xf32>, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [2, 1, 1],
          items_per_block = [64, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %y = affine.apply affine_map<(b, t) -> (b * 64 + t + 32)>(%b, %t)
    %first = arith.cmpi slt, %x, %n : index
    scf.if %first {
      affine.store %one, %c[%x] : memref<?xf32>
    }
    %second = arith.cmpi slt, %y, %n : index
    scf.if %second {
      affine.store %one, %c[%y] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// The number of work items may be a product.
// CHECK-LABEL: gpu.func @products
// CHECK-DAG: %[[SIZE:.*]] = arith.muli
// CHECK:     %[[IN:.*]] = arith.cmpi sle, %{{.*}}, %[[SIZE]] : index
// CHECK:     scf.if %[[IN]] {
// CHECK-NOT:   scf.if
// CHECK:     } else {
gpu.module @kernels {
  gpu.func @products(%c: memref<?xf32>, %w: i32, %h: i32) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [2, 1, 1],
          items_per_block = [64, 1, 1]>} {
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %width = arith.index_cast %w : i32 to index
    %height = arith.index_cast %h : i32 to index
    %size = arith.muli %width, %height : index
    %x = affine.apply affine_map<(b, t) -> (b * 64 + t * 2)>(%b, %t)
    %y = affine.apply affine_map<(b, t) -> (b * 64 + t * 2 + 1)>(%b, %t)
    %first = arith.cmpi slt, %x, %size : index
    scf.if %first {
      affine.store %one, %c[%x] : memref<?xf32>
    }
    %second = arith.cmpi slt, %y, %size : index
    scf.if %second {
      affine.store %one, %c[%y] : memref<?xf32>
    }
    gpu.return
  }
}
