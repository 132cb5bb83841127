#include "world.h"

#include <stdexcept>
#include <utility>

__global__ void step(const unsigned char *before, unsigned char *after, int rows, int columns) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows)
    return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        neighbours += before[(y + dy + rows) % rows * columns + (x + dx + columns) % columns];
  after[y * columns + x] = neighbours == 3 || (neighbours == 2 && before[y * columns + x]);
}

World liveOnDevice(const World &world, int rows, int columns, int steps) {
  unsigned char *before, *after;
  cudaMalloc(&before, world.size());
  cudaMalloc(&after, world.size());
  cudaMemcpy(before, world.data(), world.size(), cudaMemcpyHostToDevice);
  dim3 block(32, 8), grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  for (int i = 0; i < steps; ++i) {
    step<<<grid, block>>>(before, after, rows, columns);
    std::swap(before, after);
  }
  World result(world.size());
  cudaMemcpy(result.data(), before, result.size(), cudaMemcpyDeviceToHost);
  cudaFree(before);
  cudaFree(after);
  if (cudaGetLastError() != cudaSuccess)
    throw std::runtime_error("the device failed");
  return result;
}
