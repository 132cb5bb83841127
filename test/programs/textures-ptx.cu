// Fetches by inline PTX are what CUDA's functions say, through the importer's table.
// RUN: gpuopt cc -std=c++14 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s

#include <cstdio>

__global__ void fetch(cudaTextureObject_t t, cudaTextureObject_t layers, float *differences) {
  float x = threadIdx.x * 0.37f - 1, y = threadIdx.y * 0.61f - 1, a, g, b, w;
  int at = threadIdx.y * blockDim.x + threadIdx.x;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(a), "=f"(g), "=f"(b), "=f"(w) : "l"(t), "f"(x), "f"(y));
  differences[3 * at] = a - tex2D<float>(t, x, y);
  asm volatile("tex.level.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
               : "=f"(a), "=f"(g), "=f"(b), "=f"(w)
               : "l"(t), "f"(x), "f"(y), "f"(0.0f));
  differences[3 * at + 1] = a - tex2DLod<float>(t, x, y, 0);
  asm volatile("tex.a2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
               : "=f"(a), "=f"(g), "=f"(b), "=f"(w)
               : "l"(layers), "r"(1), "f"(x), "f"(y));
  differences[3 * at + 2] = a - tex2DLayered<float>(layers, x, y, 1);
}

__global__ void move(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x, y = threadIdx.y, word;
  asm volatile("suld.b.2d.b32.trap {%0}, [%1, {%2, %3}];" : "=r"(word) : "l"(from), "r"(x * 4), "r"(y));
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" : : "l"(to), "r"(x * 4), "r"(y), "r"(word));
}

static cudaArray_t makeArray(int width, int height, int layers, float first) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, layers), (layers ? cudaArrayLayered : 0) | cudaArraySurfaceLoadStore);
  static float texels[4 * 1024];
  for (int i = 0; i < 4 * 1024; ++i)
    texels[i] = first + i * i % 101;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels, width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, layers ? layers : 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  return array;
}

static cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static cudaTextureObject_t makeTexture(cudaArray_t array) {
  cudaResourceDesc resource = resourceOf(array);
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  cudaArray_t image = makeArray(7, 5, 0, 1), other = makeArray(7, 5, 0, 50);
  float *differences;
  cudaMallocManaged(&differences, 3 * 256 * sizeof(float));
  fetch<<<1, dim3(16, 16)>>>(makeTexture(image), makeTexture(makeArray(7, 5, 3, 9)), differences);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 3 * 256; ++i)
    wrong += differences[i] != 0;
  // CHECK: fetches that differ: 0, no error
  printf("fetches that differ: %d, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  cudaSurfaceObject_t from, to;
  cudaResourceDesc source = resourceOf(image), target = resourceOf(other);
  cudaCreateSurfaceObject(&from, &source);
  cudaCreateSurfaceObject(&to, &target);
  move<<<1, dim3(7, 5)>>>(from, to);
  cudaDeviceSynchronize();
  float left[35], right[35];
  cudaMemcpy2DFromArray(left, 28, image, 0, 0, 28, 5, cudaMemcpyDeviceToHost);
  cudaMemcpy2DFromArray(right, 28, other, 0, 0, 28, 5, cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int i = 0; i < 35; ++i)
    wrong += left[i] != right[i];
  // CHECK: moved but for: 0, no error
  printf("moved but for: %d, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
