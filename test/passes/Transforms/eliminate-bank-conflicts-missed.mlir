// RUN: gpuopt-opt %s --gpuopt-eliminate-bank-conflicts="target=sm_90" \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// RUN: not gpuopt-opt %s --gpuopt-eliminate-bank-conflicts="target=sm_91" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gpuopt-opt %s --gpuopt-eliminate-bank-conflicts 2>&1 | FileCheck %s --check-prefix=NONE

// TARGET: error: unknown target 'sm_91'
// NONE: error: expected a 'gpuopt.target' attribute or the option 'target'

// CHECK-NOT: 32x33
// CHECK-NOT: arith.xori

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>

gpu.module @kernels {
  // expected-remark@below {{the kernel's block shape is not known}}
  gpu.func @no_geometry(%a: memref<?xf32>)
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %v = affine.load %tile[%t, 0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %v, %a[%t] : memref<?xf32>
    gpu.return
  }

  // The address escapes.
  gpu.func @escapes(%a: memref<?xf32>)
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %v = affine.load %tile[%t, 0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %v, %a[%t] : memref<?xf32>
    // expected-remark@below {{the array is used by 'memref.extract_aligned_pointer_as_index', which may depend on where its elements lie}}
    %p = memref.extract_aligned_pointer_as_index %tile
        : memref<32x32xf32, #gpu.address_space<workgroup>> -> index
    gpu.return
  }

  // The second row's elements are reached through the first.
  gpu.func @leaves_row(%a: memref<?xf32>)
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    // expected-remark@below {{a subscript may leave its dimension}}
    %v = affine.load %tile[0, %t * 31] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %w = affine.load %tile[%t, 0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %w, %a[%t] : memref<?xf32>
    gpu.return
  }

  // So do the last elements of a vector.
  gpu.func @vector_leaves_row(%a: memref<?xf32>)
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    // expected-remark@below {{a subscript may leave its dimension}}
    %v = affine.vector_load %tile[%t, 30] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    affine.vector_store %v, %a[%t] : memref<?xf32>, vector<4xf32>
    gpu.return
  }

  gpu.func @unknown_subscript(%a: memref<?xf32>, %p: memref<?xindex>)
      // expected-remark@below {{the banks of an access are not known}}
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %i = memref.load %p[%t] : memref<?xindex>
    %v = memref.load %tile[%i, %i] : memref<32x32xf32, #gpu.address_space<workgroup>>
    affine.store %v, %a[%t] : memref<?xf32>
    gpu.return
  }

  // What takes a division for each access has to save more.
  gpu.func @mostly_rows(%a: memref<?xf32>)
      // expected-remark@below {{no layout that fits has fewer than 102 wavefronts (conflict degree 2)}}
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %v = affine.load %tile[%t * 2] : memref<64xf32, #gpu.address_space<workgroup>>
    affine.store %v, %a[%t] : memref<?xf32>
    affine.for %k = 0 to 100 {
      %w = affine.load %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      affine.store %w, %a[%t] : memref<?xf32>
    }
    gpu.return
  }
}
