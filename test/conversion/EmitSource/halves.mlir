// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// No function takes halves: those of `float` compute what halves can hold.
// CHECK-LABEL: void functions(
// CHECK:         a[tx] = __float2half(
// CHECK-SAME:        fmaxf(__half2float(a[tx]), __half2float(b[tx])));
// CHECK:         c[tx] = fmin(c[tx], 0.5);
gpu.module @kernels {
  gpu.func @functions(%a: memref<?xf16> {gpuopt.name = "a"},
                      %b: memref<?xf16> {gpuopt.name = "b"},
                      %c: memref<?xf64> {gpuopt.name = "c"}) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %half = arith.constant 0.5 : f64
    %x = memref.load %a[%tx] : memref<?xf16>
    %y = memref.load %b[%tx] : memref<?xf16>
    %largest = arith.maxnumf %x, %y : f16
    memref.store %largest, %a[%tx] : memref<?xf16>
    %z = memref.load %c[%tx] : memref<?xf64>
    %smallest = arith.minnumf %z, %half : f64
    memref.store %smallest, %c[%tx] : memref<?xf64>
    gpu.return
  }

  // A sum and a product of halves that are rounded once have a function of their
  // own: in `float` they would be rounded twice.
  // CHECK-LABEL: void roots(
  // CHECK:         __half a_value = a[tx];
  // CHECK-NEXT:    __half value = __float2half(sqrtf(__half2float(a_value)));
  // CHECK-NEXT:    a[tx] = __hfma(value, value, a_value);
  // OPENCL:      void roots(
  // OPENCL:        half value = (half)sqrt((float)a_value);
  // OPENCL-NEXT:   a[tx] = fma(value, value, a_value);
  gpu.func @roots(%a: memref<?xf16> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %x = memref.load %a[%tx] : memref<?xf16>
    %root = math.sqrt %x : f16
    %sum = math.fma %root, %root, %x : f16
    memref.store %sum, %a[%tx] : memref<?xf16>
    gpu.return
  }
}
