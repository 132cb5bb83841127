// Every wrong input is answered by one error at its place.
// RUN: split-file %s %t
// RUN: not gpuopt-translate --cuda-to-mlir %t/syntax.cu 2>&1 | FileCheck %s --check-prefix=SYNTAX --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/recursion.cu 2>&1 | FileCheck %s --check-prefix=RECURSION --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/virtual.cu 2>&1 | FileCheck %s --check-prefix=VIRTUAL --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/pointer.cu 2>&1 | FileCheck %s --check-prefix=POINTER --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/body.cu 2>&1 | FileCheck %s --check-prefix=BODY --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/foreign.cu 2>&1 | FileCheck %s --check-prefix=FOREIGN --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/variadic.cu 2>&1 | FileCheck %s --check-prefix=VARIADIC --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/texture.cu 2>&1 | FileCheck %s --check-prefix=TEXTURE --implicit-check-not=error:
// RUN: gpuopt-translate --cuda-to-mlir %t/own.cu | FileCheck %s --check-prefix=OWN
// RUN: not gpuopt-translate --cuda-to-mlir %t/host.cu 2>&1 | FileCheck %s --check-prefix=HOST --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/empty.cu 2>&1 | FileCheck %s --check-prefix=HOST --implicit-check-not=error:
// RUN: not gpuopt-translate --cuda-to-mlir %t/template.cu 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: not gpuopt-translate --cuda-to-mlir %t/suffix.txt 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: %python -c "open(r'%t/binary.cu', 'wb').write(bytes(range(256)) * 8)"
// RUN: not gpuopt-translate --cuda-to-mlir %t/binary.cu 2>&1 | FileCheck %s --check-prefix=BINARY
// RUN: %python -c "open(r'%t/deep.cu', 'w').write('__global__ void f(int *a) { *a = ' + '(' * 3000 + '1' + ')' * 3000 + '; }')"
// RUN: not gpuopt-translate --cuda-to-mlir %t/deep.cu 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not gpuopt-translate --cuda-to-mlir %t/missing.cu
// RUN: gpuopt-translate --cuda-to-mlir %t/assembly.cu --target=sm_90 | FileCheck %s --check-prefix=PTX
// RUN: not gpuopt-translate --cuda-to-mlir %t/assembly.cu --target=gfx942 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// RUN: not gpuopt-translate --cuda-to-mlir %t/two.cu 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: gpuopt-translate --cuda-to-mlir %t/two.cu --kernel=good | FileCheck %s --check-prefix=GOOD
// RUN: gpuopt-translate --cuda-to-mlir %t/two.cu --leave-out-unsupported 2>&1 | FileCheck %s --check-prefixes=LEFT,GOOD
// RUN: not gpuopt-translate --cuda-to-mlir %t/two.cu --kernel=god 2>&1 | FileCheck %s --check-prefix=UNKNOWN

//--- syntax.cu
// SYNTAX: syntax.cu:2:48: error: expected expression
__global__ void f(float *a) { a[0] = 1; a[1] = ; a[2] = ; }
//--- recursion.cu
// RECURSION: recursion.cu:2:48: error: recursion is not supported in a kernel: 'fib' calls itself
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void f(int *a) { a[0] = fib(a[1]); }
//--- virtual.cu
struct B { __device__ virtual int g(int x) { return x; } };
// VIRTUAL: virtual.cu:3:{{[0-9]+}}: error: a call through a pointer
__global__ void f(int *a, B *b) { a[0] = b->g(a[1]); }
//--- pointer.cu
__device__ int g(int x) { return x; }
__device__ int h(int x) { return -x; }
__global__ void f(int *a) {
  int (*p)(int) = a[2] ? g : h;
  // POINTER: pointer.cu:6:{{[0-9]+}}: error: a call through a pointer
  a[0] = p(a[1]);
}
//--- body.cu
extern __device__ int g(int);
// BODY: body.cu:3:{{[0-9]+}}: error: 'g' has no body that a kernel can call
__global__ void f(int *a) { a[0] = g(1); }
//--- foreign.cu
namespace filters { extern __constant__ float row[4]; }
// FOREIGN: foreign.cu:3:{{[0-9]+}}: error: 'filters::row' is a variable of another file, which a kernel cannot use: define it in this one
__global__ void f(float *a) { a[threadIdx.x] = filters::row[threadIdx.x & 3]; }
//--- variadic.cu
// VARIADIC: variadic.cu:2:1: error: a kernel cannot have a variable number of arguments
__global__ void f(float *a, ...) { a[0] = 1; }
//--- texture.cu
texture<float, 1> table;
// TEXTURE: texture.cu:3:{{[0-9]+}}: error: 'tex1Dfetch<float>' has no body that a kernel can call
__global__ void f(float *a) { a[threadIdx.x] = tex1Dfetch(table, threadIdx.x); }
//--- own.cu
extern __constant__ float defined[4], unused[4];
extern __shared__ float dynamic[];
// OWN-NOT: @unused
// OWN: llvm.func {{.*}}@_Z1fPf
__global__ void f(float *a) { a[threadIdx.x] = dynamic[threadIdx.x] * defined[threadIdx.x & 3]; }
__constant__ float defined[4];
//--- host.cu
// HOST: error: no kernel found in this file
int main() { return 0; }
//--- empty.cu
//--- template.cu
// TEMPLATE: template.cu:2:{{[0-9]+}}: warning: kernel template 'f' is left out: nothing instantiates it
template <class T> __global__ void f(T *a) { a[0] = 1; }
//--- suffix.txt
// SUFFIX: suffix.txt: error: unknown kind of source file; expected '.cu', '.hip', '.cpp', '.cl', '.mlir' or '.c'
//--- assembly.cu
__global__ void f(int *a) {
  int lane;
  // PTX: llvm.inline_asm
  // ASSEMBLY: assembly.cu:5:{{[0-9]+}}: error: inline assembly in a kernel is supported for NVIDIA's targets only
  asm("mov.u32 %0, %%smid;" : "=r"(lane));
  a[0] = lane;
}
//--- two.cu
extern __device__ int g(int);
// UNKNOWN: two.cu: error: no kernel 'god' in this file; did you mean 'good'?
// TWO: two.cu:5:{{[0-9]+}}: error: 'g' has no body that a kernel can call
// LEFT: two.cu:5:{{[0-9]+}}: warning: kernel 'bad' is left out: 'g' has no body
__global__ void bad(int *a) { a[0] = g(1); }
// GOOD: @_Z4goodPi
__global__ void good(int *a) { a[0] = 1; }
// BINARY: binary.cu: error: is no source text: it holds null bytes
// DEEP: deep.cu:1:{{[0-9]+}}: fatal error: bracket nesting level exceeded
