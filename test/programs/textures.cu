// Texture objects and references, arrays and surfaces: what is fetched is what the CUDA C++ Programming Guide says, computed here once more.
// RUN: gpuopt cc -std=c++14 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t 2>&1 | FileCheck %s --check-prefixes=CHECK,CHECKED

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void ask(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

__global__ void fetch1(cudaTextureObject_t t, const float *x, float *result) { result[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]); }
__global__ void fetch2(cudaTextureObject_t t, const float *x, float *result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < n)
    result[j * n + i] = tex2D<float>(t, x[i], x[j]);
}
__global__ void fetch3(cudaTextureObject_t t, float *result) { result[threadIdx.x] = tex3D<float>(t, threadIdx.x / 4.0f, 1.25f, 1.5f); }

static cudaTextureObject_t makeTexture(cudaArray_t array, cudaTextureAddressMode address, cudaTextureFilterMode filter, bool isNormalized,
                                       cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = address;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = isNormalized;
  description.borderColor[0] = -3;
  cudaTextureObject_t texture = 0;
  ask(cudaCreateTextureObject(&texture, &resource, &description, nullptr), "texture");
  return texture;
}

// The number of a texel, or -1.
static int place(int i, int n, cudaTextureAddressMode mode, bool isNormalized) {
  if (i >= 0 && i < n)
    return i;
  if (mode == cudaAddressModeBorder)
    return -1;
  if (!isNormalized || mode == cudaAddressModeClamp)
    return i < 0 ? 0 : n - 1;
  int period = ((i % (2 * n)) + 2 * n) % (2 * n);
  if (mode == cudaAddressModeWrap)
    return period % n;
  return period < n ? period : 2 * n - 1 - period;
}

// One coordinate: the first texel, and the weight of the second in 1 / 256.
static void split(double x, int n, bool isLinear, bool isNormalized, int &first, double &weight) {
  if (isNormalized)
    x *= n;
  if (isLinear)
    x -= 0.5;
  first = int(std::floor(x));
  weight = isLinear ? std::nearbyint((x - std::floor(x)) * 256) / 256 : 0;
}

static float expected(const std::vector<float> &texels, int width, int height, float x, float y, cudaTextureAddressMode mode,
                      cudaTextureFilterMode filter, bool isNormalized) {
  int i, j;
  double a, b, sum = 0;
  split(x, width, filter == cudaFilterModeLinear, isNormalized, i, a);
  split(y, height, filter == cudaFilterModeLinear, isNormalized, j, b);
  for (int corner = 0; corner < 4; ++corner) {
    double share = (corner & 1 ? a : 1 - a) * (corner & 2 ? b : 1 - b);
    int column = place(i + (corner & 1), width, mode, isNormalized), row = place(j + (corner >> 1), height, mode, isNormalized);
    sum += share * (share == 0 ? 0 : column < 0 || row < 0 ? -3 : texels[row * width + column]);
  }
  return float(sum);
}

static void compareModes() {
  constexpr int width = 19, height = 7, n = 200;
  std::vector<float> texels(width * height), x(n), found(n * n);
  for (float &texel : texels)
    texel = rand() / float(RAND_MAX);
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  ask(cudaMallocArray(&array, &format, width, height), "array");
  ask(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice), "copy");
  float *places, *result;
  cudaMalloc(&places, n * 4);
  cudaMalloc(&result, n * n * 4);
  int wrong = 0, runs = 0;
  for (bool isNormalized : {false, true})
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
        // Dyadic, so that the folds below are exact.
        for (int i = 0; i < n; ++i)
          x[i] = (i - n / 4) / 16.0f / (isNormalized ? 4 : 1) + 1 / 1024.0f;
        cudaMemcpy(places, x.data(), n * 4, cudaMemcpyHostToDevice);
        cudaTextureObject_t texture = makeTexture(array, mode, filter, isNormalized);
        fetch2<<<dim3(4, n), 64>>>(texture, places, result, n);
        ask(cudaMemcpy(found.data(), result, n * n * 4, cudaMemcpyDeviceToHost), "kernel");
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            float value = expected(texels, width, height, x[i], x[j], mode, filter, isNormalized);
            wrong += std::memcmp(&value, &found[j * n + i], 4) != 0;
          }
        ++runs;
        ask(cudaDestroyTextureObject(texture), "destroy");
      }
  // CHECK: 16 ways to fetch, 0 wrong
  printf("%d ways to fetch, %d wrong\n", runs, wrong);
  cudaFree(places);
  cudaFree(result);
  cudaFreeArray(array);
}

