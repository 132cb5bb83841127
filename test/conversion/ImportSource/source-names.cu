// What the source calls its variables is in the locations of their values: emitted source and remarks use it.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 --mlir-use-nameloc-as-prefix | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 --mlir-use-nameloc-as-prefix | FileCheck %s

__device__ float square(float v) {
  float result = v * v;
  return result;
}

// A variable that a loop changes is an argument of its block; one of an inlined function has the name that it has there.
// CHECK-LABEL: @_Z5namedPKfPfi(
// CHECK:     ^bb1(%row: i32, %sum: f32):
// CHECK:     %element = llvm.load
// CHECK:     %[[NEXT:sum[_0-9]*]] = llvm.fadd %sum, %element
// CHECK:     %[[ROW:row[_0-9]*]] = llvm.add %row,
// CHECK:     llvm.br ^bb1(%[[ROW]], %[[NEXT]] : i32, f32)
// CHECK:     %result = llvm.fmul %sum, %sum
__global__ void named(const float *a, float *b, int n) {
  float sum = 0;
  for (int row = 0; row < n; ++row) {
    float element = a[row];
    sum += element;
  }
  b[0] = sum;
  b[1] = square(sum);
}
