// Host code for the C++ compiler, which uses the runtime's header as well.
#include "world.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

int main() {
  const int rows = 61, columns = 83, steps = 20;
  World world(rows * columns);
  for (size_t i = 0; i < world.size(); ++i)
    world[i] = i * i % 7 < 2;
  int devices = 0;
  cudaGetDeviceCount(&devices);
  World found = liveOnDevice(world, rows, columns, steps);
  bool isEqual = found == liveOnHost(world, rows, columns, steps);
  std::printf("%d device, %d alive, %s\n", devices, (int)std::count(found.begin(), found.end(), 1), isEqual ? "equal" : "different");
  return !isEqual;
}
