"""Makes affine kernels at random and holds what access functions predict of
them against what a run shows. One seed, so that the kernels stay the same."""
import pathlib
import random
import sys

from compare_static import compare


def subscript(random_, width):
    """An address over the ids, a loop and the width of a row, in elements."""
    row = random_.choice(["y", "x", "y + i", "x + i", "i", "0"])
    column = random_.choice(["x", "y", "i", "2 * x", "3 * x + i", "x + i", "x + 1", "8 * x", "127 - x"])
    return random_.choice([f"({row}) * {width} + {column}", f"{column}", f"({row}) * {width}",
                           f"({row}) * {width} + {column} + {random_.choice([1, 2, 4, 8])}"])


def kernel(random_, number):
    """Reads several elements in a loop, by way of workgroup memory or not."""
    width = random_.choice(["w", "(w + 1)", "(w + 8)"])
    kind = random_.choice(["float", "double", "char", "short", "float2", "float4"])
    value = "{}.x" if kind[-1] in "24" else "{}"
    trips = random_.choice([2, 3, 8, 16])
    pad = random_.choice([0, 1, 4])
    local = random_.choice(["threadIdx.y][threadIdx.x", "threadIdx.x % 8][threadIdx.y", "threadIdx.y][2 * threadIdx.x"])
    reads = "\n".join(f"    sum += {value.format(f'a[{subscript(random_, width)}]')};" for _ in range(random_.randint(1, 3)))
    return f"""
__global__ void k{number}(const {kind} *a, float *out, int w) {{
  __shared__ float tile[8][{64 + pad}];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < {trips}; i++) {{
{reads}
  }}
  tile[{local}] = sum;
  out[y * w + x] = sum;
}}
"""


def main():
    target, count, work = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    random_ = random.Random(6)
    source = work / "random.cu"
    source.write_text("".join(kernel(random_, number) for number in range(count)))
    agreed = others = 0
    for number in range(count):
        # As many blocks as it takes for lines of 128 bytes to start anywhere that they can.
        sizes = "w=64,a=65536,out=65536"
        more = compare(str(source), f"k{number}", sizes, target, work, ["--grid", "4,16", "--block", "32,8"])
        agreed, others = agreed + more[0], others + more[1]
    print(f"{count} kernels on {target}: {agreed} accesses equal, {others} not affine")


main()
