// What textures.ptx computes, of arrays.
__global__ void product(float *sums, int n, const float *vector, const float *matrix, const float2 *pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum = __fmaf_rn(matrix[i * n + k], vector[k], sum);
  sums[i] = sum + pairs[i].y;
}
