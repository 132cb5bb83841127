// What a kernel would not do as the threads of a team do it is refused.
//
// RUN: split-file %s %t
// RUN: not gpuopt compile %t/value.c 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not gpuopt compile %t/length.c 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not gpuopt compile %t/statement.c 2>&1 | FileCheck %s --check-prefix=STATEMENT
// RUN: not gpuopt compile %t/single.c 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: not gpuopt compile %t/clause.c 2>&1 | FileCheck %s --check-prefix=CLAUSE
// RUN: not gpuopt compile %t/captured.c 2>&1 | FileCheck %s --check-prefix=CAPTURED
// RUN: not gpuopt compile %t/loop.c 2>&1 | FileCheck %s --check-prefix=LOOP

//--- value.c
void f(int *a) {
#pragma omp target teams thread_limit(64)
  {
    int count = 0;
#pragma omp parallel
    {
#pragma omp atomic
      count += a[0];
    }
  }
}
// VALUE: value.c:4:9: error: a variable that threads of a team share cannot have a value in front of their code

//--- length.c
void f(int n, int *a) {
#pragma omp target teams thread_limit(64)
  {
    int tile[n];
#pragma omp parallel
    tile[0] = a[0];
  }
}
// LENGTH: length.c:4:9: error: an array of a team needs a constant size

//--- statement.c
void f(int n, int *a) {
#pragma omp target teams thread_limit(64)
  {
    int tile[64];
    tile[0] = 1;
#pragma omp parallel
    a[0] = tile[0];
  }
}
// STATEMENT: statement.c:5:5: error: only declarations may stand beside what the threads of a team run

//--- single.c
void f(int n, int *a) {
#pragma omp target teams thread_limit(64)
  {
#pragma omp parallel
    {
#pragma omp single
      a[0] = 1;
    }
  }
}
// SINGLE: single.c:6:13: error: OpenMP's 'single' is not supported

//--- clause.c
void f(int n, int *a) {
#pragma omp target teams thread_limit(64)
  {
#pragma omp parallel firstprivate(n)
    a[0] = n;
  }
}
// CLAUSE: clause.c:4:22: error: OpenMP's 'firstprivate' is not supported

//--- captured.c
void f(int n, int *a) {
#pragma omp target teams thread_limit(64)
  {
#pragma omp parallel
    n = a[0];
  }
}
// CAPTURED: captured.c:5:5: error: 'n' is declared outside of this loop and assigned in it

//--- loop.c
int omp_get_thread_num(void);
void f(int n, int *a) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    a[i] = omp_get_thread_num();
}
// LOOP: loop.c:5:12: error: 'omp_get_thread_num' has a meaning only where each thread of a team runs the same code
