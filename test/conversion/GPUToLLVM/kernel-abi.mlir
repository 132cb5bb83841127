// Kernels keep the parameters of their source: arrays are bare pointers with
// their attributes, everything else passes through; and the block shape that a
// kernel needs reaches the assembler.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s 2>&1 | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: gpuopt-translate --mlir-to-optimized-llvmir --target=sm_90 %s | FileCheck %s --check-prefix=OPTIMIZED
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX

// CHECK-NOT: warning

// Nothing of the descriptors remains.
// OPTIMIZED-NOT: insertvalue
// OPTIMIZED-NOT: extractvalue

gpu.module @kernels {
  // CHECK-DAG: @__wg_workgroup_0 = internal addrspace(3) global [272 x float] poison, align 16
  // CHECK-DAG: @__dynamic_shmem__0 = external dso_local addrspace(3) global [0 x i8], align 16

  // CHECK-LABEL: define ptx_kernel void @arrays(
  // CHECK-SAME: ptr noalias readonly align 16 %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr addrspace(1) %{{[0-9]+}}, i64 %{{[0-9]+}})
  // AMD-LABEL: define amdgpu_kernel void @arrays(
  gpu.func @arrays(%a: memref<?xf32> {llvm.noalias, llvm.readonly, llvm.align = 16 : i64},
                   %b: memref<4x8xf32>, %c: memref<?xf32, 1>, %i: index) kernel {
    %j = arith.remui %i, %i : index
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%j, %i] : memref<4x8xf32>
    memref.store %x, %c[%i] : memref<?xf32, 1>
    gpu.return
  }

  // CHECK-LABEL: define ptx_kernel void @scalars(
  // CHECK-SAME: i1 zeroext %{{[0-9]+}}, i8 signext %{{[0-9]+}}, half %{{[0-9]+}}, bfloat %{{[0-9]+}}, ptr %{{[0-9]+}})
  gpu.func @scalars(%f: i1 {gpuopt.name = "f", llvm.zeroext}, %c: i8 {llvm.signext}, %h: f16, %b: bf16,
                    %a: memref<?xf32> {gpuopt.name = "a"}) kernel {
    %i = gpu.thread_id x
    %x = arith.extf %h : f16 to f32
    memref.store %x, %a[%i] : memref<?xf32>
    gpu.return
  }

  // A geometry requires its block shape, whatever bounds the source had, and
  // bounds the thread ids; nothing is spilled for more blocks.
  // PTX-LABEL: .visible .entry required(
  // PTX: .reqntid 16, 8, 1
  // PTX: .minnctapersm 1
  // CHECK-LABEL: define ptx_kernel void @required(
  // CHECK: call range(i32 0, 16) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  // AMD: define amdgpu_kernel void @required({{.*}} #[[REQUIRED:[0-9]+]]
  // AMD-SAME: !reqd_work_group_size ![[SIZE:[0-9]+]]
  gpu.func @required(%a: memref<?xindex>) kernel attributes {
      passthrough = [["nvvm.maxntid", "1024"], ["amdgpu-flat-work-group-size", "1,1024"]],
      gpuopt.launch_bounds = array<i32: 1024, 2>,
      gpuopt.geometry = #gpuopt.geometry<block = [16, 8, 1], items_per_thread = [1, 1, 1], items_per_block = [16, 8, 1]>} {
    %i = gpu.thread_id x
    memref.store %i, %a[%i] : memref<?xindex>
    gpu.return
  }

  // More where the design asks for them.
  // PTX-LABEL: .visible .entry resident(
  // PTX: .reqntid 256, 1, 1
  // PTX: .minnctapersm 3
  gpu.func @resident(%a: memref<?xindex>) kernel attributes {
      gpuopt.resident_blocks = 3 : i64,
      gpuopt.geometry = #gpuopt.geometry<block = [256, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [256, 1, 1]>} {
    %i = gpu.thread_id x
    memref.store %i, %a[%i] : memref<?xindex>
    gpu.return
  }

  // A block that a pass has made up: one of them has to fit, too.
  // PTX-LABEL: .visible .entry known(
  // PTX: .reqntid 1024, 1, 1
  // PTX: .minnctapersm 1
  gpu.func @known(%a: memref<?xindex>) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %i, %a[%i] : memref<?xindex>
    gpu.return
  }

  // Without a geometry the source's bounds hold.
  // PTX-LABEL: .visible .entry bounded(
  // PTX-DAG: .maxntid 256
  // PTX-DAG: .minnctapersm 2
  // AMD: define amdgpu_kernel void @bounded({{.*}} #[[BOUNDED:[0-9]+]]
  gpu.func @bounded() kernel attributes {gpuopt.launch_bounds = array<i32: 256, 2>} {
    gpu.return
  }

  // PTX-LABEL: .visible .entry imported(
  // PTX: .maxntid 128
  llvm.func @imported() attributes {gpu.kernel, passthrough = [["nvvm.maxntid", "128"]]} {
    llvm.return
  }

  // PTX-LABEL: .visible .entry workgroup(
  gpu.func @workgroup(%a: memref<?xf32>)
      workgroup(%w: memref<16x17xf32, #gpu.address_space<workgroup>>)
      private(%p: memref<4xf32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %w[%i, %c0] : memref<16x17xf32, #gpu.address_space<workgroup>>
    memref.store %x, %p[%c0] : memref<4xf32, #gpu.address_space<private>>
    %raw = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %b = arith.constant 7 : i8
    memref.store %b, %raw[%i] : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %w[%c0, %i] : memref<16x17xf32, #gpu.address_space<workgroup>>
    %z = memref.load %p[%c0] : memref<4xf32, #gpu.address_space<private>>
    %s = arith.addf %y, %z : f32
    memref.store %s, %a[%i] : memref<?xf32>
    gpu.return
  }

  // AMD-DAG: attributes #[[REQUIRED]] = {{.*}}"amdgpu-flat-work-group-size"="128,128"
  // AMD-DAG: attributes #[[BOUNDED]] = {{.*}}"amdgpu-flat-work-group-size"="1,256"
  // AMD-DAG: ![[SIZE]] = !{i32 16, i32 8, i32 1}
}
