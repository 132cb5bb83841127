// Variables that the host sets, of the types and shapes that there are.
struct Mixed { float weight; int index; };
__constant__ float plane[4][8], line[32], few[16];
__constant__ float begun[4][8] = {{1, 2}};
__constant__ float2 pairs[4][4];
__constant__ unsigned numbers[4][8];
__device__ Mixed mixed[4][4];

__global__ void sum(const float *__restrict__ a, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float values = plane[i & 3][i & 7] + line[i & 31] + few[i & 15] + begun[i & 3][i & 7];
  c[i] = a[i] + values + pairs[i & 3][i & 3].x + numbers[i & 3][i & 7] + mixed[i & 3][i & 3].weight;
}
