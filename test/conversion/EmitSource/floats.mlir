// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// Floating point: every bit of a number, and every question about NaN, survives.

gpu.module @kernels {
  // C++'s comparisons are false for NaN. One that is to hold for NaN is the opposite
  // of the one that is to hold otherwise, and `one` is not `!=`, which holds for NaN.
  // CHECK-LABEL: void comparisons(
  // CHECK-NEXT:    if (x >= y)
  // CHECK-NEXT:      a[0] = 1.0f;
  // CHECK-NEXT:    if (!(x < y))
  // CHECK-NEXT:      a[1] = 1.0f;
  // CHECK-NEXT:    if (x != y)
  // CHECK-NEXT:      a[2] = 1.0f;
  // CHECK-NEXT:    if (x < y || x > y)
  // CHECK-NEXT:      a[3] = 1.0f;
  // CHECK-NEXT:    if (!(x < y || x > y))
  // CHECK-NEXT:      a[4] = 1.0f;
  // A number is NaN if it is not itself.
  // CHECK-NEXT:    if (!(x == x && y == y))
  // CHECK-NEXT:      a[5] = 1.0f;
  // CHECK-NEXT:    if (x == x && y == y)
  // CHECK-NEXT:      a[6] = 1.0f;
  gpu.func @comparisons(%a: memref<?xf32> {gpuopt.name = "a"}, %x: f32 {gpuopt.name = "x"}, %y: f32 {gpuopt.name = "y"}) kernel {
    %one = arith.constant 1.0 : f32
    %p = arith.cmpf oge, %x, %y : f32
    scf.if %p {
      affine.store %one, %a[0] : memref<?xf32>
    }
    %q = arith.cmpf uge, %x, %y : f32
    scf.if %q {
      affine.store %one, %a[1] : memref<?xf32>
    }
    %r = arith.cmpf une, %x, %y : f32
    scf.if %r {
      affine.store %one, %a[2] : memref<?xf32>
    }
    %s = arith.cmpf one, %x, %y : f32
    scf.if %s {
      affine.store %one, %a[3] : memref<?xf32>
    }
    %t = arith.cmpf ueq, %x, %y : f32
    scf.if %t {
      affine.store %one, %a[4] : memref<?xf32>
    }
    %u = arith.cmpf uno, %x, %y : f32
    scf.if %u {
      affine.store %one, %a[5] : memref<?xf32>
    }
    %v = arith.cmpf ord, %x, %y : f32
    scf.if %v {
      affine.store %one, %a[6] : memref<?xf32>
    }
    gpu.return
  }

  // The fewest digits that are read as the same number. What no digits say is said
  // by its bits: infinity and NaN.
  // CHECK-LABEL: void numbers(
  // CHECK-NEXT:    a[0] = 0.1f;
  // CHECK-NEXT:    a[1] = 1e+30f;
  // CHECK-NEXT:    a[2] = -0.0f;
  // CHECK-NEXT:    a[3] = __int_as_float(0xFF800000);
  // CHECK-NEXT:    b[0] = 0.3333333333333333;
  // CHECK-NEXT:    b[1] = __longlong_as_double(0x7FF8000000000000ll);
  // Halves are written as the `float` that they are.
  // CHECK-NEXT:    c[0] = __float2half(0.099975586f);
  // CHECK-NEXT:    c[1] = __ushort_as_half(0x7E00);
  // OPENCL-LABEL: void numbers(
  // OPENCL:        a[3] = as_float(0xFF800000u);
  // OPENCL:        b[1] = as_double(0x7FF8000000000000ul);
  // OPENCL-NEXT:   c[0] = 0.099975586h;
  // OPENCL-NEXT:   c[1] = as_half((ushort)0x7E00);
  gpu.func @numbers(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf64> {gpuopt.name = "b"}, %c: memref<?xf16> {gpuopt.name = "c"}) kernel {
    %tenth = arith.constant 0.1 : f32
    affine.store %tenth, %a[0] : memref<?xf32>
    %large = arith.constant 1.0e+30 : f32
    affine.store %large, %a[1] : memref<?xf32>
    %minus = arith.constant -0.0 : f32
    affine.store %minus, %a[2] : memref<?xf32>
    %inf = arith.constant 0xFF800000 : f32
    affine.store %inf, %a[3] : memref<?xf32>
    %third = arith.constant 0.33333333333333331 : f64
    affine.store %third, %b[0] : memref<?xf64>
    %nan = arith.constant 0x7FF8000000000000 : f64
    affine.store %nan, %b[1] : memref<?xf64>
    %half = arith.constant 0.1 : f16
    affine.store %half, %c[0] : memref<?xf16>
    %none = arith.constant 0x7E00 : f16
    affine.store %none, %c[1] : memref<?xf16>
    gpu.return
  }

  // The order of operations is that of MLIR, since another one rounds otherwise.
  // CHECK-LABEL: void order(
  // CHECK-NEXT:    float [[SUM:[_a-z0-9]+]] = y + z;
  // CHECK-NEXT:    a[0] = x + [[SUM]];
  // CHECK-NEXT:    a[1] = x * (y / z);
  // CHECK-NEXT:    a[2] = x - -[[SUM]];
  // CHECK-NEXT:    a[3] = fmodf(x, y);
  gpu.func @order(%a: memref<?xf32> {gpuopt.name = "a"}, %x: f32 {gpuopt.name = "x"}, %y: f32 {gpuopt.name = "y"}, %z: f32 {gpuopt.name = "z"}) kernel {
    %p = arith.addf %y, %z : f32
    %q = arith.addf %x, %p : f32
    affine.store %q, %a[0] : memref<?xf32>
    %r = arith.divf %y, %z : f32
    %s = arith.mulf %x, %r : f32
    affine.store %s, %a[1] : memref<?xf32>
    %t = arith.negf %p : f32
    %u = arith.subf %x, %t : f32
    affine.store %u, %a[2] : memref<?xf32>
    %v = arith.remf %x, %y : f32
    affine.store %v, %a[3] : memref<?xf32>
    gpu.return
  }

  // A conversion of an integer depends on its sign; one of bits has a function.
  // CHECK-LABEL: void conversions(
  // CHECK:         a[1] = (float)n;
  // CHECK-NEXT:    a[2] = (float)(unsigned)n;
  // CHECK-NEXT:    double [[D:[_a-z0-9]+]] = (double)[[X:[_a-z0-9]+]];
  // CHECK-NEXT:    b[0] = [[D]];
  // CHECK-NEXT:    c[0] = (int)[[X]];
  // CHECK-NEXT:    c[1] = (int)(unsigned)[[X]];
  // CHECK-NEXT:    c[2] = __float_as_int([[X]]);
  // CHECK-NEXT:    a[3] = __int_as_float(n);
  // CHECK-NEXT:    d[0] = __double_as_longlong([[D]]);
  // OPENCL-LABEL: void conversions(
  // OPENCL:        c[2] = as_int([[X:[_a-z0-9]+]]);
  // OPENCL-NEXT:   a[3] = as_float(n);
  // OPENCL-NEXT:   d[0] = as_long({{.*}});
  gpu.func @conversions(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf64> {gpuopt.name = "b"}, %c: memref<?xi32> {gpuopt.name = "c"}, %d: memref<?xi64> {gpuopt.name = "d"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %x = affine.load %a[0] : memref<?xf32>
    %0 = arith.sitofp %n : i32 to f32
    affine.store %0, %a[1] : memref<?xf32>
    %1 = arith.uitofp %n : i32 to f32
    affine.store %1, %a[2] : memref<?xf32>
    %2 = arith.extf %x : f32 to f64
    affine.store %2, %b[0] : memref<?xf64>
    %3 = arith.fptosi %x : f32 to i32
    affine.store %3, %c[0] : memref<?xi32>
    %4 = arith.fptoui %x : f32 to i32
    affine.store %4, %c[1] : memref<?xi32>
    %5 = arith.bitcast %x : f32 to i32
    affine.store %5, %c[2] : memref<?xi32>
    %6 = arith.bitcast %n : i32 to f32
    affine.store %6, %a[3] : memref<?xf32>
    %7 = arith.bitcast %2 : f64 to i64
    affine.store %7, %d[0] : memref<?xi64>
    gpu.return
  }
}
