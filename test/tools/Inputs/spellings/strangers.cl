// OpenCL C: ids by function, sizes in 64 bits, workgroup memory of its own.

__kernel void product(__global const float *a, __global const float *b, __global float *c, int m, int n, int k) {
  size_t x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= m) return;
  float s = 0;
  for (int i = 0; i < k; i++) s = mad(a[y * k + i], b[i * n + x], s);
  c[y * n + x] = s;
}

__kernel void reversed(__global const float *a, __global float *c, int n) {
  __local float s[64];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < n ? a[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) c[i] = s[63 - t];
}
