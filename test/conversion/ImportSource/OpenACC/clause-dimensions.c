// Clauses for one dimension, as OpenUH has them, say which loop becomes which dimension: that follows from their order.
//
// RUN: gpuopt check %s --size n=37,m=45 | FileCheck %s
// RUN: sed s/a.i..j./a[i][j/ %s > %t.c
// RUN: not gpuopt compile %t.c 2>&1 | FileCheck %s --check-prefix=PLACE

// CHECK: scale_kernel: original launch 2x5x1 blocks of 32x8x1
// CHECK: passed
void scale(int n, int m, float a[n][m]) {
#pragma acc parallel num_gangs[0](m/8) num_gangs[1]((n + 7)/8) \
                     num_workers[0](8) num_workers[1](8)
  {
#pragma acc loop gang[1] worker[1]
    for (int i = 0; i < n; ++i) {
#pragma acc loop gang[0] worker[0]
      for (int j = 0; j < m; ++j)
        a[i][j] *= 2; // PLACE: clause-dimensions.c.tmp.c:17:15: error: expected ']'
    }
  }
}
