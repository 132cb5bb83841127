// RUN: gpuopt-opt %s --gpuopt-assign-geometry="block=16,16" --gpuopt-coalesce-accesses="target=sm_90" --cse --split-input-file | FileCheck %s

// All threads get to the barriers, also those that the outer guard keeps from
// computing the inner one, where its sum may wrap around: nobody branches on it
// for them.
// CHECK-LABEL: gpu.func @nested
// CHECK: %[[GY:.*]] = arith.cmpi slt, %{{.*}} : index
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK: %[[GX:.*]] = arith.cmpi slt, %[[SUM]]
// CHECK: %[[GUARD:.*]] = arith.select %[[GY]], %[[GX]], %false : i1
// CHECK-NOT: arith.andi %[[GY]], %[[GX]]
// CHECK: affine.for
// CHECK: gpu.barrier
// CHECK: scf.if %[[GUARD]]
gpu.module @kernels {
  gpu.func @nested(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                   %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index,
                   %p: i32, %q: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gy = arith.cmpi slt, %idy, %m : index
    scf.if %gy {
      %x32 = arith.index_cast %idx : index to i32
      %x = arith.addi %x32, %p overflow<nsw> : i32
      %gx = arith.cmpi slt, %x, %q : i32
      scf.if %gx {
        %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
          %u = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
          %v = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
          %w = arith.mulf %u, %v : f32
          %t = arith.addf %s, %w : f32
          affine.yield %t : f32
        }
        affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
}

// -----

// A loop that all threads run now counts by a step that the guard had kept
// positive, to a bound that only the guard keeps from wrapping around.
// CHECK-LABEL: gpu.func @bounds
// CHECK: arith.muli %{{.*}}, %{{.*}} : index
// CHECK-NOT: overflow<nsw>
// CHECK: %[[STEP:.*]] = arith.maxsi %{{.*}}, %c1{{.*}} : index
// CHECK: scf.for {{.*}} step %[[STEP]]
gpu.module @kernels {
  gpu.func @bounds(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                   %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index,
                   %p: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %m : index
    %gp = arith.cmpi sgt, %p, %c0 : index
    %gxy = arith.andi %gx, %gy : i1
    %g = arith.andi %gxy, %gp : i1
    scf.if %g {
      %end = arith.muli %p, %p overflow<nsw> : index
      %all = scf.for %o = %c0 to %end step %p iter_args(%r = %zero) -> (f32) {
        %sum = affine.for %i = 0 to %k iter_args(%s = %r) -> (f32) {
          %u = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
          %v = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
          %w = arith.mulf %u, %v : f32
          %t = arith.addf %s, %w : f32
          affine.yield %t : f32
        }
        scf.yield %sum : f32
      }
      affine.store %all, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// A causal mask: of the threads along y that share a row of B, the first that the mask lets through is at y = x, and of
// those along x that share a row of A, the first of the launch: what the tiles hold is the same for all blocks along the
// other dimension, so that several of these can share them.
// CHECK-LABEL: gpu.func @causal
// CHECK: affine.for
// CHECK: affine.parallel (%[[I:.*]], %{{.*}}) = (0, 0) to (16, 16)
// CHECK:   %[[Y:.*]] = affine.apply #{{.*}}(%[[I]])[%block_id_y]
// CHECK-NOT: block_id_x
// CHECK:   affine.load %{{.*}}[%[[I]] + symbol(%block_id_y) * 16, %{{.*}}]
// CHECK: affine.parallel (%[[J:.*]], %{{.*}}) = (0, 0) to (16, 16)
// CHECK-NOT: block_id_y
// CHECK:   affine.load %{{.*}}[%[[J]] + symbol(%block_id_x) * 16, %{{.*}}]
// CHECK: gpu.barrier
gpu.module @kernels {
  gpu.func @causal(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                   %c: memref<?xf32> {llvm.noalias}, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gx = arith.cmpi slt, %idx, %n : index
    %gy = arith.cmpi slt, %idy, %n : index
    %mask = arith.cmpi sle, %idx, %idy : index
    %gxy = arith.andi %gx, %gy : i1
    %g = arith.andi %gxy, %mask : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %u = affine.load %A[symbol(%idy), %i] : memref<?x?xf32, strided<[?, 1]>>
        %v = affine.load %B[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

// -----

// Which blocks run the loop depends on more than the mask: the launch's first item may not load what would stand for
// all, and tiles keep the condition of the block's own.
// CHECK-LABEL: gpu.func @some_blocks
// CHECK: affine.parallel (%[[I:.*]], %{{.*}}) = (0, 0) to (16, 16)
// CHECK:   %[[X:.*]] = affine.apply #{{.*}}()[%block_id_x]
// CHECK:   arith.cmpi sle, %[[X]], %{{.*}} : index
// CHECK:   affine.load %{{.*}}[%[[I]] + symbol(%block_id_y) * 16, %{{.*}}]
// CHECK: gpu.barrier
gpu.module @kernels {
  gpu.func @some_blocks(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index, %k: index)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
          items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %idx = affine.apply affine_map<()[b, t] -> (b * 16 + t)>()[%bx, %tx]
    %idy = affine.apply affine_map<()[b, t] -> (b * 16 + t)>()[%by, %ty]
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %late = arith.cmpi sle, %bx, %k : index
    scf.if %late {
      %gy = arith.cmpi slt, %idy, %n : index
      %mask = arith.cmpi sle, %idx, %idy : index
      %g = arith.andi %gy, %mask : i1
      scf.if %g {
        %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
          %u = affine.load %A[symbol(%idy), %i] : memref<?x?xf32, strided<[?, 1]>>
          %t = arith.addf %s, %u : f32
          affine.yield %t : f32
        }
        affine.store %sum, %C[symbol(%idy), symbol(%idx)] : memref<?x?xf32, strided<[?, 1]>>
      }
    }
    gpu.return
  }
}

// -----

// What all threads of a block agree on stays around the loop: a block for which it does not hold loads no tiles, however
// long the loop is.
// CHECK-LABEL: gpu.func @uniform
// CHECK-DAG: %[[GY:.*]] = arith.cmpi slt, %{{.*}}, %arg3 : index
// CHECK-DAG: %[[SHORT:.*]] = arith.cmpi slt, %arg5, %{{.*}} : index
// CHECK: scf.if %[[SHORT]] {
// CHECK:   affine.for %{{.*}} to %arg5 step 16
// CHECK:     gpu.barrier
// CHECK:     scf.if %[[GY]]
// CHECK:   scf.if %[[GY]]
// CHECK:     affine.store
gpu.module @kernels {
  gpu.func @uniform(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias},
                    %c: memref<?xf32> {llvm.noalias}, %m: index, %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %c1000 = arith.constant 1000 : index
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %gy = arith.cmpi slt, %idy, %m : index
    %short = arith.cmpi slt, %k, %c1000 : index
    %g = arith.andi %short, %gy : i1
    scf.if %g {
      %sum = affine.for %i = 0 to %k iter_args(%s = %zero) -> (f32) {
        %u = affine.load %A[%idy, %i] : memref<?x?xf32, strided<[?, 1]>>
        %v = affine.load %B[%i, %idx] : memref<?x?xf32, strided<[?, 1]>>
        %w = arith.mulf %u, %v : f32
        %t = arith.addf %s, %w : f32
        affine.yield %t : f32
      }
      affine.store %sum, %C[%idy, %idx] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
