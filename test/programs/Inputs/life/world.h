#pragma once
#include <vector>

using World = std::vector<unsigned char>;

// The world of `rows` by `columns` cells, whose edges meet, after some steps: on the device and on the host.
World liveOnDevice(const World &world, int rows, int columns, int steps);
World liveOnHost(World world, int rows, int columns, int steps);
