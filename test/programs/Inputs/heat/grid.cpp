#include "heat.h"

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

Plate makePlate(int rows, int columns) {
  Plate plate = {rows, columns, nullptr};
  if (cudaMallocHost(&plate.cells, rows * columns * sizeof(float)) != cudaSuccess)
    exit(1);
  for (int i = rows / 4; i < rows - rows / 4; ++i)
    for (int j = columns / 4; j < columns - columns / 4; ++j)
      plate.cells[i * columns + j] = 100 + (i * 7 + j * 3) % 11;
  return plate;
}

void coolOnHost(Plate plate, int steps) {
  std::vector<float> next(plate.cells, plate.cells + plate.rows * plate.columns);
  int w = plate.columns;
  for (int step = 0; step < steps; ++step) {
    for (int i = 1; i < plate.rows - 1; ++i)
      for (int j = 1; j < w - 1; ++j)
        next[i * w + j] = 0.25f * (plate.cells[(i - 1) * w + j] + plate.cells[(i + 1) * w + j] +
                                   plate.cells[i * w + j - 1] + plate.cells[i * w + j + 1]);
    for (int i = 0; i < plate.rows * w; ++i)
      plate.cells[i] = next[i];
  }
}
