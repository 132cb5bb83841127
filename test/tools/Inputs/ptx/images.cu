// What images.ptx computes, of arrays.
__device__ int within(int at, int extent) { return min(max(at, 0), extent - 1); }

__global__ void sample(float *sums, float step, int n, const float *line, int line_width, const float2 *image,
                       int image_width, int image_height, const float *volume, int volume_width, int volume_height,
                       int volume_depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float far = i * step, near = far - 3.0f;
  float2 pixel = image[within((int)floorf(far), image_height) * image_width + within((int)floorf(near), image_width)];
  int x = within(i % 8 - 2, volume_width), y = within(i % 8, volume_height), z = within(i / 8, volume_depth);
  sums[i] = line[within((int)floorf(near), line_width)] + pixel.x + pixel.y +
            volume[(z * volume_height + y) * volume_width + x];
}
