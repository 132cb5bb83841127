// Launches of which some fail, and a variable that is also reached by its address.
__device__ int numbers[64];
__device__ int *pointer;

__global__ void table() {
  numbers[threadIdx.x] += threadIdx.x;
  pointer[threadIdx.x] += 1;
}

__global__ void bounded(int *a) { a[threadIdx.x] = 1; }

__global__ void trap() { __trap(); }

int main() {
  int *address;
  cudaGetSymbolAddress(&address, numbers);
  cudaMemcpyToSymbol(pointer, &address, sizeof address);
  table<<<1, 64>>>();
  table<<<1, 64>>>();
  bounded<<<1, 2048>>>(address);
  trap<<<1, 1>>>();
}
