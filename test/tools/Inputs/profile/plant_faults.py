"""Plants faults in correct kernels that use workgroup memory, one at a time: a
barrier removed, a guard or a tile off by one, an atomic operation made plain,
and so on. `gpuopt sanitize` must find each, of one of the kinds that are
named, and leave the correct kernels alone."""
import json
import pathlib
import subprocess
import sys

RACE, BOUNDS, UNSET, DIVERGES = "data race", "out of bounds", "uninitialised read", "barrier divergence"
BARRIER = "__syncthreads();"

# Kernels of one dimension: 5 blocks of 64 threads for 256 elements.
REVERSE = """
  __shared__ float tile[64];
  tile[t] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n) b[i] = tile[63 - t];
"""
REDUCE = """
  __shared__ float tile[64];
  tile[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) tile[t] += tile[t + s];
    /*in loop*/ __syncthreads();
  }
  if (t == 0) b[blockIdx.x] = tile[0];
"""
STENCIL = """
  __shared__ float tile[66];
  tile[t + 1] = i < n ? a[i] : 0;
  if (t == 0) tile[0] = i > 0 && i <= n ? a[i - 1] : 0;
  if (t == 63) tile[65] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  if (i < n) b[i] = tile[t] + tile[t + 1] + tile[t + 2];
"""
SCAN = """
  __shared__ float x[2][64];
  int now = 0;
  x[0][t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    x[1 - now][t] = x[now][t] + (t >= d ? x[now][t - d] : 0);
    now = 1 - now;
    /*in loop*/ __syncthreads();
  }
  if (i < n) b[i] = x[now][t];
"""
HISTOGRAM = """
  __shared__ int h[16];
  if (t < 16) h[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&h[i % 5], 1);
  /*second*/ __syncthreads();
  if (t < 16) atomicAdd(&c[t], h[t]);
"""
STAGES = """
  __shared__ float tile[2][64];
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    tile[k % 2][t] = a[k * 64 + t];
    __syncthreads();
    sum += tile[k % 2][63 - t];
  }
  if (i < n) b[i] = sum;
"""
BROADCAST = """
  __shared__ float one;
  if (t == 0) one = a[blockIdx.x];
  __syncthreads();
  if (i < n) b[i] = one;
"""
# Of two dimensions: 3 x 3 blocks of 16 x 16 threads for 32 x 32 elements.
PRODUCT = """
  __shared__ float s[16][16], r[16][16];
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[ty][tx] = y < n ? a[y * n + k + tx] : 0;
    r[ty][tx] = x < n ? b[(k + ty) * n + x] : 0;
    __syncthreads();
    for (int l = 0; l < 16; l++) sum += s[ty][l] * r[l][tx];
    /*second*/ __syncthreads();
  }
  if (x < n && y < n) out[y * n + x] = sum;
"""
TRANSPOSE = """
  __shared__ float s[16][17];
  if (x < n && y < n) s[ty][tx] = a[y * n + x];
  __syncthreads();
  int u = blockIdx.y * 16 + tx, v = blockIdx.x * 16 + ty;
  if (u < n && v < n) out[v * n + u] = s[tx][ty];
"""

