__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = ;
}
