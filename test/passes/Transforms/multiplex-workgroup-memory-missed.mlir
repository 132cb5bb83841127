// RUN: gpuopt-opt %s --gpuopt-multiplex-workgroup-memory="factor=2 target=nvidia-gtx285" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Kernels that stay as they are, and the places in which memory is dead: their
// number is in the remark.

// CHECK-NOT: items_per_block = [40

#geometry = #gpuopt.geometry<original_block = [64, 1, 1], block = [64, 1, 1], items_per_thread = [1, 1, 1],
                             items_per_block = [64, 1, 1]>
#two = #gpuopt.geometry<original_block = [8, 8, 1], block = [8, 8, 1], items_per_thread = [1, 1, 1],
                        items_per_block = [8, 8, 1]>
#part = #gpuopt.geometry<original_block = [20, 1, 1], block = [20, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [20, 1, 1]>
#large = #gpuopt.geometry<original_block = [512, 1, 1], block = [512, 1, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [512, 1, 1]>
gpu.module @kernels {
  // Nothing is said of a kernel without workgroup memory.
  gpu.func @none(%c: memref<?xf32>) kernel attributes {gpuopt.geometry = #geometry} {
    gpu.return
  }

  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }

  // expected-remark@below {{its blocks are no whole subgroups}}
  gpu.func @part() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #part} {
    %b = gpu.block_id x
    gpu.return
  }

  // Along x the threads of two blocks would be mixed.
  // expected-remark@below {{it does not read the block's id along the last dimension of its block}}
  gpu.func @mixed() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #two} {
    %b = gpu.block_id x
    gpu.return
  }

  // expected-remark@below {{needs 1024 threads, a block has at most 512}}
  gpu.func @large() workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #large} {
    %b = gpu.block_id x
    gpu.return
  }

  gpu.func @staged(%a: memref<?xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    // expected-remark@below {{its workgroup memory has tiles that loads were staged in}}
    affine.parallel (%i) = (0) to (64) {
      %x = affine.load %a[symbol(%b) + %i] : memref<?xf32>
      affine.store %x, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    } {gpuopt.collective}
    gpu.return
  }

  // How often the barrier is reached may differ between the blocks.
  gpu.func @varying(%a: memref<?xindex>) workgroup(%s: memref<64xindex, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %b step %c1 {
      memref.store %i, %s[%t] : memref<64xindex, #gpu.address_space<workgroup>>
      // expected-remark@below {{the merged blocks may not reach a barrier equally often}}
      gpu.barrier
    }
    gpu.return
  }

  // It is the same for all blocks, but read from the memory that they share, in
  // the same region: a block that has no turn does not know it.
  gpu.func @data(%a: memref<?xindex> {llvm.noalias}, %o: memref<?xindex> {llvm.noalias}) workgroup(%s: memref<64xindex, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = affine.load %a[symbol(%t)] : memref<?xindex>
    memref.store %x, %s[%t] : memref<64xindex, #gpu.address_space<workgroup>>
    gpu.barrier
    %n = memref.load %s[%c0] : memref<64xindex, #gpu.address_space<workgroup>>
    // expected-remark@below {{what decides how often a barrier is reached comes from a region that uses workgroup memory}}
    scf.for %i = %c0 to %n step %c1 {
      %y = memref.load %s[%t] : memref<64xindex, #gpu.address_space<workgroup>>
      memref.store %y, %o[%t] : memref<?xindex>
      gpu.barrier
    }
    gpu.return
  }

  // All that is loaded has been stored since: two places.
  // expected-remark@below {{2 blocks of the source along x take turns with 256 bytes of workgroup memory, in 2 access region(s)}}
  gpu.func @dead(%a: memref<?xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.load %a[symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.store %y, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %z, %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // One thread does not store, and what it stored before is loaded.
  // expected-remark@below {{in 1 access region(s)}}
  gpu.func @guarded(%a: memref<?xf32>) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %x = affine.load %a[symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %notFirst = arith.cmpi ne, %t, %c0 : index
    scf.if %notFirst {
      affine.store %y, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %z = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %z, %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // A loop may not run at all: what it stores is not certain.
  // expected-remark@below {{in 1 access region(s)}}
  gpu.func @perhaps(%a: memref<?xf32>, %n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.load %a[symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.for %i = 0 to %n {
      affine.store %y, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %z = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %z, %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // What an iteration loads the one before has stored.
  // expected-remark@below {{in 1 access region(s)}}
  gpu.func @carried(%a: memref<?xf32>, %n: index) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    affine.for %i = 0 to %n {
      %y = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      affine.store %y, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
    }
    gpu.return
  }

  // A guard that cannot be computed for some threads, as it wraps, keeps none of
  // them from loading what was stored before.
  // expected-remark@below {{in 1 access region(s)}}
  gpu.func @wrapped(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %u: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c1000 = arith.constant 1000 : index
    %x = affine.load %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.store %x, %u[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %u[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    %r = arith.remui %t, %c2 : index
    %odd = arith.cmpi ne, %r, %c0 : index
    scf.if %odd {
      affine.store %y, %o[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    } else {
      %d = arith.subi %t, %c8 : index
      %far = arith.cmpi ugt, %d, %c1000 : index
      scf.if %far {
        %z = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
        affine.store %z, %o[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
      }
    }
    gpu.return
  }

  // An atomic operation with a body reads, too.
  // expected-remark@below {{in 1 access region(s)}}
  gpu.func @updated(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias})
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>, %u: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %x = affine.load %a[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    affine.store %x, %s[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    affine.store %x, %u[symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = affine.load %u[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    %old = memref.generic_atomic_rmw %s[%t] : memref<64xf32, #gpu.address_space<workgroup>> {
    ^bb0(%v: f32):
      %w = arith.mulf %v, %y : f32
      memref.atomic_yield %w : f32
    }
    gpu.barrier
    %z = affine.load %s[63 - symbol(%t)] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %z, %o[symbol(%b) * 64 + symbol(%t)] : memref<?xf32>
    gpu.return
  }
}
