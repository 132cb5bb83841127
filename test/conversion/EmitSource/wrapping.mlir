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
}
