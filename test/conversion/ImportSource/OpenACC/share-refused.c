// What is wrong with a directive is said at its token.
// RUN: split-file %s %t
// RUN: not gpuopt compile %t/name.c 2>&1 | FileCheck %s --check-prefix=NAME
NAME: name.c:2:21: error: '#pragma acc share': unknown name 'n'; lengths are made of numbers, TBX, TBY and TBZ
// RUN: not gpuopt compile %t/array.c 2>&1 | FileCheck %s --check-prefix=ARRAY
ARRAY: array.c:2:27: error: '#pragma acc share': 'b' is no parameter of the kernel
// RUN: not gpuopt compile %t/end.c 2>&1 | FileCheck %s --check-prefix=END
END: end.c:3:12: error: '#pragma acc share': expected ',' or ')'
// RUN: not gpuopt compile %t/nothing.c 2>&1 | FileCheck %s --check-prefix=NOTHING
NOTHING: nothing.c:5:1: error: '#pragma acc share': no compute construct follows
// RUN: not gpuopt compile %t/twice.c 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.c:2:27: error: '#pragma acc share': 'a' is shared already
// RUN: not gpuopt compile %t/other.c 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: other.c:2:1: error: '#pragma acc share': no compute construct follows
// RUN: not gpuopt compile %t/kernel.cu 2>&1 | FileCheck %s --check-prefix=KERNEL
KERNEL: kernel.cu:1:24: error: '#pragma gpuopt': expected a positive number of elements

//--- name.c
void f(int n, float a[n]) {
#pragma acc share(a[n])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
//--- array.c
void f(int n, float a[n]) {
#pragma acc share(a[TBX], b[TBX])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
//--- end.c
void f(int n, float a[n]) {
#pragma acc share(a[TBX] \
           b[TBX])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
//--- nothing.c
void f(int n, float a[n]) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
#pragma acc share(a[TBX])
}
//--- twice.c
void f(int n, float a[n]) {
#pragma acc share(a[TBX], a[4])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
//--- other.c
void f(int n, float a[n]) {
#pragma acc share(a[TBX])
}
void g(int n, float a[n]) {
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
//--- kernel.cu
#pragma gpuopt share(a[0])
__global__ void f(float *a) { a[threadIdx.x] = 1; }
