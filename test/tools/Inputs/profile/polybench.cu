// Kernels in the form of PolyBench/GPU, written anew: one thread for each row
// or element, sums kept in memory, no `__restrict__`.

__global__ void atax1(const float *A, const float *x, float *tmp, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++)
      tmp[i] += A[i * n + j] * x[j];
}

__global__ void atax2(const float *A, float *y, const float *tmp, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    for (int i = 0; i < n; i++)
      y[j] += A[i * n + j] * tmp[i];
}

__global__ void bicg1(const float *A, const float *r, float *s, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    s[j] = 0;
    for (int i = 0; i < n; i++)
      s[j] += A[i * n + j] * r[i];
  }
}

__global__ void bicg2(const float *A, const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    q[i] = 0;
    for (int j = 0; j < n; j++)
      q[i] += A[i * n + j] * p[j];
  }
}

__global__ void mvt1(const float *A, float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++)
      x[i] += A[i * n + j] * y[j];
}

__global__ void gesummv(const float *A, const float *B, const float *x, float *y, float *tmp, int n, float alpha,
                        float beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) {
      tmp[i] += A[i * n + j] * x[j];
      y[i] += B[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

__global__ void corr(float *cor, const float *data, int m, int n) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m - 1) {
    cor[j1 * m + j1] = 1;
    for (int j2 = j1 + 1; j2 < m; j2++) {
      cor[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++)
        cor[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      cor[j2 * m + j1] = cor[j1 * m + j2];
    }
  }
}

__global__ void covar(float *cov, const float *data, int m, int n) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m)
    for (int j2 = j1; j2 < m; j2++) {
      cov[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++)
        cov[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      cov[j2 * m + j1] = cov[j1 * m + j2];
    }
}

__global__ void syrk(const float *A, float *C, int n, int m, float alpha, float beta) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    C[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      C[i * n + j] += alpha * A[i * m + k] * A[j * m + k];
  }
}

__global__ void syr2k(const float *A, const float *B, float *C, int n, int m, float alpha, float beta) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    C[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      C[i * n + j] += alpha * A[i * m + k] * B[j * m + k] + alpha * B[i * m + k] * A[j * m + k];
  }
}
