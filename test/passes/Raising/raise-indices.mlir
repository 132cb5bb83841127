// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-indices,canonicalize)))' | FileCheck %s

gpu.module @kernels {
  // a[idy * k + 1]: what must not wrap is computed in index; parameters move to
  // the top.
  // CHECK-LABEL: gpu.func @signed
  // CHECK-DAG: %[[Y:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK-DAG: %[[K:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK: %[[ROW:.*]] = arith.muli %[[Y]], %[[K]]{{.*}} : index
  // CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %c1{{.*}} : index
  // CHECK: scf.if
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[AT]]]
  gpu.func @signed(%a: memref<?xf32>, %y: i32, %k: i32, %c: i1, %v: f32) kernel {
    scf.if %c {
      %c1 = arith.constant 1 : i32
      %row = arith.muli %y, %k overflow<nsw> : i32
      %flat = arith.addi %row, %c1 overflow<nsw> : i32
      %wide = arith.extsi %flat : i32 to i64
      %at = arith.index_cast %wide : i64 to index
      memref.store %v, %a[%at] : memref<?xf32>
    }
    gpu.return
  }

  // Unsigned sums may wrap: the narrow sum stays and is cast.
  // CHECK-LABEL: gpu.func @unsigned
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
  // CHECK: arith.index_castui %[[SUM]] : i32 to index
  gpu.func @unsigned(%a: memref<?xf32>, %y: i32, %k: i32, %v: f32) kernel {
    %flat = arith.addi %y, %k : i32
    %wide = arith.extui %flat : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    memref.store %v, %a[%at] : memref<?xf32>
    gpu.return
  }

  // Ids leave room for it.
  // CHECK-LABEL: gpu.func @ids
  // CHECK-NOT: i32
  // CHECK: gpu.return
  gpu.func @ids(%a: memref<?xf32>, %v: f32) kernel {
    %id = gpu.global_id x
    %c1 = arith.constant 1 : i32
    %i = arith.index_cast %id : index to i32
    %next = arith.addi %i, %c1 : i32
    %at = arith.index_castui %next : i32 to index
    memref.store %v, %a[%at] : memref<?xf32>
    gpu.return
  }
  // Of several results the first has no width.
  // CHECK-LABEL: gpu.func @severalResults
  // CHECK: %[[BOTH:.*]]:2 = scf.if
  // CHECK: arith.index_cast %[[BOTH]]#1 : i32 to index
  gpu.func @severalResults(%a: memref<?x?xf32>, %rows: memref<?xindex>, %columns: memref<?xi32>, %c: i1, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    %first = arith.constant 0 : i32
    %both:2 = scf.if %c -> (index, i32) {
      %row = memref.load %rows[%c0] : memref<?xindex>
      %column = memref.load %columns[%c0] : memref<?xi32>
      scf.yield %row, %column : index, i32
    } else {
      scf.yield %c0, %first : index, i32
    }
    %wide = arith.extsi %both#1 : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    memref.store %v, %a[%both#0, %at] : memref<?x?xf32>
    gpu.return
  }
}
