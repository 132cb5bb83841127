// RUN: gpuopt-opt %s --gpuopt-distribute-tiles="target=sm_90" --canonicalize --cse --split-input-file --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-distribute-tiles="target=sm_90 max-unrolled-rounds=1" --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=LOOP

// 16 x 16 threads fill 32 x 32 elements in four rounds: the loads of all rounds
// stand before the stores. It is not known that %a is aligned.

// CHECK-LABEL: gpu.func @rounds(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x32xf32
// CHECK-DAG: %[[X:.*]] = gpu.thread_id x
// CHECK-DAG: %[[Y:.*]] = gpu.thread_id y
// CHECK: %[[V0:.*]] = affine.load %arg0[symbol(%[[Y]]) floordiv 2, symbol(%[[Y]]) * 16 + symbol(%[[X]]) - (symbol(%[[Y]]) floordiv 2) * 32]
// CHECK: %[[V1:.*]] = affine.load %arg0[symbol(%[[Y]]) floordiv 2 + 8, symbol(%[[Y]]) * 16 + symbol(%[[X]]) - (symbol(%[[Y]]) floordiv 2) * 32]
// CHECK: %[[V2:.*]] = affine.load %arg0[symbol(%[[Y]]) floordiv 2 + 16, symbol(%[[Y]]) * 16 + symbol(%[[X]]) - (symbol(%[[Y]]) floordiv 2) * 32]
// CHECK: %[[V3:.*]] = affine.load %arg0[symbol(%[[Y]]) floordiv 2 + 24, symbol(%[[Y]]) * 16 + symbol(%[[X]]) - (symbol(%[[Y]]) floordiv 2) * 32]
// CHECK-NEXT: affine.store %[[V0]], %[[TILE]][symbol(%[[Y]]) floordiv 2, symbol(%[[Y]]) * 16 + symbol(%[[X]]) - (symbol(%[[Y]]) floordiv 2) * 32]
// CHECK-NEXT: affine.store %[[V1]], %[[TILE]][symbol(%[[Y]]) floordiv 2 + 8,
// CHECK-NEXT: affine.store %[[V2]], %[[TILE]][symbol(%[[Y]]) floordiv 2 + 16,
// CHECK-NEXT: affine.store %[[V3]], %[[TILE]][symbol(%[[Y]]) floordiv 2 + 24,
// CHECK-NEXT: gpu.barrier

