// What the PTX ISA says of the instructions of video.ptx, in C++.
__device__ int distance(int a, int b) { return a < b ? b - a : a - b; }

extern "C" __global__ void video(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i * 3], b = in[i * 3 + 1], sum = in[i * 3 + 2], bytes = 0;
  for (int byte = 0; byte < 4; ++byte) {
    unsigned left = a >> (8 * byte) & 255, right = b >> (8 * byte) & 255;
    sum += distance(left, right);
    bytes |= (unsigned(distance((signed char)left, right)) & 255) << (8 * byte);
  }
  out[i * 2] = sum;
  out[i * 2 + 1] = bytes;
}
