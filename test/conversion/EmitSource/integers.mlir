// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null

// Integers have no sign in MLIR; what is done to them has. C++ decides by types,
// so that operands are converted where it would decide otherwise.

gpu.module @kernels {
  // Signed operations are C++'s own. What may wrap is done without a sign, since
  // C++ leaves signed wrapping undefined: 5 and 11, but not 6 and 7, which cannot.
  // CHECK-LABEL: void words(
  // CHECK:         = (int)((unsigned)x / (unsigned)y);
  // CHECK:         = x / y;
  // CHECK:         a[2] = (int)((unsigned)x % 3u);
  // CHECK-NEXT:    a[3] = (int)((unsigned)x >> 3);
  // CHECK-NEXT:    a[4] = x >> 3;
  // CHECK-NEXT:    a[5] = (int)((unsigned)x << 3);
  // CHECK-NEXT:    a[6] = x * 8;
  // CHECK-NEXT:    a[7] = x - 1;
  // CHECK-NEXT:    a[8] = (int)min((unsigned)x, (unsigned)y);
  // CHECK-NEXT:    a[9] = max(x, y);
  // Compilers warn of `x & y | 3`: there are parentheses.
  // CHECK-NEXT:    a[10] = ((x & y) | 3) ^ x;
  // CHECK-NEXT:    a[11] = (int)((unsigned)x * (unsigned)y - (unsigned)x);
  gpu.func @words(%a: memref<?xi32> {gpuopt.name = "a"}, %x: i32 {gpuopt.name = "x"}, %y: i32 {gpuopt.name = "y"}) kernel {
    %three = arith.constant 3 : i32
    %minus = arith.constant -1 : i32
    %d = arith.divui %x, %y : i32
    affine.store %d, %a[0] : memref<?xi32>
    %e = arith.divsi %x, %y : i32
    affine.store %e, %a[1] : memref<?xi32>
    %r = arith.remui %x, %three : i32
    affine.store %r, %a[2] : memref<?xi32>
    %s = arith.shrui %x, %three : i32
    affine.store %s, %a[3] : memref<?xi32>
    %t = arith.shrsi %x, %three : i32
    affine.store %t, %a[4] : memref<?xi32>
    %l = arith.shli %x, %three : i32
    affine.store %l, %a[5] : memref<?xi32>
    %m = arith.shli %x, %three overflow<nsw> : i32
    affine.store %m, %a[6] : memref<?xi32>
    %o = arith.addi %x, %minus overflow<nsw> : i32
    affine.store %o, %a[7] : memref<?xi32>
    %p = arith.minui %x, %y : i32
    affine.store %p, %a[8] : memref<?xi32>
    %q = arith.maxsi %x, %y : i32
    affine.store %q, %a[9] : memref<?xi32>
    %u = arith.andi %x, %y : i32
    %v = arith.ori %u, %three : i32
    %w = arith.xori %v, %x : i32
    affine.store %w, %a[10] : memref<?xi32>
    %f = arith.muli %x, %y : i32
    %g = arith.subi %f, %x : i32
    affine.store %g, %a[11] : memref<?xi32>
    gpu.return
  }

  // C++ computes numbers of less than 32 bits as `int`, and cuts off what does not
  // fit where they are stored. What is moved right or compared must have been cut
  // off before.
  // CHECK-LABEL: void narrow(signed char *a, unsigned short *b)
  // CHECK:         signed char [[X:[_a-z0-9]+]] = a[tx];
  // CHECK-NEXT:    a[tx] = (unsigned char)[[X]] + 1u;
  // CHECK-NEXT:    a[0] = (unsigned char)[[X]] >> 1;
  // CHECK:         if ((unsigned short)[[H:[_a-z0-9]+]] < (unsigned short){{.*}})
  gpu.func @narrow(%a: memref<?xi8> {gpuopt.name = "a"}, %b: memref<?xi16> {gpuopt.name = "b", gpuopt.unsigned}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xi8>
    %one = arith.constant 1 : i8
    %y = arith.addi %x, %one : i8
    memref.store %y, %a[%tx] : memref<?xi8>
    %z = arith.shrui %x, %one : i8
    affine.store %z, %a[0] : memref<?xi8>
    %h = memref.load %b[%tx] : memref<?xi16>
    %i = arith.addi %h, %h : i16
    memref.store %i, %b[%tx] : memref<?xi16>
    %is = arith.cmpi ult, %h, %i : i16
    scf.if %is {
      affine.store %one, %a[1] : memref<?xi8>
    }
    gpu.return
  }

  // 64 bits need their suffixes, and a number that the source declares as unsigned
  // is one in the parameters too.
  // CHECK-LABEL: void wide(unsigned long long *a, long long x, unsigned n)
  // CHECK:         (unsigned long long)x * 6364136223846793005ull + 5ull
  // CHECK:         a[1] = (long long)n;
  gpu.func @wide(%a: memref<?xi64> {gpuopt.name = "a", gpuopt.unsigned}, %x: i64 {gpuopt.name = "x"}, %n: i32 {gpuopt.name = "n", gpuopt.unsigned}) kernel {
    %c = arith.constant 6364136223846793005 : i64
    %five = arith.constant 5 : i64
    %p = arith.muli %x, %c : i64
    %q = arith.addi %p, %five : i64
    affine.store %q, %a[0] : memref<?xi64>
    %w = arith.extui %n : i32 to i64
    affine.store %w, %a[1] : memref<?xi64>
    gpu.return
  }

  // Truth values are 0 and 1 as numbers without a sign, and 0 and -1 with one. The
  // lowest bit of a number is one.
  // CHECK-LABEL: void truth(
  // CHECK-NEXT:    a[0] = (int)((x < y) != (x == 1));
  // CHECK-NEXT:    a[1] = -(int)(x >= y);
  // CHECK-NEXT:    if (((unsigned)x & 1u) != 0u || x == 1)
  gpu.func @truth(%a: memref<?xi32> {gpuopt.name = "a"}, %x: i32 {gpuopt.name = "x"}, %y: i32 {gpuopt.name = "y"}) kernel {
    %true = arith.constant true
    %one = arith.constant 1 : i32
    %p = arith.cmpi slt, %x, %y : i32
    %q = arith.cmpi eq, %x, %one : i32
    %r = arith.xori %p, %q : i1
    %s = arith.extui %r : i1 to i32
    affine.store %s, %a[0] : memref<?xi32>
    %t = arith.xori %p, %true : i1
    %u = arith.extsi %t : i1 to i32
    affine.store %u, %a[1] : memref<?xi32>
    %v = arith.trunci %x : i32 to i1
    %w = arith.ori %v, %q : i1
    scf.if %w {
      affine.store %one, %a[2] : memref<?xi32>
    }
    gpu.return
  }
}