static void compareFilter() {
  float texels[2] = {0, 1}, x[5] = {0.5f, 0.5f + 3 / 1024.0f, 0.75f, 1.499f, 7}, found[5];
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 2);
  cudaMemcpyToArray(array, 0, 0, texels, sizeof texels, cudaMemcpyHostToDevice);
  float *places, *result;
  cudaMalloc(&places, sizeof x);
  cudaMalloc(&result, sizeof x);
  cudaMemcpy(places, x, sizeof x, cudaMemcpyHostToDevice);
  fetch1<<<1, 5>>>(makeTexture(array, cudaAddressModeClamp, cudaFilterModeLinear, false), places, result);
  cudaMemcpy(found, result, sizeof x, cudaMemcpyDeviceToHost);
  // Weights have 8 fractional bits: 3/1024 is 1/256, 0.999 is 1.
  // CHECK: linear: 0 0.00390625 0.25 1 1
  printf("linear: %.9g %.9g %.9g %.9g %.9g\n", found[0], found[1], found[2], found[3], found[4]);

  cudaArray_t cube;
  cudaMalloc3DArray(&cube, &format, make_cudaExtent(4, 2, 3), 0);
  float values[24];
  for (int i = 0; i < 24; ++i)
    values[i] = i;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, 16, 4, 2);
  copy.dstArray = cube;
  copy.extent = make_cudaExtent(4, 2, 3);
  copy.kind = cudaMemcpyHostToDevice;
  ask(cudaMemcpy3D(&copy), "cube");
  fetch3<<<1, 5>>>(makeTexture(cube, cudaAddressModeClamp, cudaFilterModeLinear, false), result);
  cudaMemcpy(found, result, sizeof x, cudaMemcpyDeviceToHost);
  // CHECK: cube: 11 11 11 11.25 11.5
  printf("cube: %g %g %g %g %g\n", found[0], found[1], found[2], found[3], found[4]);
}

// Elements of other kinds, by number and layer, and as floats.
__global__ void fetchKinds(cudaTextureObject_t bytes, cudaTextureObject_t asFloats, cudaTextureObject_t linear, cudaTextureObject_t pitched, cudaTextureObject_t layers,
                           float *result) {
  uchar4 four = tex2D<uchar4>(bytes, 1, 0);
  float4 floats = tex2D<float4>(asFloats, 1.5f, 0.5f);
  result[0] = four.x, result[1] = four.w, result[2] = floats.x, result[3] = floats.w;
  // Nothing lies beyond linear memory.
  result[4] = tex1Dfetch<int2>(linear, 1).y, result[5] = tex1Dfetch<int2>(linear, 2).y, result[6] = tex1Dfetch<int2>(linear, -1).x;
  result[7] = tex2D<short>(pitched, 2, 1), result[8] = tex2DLayered<int>(layers, 1, 0, 1), result[9] = tex2DLod<int>(layers, 0, 0, 0);
}

static void compareKinds() {
  uchar4 bytes[2] = {{0, 0, 0, 0}, {255, 0, 7, 51}};
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array, layers;
  cudaMallocArray(&array, &format, 2, 1);
  cudaMemcpyToArray(array, 0, 0, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  int2 pairs[2] = {{1, 2}, {3, -4}};
  void *linear;
  cudaMalloc(&linear, sizeof pairs);
  cudaMemcpy(linear, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {linear, cudaCreateChannelDesc<int2>(), sizeof pairs};
  cudaTextureObject_t ofLinear, ofPitched;
  ask(cudaCreateTextureObject(&ofLinear, &resource, &description, nullptr), "linear");
  short rows[2][3] = {{1, 2, 3}, {4, 5, -6}};
  void *pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, 6, 2);
  cudaMemcpy2D(pitched, pitch, rows, 6, 6, 2, cudaMemcpyHostToDevice);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {pitched, cudaCreateChannelDesc<short>(), 3, 2, pitch};
  ask(cudaCreateTextureObject(&ofPitched, &resource, &description, nullptr), "pitched");
  int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  format = cudaCreateChannelDesc<int>();
  cudaMalloc3DArray(&layers, &format, make_cudaExtent(2, 2, 2), cudaArrayLayered);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(numbers, 8, 2, 2);
  copy.dstArray = layers;
  copy.extent = make_cudaExtent(2, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  ask(cudaMemcpy3D(&copy), "layers");
  float found[10], *result;
  cudaMalloc(&result, sizeof found);
  fetchKinds<<<1, 1>>>(makeTexture(array, cudaAddressModeClamp, cudaFilterModePoint, false),
                       makeTexture(array, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat), ofLinear, ofPitched,
                       makeTexture(layers, cudaAddressModeClamp, cudaFilterModePoint, false), result);
  cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost);
  // CHECK: kinds: 255 51 1 0.2 -4 0 0 -6 5 0
  printf("kinds:");
  for (float number : found)
    printf(" %g", number);
  printf("\n");
}

// Surfaces, and a texture of the same array in the next launch.
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int n) {
  int x = threadIdx.x, y = threadIdx.y;
  float2 pair = surf2Dread<float2>(from, x * 8, y);
  surf2Dwrite(make_float2(pair.y, pair.x), to, y * 8, x);
  // Beyond: zero, or the nearest one; nothing is written.
  if (x == 0 && y == 0) {
    float2 beyond = surf2Dread<float2>(from, n * 8, 0, cudaBoundaryModeZero), nearest;
    surf2Dread(&nearest, from, n * 8, n, cudaBoundaryModeClamp);
    surf2Dwrite(make_float2(beyond.x, nearest.x), to, 8, 1);
    surf2Dwrite(beyond, to, -8, 0, cudaBoundaryModeZero);
  }
}
__global__ void gather(cudaTextureObject_t t, float2 *result) { result[threadIdx.x] = tex2D<float2>(t, threadIdx.x % 2, threadIdx.x / 2); }

