// What a host program gives kernels besides arrays and scalars.
__constant__ float factors[100];

extern "C" __global__ void scaled(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * factors[i];
}

struct Frame {
  int width, height, pitch;
  float gain[4];
};

extern "C" __global__ void framed(const float *__restrict__ a, float *__restrict__ b, Frame f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < f.width && j < f.height)
    b[i + j * f.pitch] = a[i + j * f.pitch] * f.gain[i & 3];
}

// Who comes first takes the first place.
extern "C" __global__ void compact(const int *__restrict__ a, int *__restrict__ out, int *__restrict__ count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 7)
    out[atomicAdd(count, 1)] = a[i];
}
