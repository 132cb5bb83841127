// A driver passes structures as the source has them, from which members are loaded.
//
// RUN: gpuopt-translate --mlir-to-optimized-llvmir --target=sm_90 %s | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-translate --mlir-to-optimized-llvmir --target=gfx942 %s | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX
// RUN: gpuopt-translate --mlir-to-assembly --target=gfx942 %s | FileCheck %s --check-prefix=GCN

gpu.module @kernels {
  // NVIDIA:     define ptx_kernel void @f(i32 %{{.*}}, ptr {{.*}}byval([24 x i8]) align 8 %[[S:[0-9a-z]+]], ptr {{.*}})
  // AMD:        define amdgpu_kernel void @f(i32 %{{.*}}, ptr addrspace(4) {{.*}}byref([24 x i8]) align 8 %[[S:[0-9a-z]+]], ptr {{.*}})
  // CHECK-DAG:  load ptr, ptr {{.*}}%[[S]], align 8, {{.*}}!invariant.load
  // CHECK-DAG:  %[[AT:.*]] = getelementptr inbounds{{.*}} i8, ptr {{.*}}%[[S]], i64 12
  // CHECK-DAG:  load float, ptr {{.*}}%[[AT]], align 4, {{.*}}!invariant.load

  // The other members are not used.
  // PTX:        .entry f(
  // PTX-NEXT:     .param .u32 f_param_0,
  // PTX-NEXT:     .param .align 8 .b8 f_param_1[24],
  // PTX-NEXT:     .param .u64 {{.*}}f_param_2
  // PTX-DAG:    ld.param.b64 %rd{{[0-9]+}}, [f_param_1]
  // PTX-DAG:    ld.param.b32 %r{{[0-9]+}}, [f_param_1+12]

  // An array that is only read and distinct is read through the cache for such.
  // PTX:        ld.global.nc

  // GCN:        .offset:         0
  // GCN-NEXT:   .size:           4
  // GCN:        .offset:         8
  // GCN-NEXT:   .size:           24
  // GCN:        .offset:         32
  gpu.func @f(%n: i32, %data: memref<?xf32> {llvm.noalias, llvm.readonly}, %rows: i32, %scale: f32, %end: i64, %b: memref<?xf32>) kernel attributes
      {gpuopt.structures = [{align = 8 : i64, bytes = 24 : i64, first = 1 : i64, members = [], name = "s", offsets = array<i64: 0, 8, 12, 16>, type = "S"}]} {
    %i = gpu.thread_id x
    %x = memref.load %data[%i] : memref<?xf32>
    %y = arith.mulf %x, %scale : f32
    memref.store %y, %b[%i] : memref<?xf32>
    gpu.return
  }
}
