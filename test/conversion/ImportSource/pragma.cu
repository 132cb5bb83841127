// RUN: split-file %s %t
// RUN: gpuopt-translate --cuda-to-mlir %t/good.cu | FileCheck %s --check-prefix=GOOD
// RUN: not gpuopt-translate --cuda-to-mlir %t/syntax.cu 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not gpuopt-translate --cuda-to-mlir %t/clause.cu 2>&1 | FileCheck %s --check-prefix=CLAUSE
// RUN: not gpuopt-translate --cuda-to-mlir %t/name.cu 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not gpuopt-translate --cuda-to-mlir %t/scalar.cu 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: gpuopt-translate --cuda-to-mlir %t/alone.cu 2>&1 | FileCheck %s --check-prefix=ALONE

//--- good.cu
#pragma gpuopt domain(n / 2, (m + 1) << 2)
#pragma gpuopt array(a: n, m) output(a: n)
// GOOD: llvm.func {{.*}}@_Z1fPfii
__global__ void f(float *a, int n, int m) { a[n] = m; }
//--- syntax.cu
// SYNTAX: syntax.cu:2:29: error: '#pragma gpuopt': expected an extent
#pragma gpuopt domain(n * 2,) array(a: n)
__global__ void f(float *a, int n) { a[n] = 0; }
//--- clause.cu
// CLAUSE: clause.cu:2:26: error: '#pragma gpuopt': unknown clause 'frob'; expected 'domain', 'array', 'output', 'share' or 'reassociate'
#pragma gpuopt domain(n) frob(3)
__global__ void f(float *a, int n) { a[n] = 0; }
//--- name.cu
// NAME: name.cu:2:{{[0-9]+}}: error: 'm' is no parameter of the kernel
#pragma gpuopt domain(m)
__global__ void f(float *a, int n) { a[n] = 0; }
//--- scalar.cu
// SCALAR: scalar.cu:2:{{[0-9]+}}: error: 'n' is no array but of type 'int'
#pragma gpuopt array(n: 4)
__global__ void f(float *a, int n) { a[n] = 0; }
//--- alone.cu
__global__ void f(float *a, int n) { a[n] = 0; }
// ALONE: alone.cu:3:{{[0-9]+}}: warning: no kernel follows this '#pragma gpuopt'
#pragma gpuopt domain(n)
