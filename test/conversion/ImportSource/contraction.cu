// Contraction is what is asked for, fast-math flags too.
// RUN: gpuopt-translate --cuda-to-mlir %s | FileCheck %s --check-prefix=FAST
// RUN: gpuopt-translate --cuda-to-mlir %s --contract=on | FileCheck %s --check-prefix=FAST
// RUN: gpuopt-translate --cuda-to-mlir %s --contract=off | FileCheck %s --check-prefix=OFF
// RUN: gpuopt-translate --cuda-to-mlir %s --fast-math | FileCheck %s --check-prefix=ALL

// FAST: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// FAST: llvm.fadd {{.*}} {fastmathFlags = #llvm.fastmath<contract>}
// OFF: llvm.fmul {{[^{]*}} : f32
// OFF: llvm.fadd {{[^{]*}} : f32
// ALL: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<fast>}
__global__ void f(float *a) { a[0] = a[0] * a[1] + a[2]; }
