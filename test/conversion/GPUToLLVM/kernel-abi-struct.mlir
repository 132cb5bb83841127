// A struct passed by value keeps the form that Clang gave it: a pointer marked
// `byval` for NVIDIA, `byref` in constant memory for AMD.
//
// RUN: split-file %s %t
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %t/nvidia.mlir | FileCheck %t/nvidia.mlir
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %t/amd.mlir | FileCheck %t/amd.mlir

//--- nvidia.mlir
gpu.module @kernels {
  // CHECK: define ptx_kernel void @f(ptr byval({ float, i32 }) align 4 %0, ptr %1)
  gpu.func @f(%s: !llvm.ptr {llvm.byval = !llvm.struct<(f32, i32)>, llvm.align = 4 : i64}, %a: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %x = llvm.load %s : !llvm.ptr -> f32
    memref.store %x, %a[%i] : memref<?xf32>
    gpu.return
  }
}

//--- amd.mlir
gpu.module @kernels {
  // CHECK: define amdgpu_kernel void @f(ptr addrspace(4) byref({ float, i32 }) align 4 %0, ptr %1)
  gpu.func @f(%s: !llvm.ptr<4> {llvm.byref = !llvm.struct<(f32, i32)>, llvm.align = 4 : i64}, %a: memref<?xf32>) kernel {
    %i = gpu.thread_id x
    %x = llvm.load %s : !llvm.ptr<4> -> f32
    memref.store %x, %a[%i] : memref<?xf32>
    gpu.return
  }
}
