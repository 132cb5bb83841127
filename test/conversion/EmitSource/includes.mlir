// RUN: gpuopt-translate --mlir-to-cuda -split-input-file %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-hip -split-input-file %s | FileCheck %s --check-prefix=HIP

// What a kernel needs of headers is included, and nothing else.

gpu.module @kernels {
  // Numbers of 16 bits are converted by functions of their header; of `bfloat16`
  // the languages have types with different names.
  // CHECK:       #include <cuda_bf16.h>
  // CHECK-NOT:   #include <cuda_fp16.h>
  // CHECK-LABEL: void bfloat(__nv_bfloat16 *a, float *b)
  // CHECK:         float [[X:[_a-z0-9]+]] = __bfloat162float(a[tx]);
  // CHECK:         a[0] = __float2bfloat16([[X]]);
  // CHECK-NEXT:    a[1] = __float2bfloat16(0.5f);
  // HIP:         #include <hip/hip_bf16.h>
  // HIP-NEXT:    #include <hip/hip_runtime.h>
  // HIP-LABEL:   void bfloat(__hip_bfloat16 *a, float *b)
  gpu.func @bfloat(%a: memref<?xbf16> {gpuopt.name = "a"}, %b: memref<?xf32> {gpuopt.name = "b"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xbf16>
    %y = arith.extf %x : bf16 to f32
    memref.store %y, %b[%tx] : memref<?xf32>
    %z = arith.truncf %y : f32 to bf16
    affine.store %z, %a[0] : memref<?xbf16>
    %half = arith.constant 0.5 : bf16
    affine.store %half, %a[1] : memref<?xbf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {

  // A half becomes a `double` by way of a `float`, which changes nothing. Sums are
  // those of the type.
  // CHECK:       #include <cuda_fp16.h>
  // CHECK-NOT:   bf16
  // CHECK-LABEL: void half(__half *a, double *b)
  // CHECK:         b[tx] = (double)__half2float([[X:[_a-z0-9]+]]);
  // CHECK-NEXT:    a[0] = [[X]] + [[X]];
  // HIP:         #include <hip/hip_fp16.h>
  gpu.func @half(%a: memref<?xf16> {gpuopt.name = "a"}, %b: memref<?xf64> {gpuopt.name = "b"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xf16>
    %y = arith.extf %x : f16 to f64
    memref.store %y, %b[%tx] : memref<?xf64>
    %z = arith.addf %x, %x : f16
    affine.store %z, %a[0] : memref<?xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {

  // CHECK-NOT:   #include <cuda_fp16.h>
  // CHECK:       #include <cuda_runtime.h>
  // CHECK:       void plain(float *a) {}
  gpu.func @plain(%a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    gpu.return
  }
}
