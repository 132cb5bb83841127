__device__ int twice(int of) { return of + of; }

extern "C" __global__ void threads(const int *in, int *out, int *sum) {
  extern __shared__ int dynamic[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v = in[i], local[4] = {10, 11, 12, 13};
  int other = __shfl_xor_sync(~0u, v, 5);
  unsigned mask = __ballot_sync(~0u, v < other);
  int doubled = twice(local[t & 3]);
  dynamic[t] = (t & 3) == 0 ? 120 : (t & 3) == 1 ? 20 : 3;
  __syncthreads();
  int neighbour = dynamic[t ^ 1];
  atomicAdd(&sum[0], doubled);
  atomicMax(&sum[1], v);
  out[i] = (other ^ int(mask >> t % 32)) + doubled + neighbour * 31;
}
