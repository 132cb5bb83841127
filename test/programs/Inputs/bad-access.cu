__global__ void fill(int *a) { a[threadIdx.x] = 1; }

int main() {
  fill<<<1, 32>>>(nullptr);
  cudaDeviceSynchronize();
}
