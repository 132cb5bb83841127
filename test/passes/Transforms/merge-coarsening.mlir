// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90" --remarks-filter=gpuopt --remark-format=emitRemark \
// RUN:   --verify-diagnostics | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-merge-for-target="target=sm_90 coarsen=false" | FileCheck %s --check-prefix=OFF

#guarded = #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [128, 1, 1],
                            extents = [affine_map<()[s0, s1, s2, s3] -> (s3)>, unit, unit]>
#counted = #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [128, 1, 1]>
#single = #gpuopt.geometry<block = [128, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [128, 1, 1],
                           extents = [affine_map<()[s0, s1, s2, s3] -> (1)>, unit, unit]>
#rows = #gpuopt.geometry<block = [256, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [256, 1, 1],
                         extents = [affine_map<()[s0, s1, s2] -> (s2)>, unit, unit]>
gpu.module @kernels {
  // All items load the same p[j]: a thread with several loads it once for them,
  // and has as many sums that do not wait for each other.
  // OFF-LABEL: gpu.func @pairs(
  // OFF-SAME: items_per_thread = [1, 1, 1]
  // CHECK-LABEL: gpu.func @pairs(
  // CHECK-SAME: items_per_thread = [4, 1, 1], items_per_block = [512, 1, 1]
  // CHECK: %[[SUMS:.*]]:4 = affine.for %[[J:.*]] = 0 to
  // CHECK: affine.load %{{.*}}[%[[J]]]
  // CHECK-NOT: affine.load
  // CHECK: affine.yield
  // expected-remark@below {{merge 1 x 1 x 1 blocks, 4 x 1 x 1 threads}}
  // expected-remark@below {{a thread does the work of 4 along x}}
  gpu.func @pairs(%p: memref<?xf32> {llvm.noalias}, %s: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel
      attributes {gpuopt.geometry = #guarded} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 128 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %own = affine.load %p[%b * 128 + %t] : memref<?xf32>
      %sum = affine.for %j = 0 to %m iter_args(%so_far = %zero) -> (f32) {
        %other = affine.load %p[%j] : memref<?xf32>
        %d = arith.subf %other, %own : f32
        %square = arith.mulf %d, %d : f32
        %next = arith.addf %so_far, %square : f32
        affine.yield %next : f32
      }
      affine.store %sum, %s[%b * 128 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // No guard says how many blocks there are.
  // CHECK-LABEL: gpu.func @unguarded(
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{; no guard counts its blocks, which would have to come in multiples}}
  gpu.func @unguarded(%p: memref<?xf32> {llvm.noalias}, %s: memref<?xf32> {llvm.noalias}, %m: index) kernel
      attributes {gpuopt.geometry = #counted} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %own = affine.load %p[%b * 128 + %t] : memref<?xf32>
    %sum = affine.for %j = 0 to %m iter_args(%so_far = %zero) -> (f32) {
      %other = affine.load %p[%j] : memref<?xf32>
      %d = arith.subf %other, %own : f32
      %square = arith.mulf %d, %d : f32
      %next = arith.addf %so_far, %square : f32
      affine.yield %next : f32
    }
    affine.store %sum, %s[%b * 128 + %t] : memref<?xf32>
    gpu.return
  }

  // One work item does everything: there is no second one.
  // CHECK-LABEL: gpu.func @one(
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{; no guard counts its blocks}}
  gpu.func @one(%p: memref<?xf32> {llvm.noalias}, %s: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel
      attributes {gpuopt.geometry = #single} {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 128 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %one : index
    scf.if %inside {
      %sum = affine.for %j = 0 to %m iter_args(%so_far = %zero) -> (f32) {
        %other = affine.load %p[%j] : memref<?xf32>
        %next = arith.addf %so_far, %other : f32
        affine.yield %next : f32
      }
      affine.store %sum, %s[%b * 128 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // Items have nothing in common, and DRAM is busy anyway.
  // CHECK-LABEL: gpu.func @stream(
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{; its time is that of DRAM}}
  gpu.func @stream(%a: memref<?xf64>, %c: memref<?xf64>, %n: index) kernel attributes {gpuopt.geometry = #rows} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %v = affine.load %a[%b * 4096 + %t * 16] : memref<?xf64>
      affine.store %v, %c[%b * 4096 + %t * 16] : memref<?xf64>
    }
    gpu.return
  }

  // A loop that is unrolled whole takes registers that nobody has counted.
  // CHECK-LABEL: gpu.func @taps(
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{; its loops are unrolled, and take registers that are not known yet}}
  gpu.func @taps(%p: memref<?xf32> {llvm.noalias}, %s: memref<?xf32>, %n: index) kernel
      attributes {gpuopt.geometry = #rows} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 256 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %sum = affine.for %j = 0 to 9 iter_args(%so_far = %zero) -> (f32) {
        %other = affine.load %p[%b * 256 + %t + %j] : memref<?xf32>
        %next = arith.addf %so_far, %other : f32
        affine.yield %next : f32
      }
      affine.store %sum, %s[%b * 256 + %t] : memref<?xf32>
    }
    gpu.return
  }

  // Items have nothing in common but the counting of the loop.
  // CHECK-LABEL: gpu.func @apart(
  // CHECK-SAME: items_per_thread = [1, 1, 1]
  // expected-remark@below {{; several items for a thread are not quicker by the model}}
  gpu.func @apart(%p: memref<?xf32> {llvm.noalias}, %s: memref<?xf32> {llvm.noalias}, %m: index, %n: index) kernel
      attributes {gpuopt.geometry = #guarded} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(b, t) -> (b * 128 + t)>(%b, %t)
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %own = affine.load %p[%b * 128 + %t] : memref<?xf32>
      %last = affine.for %j = 0 to %m iter_args(%x = %own) -> (f32) {
        %x1 = math.sin %x : f32
        %x2 = math.cos %x1 : f32
        %x3 = math.sin %x2 : f32
        affine.yield %x3 : f32
      }
      affine.store %last, %s[%b * 128 + %t] : memref<?xf32>
    }
    gpu.return
  }
}
