# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s %examples/unified.cu
"""What `gpuopt check`, `profile` and `sanitize` say, from Python."""

import sys

import numpy as np

import gpuopt

mv = gpuopt.compile(sys.argv[1], kernels=["mv"])["mv"]

# At sizes that are given, or chosen; on made-up numbers, or on the caller's, which stay as they are.
given = mv.check(h=37, w=67)
assert given and given.passed and len(given.runs) == 1 and "equal, bit for bit" in str(given)
assert given.runs[0]["verdict"] == "passed" and given.runs[0]["with_extreme_inputs"]["passed"]
assert len(mv.check().runs) > 1
assert not mv.check(h=37, w=67, values="ordinary").runs[0].get("with_extreme_inputs")
# What runs as the tuned kernel: its IR alone, the text that is written, or both.
assert not mv.check(h=37, w=67, from_="llvm").runs[0]["as_text"]
assert mv.check(h=37, w=67, from_="both").runs[0]["as_text"]["passed"]
assert mv.check(h=37, w=67, from_="ptx")
arrays = {"a": np.ones((37, 67), np.float32), "b": np.ones(67, np.float32), "c": np.ones(37, np.float32)}
assert mv.check({**arrays, "h": 37, "w": 67})
assert all((array == 1).all() for array in arrays.values())

# A launch that nothing tuned runs for proves nothing.
refused = mv[1, 32].check(h=64, w=67)
assert not refused and "not tuned for this launch" in str(refused)
assert mv[1, 32].check(h=64, w=67, allow_fallback=True)

# The profile in numbers, as text and as a page.
profile = mv.profile(h=64, w=64)
before, after = profile.versions
assert "mv" in str(profile) and profile.html.startswith("<!") and "srcdoc=" in profile._repr_html_()
assert len(mv.profile(h=64, w=64, tuned=True).versions) == 1
assert "CoalesceAccesses" in mv.explain() and mv.report()["kernel"] == "mv"

# A kernel that races with itself.
racy = gpuopt.compile("racy.cu", text="__global__ void f(int *a) { a[0] = threadIdx.x; }")["f"]
found = racy[1, 64].sanitize(a=1)
assert not found and "race" in str(found) and found.faults
assert mv.sanitize(h=37, w=67)

# Structures by value, as in a call.
TEXT = """struct P { int n; float by; };
__global__ void f(float *a, P p) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < p.n) a[i] *= p.by; }"""
f = gpuopt.compile("f.cu", text=TEXT)["f"]
assert f[3, 32].check(allow_fallback=True, a=96, p={"n": 67, "by": 2.5})
