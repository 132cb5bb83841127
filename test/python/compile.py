# REQUIRES: python-bindings
# RUN: env PYTHONPATH=%gpuopt_build/python %venv_python %s %examples/unified.cu
"""The Python package compiles, reports, and raises for wrong input."""

import sys

import gpuopt

mv = gpuopt.compile(sys.argv[1], target="sm_90", kernels=["mv"], sizes={"h": 1024, "w": 1024})
assert mv.kernels == ["mv"]
assert b".visible .entry" in mv.emit("ptx")
report = mv.report()[0]
assert report["kernel"] == "mv" and report["target"] == "sm_90"
assert report["launch"]["block"][0] >= 32
assert report["traffic"]["before"]["sectors_per_item"] > 4 * report["traffic"]["after"]["sectors_per_item"]

# Source as a string, in which Clang finds its place by the name that it is given; and tuned source from it.
text = "__global__ void scale(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] *= 2; }"
scale = gpuopt.compile("nowhere/scale.cu", text=text)
assert scale.kernels == ["scale"]
assert "nowhere/scale.cu:1" in str(scale.report())
cuda = scale.emit("cuda").decode()
assert gpuopt.compile("again", text=cuda, kind="cu").kernels == ["scale"]
assert b"__global__" in gpuopt.compile("scale", text=text, kind="hip", target="gfx942").emit("hip")

for wrong in [
    dict(text="__global__ void"),
    dict(text=text, kind="c"),
    dict(kernels=["nothing"]),
    dict(target="sm_0"),
    dict(kernels=["mv"], sizes={"h": 1024, "w": -1}),
]:
    try:
        gpuopt.compile(sys.argv[1], **wrong)
    except ValueError:
        continue
    raise AssertionError(f"expected ValueError for {wrong}")
try:
    mv.emit("hsaco")
except ValueError:
    sys.exit(0)
raise AssertionError("expected ValueError: PTX targets have no HSACO")
