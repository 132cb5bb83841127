// All pairs of bodies, in separate arrays.

#include <cuda_runtime.h>

#pragma gpuopt domain(n) array(px : n) array(py : n) array(m : n) array(fx : n) array(fy : n)      \
    output(fx, fy)
__global__ void nbody_soa(const double *px, const double *py, const double *m, double *fx,
                          double *fy, int n, double eps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double ax = 0, ay = 0;
  for (int j = 0; j < n; j++) {
    if (j == i)
      continue;
    double dx = px[j] - px[i], dy = py[j] - py[i], r = m[j] / (dx * dx + dy * dy + eps);
    ax += r * dx;
    ay += r * dy;
  }
  fx[i] += ax;
  fy[i] += ay;
}
