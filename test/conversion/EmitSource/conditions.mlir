// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// Of conditions one of which has to hold, those that follow from others go, and intervals that touch become one.
// A branch in a branch asks for both at once, and what follows from the rest is not asked.
// CHECK-LABEL: void conditions(
// CHECK:         const int lane = tx ^ ty;
// CHECK-NEXT:    if (tx >= 3 && tx < 40)
// CHECK-NEXT:      a[tx] = 0.1f;
// CHECK-NEXT:    if (tx < 8 && tx + 5 < n)
// CHECK-NEXT:      a[tx] = 3e+38f;
// CHECK-NEXT:    b[lane] = a[lane];
gpu.module @kernels {
  gpu.func @conditions(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %c30 = arith.constant 30 : index
    %c40 = arith.constant 40 : index
    %c0 = arith.constant 0 : index
    %tenth = arith.constant 0.1 : f32
    %most = arith.constant 3.0e+38 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %ni = arith.index_cast %n : i32 to index
    %low = arith.cmpi sge, %tx, %c3 : index
    %middle = arith.cmpi slt, %tx, %c30 : index
    %first = arith.andi %low, %middle : i1
    %later = arith.cmpi sge, %tx, %c20 : index
    %high = arith.cmpi slt, %tx, %c40 : index
    %second = arith.andi %later, %high : i1
    %third = arith.andi %first, %high : i1
    %two = arith.ori %first, %second : i1
    %any = arith.ori %two, %third : i1
    scf.if %any {
      memref.store %tenth, %a[%tx] : memref<?xf32>
    }
    %eighth = arith.divui %tx, %c8 : index
    %isFirst = arith.cmpi eq, %eighth, %c0 : index
    scf.if %isFirst {
      %isInside = arith.cmpi slt, %tx, %ni : index
      %next = arith.addi %tx, %c5 : index
      %isFar = arith.cmpi slt, %next, %ni : index
      %both = arith.andi %isInside, %isFar : i1
      scf.if %both {
        memref.store %most, %a[%tx] : memref<?xf32>
      }
    }
    %left = arith.xori %ty, %tx : index
    %right = arith.xori %tx, %ty : index
    %x = memref.load %a[%left] : memref<?xf32>
    memref.store %x, %b[%right] : memref<?xf32>
    gpu.return
  }

  // What is taken away goes to the other side only where that stays in 64 bits.
  // CHECK-LABEL: void far(
  // CHECK:         if (tx - from < to)
  // CHECK:         if (tx - 3 < to)
  // CHECK:         if (tx - 3 < n)
  // CHECK:         if (from < to + 5)
  // CHECK-NEXT:      if (to < 10)
  gpu.func @far(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}, %from: i64 {gpuopt.name = "from"},
                %to: i64 {gpuopt.name = "to"}) kernel {
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c10 = arith.constant 10 : index
    %v = arith.constant 1.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %first = arith.index_cast %from : i64 to index
    %end = arith.index_cast %to : i64 to index
    %left = arith.subi %tx, %first : index
    %isLeft = arith.cmpi slt, %left, %end : index
    scf.if %isLeft {
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    %before = arith.subi %tx, %c3 : index
    %isBefore = arith.cmpi slt, %before, %end : index
    scf.if %isBefore {
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    %isNarrow = arith.cmpi slt, %before, %ni : index
    scf.if %isNarrow {
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    // Nothing is learned of a number that any other may be below.
    %later = arith.addi %end, %c5 : index
    %isLater = arith.cmpi slt, %first, %later : index
    scf.if %isLater {
      %isSmall = arith.cmpi slt, %end, %c10 : index
      scf.if %isSmall {
        memref.store %v, %a[%c3] : memref<?xf32>
      }
      memref.store %v, %a[%tx] : memref<?xf32>
    }
    gpu.return
  }
}
