// Kernels that their authors have tiled compute the same when their tiles are
// gone, at sizes that are no multiples of anything where the source allows it.
//
// RUN: gpuopt compile %s --target sm_90 --explain -o /dev/null 2>&1 | FileCheck %s
// CHECK-LABEL: product ({{.*}}) for sm_90
// CHECK: + ForwardTiles at {{.*}}: 2 tile(s) of the source are gone
// CHECK: a thread does the work of 8 along y
// CHECK-LABEL: book_product ({{.*}}) for sm_90
// CHECK: + AssumeDistinctArrays at {{.*}}: launches in which 'c' overlaps
// CHECK: + ForwardTiles at {{.*}}: 2 tile(s) of the source are gone
// CHECK-LABEL: coefficients ({{.*}}) for sm_90
// CHECK: + ForwardTiles at {{.*}}: 1 tile(s) of the source are gone
// CHECK-LABEL: reverse ({{.*}}) for sm_90
// CHECK: + ForwardTiles at {{.*}}: 1 tile(s) of the source are gone
//
// RUN: gpuopt check %s --target sm_90 --kernel product --size n=256,a=65536,b=65536,c=65536 --grid 16,16 --block 16,16
// RUN: gpuopt check %s --target gfx942 --kernel product --size n=256,a=65536,b=65536,c=65536 --grid 16,16 --block 16,16
// RUN: gpuopt check %s --target sm_90 --kernel book_product --size n=128,a=16384,b=16384,c=16384 --grid 8,8 --block 16,16
// RUN: gpuopt check %s --target sm_90 --kernel coefficients --size n=1001
// RUN: gpuopt check %s --target gfx942 --kernel coefficients --size n=1
// RUN: gpuopt check %s --target sm_90 --kernel reverse --size n=1024 --grid 4 --block 256
// RUN: gpuopt check %s --target sm_90 --kernel transpose --size w=96,h=64,in=6144,out=6144 --grid 3,2 --block 32,8
// RUN: gpuopt check %s --target sm_90 --kernel guarded --size m=50,n=67,k=33

#define T 16

__global__ void product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float s[T][T], t[T][T];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  float sum = 0;
  for (int p = 0; p < n / T; p++) {
    s[threadIdx.y][threadIdx.x] = a[y * n + p * T + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(p * T + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// As in books: pointers that may overlap for all that the kernel says. Launchers
// compare them, by the size of the launch.
__global__ void book_product(const float *a, const float *b, float *c, int n) {
  __shared__ float s[T][T], t[T][T];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  float sum = 0;
  for (int p = 0; p < n / T; p++) {
    s[threadIdx.y][threadIdx.x] = a[y * n + p * T + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(p * T + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

#pragma gpuopt domain(n) array(a: n + 600) array(w: 600) array(o: n) output(o)
__global__ void coefficients(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ o, int n) {
  __shared__ float s[600];
  for (int i = threadIdx.x; i < 600; i += 128) s[i] = w[i];
  __syncthreads();
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < 600; j++) sum += a[i + j] * s[j];
    o[i] = sum;
  }
}

__global__ void reverse(const int *__restrict__ in, int *__restrict__ out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[255 - threadIdx.x];
}

__global__ void transpose(const float *__restrict__ in, float *__restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

#pragma gpuopt domain(n, m) array(a: m, k) array(b: k, n) array(c: m, n) output(c)
__global__ void guarded(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  __shared__ float s[T][T], t[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * T + tx, y = blockIdx.y * T + ty;
  float sum = 0;
  for (int p = 0; p < (k + T - 1) / T; p++) {
    s[ty][tx] = y < m && p * T + tx < k ? a[y * k + p * T + tx] : 0;
    t[ty][tx] = x < n && p * T + ty < k ? b[(p * T + ty) * n + x] : 0;
    __syncthreads();
    for (int i = 0; i < T; i++) sum += s[ty][i] * t[i][tx];
    __syncthreads();
  }
  if (x < n && y < m) c[y * n + x] = sum;
}

void host(float *a, float *b, float *c, int *p, int *q, int m, int n, int k) {
  product<<<dim3(n / T, n / T), dim3(T, T)>>>(a, b, c, n);
  book_product<<<dim3(n / T, n / T), dim3(T, T)>>>(a, b, c, n);
  coefficients<<<(n + 127) / 128, 128>>>(a, b, c, n);
  reverse<<<n / 256, 256>>>(p, q, n);
  transpose<<<dim3(n / 32, m / 32), dim3(32, 8)>>>(a, c, n, m);
  guarded<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k);
}
