// RUN: gpuopt-opt %s --gpuopt-assign-geometry="target=sm_90" --split-input-file | FileCheck %s
//
// What is read as unsigned gives the extent that it has as unsigned, or none.

// `long long q = (unsigned)(n - i); if (q > t)`: beyond n it is as good as
// infinite.
// CHECK-LABEL: gpu.func @wraps(
// CHECK-SAME: extents = [unit, unit, unit]
gpu.module @m {
  gpu.func @wraps(%c: memref<?xi32>, %n: i32, %t: i64) kernel {
    %i = gpu.global_id x
    %j = arith.index_cast %i : index to i32
    %d = arith.subi %n, %j overflow<nsw> : i32
    %q = arith.extui %d : i32 to i64
    %g = arith.cmpi sgt, %q, %t : i64
    scf.if %g {
      memref.store %n, %c[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// i + 1 is not negative.
// CHECK: #[[$EXTENT:.*]] = affine_map<()[s0, s1] -> (s1 - 1)>
// CHECK-LABEL: gpu.func @not_negative(
// CHECK-SAME: extents = [#[[$EXTENT]], unit, unit]
gpu.module @m {
  gpu.func @not_negative(%c: memref<?xi64>, %t: i64) kernel {
    %i = gpu.global_id x
    %one = arith.constant 1 : i32
    %j = arith.index_cast %i : index to i32
    %d = arith.addi %j, %one overflow<nsw> : i32
    %q = arith.extui %d : i32 to i64
    %g = arith.cmpi slt, %q, %t : i64
    scf.if %g {
      memref.store %t, %c[%i] : memref<?xi64>
    }
    gpu.return
  }
}

// -----

// -1 is the largest of all.
// CHECK: #[[$LARGEST:.*]] = affine_map<()[s0] -> (4294967295)>
// CHECK-LABEL: gpu.func @constant(
// CHECK-SAME: extents = [#[[$LARGEST]], unit, unit]
gpu.module @m {
  gpu.func @constant(%c: memref<?xi32>) kernel {
    %i = gpu.global_id x
    %j = arith.index_cast %i : index to i32
    %ones = arith.constant -1 : i32
    %g = arith.cmpi ult, %j, %ones : i32
    scf.if %g {
      memref.store %ones, %c[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// Casts to fewer bits cut, whatever their name.
// CHECK-LABEL: gpu.func @cut(
// CHECK-SAME: extents = [unit, unit, unit]
gpu.module @m {
  gpu.func @cut(%c: memref<?xi32>, %n: i32, %m: index) kernel {
    %i = gpu.global_id x
    %sum = arith.addi %i, %m : index
    %j = arith.index_castui %sum : index to i32
    %g = arith.cmpi slt, %j, %n : i32
    scf.if %g {
      memref.store %n, %c[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// Divided by one, a number keeps its sign.
// CHECK: #[[$SAME:.*]] = affine_map<()[s0, s1] -> (s1 mod 4294967296 - ((s1 mod 4294967296 + 2147483648) floordiv 4294967296) * 4294967296)>
// CHECK-LABEL: gpu.func @by_one(
// CHECK-SAME: extents = [#[[$SAME]], unit, unit]
gpu.module @m {
  gpu.func @by_one(%c: memref<?xi32>, %n: i32) kernel {
    %i = gpu.global_id x
    %j = arith.index_cast %i : index to i32
    %one = arith.constant 1 : i32
    %q = arith.divui %n, %one : i32
    %g = arith.cmpi slt, %j, %q : i32
    scf.if %g {
      memref.store %n, %c[%i] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// A size that the launch promises not to be negative is compared with a sign,
// and the id as it is: in 32 bits one below zero, where a tile begins, would be
// a large number.
// CHECK: #[[$PROMISE:.*]] = affine_set<()[{{.*}}] : (s1 >= 0)>
// CHECK-LABEL: gpu.func @promised(
// CHECK-SAME: gpuopt.requires = #[[$PROMISE]]
// CHECK: %[[ID:.*]] = affine.apply
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[ID]] : index to i64
// CHECK: arith.cmpi slt, %[[WIDE]], %{{.*}} : i64
gpu.module @m {
  gpu.func @promised(%c: memref<?xi64>, %n: i64) kernel {
    %i = gpu.global_id x
    %j = arith.index_cast %i : index to i32
    %k = arith.extui %j : i32 to i64
    %g = arith.cmpi ult, %k, %n : i64
    scf.if %g {
      memref.store %n, %c[%i] : memref<?xi64>
    }
    gpu.return
  }
}
