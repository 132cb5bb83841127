// RUN: gpuopt-opt %s --gpuopt-version-alignment="target=sm_90" --canonicalize --cse --mlir-print-local-scope | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-version-alignment="target=sm_90" --canonicalize --cse --gpuopt-vectorize-accesses="target=sm_90" \
// RUN:   | FileCheck %s --check-prefix=VECTOR

gpu.module @kernels {
  // Rows of n elements are aligned if n is a multiple of 4 and the array begins
  // at a multiple of 16 bytes; %b is known to. What stands for n in the first
  // version reaches the views and the loop.
  // CHECK-LABEL: gpu.func @mv
  // CHECK: %[[N:.*]] = arith.index_cast
  // CHECK: %[[ROUNDED:.*]] = affine.apply affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%[[N]]]
  // CHECK: scf.if
  // CHECK-DAG: arith.andi %[[N]], %c3
  // CHECK-DAG: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %arg0
  // CHECK-DAG: arith.andi %[[AT]], %c15
  // CHECK: scf.if
  // CHECK: %[[A:.*]] = memref.assume_alignment %arg0, 16
  // CHECK: %[[VIEW:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[ROUNDED]], %[[ROUNDED]]], strides: [%[[ROUNDED]], 1]
  // CHECK: affine.for %{{.*}} = 0 to affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%[[N]]]
  // CHECK: affine.load %[[VIEW]]
  // CHECK: } else {
  // CHECK: affine.for %{{.*}} = 0 to %[[N]]
  // VECTOR-LABEL: gpu.func @mv
  // VECTOR: memref.assume_alignment
  // VECTOR: vector.load %{{.*}} {alignment = 16 : i64} : memref<?x?xf32, strided<[?, 1]>>, vector<4xf32>
  gpu.func @mv(%a: memref<?xf32>, %b: memref<?xf32> {llvm.align = 16 : i64},
               %c: memref<?xf32>, %n32: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %n = arith.index_cast %n32 : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %g = arith.cmpi slt, %idx, %n : index
    scf.if %g {
      %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
        %x = affine.load %A[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
        %y = affine.load %b[%i] : memref<?xf32>
        %p = arith.mulf %x, %y : f32
        %u = arith.addf %s, %p : f32
        affine.yield %u : f32
      }
      affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    }
    gpu.return
  }

  // A pair of doubles. Only the address of the array is in question, which the
  // launcher looks at; the kernel as it was is for other launches.
  // CHECK-LABEL: gpu.func @first(
  // CHECK-SAME: %arg0: memref<?xf64> {gpuopt.aligned = 16 : i64, llvm.align = 16 : i64}, %arg1: memref<?xf64>, %
  // CHECK-SAME: gpuopt.fallback = @first__original
  // CHECK-NOT: memref.extract_aligned_pointer_as_index
  // CHECK-COUNT-1: scf.if
  // CHECK-NOT: scf.if
  // CHECK-LABEL: gpu.func @first__original(
  // CHECK-NOT: gpuopt.aligned
  // VECTOR-LABEL: gpu.func @first(
  // VECTOR-COUNT-2: vector.load {{.*}}vector<2xf64>
  // VECTOR-NOT: vector.load
  // VECTOR: gpu.return
  gpu.func @first(%a: memref<?xf64>, %c: memref<?xf64>, %inside: i1) kernel {
    %t = gpu.thread_id x
    %r = scf.if %inside -> (f64) {
      %0 = affine.load %a[symbol(%t) * 2] : memref<?xf64>
      %1 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf64>
      %s = arith.addf %0, %1 : f64
      scf.yield %s : f64
    } else {
      %0 = affine.load %a[symbol(%t) * 2 + 1] : memref<?xf64>
      %1 = affine.load %a[symbol(%t) * 2] : memref<?xf64>
      %s = arith.mulf %0, %1 : f64
      scf.yield %s : f64
    }
    memref.store %r, %c[%t] : memref<?xf64>
    gpu.return
  }

  // The code with guards, which `gpuopt-version-guards` marks as right for all
  // blocks, is the other version: there is no third one.
  // CHECK-LABEL: gpu.func @guarded
  // CHECK-SAME: %[[INSIDE:[a-z0-9]+]]: i1)
  // CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %arg0
  // CHECK: %[[REST:.*]] = arith.andi %[[AT]], %c15
  // CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[REST]], %c0
  // CHECK: %[[BOTH:.*]] = arith.andi %[[INSIDE]], %[[ALIGNED]]
  // CHECK: scf.if %[[BOTH]] {
  // CHECK: memref.assume_alignment %arg0, 16
  // CHECK: } else {
  // CHECK-NEXT: arith.cmpi slt
  // CHECK-NOT: scf.if %[[ALIGNED]]
  gpu.func @guarded(%a: memref<?xf64>, %n: index, %inside: i1) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f64
    scf.if %inside {
      affine.store %zero, %a[symbol(%t) * 2] : memref<?xf64>
      affine.store %zero, %a[symbol(%t) * 2 + 1] : memref<?xf64>
    } else {
      %guard = arith.cmpi slt, %t, %n : index
      scf.if %guard {
        affine.store %zero, %a[symbol(%t) * 2] : memref<?xf64>
        affine.store %zero, %a[symbol(%t) * 2 + 1] : memref<?xf64>
      }
    } {gpuopt.unguarded}
    gpu.return
  }

  // The code without guards in two parts, the fill of a tile in a loop and what
  // follows it: both are for aligned launches of blocks inside. What is known
  // for the whole block is decided once, before the loop.
  // CHECK-LABEL: gpu.func @parts(
  // CHECK-SAME: %[[K:[a-z0-9]+]]: index, %{{[a-z0-9]+}}: index, %[[INSIDE:[a-z0-9]+]]: i1)
  // CHECK-DAG: %[[ROUNDED:.*]] = affine.apply affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%[[K]]]
  // CHECK-DAG: memref.extract_aligned_pointer_as_index %arg0
  // CHECK-DAG: memref.extract_aligned_pointer_as_index %arg1
  // CHECK: %[[HERE:.*]] = arith.andi %[[INSIDE]], %{{.*}}
  // CHECK-NEXT: affine.for
  // CHECK: %[[FULL:.*]] = arith.cmpi sge
  // CHECK-NEXT: %[[NOW:.*]] = arith.andi %[[HERE]], %[[FULL]]
  // CHECK-NEXT: scf.if %[[NOW]] {
  // CHECK-NEXT: %[[A:.*]] = memref.assume_alignment %arg0, 16
  // CHECK-NEXT: memref.reinterpret_cast %[[A]] to {{.*}} strides: [%[[ROUNDED]], 1]
  // CHECK-NEXT: affine.parallel
  // CHECK: } else {
  // CHECK-NEXT: affine.parallel
  // CHECK-NOT: affine.parallel
  // CHECK: } {gpuopt.unguarded}
  // CHECK-NOT: scf.if
  // CHECK: scf.if %[[HERE]] {
  // CHECK-NEXT: %[[C:.*]] = memref.assume_alignment %arg1, 8
  // CHECK-NEXT: affine.store %{{.*}}, %[[C]]
  // CHECK: } else {
  // CHECK-NEXT: arith.cmpi slt
  // CHECK-NEXT: scf.if
  // CHECK-NOT: memref.assume_alignment
  // CHECK: } {gpuopt.unguarded}
  // CHECK-NEXT: gpu.return
  gpu.func @parts(%a: memref<?xf32>, %c: memref<?xf32>, %k: index, %n: index, %inside: i1)
      workgroup(%tile: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {gpuopt.geometry = #gpuopt.geometry<block = [16, 1, 1],
          items_per_thread = [4, 1, 1], items_per_block = [64, 1, 1]>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %k], strides: [%k, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %sum = affine.for %i = 0 to %k step 16 iter_args(%s = %zero) -> (f32) {
      %left = affine.apply affine_map<(i)[k] -> (k - i - 16)>(%i)[%k]
      %full = arith.cmpi sge, %left, %c0 : index
      %now = arith.andi %inside, %full : i1
      scf.if %now {
        affine.parallel (%r, %j) = (0, 0) to (16, 16) {
          %v = affine.load %A[%r, %i + %j] : memref<?x?xf32, strided<[?, 1]>>
          affine.store %v, %tile[%r, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
        } {gpuopt.collective}
      } else {
        affine.parallel (%r, %j) = (0, 0) to (16, 16) {
          %column = affine.apply affine_map<(i, j) -> (i + j)>(%i, %j)
          %exists = arith.cmpi slt, %column, %k : index
          %w = scf.if %exists -> (f32) {
            %v = affine.load %A[%r, %i + %j] : memref<?x?xf32, strided<[?, 1]>>
            scf.yield %v : f32
          } else {
            scf.yield %zero : f32
          }
          affine.store %w, %tile[%r, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
        } {gpuopt.collective}
      } {gpuopt.unguarded}
      gpu.barrier
      %next = affine.for %j = 0 to 16 iter_args(%u = %s) -> (f32) {
        %x = affine.load %tile[symbol(%t), %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %y = arith.addf %u, %x : f32
        affine.yield %y : f32
      }
      gpu.barrier
      affine.yield %next : f32
    }
    scf.if %inside {
      affine.store %sum, %c[symbol(%t) * 2] : memref<?xf32>
      affine.store %sum, %c[symbol(%t) * 2 + 1] : memref<?xf32>
    } else {
      %guard = arith.cmpi slt, %t, %n : index
      scf.if %guard {
        affine.store %sum, %c[symbol(%t) * 2] : memref<?xf32>
        affine.store %sum, %c[symbol(%t) * 2 + 1] : memref<?xf32>
      }
    } {gpuopt.unguarded}
    gpu.return
  }

  // What stands for %n is 0 in launches that are not aligned, and is divided by
  // in none.
  // CHECK-LABEL: gpu.func @cyclic
  // CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index)
  // CHECK: arith.remsi %[[K]], %[[N]]
  // CHECK: memref.assume_alignment
  // CHECK-NOT: arith.remsi
  // CHECK: gpu.return
  gpu.func @cyclic(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>,
                   %n: index, %k: index) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %r = arith.remsi %k, %n : index
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %x = affine.load %A[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
      %y = affine.load %b[symbol(%r)] : memref<?xf32>
      %p = arith.mulf %x, %y : f32
      %u = arith.addf %s, %p : f32
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }

  // Whether there is an array is asked once, in front of the versions.
  // CHECK-LABEL: gpu.func @optional(
  // CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %arg0
  // CHECK: %[[IS_NULL:.*]] = arith.cmpi eq, %[[AT]], %c0
  // CHECK: arith.andi %[[AT]], %c15
  // CHECK: scf.if
  // CHECK: memref.assume_alignment %arg0, 16
  // CHECK-NOT: memref.extract_aligned_pointer_as_index
  // CHECK: scf.if %[[IS_NULL]]
  // CHECK: } else {
  // CHECK: scf.if %[[IS_NULL]]
  gpu.func @optional(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n32: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : index
    %idx = gpu.global_id x
    %n = arith.index_cast %n32 : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %at = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
    %isNull = arith.cmpi eq, %at, %none : index
    %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> (f32) {
      %x = affine.load %A[symbol(%idx), %i] : memref<?x?xf32, strided<[?, 1]>>
      %y = scf.if %isNull -> (f32) {
        scf.yield %zero : f32
      } else {
        %loaded = affine.load %b[%i] : memref<?xf32>
        scf.yield %loaded : f32
      }
      %p = arith.mulf %x, %y : f32
      %u = arith.addf %s, %p : f32
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }

  // How often the second loop runs is loaded. A symbol is one at the top of the kernel only, so the load stays in front of both
  // versions, with what depends on it.
  // CHECK-LABEL: gpu.func @loaded_bound
  // CHECK: %[[END:.*]] = affine.load %arg2[symbol(%{{.*}})]
  // CHECK: %[[BOUND:.*]] = arith.index_cast %[[END]]
  // CHECK: scf.if
  // CHECK: affine.for %{{.*}} = 0 to %[[BOUND]]
  // CHECK: } else {
  // CHECK: affine.for %{{.*}} = 0 to %[[BOUND]]
  gpu.func @loaded_bound(%a: memref<?xf32>, %c: memref<?xf32>, %ends: memref<?xi32>, %n32: i32) kernel {
    %zero = arith.constant 0.0 : f32
    %idx = gpu.global_id x
    %n = arith.index_cast %n32 : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%n, %n], strides: [%n, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %end = affine.load %ends[symbol(%idx)] : memref<?xi32>
    %bound = arith.index_cast %end : i32 to index
    %sum = affine.for %i = 0 to %bound iter_args(%s = %zero) -> (f32) {
      %x = affine.load %A[symbol(%idx), %i * 2] : memref<?x?xf32, strided<[?, 1]>>
      %y = affine.load %A[symbol(%idx), %i * 2 + 1] : memref<?x?xf32, strided<[?, 1]>>
      %p = arith.mulf %x, %y : f32
      %u = arith.addf %s, %p : f32
      affine.yield %u : f32
    }
    affine.store %sum, %c[symbol(%idx)] : memref<?xf32>
    gpu.return
  }
}
