#include "heat.h"

#include <cmath>
#include <cstdio>

int main() {
  Plate host = makePlate(131, 67), device = makePlate(131, 67);
  coolOnHost(host, 10);
  int launches = coolOnDevice(device, 10);
  float sum = 0, worst = 0;
  for (int i = 0; i < 131 * 67; ++i) {
    sum += device.cells[i];
    worst = fmaxf(worst, fabsf(host.cells[i] - device.cells[i]));
  }
  printf("%d launches, warmth %.0f, %s\n", launches, sum, worst < 1e-4f ? "equal" : "different");
}
