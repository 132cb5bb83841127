__constant float weights[3] = {0.25f, 0.5f, 0.25f};

__kernel void blur(__global const float *restrict in, __global float *restrict out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * weights[i % 3];
}
