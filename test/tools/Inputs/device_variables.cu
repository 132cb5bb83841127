// Kernels that read and write variables of the module, as other people write them.
#define RADIUS 2
__constant__ float filter[2 * RADIUS + 1];
__constant__ float mask[5][3];
__constant__ int shift;
__constant__ int order[4] = {2, 0, -3, 1};
__constant__ const double scale[3] = {0.5, -0.25, 1e10};
struct Params {
  float gain;
  int bias;
  float ends[2];
};
__constant__ Params params;
__device__ float sums[16];
static __device__ unsigned hits = 7;

// A stencil with a filter: each place of it is read by all lanes at once.
extern "C" __global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    sum += filter[k + RADIUS] * in[i + k + RADIUS];
  out[i] = sum;
}

extern "C" __global__ void convolve(const float *__restrict__ in, float *__restrict__ out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 3; ++i)
      sum += mask[j][i] * in[(y + j) * (width + 2) + x + i];
  out[y * width + x] = sum;
}

// The pointers may overlap: the launcher compares them. Nothing writes constant memory.
extern "C" __global__ void shifted(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * params.gain + params.bias + params.ends[i & 1] + shift;
}

// A table, at a place that memory tells.
extern "C" __global__ void look_up(const int *__restrict__ in, double *__restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const short steps[4] = {100, -200, 300, -400};
  if (i < n)
    out[i] = scale[in[i] % 3] * order[in[i] & 3] + steps[in[i] >> 1 & 3];
}

extern "C" __global__ void count(const int *__restrict__ in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&sums[in[i] & 15], 1.0f);
  atomicAdd(&hits, 3u);
}

// A pointer may point to the variable that another one is written to.
extern "C" __global__ void accumulate(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] + sums[3];
}

// The parameter has the name of a variable that it hides.
__device__ float first() { return filter[0]; }
extern "C" __global__ void hidden(const float *__restrict__ filter, float *__restrict__ out, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < shift)
    out[i] = filter[i] * first();
}
