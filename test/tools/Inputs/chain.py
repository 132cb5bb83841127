"""Prints a kernel with a line of code a thousand times; {0} in it is the line's number."""

import sys

print("""__global__ void f(const int *__restrict__ a, int *__restrict__ o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i, s = 0;""")
for number in range(1000):
    print(" ", sys.argv[1].format(number))
print("  o[i] = s;\n}")
