// RUN: gpuopt-opt %s --gpuopt-distribute-reductions="target=sm_90" --verify-roundtrip | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-distribute-reductions="target=gfx942 rows=2" | FileCheck %s --check-prefix=AMD
// RUN: gpuopt-opt %s --gpuopt-distribute-reductions="target=nvidia-gtx285" --remarks-filter=gpuopt \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: gpuopt-opt %s --gpuopt-distribute-reductions="target=sm_90" --remarks-filter=gpuopt \
// RUN:   --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK-DAG: #[[$LANE_OF:.*]] = affine_map<()[s0] -> (s0 mod 32)>
// CHECK-DAG: #[[$ROW_OF:.*]] = affine_map<()[s0, s1] -> (s1 * 4 + s0 floordiv 32)>

// OLD: RowsNotDistributed{{.*}}the target's lanes cannot exchange values
// OLD-NOT: gpu.shuffle

gpu.module @kernels {
  // The sum of a row begins at an element, which enters once.
  // CHECK-LABEL: gpu.func @sum(
  // CHECK-SAME: #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [4, 1, 1]
  // CHECK: %[[THREAD:.*]] = gpu.thread_id x
  // CHECK: %[[LANE:.*]] = affine.apply #[[$LANE_OF]]()[%[[THREAD]]]
  // CHECK: %[[BLOCK:.*]] = gpu.block_id x
  // CHECK: %[[ROW:.*]] = affine.apply #[[$ROW_OF]]()[%[[THREAD]], %[[BLOCK]]]
  // CHECK: arith.cmpi slt, %[[ROW]]
  // CHECK: scf.if
  // CHECK: %[[READ:.*]] = scf.if %{{.*}} -> (i32) {
  // CHECK:   affine.load %{{.*}}[symbol(%[[ROW]])]
  // CHECK: %[[INIT:.*]], %{{.*}} = gpu.shuffle idx %[[READ]]
  // CHECK: %[[PART:.*]] = affine.for %[[I:.*]] = %[[LANE]] to %{{.*}} step 32 iter_args(%{{.*}} = %[[ZERO:.*]])
  // CHECK:   affine.load %{{.*}}[symbol(%[[ROW]]), %[[I]]]
  // CHECK:   arith.addi %{{[^,]*}}, %{{[^,]*}} : i32
  // CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[PART]]
  // CHECK: %[[PAIR:.*]] = arith.addi %[[PART]], %[[OTHER]]
  // CHECK: gpu.shuffle xor %[[PAIR]]
  // CHECK-COUNT-3: gpu.shuffle xor
  // CHECK: %[[ALL:.*]] = arith.addi
  // CHECK: %[[SUM:.*]] = arith.addi %[[INIT]], %[[ALL]]
  // CHECK: scf.if
  // CHECK-NEXT: affine.store %[[SUM]]
  // AMD-LABEL: gpu.func @sum(
  // AMD-SAME: block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [2, 1, 1]
  // AMD: step 64
  // AMD-COUNT-6: gpu.shuffle xor
  // AMD-NOT: gpu.shuffle xor
  // AMD: gpu.return
  // REMARK: RowsDistributed{{.*}}32 lanes share each row, 4 rows a block{{.*}}loops=1
  // REMARK-NOT: reorders_sums
  gpu.func @sum(%a: memref<?x1024xi32> {llvm.noalias}, %out: memref<?xi32> {llvm.noalias}, %n: i32, %w: i32) kernel {
    %ni = arith.index_cast %n : i32 to index
    %wi = arith.index_cast %w : i32 to index
    %r = gpu.global_id x
    %g = arith.cmpi slt, %r, %ni : index
    scf.if %g {
      %init = affine.load %out[symbol(%r)] : memref<?xi32>
      %s = affine.for %i = 0 to %wi iter_args(%t = %init) -> (i32) {
        %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
        %u = arith.addi %t, %x overflow<nsw> : i32
        affine.yield %u : i32
      }
      affine.store %s, %out[symbol(%r)] : memref<?xi32>
    }
    gpu.return
  }

  // Two loops, of which the second one has each lane read what it wrote: no
  // barrier. The largest may begin where it begins in each lane.
  // CHECK-LABEL: gpu.func @softmax(
  // CHECK: %[[LANE:.*]] = affine.apply #[[$LANE_OF]]()
  // CHECK: %[[MAX:.*]] = affine.for %{{.*}} = %[[LANE]] to 1024 step 32 iter_args(%{{.*}} = %[[LEAST:.*]])
  // CHECK: gpu.shuffle xor %[[MAX]]
  // CHECK: arith.maxnumf
  // CHECK: gpu.shuffle idx
  // CHECK: affine.for %{{.*}} = %[[LANE]] to 1024 step 32 iter_args(%{{.*}} = %[[NONE:.*]])
  // CHECK: arith.addf {{.*}} fastmath<reassoc>
  // CHECK-NOT: llvm.call
  // CHECK: affine.for %{{.*}} = %[[LANE]] to 1024 step 32 {
  // REMARK: RowsDistributed{{.*}}loops=3, reorders_sums
  gpu.func @softmax(%a: memref<?x1024xf32> {llvm.noalias}, %b: memref<?x1024xf32> {llvm.noalias}) kernel {
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %r = gpu.global_id x
    %m = affine.for %i = 0 to 1024 iter_args(%t = %least) -> (f32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xf32>
      %u = arith.maxnumf %t, %x : f32
      affine.yield %u : f32
    }
    %s = affine.for %i = 0 to 1024 iter_args(%t = %zero) -> (f32) {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xf32>
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %b[symbol(%r), %i] : memref<?x1024xf32>
      %u = arith.addf %t, %e fastmath<reassoc> : f32
      affine.yield %u : f32
    }
    affine.for %i = 0 to 1024 {
      %x = affine.load %b[symbol(%r), %i] : memref<?x1024xf32>
      %y = arith.divf %x, %s : f32
      affine.store %y, %b[symbol(%r), %i] : memref<?x1024xf32>
    }
    gpu.return
  }

  // The first of the largest, and where it stands: of equal ones the position
  // decides.
  // CHECK-LABEL: gpu.func @argmax(
  // CHECK: %[[BEST:.*]]:3 = affine.for %[[I:.*]] = {{.*}} iter_args(%[[HELD:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[PLACE:.*]] = %[[BEFORE:.*]]) -> (f32, i32, i32)
  // CHECK: %[[BETTER:.*]] = arith.cmpf ogt, %{{.*}}, %[[HELD]]
  // CHECK: %[[HERE:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK: arith.select %[[BETTER]], %[[HERE]], %[[PLACE]]
  // CHECK: %[[VALUE:.*]], %{{.*}} = gpu.shuffle xor %[[BEST]]#0
  // CHECK: %[[POSITION:.*]], %{{.*}} = gpu.shuffle xor %[[BEST]]#2
  // CHECK: %[[INDEX:.*]], %{{.*}} = gpu.shuffle xor %[[BEST]]#1
  // CHECK: %[[LARGER:.*]] = arith.cmpf ogt, %[[VALUE]], %[[BEST]]#0
  // CHECK: %[[SAME:.*]] = arith.cmpf oeq, %[[VALUE]], %[[BEST]]#0
  // CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[POSITION]], %[[BEST]]#2
  // CHECK: %[[WINS:.*]] = arith.select %[[SAME]], %[[FIRST]], %[[LARGER]]
  // CHECK: arith.select %[[WINS]], %[[VALUE]], %[[BEST]]#0
  gpu.func @argmax(%a: memref<?x1024xf32> {llvm.noalias}, %v: memref<?xf32> {llvm.noalias},
                   %at: memref<?xi32> {llvm.noalias}) kernel {
    %zero = arith.constant 0 : i32
    %r = gpu.global_id x
    %first = affine.load %a[symbol(%r), 0] : memref<?x1024xf32>
    %s:2 = affine.for %i = 1 to 1024 iter_args(%t = %first, %p = %zero) -> (f32, i32) {
      %k = arith.index_cast %i : index to i32
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xf32>
      %c = arith.cmpf ogt, %x, %t : f32
      %u = arith.select %c, %x, %t : f32
      %q = arith.select %c, %k, %p : i32
      affine.yield %u, %q : f32, i32
    }
    affine.store %s#0, %v[symbol(%r)] : memref<?xf32>
    affine.store %s#1, %at[symbol(%r)] : memref<?xi32>
    gpu.return
  }

  // The second loop has lanes read what their neighbours wrote: they wait.
  // CHECK-LABEL: gpu.func @shift(
  // CHECK: affine.for
  // CHECK: }
  // CHECK: llvm.call @__gpuopt_subgroup_barrier
  // CHECK: affine.for
  gpu.func @shift(%a: memref<?x1024xi32> {llvm.noalias}, %b: memref<?x1024xi32> {llvm.noalias},
                  %c: memref<?x1024xi32> {llvm.noalias}) kernel {
    %r = gpu.global_id x
    affine.for %i = 0 to 1024 {
      %x = affine.load %a[symbol(%r), %i] : memref<?x1024xi32>
      affine.store %x, %b[symbol(%r), %i] : memref<?x1024xi32>
    }
    affine.for %i = 0 to 1023 {
      %x = affine.load %b[symbol(%r), %i + 1] : memref<?x1024xi32>
      affine.store %x, %c[symbol(%r), %i] : memref<?x1024xi32>
    }
    gpu.return
  }

  // A single work item has no neighbours whose rows might be as near.
  // CHECK-LABEL: gpu.func @single(
  // CHECK: affine.for %{{.*}} = %{{.*}} to %{{.*}} step 32
  // CHECK: gpu.shuffle xor
  gpu.func @single(%a: memref<?xi32> {llvm.noalias}, %out: memref<?xi32> {llvm.noalias}, %w: i32) kernel {
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %wi = arith.index_cast %w : i32 to index
    %r = gpu.global_id x
    %g = arith.cmpi slt, %r, %one : index
    scf.if %g {
      %s = affine.for %i = 0 to %wi iter_args(%t = %zero) -> (i32) {
        %x = affine.load %a[%i] : memref<?xi32>
        %u = arith.addi %t, %x overflow<nsw> : i32
        affine.yield %u : i32
      }
      affine.store %s, %out[0] : memref<?xi32>
    }
    gpu.return
  }
}
