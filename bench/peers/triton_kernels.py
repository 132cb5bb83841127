"""Kernels as Triton's tutorials write them, in plain float32 (no TF32).

vv is the tutorial's vector addition with a product, mm its blocked product with grouped blocks and
the tutorial's kind of configurations to choose from; mv, tmv, rd and tp are in the same style.
"""

import os

import torch
import triton
import triton.language as tl

IS_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"


def configurations() -> list[triton.Config]:
    if IS_INTERPRETED:
        return [triton.Config({"M": 16, "N": 16, "K": 16, "GROUP": 4})]
    return [triton.Config({"M": m, "N": n, "K": k, "GROUP": 8}, num_warps=warps, num_stages=stages)
            for m, n, k, warps, stages in ((128, 128, 32, 8, 3), (128, 64, 32, 4, 4),
                                           (64, 128, 32, 4, 4), (64, 64, 32, 4, 4),
                                           (128, 128, 16, 8, 4), (64, 32, 32, 2, 5))]


@triton.jit
def vv_kernel(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(c + at, tl.load(a + at, mask=mask) * tl.load(b + at, mask=mask), mask=mask)


@triton.autotune(configs=configurations(), key=["m", "n", "k"])
@triton.jit
def mm_kernel(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
              GROUP: tl.constexpr):
    pid = tl.program_id(0)
    blocks_m, blocks_n = tl.cdiv(m, M), tl.cdiv(n, N)
    group = pid // (GROUP * blocks_n)
    first = group * GROUP
    rows = min(blocks_m - first, GROUP)
    block_m = first + (pid % (GROUP * blocks_n)) % rows
    block_n = (pid % (GROUP * blocks_n)) // rows
    y = block_m * M + tl.arange(0, M)
    x = block_n * N + tl.arange(0, N)
    total = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        i = start + tl.arange(0, K)
        left = tl.load(a + y[:, None] * k + i[None, :], mask=(y[:, None] < m) & (i[None, :] < k),
                       other=0.0)
        right = tl.load(b + i[:, None] * n + x[None, :], mask=(i[:, None] < k) & (x[None, :] < n),
                        other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(c + y[:, None] * n + x[None, :], total, mask=(y[:, None] < m) & (x[None, :] < n))


@triton.jit
def mv_kernel(a, b, c, h, w, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    y = (tl.program_id(0) * ROWS + tl.arange(0, ROWS)).to(tl.int64)
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for start in range(0, w, BLOCK):
        i = start + tl.arange(0, BLOCK)
        tile = tl.load(a + y[:, None] * w + i[None, :], mask=(y[:, None] < h) & (i[None, :] < w),
                       other=0.0)
        total += tile * tl.load(b + i, mask=i < w, other=0.0)[None, :]
    tl.store(c + y, tl.sum(total, axis=1), mask=y < h)


@triton.jit
def tmv_kernel(a, b, c, h, w, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    x = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((ROWS, BLOCK), dtype=tl.float32)
    for start in range(0, h, ROWS):
        i = (start + tl.arange(0, ROWS)).to(tl.int64)
        tile = tl.load(a + i[:, None] * w + x[None, :], mask=(i[:, None] < h) & (x[None, :] < w),
                       other=0.0)
        total += tile * tl.load(b + i, mask=i < h, other=0.0)[:, None]
    tl.store(c + x, tl.sum(total, axis=0), mask=x < w)


@triton.jit
def sum_kernel(a, partial, n, per_program, BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, per_program, BLOCK):
        at = pid * per_program + start + tl.arange(0, BLOCK)
        total += tl.load(a + at, mask=at < n, other=0.0)
    tl.store(partial + pid, tl.sum(total, axis=0))


@triton.jit
def tp_kernel(a, c, h, w, BLOCK: tl.constexpr):
    y = (tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    x = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    mask = (y[:, None] < h) & (x[None, :] < w)
    tile = tl.load(a + y[:, None] * w + x[None, :], mask=mask)
    tl.store(c + x[:, None] * h + y[None, :], tl.trans(tile), mask=tl.trans(mask))


def vv(a, b):
    c = torch.empty_like(a)
    vv_kernel[(triton.cdiv(a.numel(), 1024),)](a, b, c, a.numel(), BLOCK=1024)
    return c


def mm(a, b):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), device=a.device)
    mm_kernel[lambda meta: (triton.cdiv(m, meta["M"]) * triton.cdiv(n, meta["N"]),)](a, b, c, m, n,
                                                                                     k)
    return c


def mv(a, b):
    c = torch.empty(a.shape[0], device=a.device)
    mv_kernel[(triton.cdiv(a.shape[0], 4),)](a, b, c, *a.shape, ROWS=4, BLOCK=512)
    return c


def tmv(a, b):
    c = torch.empty(a.shape[1], device=a.device)
    tmv_kernel[(triton.cdiv(a.shape[1], 64),)](a, b, c, *a.shape, ROWS=32, BLOCK=64)
    return c


def rd(a):
    programs = min(1024, triton.cdiv(a.numel(), 4096))
    partial = torch.empty(programs, device=a.device)
    result = torch.empty(1, device=a.device)
    per_program = triton.cdiv(a.numel(), programs)
    sum_kernel[(programs,)](a, partial, a.numel(), per_program, BLOCK=1024)
    sum_kernel[(1,)](partial, result, programs, programs, BLOCK=1024)
    return result


def tp(a):
    h, w = a.shape
    c = torch.empty((w, h), device=a.device)
    tp_kernel[(triton.cdiv(w, 32), triton.cdiv(h, 32))](a, c, h, w, BLOCK=32)
    return c


KERNELS = {"vv": vv, "mm": mm, "mv": mv, "tmv": tmv, "rd": rd, "tp": tp}
