// PTX of every processor is what ptxas takes, and code objects link for every
// generation.
//
// REQUIRES: ptxas
// RUN: sh -c 'for arch in 75 80 86 89 90 100 120; do gpuopt-translate --mlir-to-resources --target=sm_$arch %S/matrix-product.mlir && gpuopt-translate --mlir-to-resources --target=sm_$arch %S/../GPUToLLVM/device-functions.mlir; done' | FileCheck %s
// RUN: sh -c 'for arch in 906 90a 942 1030 1100 1201; do gpuopt-translate --mlir-to-resources --target=gfx$arch %S/matrix-product.mlir; done' | FileCheck %s --check-prefix=HSACO

// CHECK-COUNT-7: mm: {{[0-9]+}} registers, 0 bytes spilled, 0 bytes of workgroup memory (ptxas)
// HSACO-COUNT-6: mm: {{[0-9]+}} registers, 0 bytes spilled, 0 bytes of workgroup memory (llvm)
