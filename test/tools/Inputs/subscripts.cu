// Kernels whose integers are subscripts, or bounds of loops over them.
extern "C" __global__ void gather(const float *__restrict__ a, const int *__restrict__ at, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[at[i]];
}

extern "C" __global__ void rows(const float *__restrict__ table, const int *__restrict__ ids, float *__restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < width; j++) sum += table[ids[i] * width + j];
  b[i] = sum;
}

extern "C" __global__ void sparse(const float *__restrict__ value, const int *__restrict__ column, const int *__restrict__ row,
                                  const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = row[i]; j < row[i + 1]; j++) sum += value[j] * x[column[j]];
  y[i] = sum;
}

extern "C" __global__ void scatter(const float *__restrict__ a, const int *__restrict__ to, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[to[i]] = a[i];
}

// What is added nobody sees before the kernel runs.
extern "C" __global__ void next(const float *__restrict__ a, const int *__restrict__ at, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[at[i] + 3];
}
