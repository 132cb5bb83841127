// Guards of kernels that keep the source's block, which has a known size.
// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" | FileCheck %s

// CHECK-DAG: #[[$N:.*]] = affine_map<()[s0, s1] -> (s1)>
// CHECK-DAG: #[[$BLOCKS:.*]] = affine_map<()[s0, s1] -> (s1 * 64)>
// CHECK-DAG: #[[$ABOVE:.*]] = affine_map<()[s0, s1] -> ((s1 ceildiv 32) * 64)>
#space = #gpu.address_space<workgroup>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @items(
  // CHECK-SAME: original_block = [64, 1, 1], block = [64, 1, 1]
  // CHECK-SAME: extents = [#[[$N]], unit, unit]
  gpu.func @items(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @blocks(
  // CHECK-SAME: extents = [#[[$BLOCKS]], unit, unit]
  gpu.func @blocks(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %inside = arith.cmpi slt, %b, %end : index
    scf.if %inside {
      %t = gpu.thread_id x
      memref.store %zero, %a[%t] : memref<?xf32>
    }
    gpu.return
  }

  // A step that is not the block's bounds the blocks.
  // CHECK-LABEL: gpu.func @overlapping(
  // CHECK-SAME: extents = [#[[$ABOVE]], unit, unit]
  gpu.func @overlapping(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // Barriers and a tile that every block makes alike need no guard.
  // CHECK-LABEL: gpu.func @tile(
  // CHECK-SAME: extents = [#[[$N]], unit, unit]
  gpu.func @tile(%a: memref<?xf32>, %n: i32) workgroup(%s: memref<64xf32, #space>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    memref.store %zero, %s[%t] : memref<64xf32, #space>
    gpu.barrier
    %v = affine.load %s[63 - symbol(%t)] : memref<64xf32, #space>
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // In another block the subscript might be none of the array's.
  // CHECK-LABEL: gpu.func @subscript(
  // CHECK-SAME: extents = [unit, unit, unit]
  gpu.func @subscript(%a: memref<?xf32>, %n: i32) workgroup(%s: memref<64xf32, #space>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    memref.store %zero, %s[%b] : memref<64xf32, #space>
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // As is one that another block never fills in.
  // CHECK-LABEL: gpu.func @contents(
  // CHECK-SAME: extents = [unit, unit, unit]
  gpu.func @contents(%a: memref<?xf32>, %n: i32) workgroup(%s: memref<64xindex, #space>, %u: memref<64xf32, #space>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %isFilled = arith.cmpi slt, %b, %end : index
    scf.if %isFilled {
      memref.store %t, %s[%t] : memref<64xindex, #space>
    }
    gpu.barrier
    %where = memref.load %s[%t] : memref<64xindex, #space>
    memref.store %zero, %u[%where] : memref<64xf32, #space>
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %zero, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // Blocks that are left out, or that are there besides, would change what the
  // kernel reads.
  // CHECK-LABEL: gpu.func @counted(
  // CHECK-SAME: extents = [unit, unit, unit]
  gpu.func @counted(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %g = gpu.grid_dim x
    %number = arith.index_cast %g : index to i32
    %value = arith.sitofp %number : i32 to f32
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %value, %a[%i] : memref<?xf32>
    }
    gpu.return
  }

  // The divisor is another one in other blocks, and may be zero there.
  // CHECK-LABEL: gpu.func @divided(
  // CHECK-SAME: extents = [unit, unit, unit]
  gpu.func @divided(%a: memref<?xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %end = arith.index_cast %n : i32 to index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %left = arith.subi %end, %b : index
    %part = arith.divsi %t, %left : index
    %i = affine.apply affine_map<(b, t) -> (b * 64 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      memref.store %zero, %a[%part] : memref<?xf32>
    }
    gpu.return
  }
}
