// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// A kernel that no transform has launched in another way, but that stands for its original under a condition only:
// whoever launches it has to ask for that.
// CHECK:       void shifted(float *a, int p) {
// CHECK:       // The kernel as it was written, for launches that shifted cannot cover.
// CHECK-NEXT:  __global__ void shifted_original(float *a, int p) {
// CHECK:       // Launches shifted in place of shifted_original<<<grid, block>>>.
// CHECK-NEXT:  void launch_shifted(dim3 grid, dim3 block, size_t shared_bytes,
// CHECK:         if (p >= 0)
// CHECK-NEXT:      shifted<<<grid, block, shared_bytes, stream>>>(a, p);
// CHECK-NEXT:    else
// CHECK-NEXT:      shifted_original<<<grid, block, shared_bytes, stream>>>(a, p);
// OPENCL:      // Launch: shifted as the original.
// OPENCL-NEXT: // It takes the place of shifted_original where:
// OPENCL-NEXT: //   p >= 0

// Under no condition there is one kernel, which is launched as it was.
// CHECK-LABEL: void plain(
// CHECK-NOT:   plain_original
// CHECK-NOT:   launch_plain
gpu.module @kernels {
  gpu.func @shifted(%a: memref<?xf32> {gpuopt.name = "a"}, %p: i32 {gpuopt.name = "p"}) kernel
      attributes {gpuopt.fallback = @shifted__original, gpuopt.source_name = "shifted",
                  gpuopt.requires = affine_set<()[s0, s1, s2, s3, s4, s5, s6, s7] : (s1 >= 0)>} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %offset = arith.index_castui %p : i32 to index
    %at = arith.addi %x, %offset : index
    memref.store %one, %a[%at] : memref<?xf32>
    gpu.return
  }
  gpu.func @shifted__original(%a: memref<?xf32> {gpuopt.name = "a"}, %p: i32 {gpuopt.name = "p"}) kernel
      attributes {gpuopt.source_name = "shifted"} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    %offset = arith.index_cast %p : i32 to index
    %at = arith.addi %x, %offset : index
    memref.store %one, %a[%at] : memref<?xf32>
    gpu.return
  }
  gpu.func @plain(%a: memref<?xf32> {gpuopt.name = "a"}) kernel
      attributes {gpuopt.fallback = @plain__original, gpuopt.source_name = "plain"} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%x] : memref<?xf32>
    gpu.return
  }
  gpu.func @plain__original(%a: memref<?xf32> {gpuopt.name = "a"}) kernel
      attributes {gpuopt.source_name = "plain"} {
    %x = gpu.thread_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%x] : memref<?xf32>
    gpu.return
  }
}
