// RUN: gpuopt-translate --mlir-to-cuda -split-input-file %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip -split-input-file %s | FileCheck %s
// RUN: not gpuopt-translate --mlir-to-opencl -split-input-file %s 2>%t | FileCheck %s --check-prefix=OPENCL
// RUN: FileCheck %s --check-prefix=ERROR --input-file %t

gpu.module @kernels {
  // The function takes the sign from the address: unsigned minima need a cast.
  // CHECK-LABEL: void integers(
  // CHECK:         atomicAdd(&a[tx], x);
  // CHECK-NEXT:    atomicMax(&a[tx], x);
  // CHECK-NEXT:    atomicMin((unsigned *)&a[tx], (unsigned)x);
  // CHECK-NEXT:    atomicAnd(&a[tx], x);
  // CHECK-NEXT:    atomicOr(&a[tx], x);
  // CHECK-NEXT:    atomicXor(&a[tx], x);
  // OPENCL-LABEL: void integers(
  // OPENCL:        atomic_add(&a[tx], x);
  // OPENCL-NEXT:   atomic_max(&a[tx], x);
  // OPENCL-NEXT:   atomic_min((__global unsigned *)&a[tx], (unsigned)x);
  gpu.func @integers(%a: memref<?xi32> {gpuopt.name = "a"}, %x: i32 {gpuopt.name = "x"}) kernel {
    %tx = gpu.thread_id x
    %0 = memref.atomic_rmw addi %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    %1 = memref.atomic_rmw maxs %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    %2 = memref.atomic_rmw minu %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    %3 = memref.atomic_rmw andi %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    %4 = memref.atomic_rmw ori %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    %5 = memref.atomic_rmw xori %x, %a[%tx] : (i32, memref<?xi32>) -> i32
    gpu.return
  }

  // What was there before is a value of its own, computed where it stands: it cannot
  // move to its use, and is not forgotten where it has none.
  // CHECK-LABEL: void ticket(
  // CHECK:         int [[AT:[_a-z0-9]+]] = atomicAdd(&a[0], x);
  // CHECK-NEXT:    int [[OLD:[_a-z0-9]+]] = atomicExch(&[[TILE:[_a-z0-9]+]][0], x);
  // CHECK-NEXT:    b[[[AT]]] = [[OLD]];
  // OPENCL-LABEL: void ticket(
  // OPENCL:        = atomic_xchg(&{{.*}}[0], x);
  gpu.func @ticket(%a: memref<?xi32> {gpuopt.name = "a"}, %b: memref<?xi32> {gpuopt.name = "b"}, %x: i32 {gpuopt.name = "x"})
      workgroup(%t: memref<4xi32, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %0 = memref.atomic_rmw addi %x, %a[%c0] : (i32, memref<?xi32>) -> i32
    %at = arith.index_cast %0 : i32 to index
    %1 = memref.atomic_rmw assign %x, %t[%c0] : (i32, memref<4xi32, #gpu.address_space<workgroup>>) -> i32
    memref.store %1, %b[%at] : memref<?xi32>
    gpu.return
  }
}

// -----

gpu.module @kernels {

  // CUDA adds 64-bit integers without a sign and compares them with one. OpenCL C
  // has neither these nor sums of floating-point numbers, and says so.
  // CHECK-LABEL: void others(
  // CHECK:         atomicAdd(&a[tx], x);
  // CHECK-NEXT:    atomicAdd((unsigned long long *)&b[tx], (unsigned long long)n);
  // CHECK-NEXT:    atomicMin(&b[tx], n);
  // ERROR: error: 'atomicAdd' has no form in OpenCL C
  gpu.func @others(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xi64> {gpuopt.name = "b"}, %x: f32 {gpuopt.name = "x"}, %n: i64 {gpuopt.name = "n"}) kernel {
    %tx = gpu.thread_id x
    %0 = memref.atomic_rmw addf %x, %a[%tx] : (f32, memref<?xf32>) -> f32
    %1 = memref.atomic_rmw addi %n, %b[%tx] : (i64, memref<?xi64>) -> i64
    %2 = memref.atomic_rmw mins %n, %b[%tx] : (i64, memref<?xi64>) -> i64
    gpu.return
  }
}