NO_BARRIER = (BARRIER, "", [RACE, UNSET])
FLAT = [
    (REVERSE, [NO_BARRIER, ("tile[64]", "tile[63]", [BOUNDS]), ("i < n ? a", "i <= n ? a", [BOUNDS]),
               ("if (i < n) b", "if (i <= n) b", [BOUNDS]), ("tile[63 - t]", "tile[64 - t]", [BOUNDS]),
               ("b[i] =", "b[i / 2] =", [RACE]), ("b[i] =", "b[t] =", [RACE])]),
    (REDUCE, [NO_BARRIER, ("/*in loop*/ __syncthreads();", "", [RACE]), ("s = 32", "s = 64", [BOUNDS]),
              ("t < s", "t <= s", [BOUNDS, RACE]), ("if (t == 0) b", "b", [RACE]), ("b[blockIdx.x]", "b[0]", [RACE]),
              ("? a[i]", "? a[i + 1]", [BOUNDS]), ("tile[t] = i < n", "if (t != 5) tile[t] = i < n", [UNSET]),
              ("if (t < s) tile[t] += tile[t + s];\n    /*in loop*/ __syncthreads();",
               "if (t < s) { tile[t] += tile[t + s]; __syncthreads(); }", [DIVERGES])]),
    (STENCIL, [NO_BARRIER, ("i > 0 && i", "i", [BOUNDS]), ("i + 1 < n ?", "i < n ?", [BOUNDS]),
               ("tile[66]", "tile[65]", [BOUNDS]), ("tile[t + 2]", "tile[t + 3]", [BOUNDS]),
               ("if (t == 0) tile", "if (t == 64) tile", [UNSET]), ("if (t == 63) tile", "if (t == 64) tile", [UNSET]),
               ("if (t == 0) tile[0]", "tile[0]", [RACE])]),
    (SCAN, [NO_BARRIER, ("/*in loop*/ __syncthreads();", "", [RACE]), ("x[1 - now][t] =", "x[now][t] =", [RACE, UNSET]),
            ("t >= d", "t + 1 >= d", [BOUNDS]), ("x[2][64]", "x[2][63]", [BOUNDS, RACE]),
            ("d < 64", "d < 65", []), ("/*in loop*/", "if (t < 63)", [DIVERGES])]),
    (HISTOGRAM, [NO_BARRIER, ("/*second*/ __syncthreads();", "", [RACE]), ("atomicAdd(&h[i % 5], 1)", "h[i % 5]++", [RACE]),
                 ("atomicAdd(&c[t], h[t])", "c[t] += h[t]", [RACE]), ("if (t < 16) h", "if (t < 15) h", [UNSET]),
                 ("if (t < 16) h", "if (t < 17) h", [BOUNDS]), ("if (t < 16) atomic", "if (t <= 16) atomic", [BOUNDS])]),
    (STAGES, [NO_BARRIER, ("tile[k % 2][t] =", "tile[0][t] =", [RACE, UNSET]), ("sum += tile[k % 2]", "sum += tile[(k + 1) % 2]",
                                                                       [RACE, UNSET]), ("k < 4", "k < 5", [BOUNDS])]),
    (BROADCAST, [NO_BARRIER, ("if (t == 0) one", "one", [RACE]), ("t == 0", "t == 64", [UNSET])]),
]
SQUARE = [
    (PRODUCT, [NO_BARRIER, ("/*second*/ __syncthreads();", "", [RACE]), ("s[16][16]", "s[16][15]", [BOUNDS, RACE]),
               ("l < 16", "l <= 16", [BOUNDS]), ("y < n ? a", "y <= n ? a", [BOUNDS]), ("x < n && y < n", "y < n", [RACE]),
               ("out[y * n + x]", "out[y * n]", [RACE]), ("k < n", "k <= n", [BOUNDS])]),
    (TRANSPOSE, [NO_BARRIER, ("s[16][17]", "s[15][17]", [BOUNDS]), ("x < n && y < n", "x < n && y <= n", [BOUNDS]),
                 ("u < n && v < n", "u < n", [BOUNDS]), ("s[tx][ty]", "s[tx + 1][ty]", [BOUNDS, UNSET]),
                 ("v * n + u", "v * n + u / 2", [RACE])]),
]


def kernels(templates, head):
    """Yields name, source and the kinds of which one must be found."""
    for number, (body, faults) in enumerate(templates):
        yield f"right{number}", head.format(f"right{number}") + body + "}\n", []
        for fault, (old, new, kinds) in enumerate(faults):
            assert old in body, (old, body)
            name = f"wrong{number}_{fault}" if kinds else f"right{number}_{fault}"
            yield name, head.format(name) + body.replace(old, new, 1) + "}\n", kinds


def sanitize(source, variants, launch, work):
    source.write_text("".join(text for _, text, _ in variants))
    report = work / (source.stem + ".json")
    done = subprocess.run(["gpuopt", "sanitize", str(source), *launch, "--json", str(report)],
                          capture_output=True, text=True)
    assert report.exists(), done.stderr
    found = {entry["kernel"]: {fault["kind"] for fault in entry["faults"]} for entry in json.loads(report.read_text())}
    planted = 0
    for name, text, kinds in variants:
        assert bool(found[name]) == bool(kinds), f"{name}: found {found[name]}, planted {kinds}:\n{text}"
        assert not kinds or found[name] & set(kinds), f"{name}: found {found[name]}, planted {kinds}:\n{text}"
        planted += bool(kinds)
    return planted, len(variants) - planted


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    flat = "__global__ void {}(const float *a, float *b, int *c, int n) {{\n" \
           "  int t = threadIdx.x, i = blockIdx.x * 64 + t;\n"
    square = "__global__ void {}(const float *a, const float *b, float *out, int n) {{\n" \
             "  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;\n"
    first = sanitize(work / "flat.cu", list(kernels(FLAT, flat)),
                     ["--size", "n=256,a=256,b=256,c=16", "--grid", "5", "--block", "64"], work)
    second = sanitize(work / "square.cu", list(kernels(SQUARE, square)),
                      ["--size", "n=32,a=1024,b=1024,out=1024", "--grid", "3,3", "--block", "16,16"], work)
    print(f"{first[0] + second[0]} planted faults found, {first[1] + second[1]} correct kernels clean")


main()
