// RUN: gpuopt-opt %s --gpuopt-import-mlir | FileCheck %s

// CHECK-LABEL: gpu.func @matmul_kernel
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK: scf.if
// CHECK: affine.for %[[K:.*]] = 0 to
// CHECK: {{affine|memref}}.load %{{.*}}[{{.*}}%[[Y]]{{.*}}, %[[K]]]
// CHECK: {{affine|memref}}.load %{{.*}}[%[[K]], {{.*}}%[[X]]{{.*}}]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
