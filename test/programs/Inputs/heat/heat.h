// A plate that cools down from its middle, on the host and on the device.
#pragma once

struct Plate {
  int rows, columns;
  float *cells;
};

Plate makePlate(int rows, int columns);
void coolOnHost(Plate plate, int steps);
/// Returns the number of launches.
int coolOnDevice(Plate plate, int steps);
