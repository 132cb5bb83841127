# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s %examples/unified.cu
"""A search over designs from Python: by the model, by times that the caller measures, and what ends it."""

import sys

from expect import raises

import gpuopt

mv = gpuopt.compile(sys.argv[1], kernels=["mv"])["mv"]
by_model = mv.tune(h=512, w=512, cache=False)
assert by_model.variants[0]["verdict"] == "chosen" and by_model.design and "mv" in str(by_model)
assert by_model.kernel.check(h=130, w=67)

# What ends a search, of a kernel with few designs: what a measure raises, and that there is nothing.
TEXT = """__global__ void twice(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }
__global__ void width(int *a) { a[blockIdx.x * blockDim.x] = gridDim.x; }"""
twice, width = gpuopt.compile("few.cu", text=TEXT)
launches = []


def seconds(code, launch):
    assert f".entry {launch.symbol}(".encode() in code
    launches.append(launch)
    return 1 / launch.block[0]


def fails(code, launch):
    raise OSError("the GPU is gone")


# Times decide, not the model: the more threads in a block, the better.
by_time = twice.tune(n=512, measure=seconds, cache=False)
assert by_time.kernel.report()["launch"]["block"][0] == max(launch.block[0] for launch in launches)
raises(TypeError, "has no parameter 'q'", lambda: twice.tune(q=5))
raises(TypeError, "expected seconds, or None", lambda: twice.tune(n=512, cache=False, measure=lambda *_: "fast"))
raises(OSError, "the GPU is gone", lambda: twice.tune(n=512, cache=False, measure=fails))
raises(ValueError, "nothing to search for width", lambda: width.tune(cache=False))
