__global__ void broken(missing *x) {}
