__device__ int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
__global__ void k(int *a) { a[threadIdx.x] = depth(a[threadIdx.x]); }
