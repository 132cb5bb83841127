// PTX of every processor is what ptxas takes.
//
// REQUIRES: ptxas
// RUN: sh -c 'for arch in 75 80 86 89 90 100 120; do sed -e "s/sm_90/sm_$arch/g" %S/../../../dialects/GPUOpt/targets/sm_90.target > %t.$arch && gpuopt-translate --mlir-to-resources --target=%t.$arch %S/matrix-product.mlir && gpuopt-translate --mlir-to-resources --target=%t.$arch %S/../GPUToLLVM/device-functions.mlir; done' | FileCheck %s
// Code objects of three generations.
// RUN: sh -c 'for arch in gfx90a gfx942; do sed -e "s/gfx942/$arch/g" %S/../../../dialects/GPUOpt/targets/gfx942.target > %t.$arch && gpuopt-translate --mlir-to-resources --target=%t.$arch %S/matrix-product.mlir; done' | FileCheck %s --check-prefix=HSACO
// RUN: sed -e "s/gfx942/gfx1100/g" -e "s/subgroup_size = 64/subgroup_size = 32/" %S/../../../dialects/GPUOpt/targets/gfx942.target > %t.gfx1100
// RUN: gpuopt-translate --mlir-to-resources --target=%t.gfx1100 %S/matrix-product.mlir | FileCheck %s --check-prefix=HSACO1100

// CHECK-COUNT-7: mm: {{[0-9]+}} registers, 0 bytes spilled, 0 bytes of workgroup memory (ptxas)
// HSACO-COUNT-2: mm: {{[0-9]+}} registers, 0 bytes spilled, 0 bytes of workgroup memory (llvm)
// HSACO1100: mm: {{[0-9]+}} registers, 0 bytes spilled, 0 bytes of workgroup memory (llvm)
