// Access patterns whose cost can be worked out on paper; see ../../profile.test.

struct Three {
  float x, y, z;
};
struct Four {
  float x, y, z, w;
};

__device__ int item() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const float *a, float *b) { b[item()] = a[item()]; }

__global__ void strided(const float *a, float *b, int k) {
  b[item()] = a[k * item()];
}

__global__ void transpose(const float *a, float *b, int n) {
  int x = item();
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * n + y] = a[y * n + x];
}

__global__ void row_sum(const float *a, float *sum, int n) {
  float s = 0;
  for (int j = 0; j < n; j++)
    s += a[item() * n + j];
  sum[item()] = s;
}

__global__ void three(const Three *p, float *b) {
  b[item()] = p[item()].x +
              p[item()].y +
              p[item()].z;
}

__global__ void four(const Four *p, float *b) {
  b[item()] = p[item()].x +
              p[item()].y +
              p[item()].z +
              p[item()].w;
}

__global__ void broadcast(const float *a, float *b) { b[item()] = a[0]; }

__global__ void permuted(const float *a, float *b) { b[item()] = a[item() ^ 1]; }

__global__ void misaligned(const float *a, float *b) { b[item()] = a[item() + 1]; }

__global__ void odd_lanes(const float *a, float *b) {
  if (threadIdx.x & 1)
    b[item()] = a[item()];
}

template <int Width> __device__ void turn(const float *a, float *b) {
  __shared__ float tile[32][Width];
  int i = threadIdx.x;
  for (int j = 0; j < 32; j++)
    tile[j][i] = a[j * 32 + i];
  __syncthreads();
  for (int j = 0; j < 32; j++)
    b[j * 32 + i] = tile[i][j];
}

__global__ void columns(const float *a, float *b) { turn<32>(a, b); }

__global__ void padded_columns(const float *a, float *b) { turn<33>(a, b); }
