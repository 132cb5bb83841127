// RUN: gpuopt-opt %s --mlir-print-local-scope --gpuopt-vectorize-accesses="target=sm_90" | FileCheck %s
// RUN: gpuopt-opt %s --mlir-print-local-scope --gpuopt-vectorize-accesses="target=sm_90 width=8 unroll=false" | FileCheck %s --check-prefix=PAIRS

// The three ways of section 3.1 of Yang et al. 2012 on raised code, and what goes
// beyond them; test/paper has its figures 3 and 5 from their source.

gpu.module @kernels {
  // Within a thread: both halves of a pair.
  // CHECK-LABEL: gpu.func @pair
  // CHECK: %[[AT:.*]] = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%{{.*}}]
  // CHECK-NEXT: %[[F2:.*]] = vector.load %{{.*}}[%[[AT]]] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
  // CHECK-DAG: %[[X:.*]] = vector.extract %[[F2]][0] : f32 from vector<2xf32>
  // CHECK-DAG: %[[Y:.*]] = vector.extract %[[F2]][1] : f32 from vector<2xf32>
  // CHECK: arith.addf %[[X]], %[[Y]] : f32
  gpu.func @pair(%A: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias}, %c: memref<?xf32>) kernel {
    %idx = gpu.global_id x
    %x = affine.load %A[symbol(%idx) * 2] : memref<?xf32>
    %y = affine.load %A[symbol(%idx) * 2 + 1] : memref<?xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }

  // Between threads: A[idx] of two threads that were merged, each with neighbouring
  // work items (gpuopt-merge-threads).
  // CHECK-LABEL: gpu.func @neighbours
  // CHECK: vector.load %{{.*}} {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
  // CHECK: %[[V:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2xf32>
  // CHECK: vector.store %[[V]], %{{.*}} {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
  gpu.func @neighbours(%A: memref<?xf32> {llvm.align = 16 : i64, llvm.noalias},
                  %c: memref<?xf32> {llvm.align = 8 : i64, llvm.noalias}) kernel {
    %idx = gpu.global_id x
    %x = affine.load %A[symbol(%idx) * 2] : memref<?xf32>
    %xx = arith.mulf %x, %x : f32
    affine.store %xx, %c[symbol(%idx) * 2] : memref<?xf32>
    %y = affine.load %A[symbol(%idx) * 2 + 1] : memref<?xf32>
    %yy = arith.mulf %y, %y : f32
    affine.store %yy, %c[symbol(%idx) * 2 + 1] : memref<?xf32>
    gpu.return
  }

  // In a loop, on a device that prefers four elements; with pairs it is left alone.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: affine.for %{{.*}} = 0 to {{.*}} step 4
  // CHECK-COUNT-1: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  // CHECK-NOT: affine.load
  // CHECK: affine.yield
  // CHECK: affine.for
  // CHECK: affine.load
  // PAIRS-LABEL: gpu.func @loop
  // PAIRS-NOT: vector.load
  // PAIRS: gpu.return
  gpu.func @loop(%A: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>, %w: index) kernel {
    %zero = arith.constant 0.0 : f32
    %sum = affine.for %i = 0 to %w iter_args(%s = %zero) -> (f32) {
      %a = affine.load %A[%i] : memref<?xf32>
      %t = arith.addf %s, %a : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[0] : memref<?xf32>
    gpu.return
  }

  // The loop for the rest goes on with each sum, also where both start with the same.
  // CHECK-LABEL: gpu.func @two_sums
  // CHECK: %[[SUMS:.*]]:2 = affine.for %{{.*}} = 0 to {{.*}} step 4
  // CHECK: affine.for %{{.*}} iter_args(%{{.*}} = %[[SUMS]]#0, %{{.*}} = %[[SUMS]]#1)
  gpu.func @two_sums(%A: memref<?xf32> {llvm.align = 16 : i64}, %c: memref<?xf32>, %w: index) kernel {
    %zero = arith.constant 0.0 : f32
    %sums:2 = affine.for %i = 0 to %w iter_args(%s = %zero, %q = %zero) -> (f32, f32) {
      %a = affine.load %A[%i] : memref<?xf32>
      %t = arith.addf %s, %a : f32
      %p = arith.mulf %a, %a : f32
      %u = arith.addf %q, %p : f32
      affine.yield %t, %u : f32, f32
    }
    affine.store %sums#0, %c[0] : memref<?xf32>
    affine.store %sums#1, %c[1] : memref<?xf32>
    gpu.return
  }

  // Rows of n/4*4 elements are aligned. The sums stay in their order.
  // CHECK-LABEL: gpu.func @product
  // CHECK: affine.for %{{.*}} step 4
  // CHECK-DAG: %[[A:.*]] = vector.load %{{.*}} {alignment = 16 : i64} : memref<?x?xf32, strided<[?, 1]>>, vector<4xf32>
  // CHECK-DAG: %[[B:.*]] = vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  // CHECK: affine.yield
  // CHECK: affine.store
  gpu.func @product(%a: memref<?xf32> {llvm.align = 16 : i64}, %b: memref<?xf32> {llvm.align = 16 : i64},
                  %c: memref<?xf32>, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %w = affine.apply affine_map<()[n] -> ((n floordiv 4) * 4)>()[%n]
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%w, %w], strides: [%w, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %sum = affine.for %i = 0 to %w iter_args(%s = %zero) -> (f32) {
      %x = affine.load %A[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
      %y = affine.load %b[%i] : memref<?xf32>
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      affine.yield %t : f32
    }
    affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }

  // Workgroup arrays are aligned; the widest access wins, the rest gets what is
  // left. Lanes need not be in order.
  // CHECK-LABEL: gpu.func @tile
  // CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  // CHECK: vector.load %{{.*}} {alignment = 8 : i64} : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<2xf32>
  // CHECK-NOT: affine.load
  // PAIRS-LABEL: gpu.func @tile
  // PAIRS-COUNT-3: vector.load {{.*}}vector<2xf32>
  gpu.func @tile(%c: memref<?xf32>) workgroup(%tile: memref<16x16xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %3 = affine.load %tile[symbol(%t), 3] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %0 = affine.load %tile[symbol(%t), 0] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %1 = affine.load %tile[symbol(%t), 1] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %2 = affine.load %tile[symbol(%t), 2] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %4 = affine.load %tile[symbol(%t), 4] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %5 = affine.load %tile[symbol(%t), 5] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %a = arith.addf %0, %1 : f32
    %b = arith.addf %a, %2 : f32
    %d = arith.addf %b, %3 : f32
    %e = arith.addf %d, %4 : f32
    %f = arith.addf %e, %5 : f32
    affine.store %f, %c[symbol(%t)] : memref<?xf32>
    gpu.return
  }

  // Elements of any type: eight halves, two doubles; plain subscripts.
  // CHECK-LABEL: gpu.func @types
  // CHECK: vector.load %{{.*}} {alignment = 4 : i64} : memref<?xbf16>, vector<2xbf16>
  // CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<?xf64>, vector<2xf64>
  gpu.func @types(%h: memref<?xbf16> {llvm.align = 16 : i64, llvm.noalias},
                  %d: memref<?xf64> {llvm.align = 16 : i64, llvm.noalias}, %c: memref<?xf64>) kernel {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %i = arith.muli %t, %c2 : index
    %j = arith.addi %i, %c1 : index
    %h0 = memref.load %h[%i] : memref<?xbf16>
    %h1 = memref.load %h[%j] : memref<?xbf16>
    %d1 = memref.load %d[%j] : memref<?xf64>
    %d0 = memref.load %d[%i] : memref<?xf64>
    %hs = arith.addf %h0, %h1 : bf16
    %he = arith.extf %hs : bf16 to f64
    %ds = arith.subf %d0, %d1 : f64
    %s = arith.addf %he, %ds : f64
    memref.store %s, %c[%t] : memref<?xf64>
    gpu.return
  }

  // The store between writes another element of the same array.
  // CHECK-LABEL: gpu.func @update
  // CHECK: vector.load
  // CHECK-NOT: affine.load
  // CHECK: vector.store
  // CHECK-NOT: affine.store
  // CHECK: gpu.return
  gpu.func @update(%a: memref<?xi32> {llvm.align = 16 : i64}) kernel {
    %t = gpu.thread_id x
    %0 = affine.load %a[symbol(%t) * 2] : memref<?xi32>
    %p = arith.addi %0, %0 : i32
    affine.store %p, %a[symbol(%t) * 2] : memref<?xi32>
    %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xi32>
    %q = arith.addi %1, %1 : i32
    affine.store %q, %a[symbol(%t) * 2 + 1] : memref<?xi32>
    gpu.return
  }

  // Stores to two rows by turns, as merged threads make them: they may change
  // places, since the block lies inside and no column is in another row.
  // CHECK-LABEL: gpu.func @rows
  // CHECK-COUNT-2: vector.store %{{.*}} {alignment = 8 : i64} : memref<?x?xf32, strided<[?, 1]>>, vector<2xf32>
  // CHECK-NOT: affine.store
  // CHECK: gpu.return
  gpu.func @rows(%c: memref<?xf32> {llvm.align = 8 : i64}, %m: index, %v: f32)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %c0 = arith.constant 0 : index
    %n = affine.apply affine_map<()[m] -> ((m floordiv 4) * 4)>()[%m]
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %room = affine.apply affine_map<()[b, m] -> (m - b * 32 - 32)>()[%bx, %m]
    %inside = arith.cmpi sge, %room, %c0 : index
    scf.if %inside {
      affine.store %v, %C[symbol(%ty), symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %C[symbol(%ty) + 16, symbol(%tx) * 2 + symbol(%bx) * 32] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %C[symbol(%ty), symbol(%tx) * 2 + symbol(%bx) * 32 + 1] : memref<?x?xf32, strided<[?, 1]>>
      affine.store %v, %C[symbol(%ty) + 16, symbol(%tx) * 2 + symbol(%bx) * 32 + 1] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}
