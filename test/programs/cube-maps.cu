// Cube maps, and gathers of four elements, by CUDA's functions and by inline PTX: what is fetched is computed here once more.
// RUN: gpuopt cc -std=c++14 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

#include <cmath>
#include <cstdio>
#include <vector>

static const int width = 4, cubes = 2, count = 512;

__global__ void look(cudaTextureObject_t t, cudaTextureObject_t layers, const float *at, float *results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2], r, g, b, a;
  results[5 * i] = texCubemap<float>(t, x, y, z);
  results[5 * i + 1] = texCubemapLayered<float>(layers, x, y, z, 1);
  asm volatile("tex.cube.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
               : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
               : "l"(t), "f"(x), "f"(y), "f"(z));
  results[5 * i + 2] = r;
  asm volatile("tex.level.acube.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %8}], %9;"
               : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
               : "l"(layers), "r"(1), "f"(x), "f"(y), "f"(z), "f"(0.0f));
  results[5 * i + 3] = r;
  int size;
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(size) : "l"(t));
  results[5 * i + 4] = size;
}

__global__ void gather(cudaTextureObject_t t, float4 *results) {
  float x = threadIdx.x * 0.7f - 1, y = threadIdx.y * 0.6f - 1;
  int i = threadIdx.y * blockDim.x + threadIdx.x;
  results[2 * i] = tex2Dgather<float4>(t, x, y, 1);
  asm volatile("tld4.g.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=f"(results[2 * i + 1].x), "=f"(results[2 * i + 1].y), "=f"(results[2 * i + 1].z), "=f"(results[2 * i + 1].w)
               : "l"(t), "f"(x), "f"(y));
}

template <class T> static cudaTextureObject_t makeTexture(int height, int depth, unsigned flags, std::vector<T> &texels) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  if (cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags) != cudaSuccess)
    printf("no array\n");
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(T), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
    printf("no texture\n");
  return texture;
}

// The number of the element in a cube: faces +x, -x, +y, -y, +z, -z.
static int place(float x, float y, float z) {
  float m, s, t;
  int face;
  if (std::fabs(x) > std::fabs(y) && std::fabs(x) > std::fabs(z))
    face = x < 0, m = std::fabs(x), s = x < 0 ? z : -z, t = -y;
  else if (std::fabs(y) > std::fabs(z))
    face = 2 + (y < 0), m = std::fabs(y), s = x, t = y < 0 ? -z : z;
  else
    face = 4 + (z < 0), m = std::fabs(z), s = z < 0 ? -x : x, t = -y;
  int i = std::floor((s / m + 1) / 2 * width), j = std::floor((t / m + 1) / 2 * width);
  return (face * width + (j < width ? j : width - 1)) * width + (i < width ? i : width - 1);
}

static int clamp(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

int main() {
  std::vector<float> texels(6 * width * width * cubes), at(3 * count), results(5 * count);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = i * 3 + 1;
  unsigned random = 1;
  for (float &x : at)
    x = int((random = random * 1664525 + 1013904223) >> 8) / 8388608.0f - 1;
  cudaTextureObject_t cube = makeTexture(width, 6, cudaArrayCubemap, texels);
  cudaTextureObject_t layers = makeTexture(width, 6 * cubes, cudaArrayCubemap | cudaArrayLayered, texels);
  float *directions, *found;
  cudaMalloc(&directions, at.size() * 4);
  cudaMalloc(&found, results.size() * 4);
  cudaMemcpy(directions, at.data(), at.size() * 4, cudaMemcpyHostToDevice);
  look<<<count / 64, 64>>>(cube, layers, directions, found);
  cudaMemcpy(results.data(), found, results.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    int at0 = place(at[3 * i], at[3 * i + 1], at[3 * i + 2]), at1 = at0 + 6 * width * width;
    float expected[5] = {texels[at0], texels[at1], texels[at0], texels[at1], width};
    for (int k = 0; k < 5; ++k)
      wrong += results[5 * i + k] != expected[k];
  }
  printf("cubes: %d wrong\n", wrong);

  const int height = 3;
  std::vector<float4> pixels(width * height);
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = make_float4(i, 100 + i, 200 + i, 300 + i);
  cudaTextureObject_t image = makeTexture(height, 0, cudaArrayTextureGather, pixels);
  float4 *gathered;
  cudaMalloc(&gathered, 128 * sizeof(float4));
  gather<<<1, dim3(8, 8)>>>(image, gathered);
  std::vector<float4> four(128);
  cudaMemcpy(four.data(), gathered, 128 * sizeof(float4), cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int n = 0; n < 64; ++n) {
    int i = std::floor(n % 8 * 0.7f - 1 - 0.5f), j = std::floor(n / 8 * 0.6f - 1 - 0.5f);
    auto pixel = [&](int di, int dj) { return pixels[clamp(j + dj, height) * width + clamp(i + di, width)].y; };
    for (int k = 0; k < 2; ++k) {
      float4 found = four[2 * n + k];
      wrong += found.x != pixel(0, 1) || found.y != pixel(1, 1) || found.z != pixel(1, 0) || found.w != pixel(0, 0);
    }
  }
  printf("gathers: %d wrong\n", wrong);
  cudaArray_t none;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  printf("%s\n", cudaGetErrorName(cudaMalloc3DArray(&none, &format, make_cudaExtent(4, 4, 5), cudaArrayCubemap)));
}
// CHECK: cubes: 0 wrong
// CHECK: gathers: 0 wrong
// CHECK: cudaErrorInvalidValue
// CHECKED: checked: all 2 launches
