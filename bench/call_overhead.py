#!/usr/bin/env python3
"""What a call of a kernel from Python takes besides the kernel itself: arguments are checked, and the launch is decided or looked up.

  PYTHONPATH=build/python python3 bench/call_overhead.py
"""

import statistics
import time

import numpy as np

import gpuopt

ADD = """__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}"""
CALLS = 200


def microseconds_besides(kernel, file, arguments):
    before, begin = file.seconds_of_kernels(), time.perf_counter()
    kernel(*arguments)
    return 1e6 * (time.perf_counter() - begin - (file.seconds_of_kernels() - before))


def main():
    module = gpuopt.compile("add.cu", text=ADD)
    kernel, file = module["add"], module._file
    arrays = [np.ones(64, np.float32) for _ in range(3)]
    kernel(*arrays, 1)  # prepares the executor
    known = statistics.median(microseconds_besides(kernel, file, (*arrays, 64)) for _ in range(CALLS))
    new = statistics.median(microseconds_besides(kernel, file, (*arrays, size % 63 + 2)) for size in range(60))
    print(f"a launch that is known: {known:.1f} us besides the kernel; a new one: {new:.1f} us (medians)")


if __name__ == "__main__":
    main()
