// RUN: gpuopt-opt %s --split-input-file -verify-diagnostics | gpuopt-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK:         %[[D:.*]] = gpuopt.matrix_descriptor %arg0[%arg2, %arg2] {interleave = 32 : i64, transposed} : memref<64x64xf16, 3>
// CHECK:         %[[NEW:.*]]:4 = gpuopt.warpgroup_product %[[D]], %[[D]], %arg1, %arg1, %arg1, %arg1 {{{.*}}pending = 1 : i64{{.*}}} : f32
// CHECK:         gpuopt.warpgroup_wait %[[NEW]]#0, %[[NEW]]#1, %[[NEW]]#2, %[[NEW]]#3 : f32
func.func @product(%tile: memref<64x64xf16, 3>, %s: f32, %i: index) -> f32 {
  %d = gpuopt.matrix_descriptor %tile[%i, %i] {interleave = 32 : i64, transposed} : memref<64x64xf16, 3>
  %new:4 = gpuopt.warpgroup_product %d, %d, %s, %s, %s, %s
      {shape = array<i64: 64, 8, 16>, operands = f16, steps = 4 : i64, row_step = 2048 : i64, column_step = 32 : i64, pending = 1 : i64} : f32
  %done:4 = gpuopt.warpgroup_wait %new#0, %new#1, %new#2, %new#3 : f32
  return %done#0 : f32
}

// -----

func.func @rank(%tile: memref<64x64xf16, 3>, %i: index) {
  // expected-error @below {{expected 2 subscripts, found 1}}
  %d = gpuopt.matrix_descriptor %tile[%i] : memref<64x64xf16, 3>
  return
}

// -----

func.func @interleave(%tile: memref<64x64xf16, 3>, %i: index) {
  // expected-error @below {{expected 'interleave' to be a multiple of 8, found 4}}
  %d = gpuopt.matrix_descriptor %tile[%i, %i] {interleave = 4 : i64} : memref<64x64xf16, 3>
  return
}

// -----

func.func @sums(%d: i64, %s: f32) {
  // expected-error @below {{expected 4 sums, found 2}}
  %new:2 = gpuopt.warpgroup_product %d, %d, %s, %s
      {shape = array<i64: 64, 8, 16>, operands = f16, steps = 1 : i64, row_step = 32 : i64, column_step = 32 : i64} : f32
  return
}

// -----

func.func @depth(%d: i64, %s: f32) {
  // expected-error @below {{expected products of 32 bytes}}
  %new:4 = gpuopt.warpgroup_product %d, %d, %s, %s, %s, %s
      {shape = array<i64: 64, 8, 32>, operands = f16, steps = 1 : i64, row_step = 32 : i64, column_step = 32 : i64} : f32
  return
}
