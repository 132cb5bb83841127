// RUN: gpuopt-opt %s --gpuopt-prefetch-tiles=target=sm_80 --split-input-file --verify-diagnostics --remarks-filter=gpuopt --remark-format=emitRemark
// RUN: not gpuopt-opt %s --gpuopt-prefetch-tiles="target=sm_80 stages=5" --split-input-file 2>&1 | FileCheck %s
// CHECK: error: expected 'stages' from 0 to 4, got 5

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // The stores to %c may change what the next iteration loads.
  gpu.func @aliased(%a: memref<?xf32>, %c: memref<?xf32>, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    affine.for %i = 0 to %n step 16 {
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
      // expected-remark @below {{this may write what the loop loads for the next iteration}}
      affine.store %x, %c[%i + symbol(%t)] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // Only threads of the first half would come to a barrier behind the loop.
  gpu.func @divergent(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %g = arith.cmpi slt, %t, %c8 : index
    scf.if %g {
      // expected-remark @below {{not all threads of a block come to the loop and run it equally often}}
      %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
        affine.store %v, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
        %y = arith.addf %s, %x : f32
        gpu.barrier
        affine.yield %y : f32
      }
      affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // The loaded value is used as a register, too.
  gpu.func @reused(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (f32) {
      // expected-remark @below {{a register holds the loaded value for the computation}}
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
      %p = arith.mulf %v, %x : f32
      %y = arith.addf %s, %p : f32
      gpu.barrier
      affine.yield %y : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // In the last iteration threads read what an earlier one has stored: the tile
  // stays single, its next contents wait in registers.
  gpu.func @guarded(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{carried in registers over the computation}}
    %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (f32) {
      %j = affine.apply affine_map<(i)[t] -> (i + t)>(%i)[%t]
      %g = arith.cmpi slt, %j, %n : index
      scf.if %g {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
        // expected-remark @below {{iterations fill different parts of the tile, as a guard says}}
        affine.store %v, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
      %y = arith.addf %s, %x : f32
      gpu.barrier
      affine.yield %y : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // What the tile holds before the loop, a thread may read in it.
  gpu.func @before(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    // expected-remark @below {{the tile is used before the loop, too}}
    affine.store %zero, %tile[symbol(%t) + 16] : memref<32xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{carried in registers over the computation}}
    %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (f32) {
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 31] : memref<32xf32, #gpu.address_space<workgroup>>
      %y = arith.addf %s, %x : f32
      gpu.barrier
      affine.yield %y : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // Copies of two bytes have to go through registers.
  gpu.func @half(%a: memref<?xf16> {llvm.noalias}, %c: memref<?xf16> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<16xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f16
    // expected-remark @below {{loaded ahead, by way of registers}}
    %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (f16) {
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf16>
      // expected-remark @below {{2 bytes cannot be copied asynchronously: 4, 8 or 16 can}}
      affine.store %v, %tile[symbol(%t)] : memref<16xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf16, #gpu.address_space<workgroup>>
      %y = arith.addf %s, %x : f16
      // expected-remark @below {{no barrier between the loads of workgroup array 0}}
      gpu.barrier
      affine.yield %y : f16
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf16>
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [1024, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [1024, 1, 1]>
gpu.module @kernels {
  // A block of 1024 threads has 64 registers for each.
  gpu.func @registers(%a: memref<?xf16> {llvm.noalias}, %c: memref<?xf16> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<65536xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f16
    // expected-remark @below {{registers and 64 more for what is loaded ahead are too many for a block}}
    %sum = affine.for %i = 0 to %n step 65536 iter_args(%s = %zero) -> (f16) {
      affine.for %r = 0 to 16 {
        %v = affine.vector_load %a[%i + %r * 4096 + symbol(%t) * 4] : memref<?xf16>, vector<8xf16>
        // expected-remark @below {{a copy of 16 bytes is not known to be aligned}}
        affine.vector_store %v, %tile[symbol(%t) * 4 + %r * 4096] : memref<65536xf16, #gpu.address_space<workgroup>>, vector<8xf16>
      }
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 65535] : memref<65536xf16, #gpu.address_space<workgroup>>
      %y = arith.addf %s, %x : f16
      gpu.barrier
      affine.yield %y : f16
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // The fill without guards cannot be copied asynchronously, a copy is 4 bytes at
  // least, and registers have no room for the data of both versions.
  gpu.func @narrow(%a: memref<?xf16> {llvm.noalias}, %c: memref<?xf16> {llvm.noalias}, %k: index, %inside: i1)
      workgroup(%tile: memref<32xf16, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f16
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    // expected-remark @below {{what is loaded differs from block to block, and cannot be copied asynchronously}}
    %sum = affine.for %i = 0 to %k step 32 iter_args(%s = %zero) -> (f16) {
      %left = affine.apply affine_map<(i)[k] -> (k - i - 32)>(%i)[%k]
      %full = arith.cmpi sge, %left, %c0 : index
      %now = arith.andi %inside, %full : i1
      scf.if %now {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf16>
        %w = affine.load %a[%i + symbol(%t) + 16] : memref<?xf16>
        // expected-remark @below {{2 bytes cannot be copied asynchronously: 4, 8 or 16 can}}
        affine.store %v, %tile[symbol(%t)] : memref<32xf16, #gpu.address_space<workgroup>>
        affine.store %w, %tile[symbol(%t) + 16] : memref<32xf16, #gpu.address_space<workgroup>>
      } else {
        affine.for %round = 0 to 2 {
          %column = affine.apply affine_map<(i, r)[t] -> (i + r * 16 + t)>(%i, %round)[%t]
          %exists = arith.cmpi slt, %column, %k : index
          %v = scf.if %exists -> (f16) {
            %w = affine.load %a[%i + %round * 16 + symbol(%t)] : memref<?xf16>
            scf.yield %w : f16
          } else {
            scf.yield %zero : f16
          }
          affine.store %v, %tile[%round * 16 + symbol(%t)] : memref<32xf16, #gpu.address_space<workgroup>>
        } {gpuopt.rolled}
      } {gpuopt.unguarded}
      gpu.barrier
      %next = affine.for %j = 0 to 32 iter_args(%u = %s) -> (f16) {
        %x = affine.load %tile[%j] : memref<32xf16, #gpu.address_space<workgroup>>
        %y = arith.addf %u, %x : f16
        affine.yield %y : f16
      }
      gpu.barrier
      affine.yield %next : f16
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // The version with guards leaves in the tile what an earlier iteration stored.
  gpu.func @kept(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %k: index, %inside: i1)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    // expected-remark @below {{what is loaded differs from block to block, and cannot be copied asynchronously}}
    %sum = affine.for %i = 0 to %k step 32 iter_args(%s = %zero) -> (f32) {
      %left = affine.apply affine_map<(i)[k] -> (k - i - 32)>(%i)[%k]
      %full = arith.cmpi sge, %left, %c0 : index
      %now = arith.andi %inside, %full : i1
      scf.if %now {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
        %w = affine.load %a[%i + symbol(%t) + 16] : memref<?xf32>
        affine.store %v, %tile[symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
        affine.store %w, %tile[symbol(%t) + 16] : memref<32xf32, #gpu.address_space<workgroup>>
      } else {
        affine.for %round = 0 to 2 {
          %column = affine.apply affine_map<(i, r)[t] -> (i + r * 16 + t)>(%i, %round)[%t]
          %exists = arith.cmpi slt, %column, %k : index
          scf.if %exists {
            %w = affine.load %a[%i + %round * 16 + symbol(%t)] : memref<?xf32>
            // expected-remark @below {{iterations fill different parts of the tile, as a guard says}}
            affine.store %w, %tile[%round * 16 + symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
          }
        } {gpuopt.rolled}
      } {gpuopt.unguarded}
      gpu.barrier
      %next = affine.for %j = 0 to 32 iter_args(%u = %s) -> (f32) {
        %x = affine.load %tile[%j] : memref<32xf32, #gpu.address_space<workgroup>>
        %y = arith.addf %u, %x : f32
        affine.yield %y : f32
      }
      gpu.barrier
      affine.yield %next : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // Two sides of which none is known to be right wherever the other one is.
  gpu.func @unmarked(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %k: index, %inside: i1)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %sum = affine.for %i = 0 to %k step 32 iter_args(%s = %zero) -> (f32) {
      %left = affine.apply affine_map<(i)[k] -> (k - i - 32)>(%i)[%k]
      %full = arith.cmpi sge, %left, %c0 : index
      %now = arith.andi %inside, %full : i1
      // expected-remark @below {{a branch with two sides fills the tiles}}
      scf.if %now {
        %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
        %w = affine.load %a[%i + symbol(%t) + 16] : memref<?xf32>
        affine.store %v, %tile[symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
        affine.store %w, %tile[symbol(%t) + 16] : memref<32xf32, #gpu.address_space<workgroup>>
      } else {
        affine.for %round = 0 to 2 {
          %column = affine.apply affine_map<(i, r)[t] -> (i + r * 16 + t)>(%i, %round)[%t]
          %exists = arith.cmpi slt, %column, %k : index
          %v = scf.if %exists -> (f32) {
            %w = affine.load %a[%i + %round * 16 + symbol(%t)] : memref<?xf32>
            scf.yield %w : f32
          } else {
            scf.yield %zero : f32
          }
          affine.store %v, %tile[%round * 16 + symbol(%t)] : memref<32xf32, #gpu.address_space<workgroup>>
        } {gpuopt.rolled}
      }
      gpu.barrier
      %next = affine.for %j = 0 to 32 iter_args(%u = %s) -> (f32) {
        %x = affine.load %tile[%j] : memref<32xf32, #gpu.address_space<workgroup>>
        %y = arith.addf %u, %x : f32
        affine.yield %y : f32
      }
      gpu.barrier
      affine.yield %next : f32
    }
    affine.store %sum, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // The next iteration of a loop that begins just below 2^63 is at a negative index.
  gpu.func @near_the_end(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %lo: index, %n: index)
      workgroup(%tile: memref<16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    // expected-remark @below {{a longer step might wrap at the end of 64 bits}}
    affine.for %i = %lo to %n step 16 {
      %v = affine.load %a[%i - symbol(%lo) + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = affine.load %tile[-symbol(%t) + 15] : memref<16xf32, #gpu.address_space<workgroup>>
      affine.store %x, %c[symbol(%t)] : memref<?xf32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#geometry = #gpuopt.geometry<block = [16, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 1, 1]>
gpu.module @kernels {
  // A second stage would begin at byte 68, where 16 bytes at once are not
  // aligned: the next tile waits in registers.
  gpu.func @odd_tile(%a: memref<?xf32> {llvm.noalias}, %c: memref<?xf32> {llvm.noalias}, %n: index)
      workgroup(%tile: memref<17xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %zero = arith.constant dense<0.0> : vector<4xf32>
    // expected-remark @below {{carried in registers over the computation}}
    %sum = affine.for %i = 0 to %n step 16 iter_args(%s = %zero) -> (vector<4xf32>) {
      %v = affine.load %a[%i + symbol(%t)] : memref<?xf32>
      affine.store %v, %tile[symbol(%t)] : memref<17xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      // expected-remark @below {{in a stage behind one of 68 bytes it would not be aligned}}
      %x = affine.vector_load %tile[8] : memref<17xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %next = arith.addf %s, %x : vector<4xf32>
      gpu.barrier
      affine.yield %next : vector<4xf32>
    }
    affine.vector_store %sum, %c[symbol(%t) * 4] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
