// Vector accesses compute what the source does: complex numbers, structures,
// rows of any length, updates in place, at sizes that are aligned and at odd
// ones.
//
// RUN: gpuopt compile %s --kernel magnitudes --target sm_90 --size n=1024 | FileCheck %s --check-prefix=PAIR
// RUN: gpuopt check %s --kernel magnitudes --target sm_90 --size n=77
// RUN: gpuopt check %s --kernel magnitudes --target gfx942 --size n=77
// RUN: gpuopt compile %s --kernel particles --target sm_90 | FileCheck %s --check-prefix=QUAD
// RUN: gpuopt check %s --kernel particles --target sm_90 --size n=33
// RUN: gpuopt check %s --kernel rows --target sm_90 --size h=7,w=20
// RUN: gpuopt check %s --kernel rows --target sm_90 --size h=7,w=21
// RUN: gpuopt check %s --kernel rows --target amd-hd5870 --size h=7,w=22
// RUN: gpuopt check %s --kernel shifted --target sm_90 --size n=40,a=170
//
// PAIR: ld.global{{.*}}.v2.b32
// QUAD: ld.global{{.*}}.v4.b32
// QUAD: st.global{{.*}}.v4.b32

#pragma gpuopt domain(n) array(a: 2 * n) array(r: n) output(r)
__global__ void magnitudes(const float *__restrict__ a, float *__restrict__ r, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) r[idx] = fabsf(a[2 * idx]) + fabsf(a[2 * idx + 1]);
}

// Moves and turns points in place: (x, y, z, angle).
#pragma gpuopt domain(n) array(p: 4 * n) output(p)
__global__ void particles(float *p, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  p[4 * idx] += p[4 * idx + 1];
  p[4 * idx + 1] -= p[4 * idx];
  p[4 * idx + 2] *= 2.0f;
  p[4 * idx + 3] = p[4 * idx] + p[4 * idx + 2];
}

// Each thread updates a row.
#pragma gpuopt domain(h) array(a: h, w) output(a)
__global__ void rows(double *a, int h, int w) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= h) return;
  for (int i = 0; i < w; i++) a[idx * w + i] = a[idx * w + i] * 2.0 + i;
}

// Each element depends on the one before: iterations cannot share an access.
#pragma gpuopt domain(n) array(a: 4 * n + 10) output(a)
__global__ void shifted(float *a, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  for (int i = 0; i < 3; i++) a[4 * idx + i + 1] = a[4 * idx + i] + 1.0f;
}
