#include "world.h"

World liveOnHost(World world, int rows, int columns, int steps) {
  for (int i = 0; i < steps; ++i) {
    World next(world.size());
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        int neighbours = -world[y * columns + x];
        for (int dy : {rows - 1, 0, 1})
          for (int dx : {columns - 1, 0, 1})
            neighbours += world[(y + dy) % rows * columns + (x + dx) % columns];
        next[y * columns + x] = neighbours == 3 || (neighbours == 2 && world[y * columns + x]);
      }
    world = next;
  }
  return world;
}
