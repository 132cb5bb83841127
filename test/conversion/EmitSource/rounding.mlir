// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// A product and a sum are fused where both may be: what the sum forbids is said of the product.
// CHECK-LABEL: void rounded(
// CHECK:         __fmul_rn(x, x) + y
// CHECK:         x * y + x
gpu.module @kernels {
  gpu.func @rounded(%a: memref<?xf32> {gpuopt.name = "a"}, %x: f32 {gpuopt.name = "x"}, %y: f32 {gpuopt.name = "y"}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %square = arith.mulf %x, %x fastmath<contract> : f32
    %exact = arith.addf %square, %y : f32
    memref.store %exact, %a[%c0] : memref<?xf32>
    %product = arith.mulf %x, %y fastmath<contract> : f32
    %fused = arith.addf %product, %x fastmath<contract> : f32
    memref.store %fused, %a[%c1] : memref<?xf32>
    gpu.return
  }
}
