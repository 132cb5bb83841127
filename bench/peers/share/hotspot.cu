// One step over a tile with a halo of one.
__global__ void hotspot(int rows, int cols, const float *__restrict__ temp,
                        const float *__restrict__ power,
                        float *__restrict__ next, float rx, float ry, float rz,
                        float room, float step) {
  __shared__ float tile[18][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int r = threadIdx.y; r < 18; r += 16)
    for (int c = threadIdx.x; c < 34; c += 32)
      if (blockIdx.y * 16 + r < rows && blockIdx.x * 32 + c < cols)
        tile[r][c] = temp[(blockIdx.y * 16 + r) * cols + blockIdx.x * 32 + c];
  __syncthreads();
  if (x >= cols - 2 || y >= rows - 2)
    return;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float centre = tile[ty][tx];
  float along_y = tile[ty - 1][tx] + tile[ty + 1][tx] - 2 * centre;
  float along_x = tile[ty][tx - 1] + tile[ty][tx + 1] - 2 * centre;
  next[(y + 1) * cols + x + 1] =
      centre + step * (power[(y + 1) * cols + x + 1] + along_y * ry +
                       along_x * rx + (room - centre) * rz);
}

void launch(int rows, int cols, const float *temp, const float *power,
            float *next, float rx, float ry, float rz, float room, float step) {
  hotspot<<<dim3((cols + 29) / 32, (rows + 13) / 16), dim3(32, 16)>>>(
      rows, cols, temp, power, next, rx, ry, rz, room, step);
}
