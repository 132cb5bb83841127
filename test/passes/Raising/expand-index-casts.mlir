// RUN: gpuopt-opt %s --gpuopt-expand-index-casts | FileCheck %s
// RUN: gpuopt-opt %s --gpuopt-expand-index-casts --canonicalize | FileCheck %s --check-prefix=FOLDED

// An index that goes through 8 bits loses the others, also when upstream folds what it can.
// CHECK-LABEL: func.func @byte
// CHECK:         %[[WIDE:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         %[[LOW:.*]] = arith.trunci %[[WIDE]] : i64 to i8
// CHECK:         arith.index_cast %[[LOW]] : i8 to index
// FOLDED-LABEL: func.func @byte
// FOLDED:         arith.trunci
// FOLDED:         arith.index_cast {{.*}} : i8 to index
func.func @byte(%i: index) -> index {
  %low = arith.index_cast %i : index to i8
  %back = arith.index_cast %low : i8 to index
  return %back : index
}

// CHECK-LABEL: func.func @lanes
// CHECK:         arith.index_cast %{{.*}} : vector<4xindex> to vector<4xi64>
// CHECK:         arith.trunci %{{.*}} : vector<4xi64> to vector<4xi32>
func.func @lanes(%i: vector<4xindex>) -> vector<4xi32> {
  %low = arith.index_castui %i : vector<4xindex> to vector<4xi32>
  return %low : vector<4xi32>
}

// Nothing is lost in 64 bits, nor in the other direction.
// CHECK-LABEL: func.func @whole
// CHECK-NOT:     arith.trunci
// CHECK:         return
func.func @whole(%i: index, %j: i8) -> (i64, index) {
  %all = arith.index_cast %i : index to i64
  %wide = arith.index_castui %j : i8 to index
  return %all, %wide : i64, index
}
