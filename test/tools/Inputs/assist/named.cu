// Parameters with names that the program of the CPU has for itself, and with those that it would take instead.
__global__ void named(int rest, int rest_2, const float *__restrict__ walk_1, const float *__restrict__ skip,
                      float *__restrict__ skip_2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rest)
    skip_2[i] = walk_1[i + 64] * skip[i + rest_2];
}
