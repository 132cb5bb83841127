// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// What may leave 64 bits is computed in unsigned numbers, where C++ says what wrapping gives; what is divided in it as a
// signed number stays one.
// CHECK-LABEL: void wrapping(
// CHECK:         a[(long long)((unsigned long long)(tx + (unsigned long long)o +
// CHECK-NEXT:                                       (unsigned long long)(o / 3 -
// CHECK-NEXT:                                                            (o % 3 < 0))) %
// CHECK:         a[(long long)((unsigned long long)(m - tx) % 100ull)];
gpu.module @kernels {
  gpu.func @wrapping(%a: memref<?xf32> {gpuopt.name = "a"}, %m: i64 {gpuopt.name = "m", gpuopt.unsigned},
                     %o: i64 {gpuopt.name = "o"}) kernel {
    %c3 = arith.constant 3 : index
    %c100 = arith.constant 100 : index
    %tx = gpu.thread_id x
    %large = arith.index_cast %m : i64 to index
    %offset = arith.index_cast %o : i64 to index
    %before = arith.subi %large, %tx : index
    %from = arith.remui %before, %c100 : index
    %third = arith.floordivsi %offset, %c3 : index
    %sum = arith.addi %third, %offset : index
    %next = arith.addi %sum, %tx : index
    %to = arith.remui %next, %c100 : index
    %v = memref.load %a[%from] : memref<?xf32>
    memref.store %v, %a[%to] : memref<?xf32>
    gpu.return
  }
  // A shift left and back is a conversion, and nothing else where the product may wrap: its factors are not divided.
  // CHECK-LABEL: void narrowing(
  // CHECK:         if ((signed char)(long long)(unsigned)k < m)
  // CHECK:         if (((long long)(unsigned long long)((unsigned long long)n * 8) >> 2) > m)
  gpu.func @narrowing(%a: memref<?xf32> {gpuopt.name = "a"}, %m: i64 {gpuopt.name = "m"}, %n: i64 {gpuopt.name = "n"},
                      %k: i32 {gpuopt.name = "k"}, %v: f32 {gpuopt.name = "v"}) kernel {
    %top = arith.constant 72057594037927936 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %tx = gpu.thread_id x
    %size = arith.index_cast %m : i64 to index
    %number = arith.index_castui %k : i32 to index
    %shifted = arith.muli %number, %top : index
    %extended = arith.floordivsi %shifted, %top : index
    %isLess = arith.cmpi slt, %extended, %size : index
    scf.if %isLess {
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    %length = arith.index_cast %n : i64 to index
    %bytes = arith.muli %length, %c8 : index
    %words = arith.floordivsi %bytes, %c4 : index
    %isMore = arith.cmpi sgt, %words, %size : index
    scf.if %isMore {
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    gpu.return
  }
  // CHECK-LABEL: void hash(
  // CHECK:         a[(long long)((unsigned long long)((unsigned long long)m *
  // CHECK-NEXT:                                       (unsigned long long)n) %
  // CHECK-NEXT:                  64ull)] = v;
  gpu.func @hash(%a: memref<?xf32> {gpuopt.name = "a"}, %m: i64 {gpuopt.name = "m"}, %n: i64 {gpuopt.name = "n"},
                 %v: f32 {gpuopt.name = "v"}) kernel {
    %c64 = arith.constant 64 : index
    %left = arith.index_cast %m : i64 to index
    %right = arith.index_cast %n : i64 to index
    %product = arith.muli %left, %right : index
    %place = arith.remui %product, %c64 : index
    memref.store %v, %a[%place] : memref<?xf32>
    gpu.return
  }

  // A remainder rounded down is not the one of C, but for the question whether it is 0; a quotient is, for positive numbers.
  // CHECK-LABEL: void remainders(
  // CHECK:         if ((n & 255) >= 3)
  // CHECK:         if (n % 256 == 0)
  // CHECK:         if (n / 256 >= 3)
  gpu.func @remainders(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %v: f32 {gpuopt.name = "v"}) kernel {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %ni = arith.index_cast %n : i32 to index
    %rest = affine.apply affine_map<()[s0] -> (s0 mod 256)>()[%ni]
    %whole = affine.apply affine_map<()[s0] -> (s0 floordiv 256)>()[%ni]
    %isLarge = arith.cmpi sge, %rest, %c3 : index
    scf.if %isLarge {
      memref.store %v, %a[%c0] : memref<?xf32>
    }
    %isMultiple = arith.cmpi eq, %rest, %c0 : index
    scf.if %isMultiple {
      memref.store %v, %a[%c3] : memref<?xf32>
    }
    %isMany = arith.cmpi sge, %whole, %c3 : index
    scf.if %isMany {
      memref.store %v, %a[%c0] : memref<?xf32>
    }
    gpu.return
  }
}
