// Kernels become functions of LLVM's dialect. Blocks that are alike stay apart.
//
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-convert-kernels))' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-convert-kernels{arch=gfx942}))' | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: not gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-convert-kernels{arch=gfx}))' 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: no architecture of {{.*}}'gfx'

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @guarded(
  gpu.func @guarded(%condition: i1, %a: f32, %out: memref<2xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // NVIDIA: nvvm.read.ptx.sreg.tid.x
    // AMD:    rocdl.workitem.id.x
    %x = gpu.thread_id x
    // CHECK: llvm.cond_br %{{.*}}, ^bb1, ^bb2
    cf.cond_br %condition, ^bb1, ^bb2
  // CHECK: ^bb1:
  ^bb1:
    // CHECK: llvm.store
    memref.store %a, %out[%c0] : memref<2xf32>
    // CHECK: llvm.br ^bb3
    cf.br ^bb3
  // CHECK: ^bb2:
  ^bb2:
    // CHECK: llvm.store
    memref.store %a, %out[%c1] : memref<2xf32>
    // CHECK: llvm.br ^bb3
    cf.br ^bb3
  ^bb3:
    gpu.return
  }

  // A shuffle of 64 bits is two of 32; AMD has an instruction for these lanes.
  // CHECK-LABEL: llvm.func @shuffle(
  gpu.func @shuffle(%wide: i64, %out: memref<1xi64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %width = arith.constant 64 : i32
    // NVIDIA-COUNT-2: nvvm.shfl.sync bfly
    // AMD-COUNT-2:    rocdl.ds_swizzle
    %a, %p = gpu.shuffle xor %wide, %c1, %width : i64
    // CHECK: llvm.store %{{.*}} {alignment = 8 : i64}
    memref.store %a, %out[%c0] {alignment = 8 : i64} : memref<1xi64>
    gpu.return
  }
}
