// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-cuda %s -o %t.cu && gpuopt-translate --cuda-to-mlir %t.cu -o /dev/null

// Affine divisions round down, C++'s round to zero. That is the same for what is
// not negative.

gpu.module @kernels {
  // CHECK-LABEL: void positive(
  // CHECK:         a[tx / 6] = 0.0f;
  // CHECK-NEXT:    a[tx % 8] = 0.0f;
  // CHECK-NEXT:    a[(tx + 5) / 6] = 0.0f;
  gpu.func @positive(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    affine.store %zero, %a[symbol(%tx) floordiv 6] : memref<?xf32>
    affine.store %zero, %a[symbol(%tx) mod 8] : memref<?xf32>
    affine.store %zero, %a[symbol(%tx) ceildiv 6] : memref<?xf32>
    gpu.return
  }

  // Shifts and masks round down, and do for powers of two. For other numbers the
  // quotient steps down where it was rounded up.
  // CHECK-LABEL: void negative(
  // CHECK-NEXT:    a[n >> 3] = 0.0f;
  // CHECK-NEXT:    a[n & 7] = 0.0f;
  // CHECK-NEXT:    a[n / 6 - (n % 6 < 0)] = 0.0f;
  // CHECK-NEXT:    a[(n % 6 + 6) % 6] = 0.0f;
  gpu.func @negative(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %ni = arith.index_cast %n : i32 to index
    affine.store %zero, %a[symbol(%ni) floordiv 8] : memref<?xf32>
    affine.store %zero, %a[symbol(%ni) mod 8] : memref<?xf32>
    affine.store %zero, %a[symbol(%ni) floordiv 6] : memref<?xf32>
    affine.store %zero, %a[symbol(%ni) mod 6] : memref<?xf32>
    gpu.return
  }

  // `arith` has the division of C++ as well.
  // CHECK-LABEL: void as_in_source(
  // CHECK-NEXT:    a[n / 6] = 0.0f;
  // CHECK-NEXT:    a[n % 6] = 0.0f;
  // CHECK-NEXT:    a[n / 6] = 0.0f;
  gpu.func @as_in_source(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %c6 = arith.constant 6 : index
    %six = arith.constant 6 : i32
    %ni = arith.index_cast %n : i32 to index
    %q = arith.divsi %ni, %c6 : index
    memref.store %zero, %a[%q] : memref<?xf32>
    %r = arith.remsi %ni, %c6 : index
    memref.store %zero, %a[%r] : memref<?xf32>
    %s = arith.divsi %n, %six : i32
    %t = arith.index_cast %s : i32 to index
    memref.store %zero, %a[%t] : memref<?xf32>
    gpu.return
  }

  // A guard tells that n is positive: no thread has a number below zero.
  // CHECK-LABEL: void guarded(
  // CHECK:         if (tx < n)
  // CHECK-NEXT:      a[n / 8] = 0.0f;
  gpu.func @guarded(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    scf.if %is {
      affine.store %zero, %a[symbol(%ni) floordiv 8] : memref<?xf32>
    }
    gpu.return
  }

  // A guard tells that n is a multiple of 4: rounded down to one, it is itself.
  // CHECK-LABEL: void whole(
  // CHECK-NEXT:    if (n % 4 == 0)
  // CHECK:             a[i + n] = 0.0f;
  gpu.func @whole(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %ni = arith.index_cast %n : i32 to index
    %rest = affine.apply affine_map<()[s0] -> (s0 mod 4)>()[%ni]
    %is = arith.cmpi eq, %rest, %c0 : index
    scf.if %is {
      affine.for %i = 0 to %ni step 4 {
        affine.store %zero, %a[%i + (symbol(%ni) floordiv 4) * 4] : memref<?xf32>
      }
    }
    gpu.return
  }
}