static cudaSurfaceObject_t makeSurface(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  ask(cudaCreateSurfaceObject(&surface, &resource), "surface");
  return surface;
}

static void compareSurfaces() {
  float2 pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, found[4], *result;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaArray_t from, to;
  cudaMallocArray(&from, &format, 2, 2, cudaArraySurfaceLoadStore);
  cudaMallocArray(&to, &format, 2, 2, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(from, 0, 0, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  turn<<<1, dim3(2, 2)>>>(makeSurface(from), makeSurface(to), 2);
  cudaMalloc(&result, sizeof found);
  gather<<<1, 4>>>(makeTexture(to, cudaAddressModeClamp, cudaFilterModePoint, false), result);
  cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost);
  // CHECK: surface: 2 1, 6 5, 4 3, 8 7
  printf("surface: %g %g, %g %g, %g %g, %g %g\n", found[0].x, found[0].y, found[1].x, found[1].y, found[2].x, found[2].y, found[3].x, found[3].y);
  float2 last[4];
  cudaMemcpyFromArray(last, to, 0, 0, sizeof last, cudaMemcpyDeviceToHost);
  // CHECK: array: 8 7
  printf("array: %g %g\n", last[3].x, last[3].y);
}

// References, as programs of before CUDA 12 have them.
texture<float, 2, cudaReadModeElementType> numbers;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;
surface<void, 2> target;
__global__ void fetchReferences(float *result) {
  result[0] = tex2D(numbers, 1, 0.5f), result[1] = tex2D(colours, 1, 0).x;
  surf2Dwrite(9.0f, target, 0, 0);
}

static void compareReferences() {
  float values[4] = {1, 2, 3, 4}, found[2], *result;
  cudaArray_t array, bytes;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), ofBytes = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpyToArray(array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMallocArray(&bytes, &ofBytes, 2, 1);
  uchar4 colour[2] = {{0, 0, 0, 0}, {51, 0, 0, 0}};
  cudaMemcpyToArray(bytes, 0, 0, colour, sizeof colour, cudaMemcpyHostToDevice);
  numbers.filterMode = cudaFilterModeLinear;
  numbers.addressMode[0] = numbers.addressMode[1] = cudaAddressModeClamp;
  ask(cudaBindTextureToArray(numbers, array, format), "bind");
  ask(cudaBindTextureToArray(colours, bytes), "bind");
  ask(cudaBindSurfaceToArray(target, array), "bind");
  cudaMalloc(&result, sizeof found);
  fetchReferences<<<1, 1>>>(result);
  cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpyFromArray(values, array, 0, 0, sizeof values, cudaMemcpyDeviceToHost);
  // CHECK: references: 1.5 0.2 9
  printf("references: %g %g %g\n", found[0], found[1], values[0]);
  ask(cudaUnbindTexture(numbers), "unbind");
}

static void compareErrors() {
  cudaArray_t array;
  cudaChannelFormatDesc format = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  // CHECK: three: cudaErrorInvalidChannelDescriptor
  ask(cudaMallocArray(&array, &format, 2, 1), "three");
  format = cudaCreateChannelDesc<int>();
  // CHECK: empty: cudaErrorInvalidValue
  ask(cudaMallocArray(&array, &format, 0, 1), "empty");
  cudaMallocArray(&array, &format, 2, 2);
  // CHECK: texture: cudaErrorInvalidFilterSetting
  makeTexture(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
  // CHECK: texture: cudaErrorInvalidNormSetting
  makeTexture(array, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  int numbers[8] = {};
  // CHECK: long: cudaErrorInvalidValue
  ask(cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice), "long");
  cudaFreeArray(array);
  // CHECK: texture: cudaErrorInvalidResourceHandle
  makeTexture(array, cudaAddressModeClamp, cudaFilterModePoint, false);
  // CHECK: twice: cudaErrorInvalidResourceHandle
  ask(cudaFreeArray(array), "twice");
  // CHECK: no object: cudaErrorInvalidValue
  ask(cudaDestroyTextureObject(17), "no object");
}

int main() {
  compareModes();
  compareFilter();
  compareKinds();
  compareSurfaces();
  compareReferences();
  compareErrors();
}
// CHECKED: checked: all {{[0-9]+}} launches
