// RUN: gpuopt-opt %s --gpuopt-eliminate-bank-conflicts="target=sm_90" --split-input-file \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>
#block = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [16, 16, 1]>

gpu.module @kernels {
  // Columns of 32 x 32 floats are in one bank: rows of 33.
  // CHECK-LABEL: gpu.func @column(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>)
  // CHECK: affine.store %{{.*}}, %[[TILE]][%[[K:.*]], %[[T:.*]]] : memref<32x33xf32
  // CHECK: affine.load %[[TILE]][%[[T]], %[[K]]] : memref<32x33xf32
  gpu.func @column(%a: memref<?xf32>)
      // expected-remark@below {{rows are padded by 1 element(s), conflict degree 32 becomes 1}}
      workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    affine.for %k = 0 to 32 {
      %v = affine.load %a[%t] : memref<?xf32>
      affine.store %v, %tile[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %k = 0 to 32 {
      %v = affine.load %tile[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      affine.store %v, %a[%t] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [32, 4, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 4, 1]>

gpu.module @kernels {
  // Two stages of a tile, filled four floats at a time: rows stay aligned to 16
  // bytes.
  // CHECK-LABEL: gpu.func @stages(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<2x32x36xf32, #gpu.address_space<workgroup>>)
  // CHECK: nvgpu.device_async_copy %{{.*}}, %[[TILE]]{{.*}} to memref<2x32x36xf32
  // CHECK: vector.load %[[TILE]]{{.*}} : memref<2x32x36xf32
  gpu.func @stages(%a: memref<?xf32>, %n: index)
      // expected-remark@below {{tile [2][32][32]: rows are padded by 4 element(s), conflict degree 8 becomes 1}}
      workgroup(%tile: memref<2x32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %row = affine.apply affine_map<(t) -> (t floordiv 8)>(%t)
    %column = affine.apply affine_map<(t) -> (t mod 8 * 4)>(%t)
    affine.for %i = 0 to %n step 16 {
      %stage = affine.apply affine_map<(i) -> (i floordiv 16 mod 2)>(%i)
      affine.for %r = 0 to 32 step 4 {
        %to = affine.apply affine_map<(r, row) -> (r + row)>(%r, %row)
        %copy = nvgpu.device_async_copy %a[%i], %tile[%stage, %to, %column], 4
            : memref<?xf32> to memref<2x32x32xf32, #gpu.address_space<workgroup>>
        nvgpu.device_async_wait %copy
      }
      gpu.barrier
      affine.for %k = 0 to 32 step 4 {
        %v = vector.load %tile[%stage, %t, %k]
            : memref<2x32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
        vector.store %v, %a[%i] : memref<?xf32>, vector<4xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>

gpu.module @kernels {
  // The other array leaves no room for padding: chunks of four columns are
  // exclusive-ored with the row. Two rows fill the banks.
  // CHECK-LABEL: gpu.func @swizzle(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<32x16xf32, #gpu.address_space<workgroup>>, %
  // CHECK: %[[T:.*]] = gpu.thread_id x
  // CHECK: %[[ROW:.*]] = affine.apply #{{.*}}(%{{.*}})[%[[T]]]
  // CHECK: %[[HALF:.*]] = arith.shrui %[[ROW]], %c1{{.*}} : index
  // CHECK: %[[STEP:.*]] = arith.andi %[[HALF]], %c3{{.*}} : index
  // CHECK: %[[BITS:.*]] = arith.shli %[[STEP]], %c2{{.*}} : index
  // CHECK: %[[COLUMN:.*]] = arith.xori %{{.*}}, %[[BITS]] : index
  // CHECK: memref.store %{{.*}}, %[[TILE]][%[[ROW]], %[[COLUMN]]]
  // CHECK: %[[COLUMN:.*]] = arith.xori %{{.*}}, %{{.*}} : index
  // CHECK: vector.load %[[TILE]][%[[T]], %[[COLUMN]]]
  // expected-remark@below {{1 of 2 workgroup array(s) have no bank conflict}}
  gpu.func @swizzle(%a: memref<?xf32>)
      // expected-remark@below {{columns are exclusive-ored with row / 2 % 4 * 4, conflict degree 4 becomes 1}}
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>,
                %rest: memref<11776xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    affine.for %r = 0 to 32 step 2 {
      %v = affine.load %a[%t] : memref<?xf32>
      affine.store %v, %tile[%r + %t floordiv 16, %t mod 16]
          : memref<32x16xf32, #gpu.address_space<workgroup>>
      affine.store %v, %rest[%t] : memref<11776xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    affine.for %k = 0 to 16 step 4 {
      %v = affine.vector_load %tile[%t, %k]
          : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %v, %a[%t] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
}

// -----

#block = #gpuopt.geometry<block = [16, 16, 1], items_per_thread = [1, 1, 1],
                          items_per_block = [16, 16, 1]>

gpu.module @kernels {
  // The tiles of a matrix product: lanes of a row read one word together, lanes
  // of a column consecutive ones.
  // CHECK-LABEL: gpu.func @broadcast(
  // CHECK-SAME: memref<128x16xf32, {{.*}}memref<16x128xf32
  // expected-remark@below {{2 of 2 workgroup array(s) have no bank conflict}}
  gpu.func @broadcast(%c: memref<?xf32>)
      workgroup(%a: memref<128x16xf32, #gpu.address_space<workgroup>>,
                %b: memref<16x128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #block} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    affine.for %k = 0 to 16 step 4 {
      %x = affine.vector_load %a[%ty + 16, %k]
          : memref<128x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %y = affine.vector_load %b[%k, %tx * 4 + 64]
          : memref<16x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %p = arith.mulf %x, %y : vector<4xf32>
      affine.vector_store %p, %c[%tx * 4] : memref<?xf32>, vector<4xf32>
    }
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>

gpu.module @kernels {
  // Rows of 64 bytes are aligned to 16, rows of 72 only to what a pair needs.
  // CHECK-LABEL: gpu.func @alignment(
  // CHECK-SAME: memref<32x18xf32, #gpu.address_space<workgroup>>
  // CHECK: vector.load %{{.*}} {alignment = 8 : i64} : memref<32x18xf32
  gpu.func @alignment(%a: memref<?xf32>)
      // expected-remark@below {{rows are padded by 2 element(s)}}
      workgroup(%tile: memref<32x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %v = vector.load %tile[%t, %c0] {alignment = 16 : i64}
        : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<2xf32>
    vector.store %v, %a[%t] : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}

// -----

#line = #gpuopt.geometry<block = [32, 1, 1], items_per_thread = [1, 1, 1],
                         items_per_block = [32, 1, 1]>

gpu.module @kernels {
  // An array of structures becomes a structure of arrays, at no cost.
  // CHECK-LABEL: gpu.func @structures(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<4x32xf32, #gpu.address_space<workgroup>>)
  // CHECK: %[[T:.*]] = gpu.thread_id x
  // CHECK: memref.store %{{.*}}, %[[TILE]][%{{.*}}, %[[T]]]
  // CHECK: memref.load %[[TILE]][%{{.*}}, %[[T]]]
  gpu.func @structures(%a: memref<?xf32>)
      // expected-remark@below {{tile [32][4]: dimensions lie in the order 1, 0, conflict degree 4 becomes 1}}
      workgroup(%tile: memref<32x4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %v = affine.load %a[%t] : memref<?xf32>
    affine.store %v, %tile[%t, 3] : memref<32x4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = affine.load %tile[%t, 3] : memref<32x4xf32, #gpu.address_space<workgroup>>
    affine.store %w, %a[%t] : memref<?xf32>
    gpu.return
  }

  // The same where the source has one dimension.
  // CHECK-LABEL: gpu.func @flat_structures(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<128xf32, #gpu.address_space<workgroup>>)
  // CHECK: %[[GROUP:.*]] = arith.divui %[[I:.*]], %[[C4:.*]] : index
  // CHECK: %[[MEMBER:.*]] = arith.remui %[[I]], %[[C4]] : index
  // CHECK: %[[PLACE:.*]] = arith.muli %[[MEMBER]], %{{.*}} : index
  // CHECK: %[[AT:.*]] = arith.addi %[[GROUP]], %[[PLACE]] : index
  // CHECK: memref.load %[[TILE]][%[[AT]]]
  gpu.func @flat_structures(%a: memref<?xf32>)
      // expected-remark@below {{tile [128]: a structure of 4 arrays instead of an array of structures, conflict degree 4 becomes 1}}
      workgroup(%tile: memref<128xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %v = affine.load %tile[%t * 4 + 1] : memref<128xf32, #gpu.address_space<workgroup>>
    affine.store %v, %a[%t] : memref<?xf32>
    gpu.return
  }

  // Strides that double: an element is left free behind each line of banks.
  // CHECK-LABEL: gpu.func @tree(
  // CHECK-SAME: workgroup(%[[TILE:.*]] : memref<265xf32, #gpu.address_space<workgroup>>)
  // CHECK: %[[LINE:.*]] = arith.divui %[[I:.*]], %{{.*}} : index
  // CHECK: arith.addi %[[I]], %[[LINE]] : index
  gpu.func @tree(%a: memref<?xf32>)
      // expected-remark@below {{tile [257]: 1 element(s) are left free behind each 32, conflict degree 8 becomes 1}}
      workgroup(%tile: memref<257xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #line} {
    %t = gpu.thread_id x
    %u = affine.load %tile[%t * 2] : memref<257xf32, #gpu.address_space<workgroup>>
    %v = affine.load %tile[%t * 4] : memref<257xf32, #gpu.address_space<workgroup>>
    %w = affine.load %tile[%t * 8] : memref<257xf32, #gpu.address_space<workgroup>>
    %x = arith.addf %u, %v : f32
    %y = arith.addf %w, %x : f32
    affine.store %y, %a[%t] : memref<?xf32>
    gpu.return
  }
}
