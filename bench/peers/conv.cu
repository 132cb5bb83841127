// A convolution written by hand, as someone would who knows the GPU: the peer of
// the naive `conv`. Tile and filter in shared memory; each thread makes eight
// outputs below each other, for which it reads one pixel and one weight per
// eight multiply-adds: the weights of the last eight rows stay in registers.
// Filters of at most 32 x 32. Launch: blocks of 32 x 8, each 32 x 64 outputs.

constexpr int outputs = 8, columns = 32, rows = 8, most = 32;
constexpr int tileRows = rows * outputs + most, tileColumns = columns + most - 1;

extern "C" __global__ void conv_by_hand(const float *__restrict__ image,
                                        const float *__restrict__ filter, float *__restrict__ c,
                                        int h, int w, int kh, int kw) {
  __shared__ float tile[tileRows][tileColumns], weights[most + outputs][most];
  int column = threadIdx.x, row = threadIdx.y;
  int x = blockIdx.x * columns, y = blockIdx.y * rows * outputs;
  int imageH = h + kh - 1, imageW = w + kw - 1;
  for (int r = row; r < tileRows; r += rows)
    for (int q = column; q < tileColumns; q += columns)
      tile[r][q] = y + r < imageH && x + q < imageW ? image[(y + r) * imageW + x + q] : 0.0f;
  for (int r = row; r < most + outputs; r += rows)
    weights[r][column] = r < kh && column < kw ? filter[r * kw + column] : 0.0f;
  __syncthreads();

  float sum[outputs] = {};
  for (int j = 0; j < kw; j++) {
    float last[outputs] = {}; // last[r % 8] is the weight of row r
    for (int base = 0; base < kh + outputs - 1; base += outputs)
#pragma unroll
      for (int u = 0; u < outputs; u++) {
        last[u] = weights[base + u][j];
        float pixel = tile[row * outputs + base + u][column + j];
#pragma unroll
        for (int t = 0; t < outputs; t++) // pixel row r is row r - t of output t's window
          sum[t] += last[(u - t + outputs) % outputs] * pixel;
      }
  }
  for (int t = 0; t < outputs; t++)
    if (x + column < w && y + row * outputs + t < h)
      c[(y + row * outputs + t) * w + x + column] = sum[t];
}
