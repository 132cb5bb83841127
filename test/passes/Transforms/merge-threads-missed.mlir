// RUN: gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=4 target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// RUN: not gpuopt-opt %s --gpuopt-merge-threads="dim=w factor=4" 2>&1 | FileCheck %s --check-prefix=DIM
// RUN: not gpuopt-opt %s --gpuopt-merge-threads="dim=x factor=0" 2>&1 | FileCheck %s --check-prefix=FACTOR

// DIM: error: expected 'dim' to be x, y or z, found 'w'
// FACTOR: error: expected 'factor' to be positive, found 0

// CHECK-NOT: items_per_thread = [4

#geometry = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                             items_per_block = [64, 1, 1]>
gpu.module @kernels {
  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry(%c: memref<?xf32>) kernel {
    gpu.return
  }

  gpu.func @grid(%c: memref<?xindex>) kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{'gpu.grid_dim' depends on the number of blocks}}
    %d = gpu.grid_dim x
    memref.store %d, %c[%d] : memref<?xindex>
    gpu.return
  }

  // A guard lets there be fewer blocks than the source's launch has.
  gpu.func @guarded_grid(%c: memref<?xindex>, %n: index) kernel
      attributes {gpuopt.geometry = #gpuopt.geometry<original_block = [64, 1, 1], block = [64, 1, 1],
          items_per_thread = [1, 1, 1], items_per_block = [64, 1, 1],
          extents = [affine_map<()[s0, s1] -> (s1)>, unit, unit]>} {
    // expected-remark@below {{'gpu.grid_dim' depends on the number of blocks}}
    %d = gpu.grid_dim x
    memref.store %d, %c[%d] : memref<?xindex>
    gpu.return
  }

  gpu.func @ticket(%c: memref<?xi32>, %one: i32) kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    // expected-remark@below {{'memref.atomic_rmw' can exchange data between blocks}}
    %t = memref.atomic_rmw addi %one, %c[%b] : (i32, memref<?xi32>) -> i32
    memref.store %t, %c[%b] : memref<?xi32>
    gpu.return
  }

  func.func private @elsewhere()
  gpu.func @call() kernel attributes {gpuopt.geometry = #geometry} {
    // expected-remark@below {{the effects of 'func.call' are not known}}
    func.call @elsewhere() : () -> ()
    gpu.return
  }

  gpu.func @barrier_under_guard(%n: index) kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    %p = arith.cmpi slt, %b, %n : index
    scf.if %p {
      // expected-remark@below {{the merged blocks may not reach a barrier equally often}}
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @barrier_in_switch(%n: index) kernel attributes {gpuopt.geometry = #geometry} {
    scf.index_switch %n
    case 0 {
      // expected-remark@below {{a barrier stands inside 'scf.index_switch'}}
      gpu.barrier
      scf.yield
    }
    default {
    }
    gpu.return
  }

  // Each of the merged blocks goes on as long as it likes.
  gpu.func @barrier_in_while(%c: memref<?xindex>) kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %w = scf.while (%x = %c0) : (index) -> index {
      %e = arith.cmpi slt, %x, %b : index
      scf.condition(%e) %x : index
    } do {
    ^bb0(%x: index):
      // expected-remark@below {{the merged blocks may not reach a barrier equally often}}
      gpu.barrier
      %y = arith.addi %x, %c1 : index
      scf.yield %y : index
    }
    memref.store %w, %c[%b] : memref<?xindex>
    gpu.return
  }

  // expected-remark@below {{needs 65536 bytes of workgroup memory, a block has 49152}}
  gpu.func @large_array(%a: memref<?xf32> {llvm.noalias})
      workgroup(%w: memref<4096xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #geometry} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %v = memref.load %a[%b] : memref<?xf32>
    memref.store %v, %w[%t] : memref<4096xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
