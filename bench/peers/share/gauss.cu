// A 5 x 5 filter over a tile with a halo.
__constant__ int weights[5][5] = {{1, 4, 7, 4, 1},
                                  {4, 16, 26, 16, 4},
                                  {7, 26, 41, 26, 7},
                                  {4, 16, 26, 16, 4},
                                  {1, 4, 7, 4, 1}};

__global__ void gauss(int h, int w, const unsigned char *__restrict__ in,
                      unsigned char *__restrict__ out) {
  __shared__ unsigned char tile[20][36];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int r = threadIdx.y; r < 20; r += 16)
    for (int c = threadIdx.x; c < 36; c += 32)
      if (blockIdx.y * 16 + r < h + 4 && blockIdx.x * 32 + c < w + 4)
        tile[r][c] = in[(blockIdx.y * 16 + r) * (w + 4) + blockIdx.x * 32 + c];
  __syncthreads();
  if (x >= w || y >= h)
    return;
  int sum = 0;
#pragma unroll
  for (int r = 0; r < 5; ++r)
#pragma unroll
    for (int c = 0; c < 5; ++c)
      sum += weights[r][c] * tile[threadIdx.y + r][threadIdx.x + c];
  out[y * w + x] = sum / 273;
}

void launch(int h, int w, const unsigned char *in, unsigned char *out) {
  gauss<<<dim3((w + 31) / 32, (h + 15) / 16), dim3(32, 16)>>>(h, w, in, out);
}
