// One step of a thermal simulation: a cell takes part of the difference to each
// of its neighbours, to the room, and what the chip gives off there.
void hotspot(int rows, int cols, float temp[restrict rows][cols],
             float power[restrict rows][cols], float next[restrict rows][cols],
             float rx, float ry, float rz, float room, float step) {
#pragma acc share(temp[TBY][TBX])
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < rows - 2; ++i)
    for (int j = 0; j < cols - 2; ++j) {
      float centre = temp[i + 1][j + 1];
      float along_y = temp[i][j + 1] + temp[i + 2][j + 1] - 2 * centre;
      float along_x = temp[i + 1][j] + temp[i + 1][j + 2] - 2 * centre;
      next[i + 1][j + 1] =
          centre + step * (power[i + 1][j + 1] + along_y * ry + along_x * rx +
                           (room - centre) * rz);
    }
}
