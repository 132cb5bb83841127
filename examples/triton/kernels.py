#!/usr/bin/env python3
"""Triton kernels as PTX, which needs no GPU: `kernels.py DIR` writes DIR/NAME.ptx and prints how each is launched.

kernels.cu has the same kernels written the naive way; docs/ptx.md compares them. Needs `pip install triton`.
"""

import argparse
import pathlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile as compile_kernel


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(c + i, tl.load(a + i, mask=inside) + tl.load(b + i, mask=inside), mask=inside)


@triton.jit
def layernorm(x, y, gamma, beta, rows, width, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0) * width
    i = tl.arange(0, BLOCK)
    inside = i < width
    values = tl.load(x + row + i, mask=inside, other=0.0)
    mean = tl.sum(values, axis=0) / width
    centred = tl.where(inside, values - mean, 0.0)
    deviation = tl.sqrt(tl.sum(centred * centred, axis=0) / width + epsilon)
    scaled = centred / deviation * tl.load(gamma + i, mask=inside) + tl.load(beta + i, mask=inside)
    tl.store(y + row + i, scaled, mask=inside)


@triton.jit
def rowsum(x, y, rows, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, width, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + row * width + i, mask=i < width, other=0.0)
    tl.store(y + row, tl.sum(total, axis=0))


@triton.jit
def product(a, b, c, m, n, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    row = (tl.program_id(1) * ROWS + tl.arange(0, ROWS))[:, None]
    column = (tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    sums = tl.zeros((ROWS, COLUMNS), dtype=tl.float32)
    for first in range(0, k, DEPTH):
        i = first + tl.arange(0, DEPTH)
        left = tl.load(a + row * k + i[None, :], mask=(row < m) & (i[None, :] < k), other=0.0)
        right = tl.load(b + i[:, None] * n + column, mask=(i[:, None] < k) & (column < n), other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(c + row * n + column, sums, mask=(row < m) & (column < n))


FLOATS, HALVES = "*fp32", "*fp16"
KERNELS = {
    "add": (add, {"a": FLOATS, "b": FLOATS, "c": FLOATS, "n": "i32"}, {"BLOCK": 1024}),
    "layernorm": (layernorm, {"x": FLOATS, "y": FLOATS, "gamma": FLOATS, "beta": FLOATS, "rows": "i32", "width": "i32",
                              "epsilon": "fp32"}, {"BLOCK": 1024}),
    "rowsum": (rowsum, {"x": FLOATS, "y": FLOATS, "rows": "i32", "width": "i32"}, {"BLOCK": 512}),
    "product": (product, {"a": HALVES, "b": HALVES, "c": FLOATS, "m": "i32", "n": "i32", "k": "i32"},
                {"ROWS": 64, "COLUMNS": 64, "DEPTH": 32}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--capability", type=int, default=80, help="80 for sm_80 (default)")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, (kernel, signature, constants) in KERNELS.items():
        source = ASTSource(fn=kernel, signature={**signature, **dict.fromkeys(constants, "constexpr")},
                           constexprs=constants)
        made = compile_kernel(source, target=GPUTarget("cuda", arguments.capability, 32))
        (arguments.folder / f"{name}.ptx").write_text(made.asm["ptx"], encoding="utf-8")
        print(f"{name}: {32 * made.metadata.num_warps} threads, {made.metadata.shared} bytes of shared memory, "
              + ", ".join(f"{constant} {value}" for constant, value in constants.items()))


if __name__ == "__main__":
    main()
