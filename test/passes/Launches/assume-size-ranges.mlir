// RUN: gpuopt-opt %s --gpuopt-assume-size-ranges --split-input-file | FileCheck %s

// A size with a sign that is also taken for an unsigned number is one number where it is not negative; where the source
// declares it without a sign, there is nothing to ask.
// CHECK: #[[$SIGNS:.*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7, s8] : (s1 >= 0)>
// CHECK-LABEL: gpu.func @mixed(
// CHECK-SAME: gpuopt.fallback = @mixed__original
// CHECK-SAME: gpuopt.requires = #[[$SIGNS]]
// CHECK-DAG: %[[N:.*]] = arith.index_cast %arg1 : i32 to index
// CHECK-DAG: arith.index_castui %arg2 : i32 to index
// CHECK: arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK-LABEL: gpu.func @mixed__original(
// CHECK: arith.index_castui %arg1 : i32 to index
gpu.module @kernels {
  gpu.func @mixed(%a: memref<?xf32>, %n: i32, %m: i32 {gpuopt.unsigned}) kernel {
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %most = arith.index_castui %n : i32 to index
    %rows = arith.index_castui %m : i32 to index
    %is_inside = arith.cmpi slt, %id, %most : index
    scf.if %is_inside {
      memref.store %zero, %a[%rows] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// A size of 64 bits is an index below 2^62, and so is what is less than it by one where that is at least 0; then the
// guards are those of indices.
// CHECK: #[[$WIDE:.*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (s1 - 1 >= 0, -s1 + 4611686018427387903 >= 0)>
// CHECK-LABEL: gpu.func @inside(
// CHECK-SAME: gpuopt.fallback = @inside__original
// CHECK-SAME: gpuopt.requires = #[[$WIDE]]
// CHECK: %[[N:.*]] = arith.index_cast %arg1 : i64 to index
// CHECK: %[[LAST:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: arith.cmpi slt, %{{.*}}, %[[LAST]] : index
// CHECK-LABEL: gpu.func @inside__original(
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
gpu.module @kernels {
  gpu.func @inside(%a: memref<?xf32>, %n: i64 {gpuopt.unsigned}) kernel {
    %id = gpu.global_id x
    %narrow = arith.index_cast %id : index to i32
    %wide = arith.extui %narrow : i32 to i64
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i64
    %last = arith.subi %n, %one : i64
    %is_inside = arith.cmpi ult, %wide, %last : i64
    scf.if %is_inside {
      memref.store %zero, %a[%id] : memref<?xf32>
    }
    gpu.return
  }
}

// -----

// `for (k = 1; k <= n; ++k)` of 32 bits ends unless n is the largest number.
// CHECK: #[[$ENDS:.*]] = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (-(s1 mod 4294967296) + 4294967294 >= 0)>
// CHECK-LABEL: gpu.func @inclusive(
// CHECK-SAME: gpuopt.requires = #[[$ENDS]]
// CHECK: affine.for
// CHECK-LABEL: gpu.func @inclusive__original(
// CHECK: scf.while
gpu.module @kernels {
  gpu.func @inclusive(%a: memref<?xf32>, %n: i32 {gpuopt.unsigned}) kernel {
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32
    %sum:2 = scf.while (%k = %one, %s = %zero) : (i32, f32) -> (i32, f32) {
      %goes_on = arith.cmpi ule, %k, %n : i32
      scf.condition(%goes_on) %k, %s : i32, f32
    } do {
    ^bb0(%k: i32, %s: f32):
      %at = arith.index_castui %k : i32 to index
      %v = memref.load %a[%at] : memref<?xf32>
      %next = arith.addf %s, %v : f32
      %k1 = arith.addi %k, %one : i32
      scf.yield %k1, %next : i32, f32
    }
    memref.store %sum#1, %a[%id] : memref<?xf32>
    gpu.return
  }
}

// -----

// `for (k = n; k != 0; --k)` of 64 bits begins at an index.
// CHECK-LABEL: gpu.func @down(
// CHECK-SAME: gpuopt.requires
// CHECK: affine.for
// CHECK-LABEL: gpu.func @down__original(
// CHECK: scf.while
gpu.module @kernels {
  gpu.func @down(%a: memref<?xf32>, %n: i64 {gpuopt.unsigned}) kernel {
    %id = gpu.global_id x
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0 : i64
    %back = arith.constant -1 : i64
    %sum:2 = scf.while (%k = %n, %s = %zero) : (i64, f32) -> (i64, f32) {
      %goes_on = arith.cmpi ugt, %k, %none : i64
      scf.condition(%goes_on) %k, %s : i64, f32
    } do {
    ^bb0(%k: i64, %s: f32):
      %next = arith.addi %k, %back : i64
      %at = arith.index_cast %next : i64 to index
      %v = memref.load %a[%at] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %next, %t : i64, f32
    }
    memref.store %sum#1, %a[%id] : memref<?xf32>
    gpu.return
  }
}

// -----

// What is compared with a constant, or is data, is no size; 32 bits without a sign are a number of 32 bits.
// CHECK-LABEL: gpu.func @nothing_to_ask(
// CHECK-NOT: gpuopt.requires
// CHECK-NOT: @nothing_to_ask__original
gpu.module @kernels {
  gpu.func @nothing_to_ask(%a: memref<?xi64>, %mode: i64, %key: i64 {gpuopt.unsigned}, %n: i32 {gpuopt.unsigned}) kernel {
    %id = gpu.global_id x
    %narrow = arith.index_cast %id : index to i32
    %few = arith.constant 4 : i64
    %is_few = arith.cmpi ult, %mode, %few : i64
    %is_inside = arith.cmpi ult, %narrow, %n : i32
    %both = arith.andi %is_few, %is_inside : i1
    scf.if %both {
      %v = memref.load %a[%id] : memref<?xi64>
      %mixed = arith.xori %v, %key : i64
      memref.store %mixed, %a[%id] : memref<?xi64>
    }
    gpu.return
  }
}

// -----

// A loop whose test has a sign, and that is none of more bits than its variable, asks for nothing either, also where it
// is not counted.
// CHECK-LABEL: gpu.func @with_sign(
// CHECK-NOT: gpuopt.requires
// CHECK-NOT: @with_sign__original
gpu.module @kernels {
  gpu.func @with_sign(%a: memref<?xi32>, %n: i32) kernel {
    %id = gpu.global_id x
    %none = arith.constant 0 : i32
    %last:2 = scf.while (%k = %none, %s = %none) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi slt, %k, %n : i32
      scf.condition(%goes_on) %k, %s : i32, i32
    } do {
    ^bb0(%k: i32, %s: i32):
      %at = arith.index_cast %k : i32 to index
      %step = memref.load %a[%at] : memref<?xi32>
      %next = arith.addi %k, %step : i32
      %sum = arith.addi %s, %step : i32
      scf.yield %next, %sum : i32, i32
    }
    memref.store %last#1, %a[%id] : memref<?xi32>
    gpu.return
  }
}
