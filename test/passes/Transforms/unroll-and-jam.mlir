// RUN: gpuopt-opt %s --gpuopt-unroll-and-jam="target=sm_90 factor=2" --canonicalize --cse | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#row = strided<[?, 1]>

gpu.module @kernels {
  // A triangular solver: two rows at a time take what is solved already, then
  // the second one the first.
  // CHECK: #[[$END:.*]] = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
  // CHECK: #[[$BEGIN:.*]] = affine_map<()[s0] -> (0, (s0 floordiv 2) * 2)>
  // CHECK-LABEL: gpu.func @solve
  // CHECK: %[[ID:.*]] = gpu.global_id x
  // CHECK: affine.for %[[I:.*]] = 0 to #[[$END]]()[%[[M:.*]]] step 2 {
  // CHECK: %[[X0:.*]] = affine.load %[[B:.*]][%[[I]], symbol(%[[ID]])]
  // CHECK: %[[X1:.*]] = affine.load %[[B]][%[[I]] + 1, symbol(%[[ID]])]
  // CHECK: %[[Y:.*]]:2 = affine.for %[[J:.*]] = 0 to #{{.*}}(%[[I]]) iter_args(%[[S0:.*]] = %[[X0]], %[[S1:.*]] = %[[X1]])
  // CHECK-DAG: %[[V:.*]] = affine.load %[[B]][%[[J]], symbol(%[[ID]])]
  // CHECK-DAG: %[[L0:.*]] = affine.load %[[L:.*]][%[[I]], %[[J]]]
  // CHECK-DAG: %[[L1:.*]] = affine.load %[[L]][%[[I]] + 1, %[[J]]]
  // CHECK-DAG: %[[P0:.*]] = arith.mulf %[[L0]], %[[V]]
  // CHECK-DAG: %[[P1:.*]] = arith.mulf %[[L1]], %[[V]]
  // CHECK-DAG: %[[T0:.*]] = arith.subf %[[S0]], %[[P0]]
  // CHECK-DAG: %[[T1:.*]] = arith.subf %[[S1]], %[[P1]]
  // CHECK: affine.yield %[[T0]], %[[T1]]
  // CHECK: %[[D0:.*]] = affine.load %[[L]][%[[I]], %[[I]]]
  // CHECK: %[[R0:.*]] = arith.divf %[[Y]]#0, %[[D0]]
  // CHECK: affine.store %[[R0]], %[[B]][%[[I]], symbol(%[[ID]])]
  // CHECK: %[[L10:.*]] = affine.load %[[L]][%[[I]] + 1, %[[I]]]
  // CHECK: %[[Q:.*]] = arith.mulf %[[L10]], %[[R0]]
  // CHECK: %[[Z:.*]] = arith.subf %[[Y]]#1, %[[Q]]
  // CHECK: %[[D1:.*]] = affine.load %[[L]][%[[I]] + 1, %[[I]] + 1]
  // CHECK: %[[R1:.*]] = arith.divf %[[Z]], %[[D1]]
  // CHECK: affine.store %[[R1]], %[[B]][%[[I]] + 1, symbol(%[[ID]])]
  // CHECK: affine.for %[[REST:.*]] = max #[[$BEGIN]]()[%[[M]]] to %[[M]] {
  // CHECK: affine.for %{{.*}} = 0 to #{{.*}}(%[[REST]])
  gpu.func @solve(%l: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel {
    %id = gpu.global_id x
    %L = memref.reinterpret_cast %l to offset: [0], sizes: [%m, %m], strides: [%m, 1] : memref<?xf32> to memref<?x?xf32, #row>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, #row>
    %g = arith.cmpi slt, %id, %n : index
    scf.if %g {
      affine.for %i = 0 to %m {
        %x = affine.load %B[%i, symbol(%id)] : memref<?x?xf32, #row>
        %y = affine.for %j = 0 to #id(%i) iter_args(%s = %x) -> (f32) {
          %v = affine.load %L[%i, %j] : memref<?x?xf32, #row>
          %w = affine.load %B[%j, symbol(%id)] : memref<?x?xf32, #row>
          %p = arith.mulf %v, %w : f32
          %t = arith.subf %s, %p : f32
          affine.yield %t : f32
        }
        %d = affine.load %L[%i, %i] : memref<?x?xf32, #row>
        %r = arith.divf %y, %d : f32
        affine.store %r, %B[%i, symbol(%id)] : memref<?x?xf32, #row>
      }
    }
    gpu.return
  }

  // Rows of one length, a constant number of them; the largest is carried along.
  // CHECK-LABEL: gpu.func @rows
  // CHECK: affine.for %{{.*}} = 0 to 6 step 2 iter_args(%[[MOST:.*]] = %{{.*}}) -> (f32) {
  // CHECK: %[[SUM:.*]]:2 = affine.for
  // CHECK-COUNT-3: affine.load
  // CHECK: affine.yield
  // CHECK: %[[MORE:.*]] = arith.maximumf %[[MOST]], %[[SUM]]#0
  // CHECK: arith.maximumf %[[MORE]], %[[SUM]]#1
  // CHECK-NOT: affine.for
  gpu.func @rows(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [6, %n], strides: [%n, 1] : memref<?xf32> to memref<6x?xf32, #row>
    %most = affine.for %i = 0 to 6 iter_args(%before = %zero) -> (f32) {
      %sum = affine.for %j = 0 to %n iter_args(%s = %zero) -> (f32) {
        %v = affine.load %A[%i, %j] : memref<6x?xf32, #row>
        %w = affine.load %b[%j] : memref<?xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      %more = arith.maximumf %before, %sum : f32
      affine.yield %more : f32
    }
    affine.store %most, %c[symbol(%id)] : memref<?xf32>
    gpu.return
  }

  // The upper triangle: the first row has one element more in front.
  // CHECK-LABEL: gpu.func @upper
  // CHECK: affine.for %[[I:.*]] = 0 to
  // CHECK: %[[V:.*]] = affine.load %[[A:.*]][%[[I]], %[[I]]]
  // CHECK: %[[W:.*]] = affine.load %[[B:.*]][%[[I]]]
  // CHECK: %[[P:.*]] = arith.mulf %[[V]], %[[W]]
  // CHECK: %[[S:.*]] = arith.addf %[[P]], %{{.*}}
  // CHECK: affine.for %{{.*}} = #{{.*}}(%[[I]]) to %{{.*}} iter_args(%{{.*}} = %[[S]], %{{.*}} = %{{.*}})
  gpu.func @upper(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32> {llvm.noalias}, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, #row>
    affine.for %i = 0 to %n {
      %sum = affine.for %j = #id(%i) to %n iter_args(%s = %zero) -> (f32) {
        %v = affine.load %A[%i, %j] : memref<?x?xf32, #row>
        %w = affine.load %b[%j] : memref<?xf32>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %sum, %c[%i] : memref<?xf32>
    }
    gpu.return
  }

  // Two iterations that lie 3 apart: the range is shorter than two steps.
  // CHECK-LABEL: gpu.func @steps
  // CHECK: affine.for %[[I:.*]] = 0 to 6 step 6 {
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[I]], symbol(%{{.*}})]
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[I]] + 3, symbol(%{{.*}})]
  // CHECK-NOT: affine.store
  gpu.func @steps(%a: memref<?xf32> {llvm.noalias}, %b: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel {
    %zero = arith.constant 0.0 : f32
    %id = gpu.global_id x
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, #row>
    affine.for %i = 0 to 5 step 3 {
      %y = affine.for %j = 0 to %m iter_args(%s = %zero) -> (f32) {
        %v = affine.load %a[%j] : memref<?xf32>
        %t = arith.addf %s, %v : f32
        affine.yield %t : f32
      }
      affine.store %y, %B[%i, symbol(%id)] : memref<?x?xf32, #row>
    }
    gpu.return
  }
}
