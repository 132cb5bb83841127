__device__ float sumOf(const float *row, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += row[k];
  return sum;
}

// What the function calls may be reordered with it.
#pragma gpuopt reassociate
__global__ void function(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) o[i] = sumOf(a + i * n, n);
}

__global__ void loop(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = 0;
#pragma gpuopt reassociate
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  o[i] = sum;
}

// The loop behind it is another one.
__global__ void other_loop(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = 0;
#pragma gpuopt reassociate
  for (int k = 0; k < 2; ++k) o[i] += k;
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  o[i] += sum;
}

// The same function without leave.
__global__ void called(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) o[i] = sumOf(a + i * n, n);
}

template <typename T>
__global__ void instance(const T *__restrict__ a, T *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  T sum = 0;
#pragma gpuopt reassociate
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  o[i] = sum;
}
template __global__ void instance(const float *__restrict__, float *__restrict__, int, int);

// No loop: the pragma says nothing, with a warning.
__global__ void statement(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
#pragma gpuopt reassociate
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k];
  o[i] = sum;
}
