// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// A guarded load that is stored at once: one statement in place of five, and still
// no load where the guard does not hold.

gpu.module @kernels {
  // CHECK-LABEL: void guarded(
  // CHECK:         [[TILE:[_a-z0-9]+]][tx] = tx < n ? a[tx] : 0.0f;
  // CHECK-NEXT:    __syncthreads();
  gpu.func @guarded(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"})
      workgroup(%t: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x upper_bound 64
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %v = scf.if %is -> f32 {
      %x = memref.load %a[%tx] : memref<?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %t[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }

  // A value that is read again has a variable.
  // CHECK-LABEL: void read_twice(
  // CHECK-NOT:     ?
  // CHECK:         if (tx < n)
  // CHECK-NEXT:      [[V:[_a-z0-9]+]] = a[tx];
  // CHECK-NEXT:    else
  // CHECK-NEXT:      [[V]] = 0.0f;
  // CHECK-NEXT:    b[tx] = [[V]];
  // CHECK-NEXT:    a[tx] = [[V]];
  gpu.func @read_twice(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %v = scf.if %is -> f32 {
      %x = memref.load %a[%tx] : memref<?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %b[%tx] : memref<?xf32>
    memref.store %v, %a[%tx] : memref<?xf32>
    gpu.return
  }

  // A branch that does more than to give a value stays one.
  // CHECK-LABEL: void with_more(
  // CHECK-NOT:     ?
  // CHECK:         if (tx < n) {
  // CHECK-NEXT:      [[V:[_a-z0-9]+]] = a[tx];
  // CHECK-NEXT:      a[tx] = 0.0f;
  // CHECK-NEXT:    } else {
  gpu.func @with_more(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}, %n: i32 {gpuopt.name = "n"}) kernel {
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %is = arith.cmpi slt, %tx, %ni : index
    %v = scf.if %is -> f32 {
      %x = memref.load %a[%tx] : memref<?xf32>
      memref.store %zero, %a[%tx] : memref<?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %v, %b[%tx] : memref<?xf32>
    gpu.return
  }
}
