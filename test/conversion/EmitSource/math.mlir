// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// The functions of the library, by the names that each language has for them.

gpu.module @kernels {
  // In C++ the name says the type: without the `f` a `float` would be computed as a
  // `double`. In OpenCL C the argument does.
  // CHECK-LABEL: void functions(
  // CHECK:         float [[ROOT:[_a-z0-9]+]] = sqrtf([[X:[_a-z0-9]+]]);
  // CHECK-NEXT:    a[tx] = fmaf([[ROOT]], powf([[ROOT]], [[X]]), [[X]]);
  // CHECK-NEXT:    b[tx] = rint(fabs(rsqrt({{.*}})));
  // OPENCL-LABEL: void functions(
  // OPENCL:        float [[ROOT:[_a-z0-9]+]] = sqrt([[X:[_a-z0-9]+]]);
  // OPENCL-NEXT:   a[tx] = fma([[ROOT]], pow([[ROOT]], [[X]]), [[X]]);
  gpu.func @functions(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf64> {gpuopt.name = "b"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xf32>
    %y = memref.load %b[%tx] : memref<?xf64>
    %0 = math.sqrt %x : f32
    %1 = math.powf %0, %x : f32
    %2 = math.fma %0, %1, %x : f32
    memref.store %2, %a[%tx] : memref<?xf32>
    %3 = math.rsqrt %y : f64
    %4 = math.absf %3 : f64
    %5 = math.roundeven %4 : f64
    memref.store %5, %b[%tx] : memref<?xf64>
    gpu.return
  }

  // CHECK-LABEL: void bits(
  // CHECK:         a[0] = __popc([[X:[_a-z0-9]+]]);
  // CHECK-NEXT:    a[1] = __clz([[X]]);
  // CHECK-NEXT:    a[2] = abs([[X]]);
  // OPENCL-LABEL: void bits(
  // OPENCL:        a[0] = popcount([[X:[_a-z0-9]+]]);
  // OPENCL-NEXT:   a[1] = clz([[X]]);
  gpu.func @bits(%a: memref<?xi32> {gpuopt.name = "a"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xi32>
    %0 = math.ctpop %x : i32
    affine.store %0, %a[0] : memref<?xi32>
    %1 = math.ctlz %x : i32
    affine.store %1, %a[1] : memref<?xi32>
    %2 = math.absi %x : i32
    affine.store %2, %a[2] : memref<?xi32>
    gpu.return
  }

  // A variable must not hide a function that is called. One that is not called may
  // have its name taken.
  // CHECK-LABEL: void hidden(float *sqrtf_2, float expf)
  // CHECK:         sqrtf_2[0] = sqrtf(sqrtf_2[0]) + expf;
  gpu.func @hidden(%sqrtf: memref<?xf32> {gpuopt.name = "sqrtf"}, %expf: f32 {gpuopt.name = "expf"}) kernel {
    %x = affine.load %sqrtf[0] : memref<?xf32>
    %0 = math.sqrt %x : f32
    %1 = arith.addf %0, %expf : f32
    affine.store %1, %sqrtf[0] : memref<?xf32>
    gpu.return
  }

  // What asks for the hardware's approximation is spelled so; `double` has none.
  // CHECK-LABEL: void approximations(
  // CHECK:         a[tx] = __fdividef(__expf({{.*}}), __sinf({{.*}}));
  // CHECK-NEXT:    b[tx] = exp({{.*}});
  // OPENCL-LABEL: void approximations(
  // OPENCL:        a[tx] = native_divide(native_exp({{.*}}), native_sin({{.*}}));
  // OPENCL-NEXT:   b[tx] = exp({{.*}});
  gpu.func @approximations(%a: memref<?xf32> {gpuopt.name = "a"}, %b: memref<?xf64> {gpuopt.name = "b"}) kernel {
    %tx = gpu.thread_id x
    %x = memref.load %a[%tx] : memref<?xf32>
    %y = memref.load %b[%tx] : memref<?xf64>
    %0 = math.exp %x fastmath<afn> : f32
    %1 = math.sin %x fastmath<afn> : f32
    %2 = arith.divf %0, %1 fastmath<afn> : f32
    %3 = math.exp %y fastmath<afn> : f64
    memref.store %2, %a[%tx] : memref<?xf32>
    memref.store %3, %b[%tx] : memref<?xf64>
    gpu.return
  }
}
