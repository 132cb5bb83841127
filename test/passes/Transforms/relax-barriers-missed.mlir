// RUN: gpuopt-opt %s --gpuopt-relax-barriers="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// CHECK-NOT: __gpuopt_subgroup_barrier

#line = #gpuopt.geometry<block = [64, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [64, 1, 1]>
!tile = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // What is loaded behind the barrier is stored over in the next iteration.
  // CHECK-LABEL: gpu.func @next_iteration(
  // CHECK: affine.for
  // CHECK: gpu.barrier
  gpu.func @next_iteration(%in: memref<8x64xf32>, %out: memref<8x64xf32>) workgroup(%a: !tile)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    affine.for %i = 0 to 8 {
      %v = affine.load %in[%i, %t] : memref<8x64xf32>
      affine.store %v, %a[%t] : !tile
      %own = affine.load %a[%t] : !tile
      affine.store %own, %out[%i, %t] : memref<8x64xf32>
      gpu.barrier
      %w = affine.load %a[63 - %t] : !tile
      affine.store %w, %out[7 - %i, %t] : memref<8x64xf32>
    }
    gpu.return
  }

  // The element is one that is loaded.
  // CHECK-LABEL: gpu.func @unknown(
  // CHECK: gpu.barrier
  gpu.func @unknown(%at: memref<64xindex>, %out: memref<64xf32> {llvm.noalias}, %v: f32) workgroup(%a: !tile)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %i = affine.load %at[%t] : memref<64xindex>
    memref.store %v, %a[%i] : !tile
    // expected-remark@below {{which elements of 'local0' the threads access is not known for each}}
    gpu.barrier
    %w = affine.load %a[%t] : !tile
    affine.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }

  // What threads of other subgroups have written to global memory, perhaps to the same array.
  // CHECK-LABEL: gpu.func @overlap(
  // CHECK: gpu.barrier
  gpu.func @overlap(%in: memref<64xf32> {gpuopt.name = "in"}, %out: memref<64xf32> {gpuopt.name = "out"}, %v: f32) kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    affine.store %v, %in[%t] : memref<64xf32>
    // expected-remark@below {{'in' and 'out' may overlap}}
    gpu.barrier
    affine.store %v, %out[63 - %t] : memref<64xf32>
    gpu.return
  }

  // Another block may read what is stored once it sees the update.
  // CHECK-LABEL: gpu.func @update(
  // CHECK: gpu.barrier
  gpu.func @update(%out: memref<64xf32> {llvm.noalias}, %count: memref<1xi32> {llvm.noalias}, %v: f32)
      kernel attributes {gpuopt.geometry = #line} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    affine.store %v, %out[%t] : memref<64xf32>
    // expected-remark@below {{other blocks may wait for what it orders}}
    gpu.barrier
    %old = memref.atomic_rmw addi %one, %count[%c0] : (i32, memref<1xi32>) -> i32
    gpu.return
  }

  // CHECK-LABEL: gpu.func @fence(
  // CHECK: gpu.barrier
  gpu.func @fence(%v: f32) workgroup(%a: !tile) kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    affine.store %v, %a[%t] : !tile
    // expected-remark@below {{it is not known what 'llvm.fence' orders}}
    gpu.barrier
    llvm.fence seq_cst
    affine.store %v, %a[%t] : !tile
    gpu.return
  }

  // An update with a body of its own is one of the element.
  // CHECK-LABEL: gpu.func @generic_update(
  // CHECK: gpu.barrier
  gpu.func @generic_update(%out: memref<64xf32>, %v: f32) workgroup(%a: !tile) kernel attributes {gpuopt.geometry = #line} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %old = memref.generic_atomic_rmw %a[%c0] : !tile {
    ^bb0(%current: f32):
      %new = arith.addf %current, %v : f32
      memref.atomic_yield %new : f32
    }
    gpu.barrier
    %w = affine.load %a[0] : !tile
    affine.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Threads may not get to it together; that it is not known which do is for others to say.
  // CHECK-LABEL: gpu.func @divergent(
  // CHECK: gpu.barrier
  gpu.func @divergent() kernel attributes {gpuopt.geometry = #line} {
    %c3 = arith.constant 3 : index
    %t = gpu.thread_id x
    %few = arith.cmpi slt, %t, %c3 : index
    scf.if %few {
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @any_block(
  // CHECK: gpu.barrier
  gpu.func @any_block() kernel {
    gpu.barrier
    gpu.return
  }
}
