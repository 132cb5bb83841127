// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// Callers pass the types that the source declares. A kernel that accesses an array
// as something else has a second name for it, with that type.

gpu.module @kernels {
  // `c` is accessed as it is declared, and `d` not at all: any pointer will do.
  // CHECK-LABEL: void declared(const float *a, float4 *b, float *c, const void *d)
  // CHECK-NEXT:    const int *a_ints = (const int *)a;
  // CHECK-NEXT:    float *b_floats = (float *)b;
  // CHECK-NOT:     {{[cd]}}_
  // CHECK:         float b_value = (float)a_ints[tx];
  // CHECK-NEXT:    b_floats[tx] = b_value;
  // CHECK-NEXT:    c[tx] = b_value;
  // A host says nothing of types to OpenCL, so that the accessed ones are declared.
  // OPENCL:      void declared(__global const int *a, __global float *b,
  gpu.func @declared(%a: memref<?xi32> {gpuopt.name = "a", gpuopt.pointee = "const float", llvm.readonly},
                     %b: memref<?xf32> {gpuopt.name = "b", gpuopt.pointee = "float4"},
                     %c: memref<?xf32> {gpuopt.name = "c", gpuopt.pointee = "float"},
                     %d: memref<?xf64> {gpuopt.name = "d", gpuopt.pointee = "double2", gpuopt.unused}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xi32>
    %y = arith.sitofp %x : i32 to f32
    memref.store %y, %b[%tx] : memref<?xf32>
    memref.store %y, %c[%tx] : memref<?xf32>
    gpu.return
  }

  // The second name may not be one that is there.
  // CHECK-LABEL: void twice(float *a, int *a_ints)
  // CHECK-NEXT:    int *a_ints_2 = (int *)a;
  // CHECK:         a_ints[tx] = a_ints_2[tx];
  gpu.func @twice(%a: memref<?xi32> {gpuopt.name = "a", gpuopt.pointee = "float"}, %b: memref<?xi32> {gpuopt.name = "a_ints"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xi32>
    memref.store %x, %b[%tx] : memref<?xi32>
    gpu.return
  }
}
