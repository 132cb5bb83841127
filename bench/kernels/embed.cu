// What stands for a word and its place, by a flat id.

#include <cuda_runtime.h>

#pragma gpuopt domain(B *T *C) array(words : B, T) array(table : V, C) array(places : T, C)        \
    array(out : B, T, C) output(out)
__global__ void embed(float *out, const int *words, const float *table, const float *places, int B,
                      int T, int C, int V) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < B * T * C) {
    int c = t % C, row = t / C, word = words[row];
    if (word >= 0 && word < V)
      out[t] = table[word * C + c] + places[row % T * C + c];
  }
}
