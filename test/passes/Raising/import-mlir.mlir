// RUN: gpuopt-opt %s --gpuopt-import-mlir | FileCheck %s

// CHECK-LABEL: gpu.func @matmul_kernel
// CHECK-DAG: %[[X:.*]] = gpu.global_id x
// CHECK-DAG: %[[Y:.*]] = gpu.global_id y
// CHECK: affine.for %[[K:.*]] = 0 to
// CHECK: affine.load %{{.*}}[symbol(%[[X]]), %[[K]]]
// CHECK: affine.load %{{.*}}[%[[K]], symbol(%[[Y]])]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
