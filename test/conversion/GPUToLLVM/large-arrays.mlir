// Arrays of more than 2^31 elements index right: ids are formed in 32 bits, but
// every product and sum that makes a subscript has 64, and pointers into the
// middle of an array take negative subscripts.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: @row(
  // CHECK:     %[[ID:.*]] = zext i32 %{{.*}} to i64
  // CHECK:     %[[W:.*]] = sext i32 %{{.*}} to i64
  // CHECK:     %[[ROW:.*]] = mul i64 %[[ID]], %[[W]]
  // CHECK:     %[[INDEX:.*]] = add i64 %[[ROW]], %[[ID]]
  // CHECK:     getelementptr inbounds float, ptr %{{.*}}, i64 %[[INDEX]]
  // CHECK-NOT: nuw
  // CHECK-NOT: nsw
  gpu.func @row(%a: memref<?xf32>, %w: i32) kernel {
    %y = gpu.global_id y
    %width = arith.index_cast %w : i32 to index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [%width, %width], strides: [%width, 1]
        : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %x = affine.load %A[%y, %y] : memref<?x?xf32, strided<[?, 1]>>
    %before = arith.constant -1 : index
    memref.store %x, %a[%before] : memref<?xf32>
    gpu.return
  }
}
