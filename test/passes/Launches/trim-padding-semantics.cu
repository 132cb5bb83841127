// Products that their authors have tiled, with zeros behind the end of rows and columns, in the spellings of books and
// blogs: guards by branches and by choices, tiles that are counted and positions that are stepped. All are the naive
// product again.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-LABEL: branches ({{.*}}) for sm_90
// CHECK: + TrimPadding at {{.*}}: the loop over tiles of 32 elements ends where the data ends
// CHECK-LABEL: wide ({{.*}}) for sm_90
// CHECK: + TrimPadding at {{.*}}: the loop over tiles of 16 elements ends where the data ends
// CHECK-LABEL: scaled ({{.*}}) for sm_90
// CHECK: + TrimPadding at {{.*}}: the loop over tiles of 16 elements ends where the data ends
//
// RUN: gpuopt check %s --target sm_90 --kernel branches --size M=33,N=65,K=47
// RUN: gpuopt check %s --target gfx942 --kernel branches --size M=64,N=64,K=64
// RUN: gpuopt check %s --target sm_90 --kernel wide --size m=17,n=31,k=1
// RUN: gpuopt check %s --target sm_90 --kernel scaled --size m=40,n=24,k=35,alpha=2,beta=3

#define BS 32

__global__ void branches(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BS][BS], Bs[BS][BS];
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (K + BS - 1) / BS; t++) {
    if (row < M && t * BS + threadIdx.x < K)
      As[threadIdx.y][threadIdx.x] = A[row * K + t * BS + threadIdx.x];
    else
      As[threadIdx.y][threadIdx.x] = 0.0f;
    if (col < N && t * BS + threadIdx.y < K)
      Bs[threadIdx.y][threadIdx.x] = B[(t * BS + threadIdx.y) * N + col];
    else
      Bs[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    for (int k = 0; k < BS; k++)
      sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

__global__ void wide(const double *a, const double *b, double *c, size_t m, size_t n, size_t k) {
  __shared__ double sa[16][16], sb[16][16];
  size_t row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  double acc = 0;
  for (size_t t = 0; t < k; t += 16) {
    sa[threadIdx.y][threadIdx.x] = (row < m && t + threadIdx.x < k) ? a[row * k + t + threadIdx.x] : 0;
    sb[threadIdx.y][threadIdx.x] = (col < n && t + threadIdx.y < k) ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; i++)
      acc += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = acc;
}

__global__ void scaled(int m, int n, int k, float alpha, const float *A, const float *B, float beta, float *C) {
  __shared__ float sA[16][16], sB[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float r = 0;
  int tiles = (k + 15) / 16;
  for (int t = 0; t < tiles; t++) {
    int aCol = t * 16 + tx, bRow = t * 16 + ty;
    sA[ty][tx] = (row < m && aCol < k) ? A[row * k + aCol] : 0.0f;
    sB[ty][tx] = (bRow < k && col < n) ? B[bRow * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; i++)
      r += sA[ty][i] * sB[i][tx];
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * n + col] = alpha * r + beta * C[row * n + col];
}

void launch(const float *A, const float *B, float *C, const double *a, const double *b, double *c, int m, int n, int k) {
  dim3 small(16, 16), large(32, 32);
  branches<<<dim3((n + 31) / 32, (m + 31) / 32), large>>>(A, B, C, m, n, k);
  wide<<<dim3((n + 15) / 16, (m + 15) / 16), small>>>(a, b, c, m, n, k);
  scaled<<<dim3((n + 15) / 16, (m + 15) / 16), small>>>(m, n, k, 1.5f, A, B, 0.5f, C);
}
