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

  // Two of them in an integer are taken out and put back by their bits.
  // CHECK-LABEL: void pair(
  // CHECK:         __half [[H:.*]] = __ushort_as_half((unsigned short)a[tx]);
  // CHECK:         a[tx] = __half_as_ushort([[H]] * [[H]]);
  // OPENCL-LABEL: void pair(
  // OPENCL:         half [[H:.*]] = as_half((unsigned short)a[tx]);
  // OPENCL:         a[tx] = as_ushort([[H]] * [[H]]);
  gpu.func @pair(%a: memref<?xi32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x upper_bound 64
    %x = memref.load %a[%tx] : memref<?xi32>
    %bits = arith.trunci %x : i32 to i16
    %half = arith.bitcast %bits : i16 to f16
    %square = arith.mulf %half, %half : f16
    %back = arith.bitcast %square : f16 to i16
    %wide = arith.extui %back : i16 to i32
    memref.store %wide, %a[%tx] : memref<?xi32>
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
