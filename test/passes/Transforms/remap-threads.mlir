// RUN: gpuopt-opt %s --gpuopt-remap-threads="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

#plane = #gpuopt.geometry<block = [32, 32, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [32, 32, 1]>
#map = affine_map<(d0) -> (d0 + 1)>

gpu.module @kernels {
  // Between the barriers, columns of %a become diagonals; loads from and stores to global memory stay where they are.
  // CHECK: #[[$DIAGONAL:.*]] = affine_map<()[s0, s1] -> ((s0 + s1) mod 32)>
  // CHECK-LABEL: gpu.func @columns(
  // CHECK: %[[X:.*]] = gpu.thread_id x
  // CHECK: %[[Y:.*]] = gpu.thread_id y
  // CHECK: %[[ITEM:.*]] = affine.apply #[[$DIAGONAL]]()[%[[X]], %[[Y]]]
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
  // CHECK: gpu.barrier
  // CHECK: affine.load %{{.*}}[%[[X]], %[[ITEM]]]
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[ITEM]], %[[X]]]
  // CHECK: gpu.barrier
  // CHECK: affine.load %{{.*}}[%[[Y]], %[[X]]]
  gpu.func @columns(%in: memref<32x32xf32>, %out: memref<32x32xf32>)
      workgroup(%a: memref<32x32xf32, #gpu.address_space<workgroup>>,
                %b: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %v = affine.load %in[%y, %x] : memref<32x32xf32>
    affine.store %v, %a[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark@below {{between barriers thread (x, y) does the work of (x, x + y): conflict degree 32 becomes 1}}
    %w = affine.load %a[%x, %y] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %w, %b[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = affine.load %b[%y, %x] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %u, %out[%y, %x] : memref<32x32xf32>
    gpu.return
  }
}

// -----

#plane = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [16, 16, 1]>

gpu.module @kernels {
  // All accesses are of columns: threads take the transposed work item. What is computed from ids in front is computed again.
  // CHECK-LABEL: gpu.func @transposed(
  // CHECK: %[[X:.*]] = gpu.thread_id x
  // CHECK: %[[Y:.*]] = gpu.thread_id y
  // CHECK: %[[NEXT:.*]] = arith.addi %[[Y]], %c1{{.*}}
  // CHECK: %[[OTHER:.*]] = arith.addi %[[X]], %c1{{.*}}
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
  // CHECK: gpu.barrier
  // CHECK: memref.load %{{.*}}[%[[Y]], %[[OTHER]]]
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
  // CHECK: gpu.barrier
  gpu.func @transposed(%s: f32)
      workgroup(%a: memref<16x64xf32, #gpu.address_space<workgroup>>,
                %b: memref<16x64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #plane} {
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %next = arith.addi %y, %c1 : index
    affine.store %s, %a[%y, %x] : memref<16x64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // expected-remark@below {{does the work of (y, x): conflict degree 16 becomes 2}}
    %w = memref.load %a[%x, %next] : memref<16x64xf32, #gpu.address_space<workgroup>>
    affine.store %w, %b[%x, %y] : memref<16x64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}
