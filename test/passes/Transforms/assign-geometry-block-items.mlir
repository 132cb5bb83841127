// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --split-input-file --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --split-input-file -o /dev/null \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90 block=16,16,2" --split-input-file -o /dev/null \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=PAIRS

// A block id that stands alone is the work item's id if the original blocks have
// one thread along it. The original kernel keeps the block's id for the others.

// REMARK: launched in blocks of 32x8x1; a launch of blocks with more than one thread along z takes the original kernel
// PAIRS: launched in blocks of 16x16x2; a launch of blocks with more than one thread along z takes the original kernel

// CHECK: #[[$Z:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: gpu.func @batch(
// CHECK-SAME: original_block = [0, 0, 1], block = [32, 8, 1]
// CHECK-SAME: extents = [unit, unit, unit]>
// CHECK: %[[BLOCK:.*]] = gpu.block_id z
// CHECK: %[[THREAD:.*]] = gpu.thread_id z
// CHECK: %[[ITEM:.*]] = affine.apply #[[$Z]](%[[BLOCK]], %[[THREAD]])
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ITEM]], %{{.*}}, %{{.*}}]
// CHECK-LABEL: gpu.func @batch__original(
// CHECK-NOT: original_block
// CHECK-NOT: gpu.global_id z
// CHECK: %[[BLOCK:.*]] = gpu.block_id z
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[BLOCK]], %{{.*}}, %{{.*}}]
gpu.module @kernels {
  gpu.func @batch(%c: memref<?x?x?xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.global_id y
    %z = gpu.block_id z
    memref.store %v, %c[%z, %y, %x] : memref<?x?x?xf32>
    gpu.return
  }
}

// -----

// Rows by blocks. Without a guard any number of them may come: a block of ours
// has one row too. With one they are rounded up like work items of threads.

// REMARK: launched in blocks of 32x1x1; a launch of blocks with more than one thread along y takes
// REMARK: launched in blocks of 32x8x1; a launch of blocks with more than one thread along y takes

// CHECK: #[[$M:.*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: original_block = [0, 1, 0], block = [32, 1, 1]
// CHECK-LABEL: gpu.func @guarded_rows(
// CHECK-SAME: original_block = [0, 1, 0], block = [32, 8, 1]
// CHECK-SAME: extents = [unit, #[[$M]], unit]>
gpu.module @kernels {
  gpu.func @rows(%c: memref<?x?xf32>) kernel {
    %v = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.block_id y
    memref.store %v, %c[%y, %x] : memref<?x?xf32>
    gpu.return
  }
  gpu.func @guarded_rows(%c: memref<?x?xf32>, %m: index) kernel {
    %v = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %y = gpu.block_id y
    %g = arith.cmpi slt, %y, %m : index
    scf.if %g {
      memref.store %v, %c[%y, %x] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// One work item for each block.

// REMARK: launched in blocks of 32x1x1; a launch of blocks with more than one thread along x takes

// CHECK-LABEL: gpu.func @single(
// CHECK-SAME: original_block = [1, 0, 0], block = [32, 1, 1]
gpu.module @kernels {
  gpu.func @single(%c: memref<?xf32>, %n: index) kernel {
    %v = arith.constant 0.0 : f32
    %x = gpu.block_id x
    %g = arith.cmpi slt, %x, %n : index
    scf.if %g {
      memref.store %v, %c[%x] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// The number of blocks stays what it is: one for each work item, guard or not.

// REMARK: launched in blocks of 32x1x1; a launch of blocks with more than one thread along y takes
// PAIRS: number_of_blocks keeps its launch: it uses 'gpu.grid_dim', which may depend on the block shape

// CHECK-LABEL: gpu.func @number_of_blocks(
// CHECK-SAME: original_block = [0, 1, 0], block = [32, 1, 1]
// CHECK: gpu.grid_dim y
gpu.module @kernels {
  gpu.func @number_of_blocks(%c: memref<?x?xindex>, %m: index) kernel {
    %x = gpu.global_id x
    %y = gpu.block_id y
    %n = gpu.grid_dim y
    %g = arith.cmpi slt, %y, %m : index
    scf.if %g {
      memref.store %n, %c[%y, %x] : memref<?x?xindex>
    }
    gpu.return
  }
}

// -----

// Vectors numbered along z: one row of threads.

// CHECK-LABEL: gpu.func @vectors(
// CHECK-SAME: original_block = [0, 0, 1], block = [32, 1, 1]
gpu.module @kernels {
  gpu.func @vectors(%c: memref<?x?xf32>, %m: index) kernel {
    %v = arith.constant 0.0 : f32
    %x = gpu.global_id x
    %z = gpu.block_id z
    %g = arith.cmpi slt, %z, %m : index
    scf.if %g {
      memref.store %v, %c[%z, %x] : memref<?x?xf32>
    }
    gpu.return
  }
}
