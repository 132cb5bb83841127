__global__ void find_first(const int *__restrict__ keys, const int *__restrict__ wanted, int *__restrict__ found, int n,
                           int k) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int at = -1;
  for (int i = 0; i < k; i++)
    if (keys[i] == wanted[t]) {
      at = i;
      break;
    }
  found[t] = at;
}

__global__ void band(const float *__restrict__ ab, const float *__restrict__ x, float *__restrict__ y, int n, int kl) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int d = -kl; d <= kl; d++) {
    int j = i + d;
    if (j < 0)
      continue;
    if (j >= n)
      break;
    s += ab[i * (2 * kl + 1) + d + kl] * x[j];
  }
  y[i] = s;
}

__global__ void escape(int *__restrict__ out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float cx = x * 3.0f / w - 2, cy = y * 2.0f / h - 1, zx = 0, zy = 0;
  int i = 0;
  for (; i < most; i++) {
    float nx = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = nx;
    if (zx * zx + zy * zy > 4)
      break;
  }
  out[y * w + x] = i;
}
