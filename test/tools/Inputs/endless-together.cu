// All blocks wait for each other for ever.
__global__ void meetsAll(int *flag, int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (flag[0] != 77) {
    gpuopt_global_sync();
    a[i] = n;
  }
}
