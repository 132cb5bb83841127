// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-global-ids))' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-expand-global-ids{subgroup-size=64}))' | FileCheck %s --check-prefixes=CHECK,AMD

// Where a work item is, in 32 bits: a product of 64 takes several instructions,
// and no launch has 2^31 work items along a dimension.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @position(
  // CHECK-DAG:     %[[BLOCK:.*]] = gpu.block_id y
  // CHECK-DAG:     %[[SIZE:.*]] = gpu.block_dim y
  // CHECK-DAG:     %[[THREAD:.*]] = gpu.thread_id y
  // CHECK-DAG:     %[[B:.*]] = arith.index_cast %[[BLOCK]] : index to i32
  // CHECK-DAG:     %[[S:.*]] = arith.index_cast %[[SIZE]] : index to i32
  // CHECK-DAG:     %[[T:.*]] = arith.index_cast %[[THREAD]] : index to i32
  // CHECK:         %[[START:.*]] = arith.muli %[[B]], %[[S]] overflow<nsw, nuw> : i32
  // CHECK:         %[[ID:.*]] = arith.addi %[[START]], %[[T]] overflow<nsw, nuw> : i32
  // CHECK:         %[[INDEX:.*]] = arith.index_castui %[[ID]] : i32 to index
  // CHECK:         memref.store %{{.*}}, %{{.*}}[%[[INDEX]]]
  gpu.func @position(%a: memref<?xf32>, %v: f32) kernel {
    %id = gpu.global_id y
    memref.store %v, %a[%id] : memref<?xf32>
    gpu.return
  }

  // The target says how many threads a subgroup has.
  // CHECK-LABEL: gpu.func @subgroups(
  // NVIDIA:        %[[SIZE:.*]] = arith.constant 32 : index
  // AMD:           %[[SIZE:.*]] = arith.constant 64 : index
  // CHECK-NOT:     gpu.subgroup
  // CHECK:         memref.store %{{.*}}, %{{.*}}[%[[SIZE]]]
  gpu.func @subgroups(%a: memref<?xf32>, %v: f32) kernel {
    %size = gpu.subgroup_size : index
    memref.store %v, %a[%size] : memref<?xf32>
    gpu.return
  }

  // A kernel that asks for neither is left alone.
  // CHECK-LABEL: gpu.func @other(
  // CHECK-NEXT:    %[[THREAD:.*]] = gpu.thread_id x
  // CHECK-NEXT:    memref.store %{{.*}}, %{{.*}}[%[[THREAD]]]
  gpu.func @other(%a: memref<?xf32>, %v: f32) kernel {
    %id = gpu.thread_id x
    memref.store %v, %a[%id] : memref<?xf32>
    gpu.return
  }
}