// LOOP-LABEL: gpu.func @rounds(
// LOOP: affine.for %[[R:.*]] = 0 to 4 {
// LOOP-NEXT: affine.load %arg0[%[[R]] * 8 + symbol(%{{.*}}) floordiv 2,
// LOOP-NEXT: affine.store
// LOOP-NEXT: }
gpu.module @kernels {
  gpu.func @rounds(%a: memref<32x64xf32>)
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    affine.parallel (%r, %j) = (0, 0) to (32, 32) {
      %v = affine.load %a[%r, %j] : memref<32x64xf32>
      affine.store %v, %tile[%r, %j] : memref<32x32xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// The same where the first byte of %a is at a multiple of 16.

// CHECK-LABEL: gpu.func @vectors(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x32xf32
// CHECK-DAG: %[[ROW:.*]] = affine.apply
// CHECK-DAG: %[[COLUMN:.*]] = affine.apply
// CHECK: %[[V:.*]] = vector.load %{{.*}}[%[[ROW]], %[[COLUMN]]] {alignment = 16 : i64} : memref<32x64xf32>, vector<4xf32>
// CHECK: vector.store %[[V]], %[[TILE]][%[[ROW]], %[[COLUMN]]] {alignment = 16 : i64}
// CHECK: gpu.barrier
gpu.module @kernels {
  gpu.func @vectors(%a: memref<32x64xf32> {llvm.align = 16})
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    affine.parallel (%r, %j) = (0, 0) to (32, 32) {
      %v = affine.load %a[%r, %j] : memref<32x64xf32>
      affine.store %v, %tile[%r, %j] : memref<32x32xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// Rows of a multiple of four elements: the condition on the column holds for all
// four or for none.

// CHECK-LABEL: gpu.func @guarded_vectors(
// CHECK: affine.for %[[I:.*]] = 0
// CHECK:   %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK:   %[[IN:.*]] = arith.cmpi slt, %[[COLUMN]], %[[N:.*]] : index
// CHECK:   scf.if %[[IN]] {
// CHECK:     %[[V:.*]] = vector.load %{{.*}}[%{{.*}}, %[[COLUMN]]]
// CHECK:     vector.store %[[V]]
// CHECK:   }
// CHECK:   gpu.barrier
gpu.module @kernels {
  gpu.func @guarded_vectors(%a: memref<?xf32> {llvm.align = 16}, %n: index)
      workgroup(%tile: memref<64x16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %n4 = affine.apply affine_map<()[n] -> ((n floordiv 4) * 4)>()[%n]
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n4], strides: [%n4, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    affine.for %i = 0 to %n4 step 16 {
      affine.parallel (%r, %j) = (0, 0) to (64, 16) {
        %k = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %in = arith.cmpi slt, %k, %n4 : index
        scf.if %in {
          %v = affine.load %A[%r, %i + %j] : memref<?x?xf32, strided<[?, 1]>>
          affine.store %v, %tile[%r, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A transposed tile: elements are counted along rows of %a. A vector from there
// is stored element by element.

// CHECK-LABEL: gpu.func @transposed(
// CHECK: %[[V:.*]] = vector.load %{{.*}} : memref<64x64xf32>, vector<4xf32>
// CHECK-COUNT-4: affine.store %{{.*}}, %arg1[symbol(%thread_id_x) * 4 - {{.*}}, symbol(%thread_id_x) floordiv 16] : memref<64x16xf32
// CHECK: gpu.barrier
gpu.module @kernels {
  gpu.func @transposed(%a: memref<64x64xf32> {llvm.align = 16})
      workgroup(%tile: memref<64x16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [256, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [256, 1, 1]>} {
    affine.parallel (%j, %r) = (0, 0) to (64, 16) {
      %v = affine.load %a[%r, %j] : memref<64x64xf32>
      affine.store %v, %tile[%j, %r] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// Fewer elements than threads, and rounds that do not come out even.

// CHECK-LABEL: gpu.func @few(
// CHECK: %[[IN:.*]] = arith.cmpi slt, %thread_id_x, %c20
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: affine.load %arg0[symbol(%thread_id_x)]
// CHECK-NEXT: affine.store
// CHECK: }

// CHECK-LABEL: gpu.func @uneven(
// CHECK: affine.load %arg0[symbol(%thread_id_x)]
// CHECK: %[[NEXT:.*]] = affine.apply #{{.*}}()[%thread_id_x]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[NEXT]], %c100
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: affine.load %arg0[symbol(%thread_id_x) + 64]
gpu.module @kernels {
  gpu.func @few(%a: memref<?xf32>)
      workgroup(%tile: memref<20xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    affine.parallel (%j) = (0) to (20) {
      %v = affine.load %a[%j] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<20xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
  gpu.func @uneven(%a: memref<?xf32>)
      workgroup(%tile: memref<100xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    affine.parallel (%j) = (0) to (100) {
      %v = affine.load %a[%j] : memref<?xf32>
      affine.store %v, %tile[%j] : memref<100xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// What computes is made per thread too, and the other branch of a condition.

// CHECK-LABEL: gpu.func @computes(
// CHECK: scf.if
// CHECK:   %[[V:.*]] = affine.load %arg0[symbol(%thread_id_x)]
// CHECK:   %[[W:.*]] = arith.addf %[[V]], %[[V]]
// CHECK:   affine.store %[[W]], %arg2[symbol(%thread_id_x)]
// CHECK: } else {
// CHECK:   affine.store %cst, %arg2[symbol(%thread_id_x)]
// CHECK: }
gpu.module @kernels {
  gpu.func @computes(%a: memref<?xf32>, %n: index)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    affine.parallel (%j) = (0) to (64) {
      %in = arith.cmpi slt, %j, %n : index
      scf.if %in {
        %v = affine.load %a[%j] : memref<?xf32>
        %w = arith.addf %v, %v : f32
        affine.store %w, %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      } else {
        affine.store %zero, %tile[%j] : memref<64xf32, #gpu.address_space<workgroup>>
      }
    } {gpuopt.collective}
    gpu.barrier
    gpu.return
  }
}

// -----

// Code with guards that has a version without them, in a loop over tiles: the
// rounds stay a loop, for good. The version without guards is straight code.
// Where an element does not exist, the branch has a zero for it.

// CHECK-LABEL: gpu.func @guarded_version(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x16xf32
// CHECK: affine.for %[[I:.*]] = 0 to
// CHECK: scf.if %{{.*}} {
// CHECK-COUNT-2: affine.load
// CHECK-COUNT-2: affine.store
// CHECK: } else {
// CHECK: affine.for %[[ROUND:.*]] = 0 to 2 {
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt
// CHECK-NEXT: %[[V:.*]] = scf.if %[[EXISTS]] -> (f32) {
// CHECK-NEXT: %[[LOADED:.*]] = affine.load %{{.*}}[%[[ROUND]] * 16 + symbol(%thread_id_y), %[[I]] + symbol(%thread_id_x)]
// CHECK-NEXT: scf.yield %[[LOADED]] : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %cst : f32
// CHECK-NEXT: }
// CHECK-NEXT: affine.store %[[V]], %[[TILE]][%[[ROUND]] * 16 + symbol(%thread_id_y), symbol(%thread_id_x)]
// CHECK-NEXT: } {gpuopt.rolled}
// CHECK-NEXT: } {gpuopt.unguarded}

// Outside of loops there is nothing to save.

// CHECK: scf.if
// CHECK: } else {
// CHECK-NOT: affine.for
// CHECK: } {gpuopt.unguarded}
gpu.module @kernels {
  gpu.func @guarded_version(%a: memref<?x?xf32>, %k: index, %inside: i1)
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 16, 1]>} {
    %zero = arith.constant 0.0 : f32
    affine.for %i = 0 to %k step 16 {
      scf.if %inside {
        affine.parallel (%r, %j) = (0, 0) to (32, 16) {
          %v = affine.load %a[%r, %i + %j] : memref<?x?xf32>
          affine.store %v, %tile[%r, %j] : memref<32x16xf32, #gpu.address_space<workgroup>>
        } {gpuopt.collective}
      } else {
        affine.parallel (%r, %j) = (0, 0) to (32, 16) {
          %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
          %exists = arith.cmpi slt, %column, %k : index
          %w = scf.if %exists -> (f32) {
            %v = affine.load %a[%r, %i + %j] : memref<?x?xf32>
            scf.yield %v : f32
          } else {
            scf.yield %zero : f32
          }
          affine.store %w, %tile[%r, %j] : memref<32x16xf32, #gpu.address_space<workgroup>>
        } {gpuopt.collective}
      } {gpuopt.unguarded}
      gpu.barrier
      gpu.barrier
    }
    scf.if %inside {
      affine.parallel (%r, %j) = (0, 0) to (32, 16) {
        affine.store %zero, %a[%r, %j] : memref<?x?xf32>
      } {gpuopt.collective}
    } else {
      affine.parallel (%r, %j) = (0, 0) to (32, 16) {
        %exists = arith.cmpi slt, %j, %k : index
        scf.if %exists {
          affine.store %zero, %a[%r, %j] : memref<?x?xf32>
        }
      } {gpuopt.collective}
    } {gpuopt.unguarded}
    gpu.return
  }
}

// -----

// A quotient that is defined for the elements of the tile only: so are the
// threads that compute it.

// CHECK-LABEL: gpu.func @quotient(
// CHECK: %[[FILLS:.*]] = arith.cmpi
// CHECK: scf.if %[[FILLS]] {
// CHECK: %[[QUOTIENT:.*]] = arith.divui
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[QUOTIENT]]
// CHECK: scf.if %[[EXISTS]] {
// CHECK-NEXT: affine.load
// CHECK-NEXT: affine.store
gpu.module @kernels {
  gpu.func @quotient(%a: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [32, 1, 1]>} {
    affine.for %i = 1 to 100 step 16 {
      affine.parallel (%j) = (0) to (16) {
        %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
        %quotient = arith.divui %n, %column : index
        %exists = arith.cmpi ult, %quotient, %n : index
        scf.if %exists {
          %v = affine.load %a[%i + %j] : memref<?xf32>
          affine.store %v, %tile[%j] : memref<16xf32, #gpu.address_space<workgroup>>
        }
      } {gpuopt.collective}
      gpu.barrier
      gpu.barrier
    }
    gpu.return
  }
}
