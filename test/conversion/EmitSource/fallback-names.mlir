// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s

// What a kernel falls back to is what its attribute names. A kernel of the source that is called so is one like any
// other, and the copy of `shifted` has another symbol then.
// CHECK:       __global__ void shifted(float *a, int p) {
// CHECK:       // The kernel as it was written, for launches that shifted cannot cover.
// CHECK-NEXT:  __global__ void shifted_original(float *a, int p) {
// CHECK:       void launch_shifted(
// CHECK:           shifted_original<<<grid, block, shared_bytes, stream>>>(a, p);
// CHECK:       __global__ void shifted__original(int *a) {
// CHECK:         a[tx] = 7;
// CHECK-NOT:   original
gpu.module @kernels {
  gpu.func @shifted(%a: memref<?xf32> {gpuopt.name = "a"}, %p: i32 {gpuopt.name = "p"}) kernel
      attributes {gpuopt.fallback = @shifted__original_0, gpuopt.source_name = "shifted",
                  gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (s1 >= 0)>} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %offset = arith.index_castui %p : i32 to index
    %at = arith.addi %x, %offset : index
    memref.store %one, %a[%at] : memref<?xf32>
    gpu.return
  }
  gpu.func @shifted__original_0(%a: memref<?xf32> {gpuopt.name = "a"}, %p: i32 {gpuopt.name = "p"}) kernel
      attributes {gpuopt.source_name = "shifted"} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %offset = arith.index_cast %p : i32 to index
    %at = arith.addi %x, %offset : index
    memref.store %one, %a[%at] : memref<?xf32>
    gpu.return
  }
  gpu.func @shifted__original(%a: memref<?xi32> {gpuopt.name = "a"}) kernel
      attributes {gpuopt.source_name = "shifted__original"} {
    %x = gpu.thread_id x
    %seven = arith.constant 7 : i32
    memref.store %seven, %a[%x] : memref<?xi32>
    gpu.return
  }
}
