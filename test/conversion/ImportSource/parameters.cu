// What a kernel's parameters are called and declared as stays with them: launches and emitted source need it.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuda_runtime.h>

enum Mode { slow, fast };

// Integers have no sign in LLVM IR.
// CHECK-LABEL: @_Z7scalars
// CHECK-SAME: !llvm.ptr {gpuopt.name = "out", gpuopt.pointee = "int"
// CHECK-SAME: i1 {gpuopt.name = "flag"
// CHECK-SAME: i16 {gpuopt.name = "s", gpuopt.unsigned
// CHECK-SAME: i32 {gpuopt.name = "u", gpuopt.unsigned
// CHECK-SAME: i64 {gpuopt.name = "l", llvm.noundef}
// An enumeration is the number that it stands for.
// CHECK-SAME: i32 {gpuopt.name = "mode", gpuopt.unsigned
// CHECK-SAME: i8 {gpuopt.name = "c", llvm
__global__ void scalars(int *out, bool flag, unsigned short s, unsigned u, long long l, Mode mode, char c) {
  out[0] = flag ? s + u + l + mode : c;
}

// A pointer says nothing of what it points to, nor who else does. What the body does with it is found out.
// CHECK-LABEL: @_Z8pointers
// CHECK-SAME: {gpuopt.name = "in", gpuopt.pointee = "const float", llvm.noalias, {{[^{]*}}llvm.readonly}
// CHECK-SAME: {gpuopt.name = "bytes", gpuopt.pointee = "unsigned char", gpuopt.unsigned, {{[^{]*}}llvm.writeonly}
// CHECK-SAME: {gpuopt.name = "vectors", gpuopt.pointee = "const int4", {{[^{]*}}llvm.readonly}
// Types that a launch need not name have none.
// CHECK-SAME: {gpuopt.name = "any", llvm{{[^{]*}}llvm.readnone}
// CHECK-SAME: {gpuopt.name = "rows", llvm
__global__ void pointers(const float *__restrict__ in, unsigned char *bytes, const int4 *vectors, void *any,
                         double (*rows)[4]) {
  bytes[0] = in[0] > 0 && vectors[1].y;
  rows[1][2] = 0;
}
