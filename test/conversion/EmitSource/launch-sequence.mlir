// RUN: gpuopt-translate --mlir-to-cuda %s | FileCheck %s
// RUN: gpuopt-translate --mlir-to-opencl %s | FileCheck %s --check-prefix=OPENCL

// A kernel with barriers of the whole grid becomes several, one for what lies
// between two barriers, and a host function that launches them.

// The kernels are called after their part of the original.
// CHECK:       __global__ void halve_phase0(float *a, int n) {
// CHECK:       __global__ void halve_last(float *a, int n) {

// The host's loop is one in C++. A launch with the whole grid that is asked for
// names it; another one has its own, without the ones at its end.
// CHECK:       void launch_halve(dim3 grid, dim3 block, size_t shared_bytes,
// CHECK-NEXT:                    cudaStream_t stream, float *a, int n) {
// CHECK-NEXT:    int [[M:[_a-z0-9]+]] = n;
// CHECK-NEXT:    while ([[M]] > 16) {
// CHECK-NEXT:      [[M]] >>= 1;
// CHECK-NEXT:      halve_phase0<<<grid, block, shared_bytes, stream>>>(a, [[M]]);
// CHECK-NEXT:    }
// CHECK-NEXT:    halve_last<<<dim3(1), dim3(64), shared_bytes, stream>>>(a, [[M]]);

// OPENCL:      // halve is a sequence of launches: `launch_halve` of the CUDA and HIP form

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @steps__phase0(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.phase_of = @steps, gpuopt.source_name = "halve"} {
    %tx = gpu.thread_id x
    %ni = arith.index_cast %n : i32 to index
    %x = affine.load %a[symbol(%tx) + symbol(%ni)] : memref<?xf32>
    affine.store %x, %a[symbol(%tx)] : memref<?xf32>
    gpu.return
  }
  gpu.func @steps__last(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"}) kernel
      attributes {gpuopt.phase_of = @steps, gpuopt.source_name = "halve"} {
    %zero = arith.constant 0.0 : f32
    affine.store %zero, %a[0] : memref<?xf32>
    gpu.return
  }
}
func.func @steps(%a: memref<?xf32> {gpuopt.name = "a"}, %n: i32 {gpuopt.name = "n"},
                 %gx: index {gpuopt.name = "grid_x"}, %gy: index {gpuopt.name = "grid_y"}, %gz: index {gpuopt.name = "grid_z"},
                 %bx: index {gpuopt.name = "block_x"}, %by: index {gpuopt.name = "block_y"}, %bz: index {gpuopt.name = "block_z"}) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %rest = scf.while (%m = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %m, %c16 : i32
    scf.condition(%more) %m : i32
  } do {
  ^bb0(%m: i32):
    %half = arith.shrsi %m, %one : i32
    gpu.launch_func @kernels::@steps__phase0 blocks in (%gx, %gy, %gz) threads in (%bx, %by, %bz)
        args(%a : memref<?xf32>, %half : i32)
    scf.yield %half : i32
  }
  gpu.launch_func @kernels::@steps__last blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%a : memref<?xf32>, %rest : i32)
  return
}
}
