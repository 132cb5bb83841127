// RUN: gpuopt-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(gpuopt-infer-launch-block)))" --split-input-file | FileCheck %s

// The block's size is a constant of the code.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: gpuopt.launch_block = array<i32: 64, 1, 1>
gpu.module @kernels {
  gpu.func @rows(%a: memref<?xf32>) kernel {
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %start = arith.muli %block, %c64 : index
    %i = arith.addi %start, %thread : index
    memref.store %one, %a[%i] : memref<?xf32>
    gpu.return
  }

  // In 32 bits, which may wrap for all that is known; along y by the row of another array.
  // CHECK-LABEL: gpu.func @shifted(
  // CHECK-SAME: gpuopt.launch_block = array<i32: 32, 8, 1>
  gpu.func @shifted(%a: memref<?xf32>, %n: index) kernel {
    %c5 = arith.constant 5 : i32
    %one = arith.constant 1.0 : f32
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %block_y = gpu.block_id y
    %thread_y = gpu.thread_id y
    %b = arith.index_cast %block_x : index to i32
    %t = arith.index_cast %thread_x : index to i32
    %start = arith.shli %b, %c5 : i32
    %x = arith.addi %start, %t : i32
    %column = arith.index_cast %x : i32 to index
    %row = affine.apply affine_map<()[s0, s1] -> (s0 * 8 + s1)>()[%block_y, %thread_y]
    %rows = arith.muli %row, %n : index
    %i = arith.addi %rows, %column : index
    memref.store %one, %a[%i] : memref<?xf32>
    gpu.return
  }

  // Of a tile that is written transposed, the block's id along x goes with the thread's along y.
  // CHECK-LABEL: gpu.func @transposed(
  // CHECK-SAME: gpuopt.launch_block = array<i32: 16, 16, 1>
  gpu.func @transposed(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) kernel {
    %block_x = gpu.block_id x
    %thread_x = gpu.thread_id x
    %block_y = gpu.block_id y
    %thread_y = gpu.thread_id y
    %row = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%block_y, %thread_y]
    %column = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%block_x, %thread_x]
    %rows = arith.muli %row, %n : index
    %from = arith.addi %rows, %column : index
    %x = memref.load %a[%from] : memref<?xf32>
    %row_out = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%block_x, %thread_y]
    %column_out = affine.apply affine_map<()[s0, s1] -> (s0 * 16 + s1)>()[%block_y, %thread_x]
    %rows_out = arith.muli %row_out, %n : index
    %to = arith.addi %rows_out, %column_out : index
    memref.store %x, %b[%to] : memref<?xf32>
    gpu.return
  }

  // Threads that have four elements each.
  // CHECK-LABEL: gpu.func @four(
  // CHECK-SAME: gpuopt.launch_block = array<i32: 128, 1, 1>
  gpu.func @four(%a: memref<?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    affine.store %one, %a[symbol(%block) * 512 + symbol(%thread) * 4 + 3] : memref<?xf32>
    gpu.return
  }
}

// -----

// What is known already stays, and nothing is said of the rest.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @known(
  // CHECK-SAME: gpuopt.launch_block = array<i32: 16, 1, 1>
  gpu.func @known(%a: memref<?xf32>) kernel attributes {gpuopt.launch_block = array<i32: 16, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    affine.store %one, %a[symbol(%block) * 64 + symbol(%thread)] : memref<?xf32>
    gpu.return
  }

  // Two sizes.
  // CHECK-LABEL: gpu.func @two(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @two(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    affine.store %one, %a[symbol(%block) * 64 + symbol(%thread)] : memref<?xf32>
    affine.store %one, %b[symbol(%block) * 32 + symbol(%thread)] : memref<?xf32>
    gpu.return
  }

  // Blocks that overlap by what a parameter says.
  // CHECK-LABEL: gpu.func @overlapping(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @overlapping(%a: memref<?xf32>, %inner: index) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    affine.store %one, %a[symbol(%thread) + 64 * symbol(%block)] : memref<?xf32>
    %start = arith.muli %block, %inner : index
    %i = arith.addi %start, %thread : index
    memref.store %one, %a[%i] : memref<?xf32>
    gpu.return
  }

  // A block reads its size.
  // CHECK-LABEL: gpu.func @sized(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @sized(%a: memref<?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %size = gpu.block_dim x
    affine.store %one, %a[symbol(%block) * 64 + symbol(%thread) + symbol(%size)] : memref<?xf32>
    gpu.return
  }

  // 256 threads add up 512 elements.
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @halves(%a: memref<?xf32>) kernel {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %x = affine.load %a[symbol(%block) * 512 + symbol(%thread)] : memref<?xf32>
    %y = affine.load %a[symbol(%block) * 512 + symbol(%thread) + 256] : memref<?xf32>
    %sum = arith.addf %x, %y : f32
    affine.store %sum, %a[symbol(%block)] : memref<?xf32>
    gpu.return
  }

  // 128 threads go through 1024 elements in a loop.
  // CHECK-LABEL: gpu.func @looping(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @looping(%a: memref<?xf32>) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    affine.for %i = 0 to 8 {
      affine.store %one, %a[symbol(%block) * 1024 + symbol(%thread) + %i * 128] : memref<?xf32>
    }
    gpu.return
  }

  // So many threads would leave the tile.
  // CHECK-LABEL: gpu.func @tile(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @tile(%a: memref<?xf32>) workgroup(%t: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %x = affine.load %a[symbol(%block) * 256 + symbol(%thread)] : memref<?xf32>
    affine.store %x, %t[symbol(%thread)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Nothing says how large the block is along y.
  // CHECK-LABEL: gpu.func @half_known(
  // CHECK-NOT: gpuopt.launch_block
  gpu.func @half_known(%a: memref<?xf32>, %n: index) kernel {
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %y = gpu.thread_id y
    affine.store %one, %a[symbol(%block) * 64 + symbol(%thread) + symbol(%y) * 4096] : memref<?xf32>
    gpu.return
  }
}
