// An element is accessed whole: as aligned as its type is on the target, which
// is 8 bytes for an i64, not 4 as where no layout is known.
//
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=sm_90 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-kernel-llvmir --target=gfx942 %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-assembly --target=sm_90 %s | FileCheck %s --check-prefix=PTX

gpu.module @kernels {
  // CHECK-LABEL: @long_elements(
  // CHECK: load i64, {{.*}}, align 8
  // CHECK: store i64 {{.*}}, align 8
  // PTX-LABEL: .entry long_elements(
  // PTX: ld.global.b64
  // PTX: st.global.b64
  gpu.func @long_elements(%a: memref<?xi64>) kernel {
    %i = gpu.thread_id x
    %one = arith.constant 1 : i64
    %x = memref.load %a[%i] : memref<?xi64>
    %y = arith.addi %x, %one : i64
    memref.store %y, %a[%i] : memref<?xi64>
    gpu.return
  }

  // What says that it is aligned to less stays so.
  // CHECK-LABEL: @packed_elements(
  // CHECK: load i64, {{.*}}, align 4
  // PTX-LABEL: .entry packed_elements(
  // PTX: ld.global.b32
  // PTX: ld.global.b32
  gpu.func @packed_elements(%a: memref<?xi64>, %b: memref<?xi64>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] {alignment = 4 : i64} : memref<?xi64>
    memref.store %x, %b[%i] : memref<?xi64>
    gpu.return
  }
}
