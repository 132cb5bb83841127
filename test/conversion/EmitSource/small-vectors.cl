// Vectors of three and four: what is printed for CUDA and OpenCL computes the same, from the same numbers.
// RUN: rm -rf %t && mkdir -p %t
// RUN: gpuopt compile %s --target gfx942 --emit opencl -o %t/printed.cl && FileCheck %s < %t/printed.cl
// RUN: gpuopt compile %s --target sm_90 --emit cuda -o %t/printed.cu && FileCheck %s < %t/printed.cu
// CHECK: shade(
// CHECK: turn(
// DEFINE: %{run} = --inputs ordinary --seed 7 --grid 1 --block 256
// RUN: gpuopt check %s --target gfx942 --kernel shade --size n=60,a=60,b=60 %{run} --output-dir %t/written
// RUN: gpuopt check %t/printed.cl --target gfx942 --kernel shade --no-opt --allow-fallback --size n=60,a=240,b=240 %{run} --output-dir %t/opencl
// RUN: gpuopt check %t/printed.cu --kernel shade --no-opt --allow-fallback --size n=60,a=240,b=240 %{run} --output-dir %t/cuda
// RUN: %python -c "import sys; print(len({open(name, 'rb').read()[-960:] for name in sys.argv[1:]}))" %t/written/b.npy %t/opencl/b.npy %t/cuda/b.npy | FileCheck %s --check-prefix=ONE
// RUN: gpuopt check %s --target gfx942 --kernel turn --size n=60,a=60,b=60 %{run} --output-dir %t/written
// RUN: gpuopt check %t/printed.cl --target gfx942 --kernel turn --no-opt --allow-fallback --size n=60,a=240,b=240 %{run} --output-dir %t/opencl
// RUN: gpuopt check %t/printed.cu --kernel turn --no-opt --allow-fallback --size n=60,a=240,b=240 %{run} --output-dir %t/cuda
// RUN: %python -c "import sys; print(len({open(name, 'rb').read()[-960:] for name in sys.argv[1:]}))" %t/written/b.npy %t/opencl/b.npy %t/cuda/b.npy | FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}
__kernel void shade(__global const float4 *a, __global float4 *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    b[i] = a[i] * 2.0f + fmax(a[i].wzyx, b[i]);
}

__kernel void turn(__global const float4 *a, __global float4 *b, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float3 normal = cross(a[i].xyz, b[i].xyz) + (float3)(1.0f, 2.0f, 3.0f);
    b[i] = (float4)(normal < 0.5f ? -normal : normal, 1.0f);
  }
}
