// A handle that is none, what an object has shown before it was freed, and an element beyond a surface are errors with their place.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t 1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env GPUOPT_DEVICE=cpu %t 2 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: env GPUOPT_DEVICE=cpu %t 3 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not gpuopt check %s --kernel fetch --size result=32 --grid 1 --block 32 2>&1 | FileCheck %s --check-prefix=CHECK
// RUN: not gpuopt compile %s --kernel fetch --target gfx942 -o - 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: gpuopt compile %s --kernel fetch -o - | FileCheck %s --check-prefix=PTX
// RUN: gpuopt compile %s --kernel write -o - | FileCheck %s --check-prefix=SURFACE

#include <cstdio>
#include <cstdlib>

// AMD: texture-faults.cu:[[#@LINE+3]]:{{[0-9]+}}: error: textures and surfaces in a kernel are supported for NVIDIA's targets only
// CHECK: uses a texture object that there is not
// PTX: tex.2d.v4.f32.f32
__global__ void fetch(cudaTextureObject_t t, float *result) { result[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.0f); }
// NONE: texture-faults.cu:[[#@LINE-1]]:{{[0-9]+}}: kernel 'fetch(unsigned long long, float*)', launch 1: {{.*}}: thread (0,0,0) of block (0,0,0) uses a texture object that there is not
// NONE: cudaErrorLaunchFailure
// FREED: thread (0,0,0) of block (0,0,0) uses a texture of memory that there is not
// FREED: cudaErrorLaunchFailure

// SURFACE: sust.b.2d.b32.trap
__global__ void write(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 4 * threadIdx.x, 0); }
// BEYOND: texture-faults.cu:[[#@LINE-1]]:{{[0-9]+}}: kernel 'write(unsigned long long)', launch 1: {{.*}}: thread (2,0,0) of block (0,0,0) writes beyond a surface
// BEYOND: cudaErrorLaunchFailure

int main(int, char **arguments) {
  int number = atoi(arguments[1]);
  float *result;
  cudaMalloc(&result, 128);
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 2, 2);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  if (number == 1)
    fetch<<<1, 32>>>(0, result);
  if (number == 2) {
    cudaFreeArray(array);
    fetch<<<1, 32>>>(texture, result);
  }
  if (number == 3)
    write<<<1, 3>>>(surface);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
