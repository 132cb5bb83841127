// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(gpuopt-raise-index-arithmetic)))' | FileCheck %s

// Conditions on ids and sizes, as guards around what a thread does.

gpu.module @kernels {
  // An early return is an empty branch with the rest behind `else`: the rest is
  // under the opposite, and compares indices.
  // CHECK-LABEL: gpu.func @guard(
  // CHECK-SAME:    memref<?xf32>, %[[N:.*]]: i32,
  // CHECK-DAG:     %[[ID:.*]] = gpu.global_id x
  // CHECK-DAG:     %[[END:.*]] = arith.index_cast %[[N]] : i32 to index
  // CHECK:         %[[IN:.*]] = arith.cmpi slt, %[[ID]], %[[END]] : index
  // CHECK-NEXT:    scf.if %[[IN]] {
  // CHECK-NEXT:      memref.store
  // CHECK-NEXT:    }
  gpu.func @guard(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i32
    %out = arith.cmpi sge, %i, %n : i32
    scf.if %out {
    } else {
      memref.store %v, %a[%id] : memref<?xf32>
    }
    gpu.return
  }

  // Neither out to the right nor below: the opposite of `or` is `and` of opposites.
  // CHECK-LABEL: gpu.func @either(
  // CHECK:         %[[LEFT:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
  // CHECK:         %[[ABOVE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
  // CHECK:         %[[IN:.*]] = arith.andi %[[LEFT]], %[[ABOVE]] : i1
  // CHECK:         scf.if %[[IN]] {
  gpu.func @either(%a: memref<?xf32>, %n: i32, %m: i32, %v: f32) kernel {
    %true = arith.constant true
    %idx = gpu.global_id x
    %idy = gpu.global_id y
    %i = arith.index_cast %idx : index to i32
    %j = arith.index_cast %idy : index to i32
    %right = arith.cmpi sge, %i, %n : i32
    %below = arith.cmpi sge, %j, %m : i32
    %out = arith.select %right, %true, %below : i1
    scf.if %out {
    } else {
      memref.store %v, %a[%idx] : memref<?xf32>
    }
    gpu.return
  }

  // A short circuit stays where the second question is one about what is loaded.
  // CHECK-LABEL: gpu.func @loaded(
  // CHECK:         %[[SET:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i32
  // CHECK:         arith.select %{{.*}}, %[[SET]], %false : i1
  gpu.func @loaded(%a: memref<?xf32>, %b: memref<?xi32>, %n: i32, %v: f32) kernel {
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i32
    %in = arith.cmpi slt, %i, %n : i32
    %w = scf.if %in -> i32 {
      %x = memref.load %b[%id] : memref<?xi32>
      scf.yield %x : i32
    } else {
      scf.yield %zero : i32
    }
    %set = arith.cmpi ne, %w, %zero : i32
    %both = arith.select %in, %set, %false : i1
    scf.if %both {
      memref.store %v, %a[%id] : memref<?xf32>
    }
    gpu.return
  }

  // A number without a sign is extended as one, and as an index is compared with one.
  // CHECK-LABEL: gpu.func @unsigned(
  // CHECK:         %[[END:.*]] = arith.index_castui %{{.*}} : i32 to index
  // CHECK:         arith.cmpi slt, %{{.*}}, %[[END]] : index
  gpu.func @unsigned(%a: memref<?xf32>, %n: i32 {gpuopt.unsigned}, %v: f32) kernel {
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i32
    %in = arith.cmpi ult, %i, %n : i32
    scf.if %in {
      memref.store %v, %a[%id] : memref<?xf32>
    }
    gpu.return
  }

  // A difference that may wrap is no number that an index is: nothing is compared
  // otherwise than before.
  // CHECK-LABEL: gpu.func @mixed(
  // CHECK:         %[[LESS:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
  // CHECK:         arith.cmpi slt, %{{.*}}, %[[LESS]] : i32
  gpu.func @mixed(%a: memref<?xf32>, %n: i32, %v: f32) kernel {
    %c5 = arith.constant 5 : i32
    %id = gpu.global_id x
    %i = arith.index_cast %id : index to i32
    %less = arith.subi %n, %c5 : i32
    %in = arith.cmpi slt, %i, %less : i32
    scf.if %in {
      memref.store %v, %a[%id] : memref<?xf32>
    }
    gpu.return
  }
}
