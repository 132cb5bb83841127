// One wgmma.mma_async of halves, m64n24k16, by a block of 128 threads. What layouts of workgroup memory there are, and which
// lane has which sums, is written as the PTX ISA has it; plain.cu is what comes out of it.
#include <cuda_fp16.h>

constexpr int kRows = 64, kColumns = 24, kDepth = 16;

// Layouts of a descriptor: 0 without swizzling, 1 to 3 in pieces of 128, 64 and 32 bytes.
template <int Layout, bool IsTransposed> struct Matrix {
  static constexpr int span = Layout ? 16 << (4 - Layout) : 16;

  // Bytes from the start, of the element of a line for product k.
  static __device__ int place(int line, int k) {
    int byte;
    if (!IsTransposed && Layout == 0)
      byte = line / 8 * 256 + k / 8 * 128 + line % 8 * 16 + k % 8 * 2;
    else if (!IsTransposed)
      byte = line / 8 * 8 * span + line % 8 * span + k * 2;
    else if (Layout == 0)
      byte = line / 8 * 128 + k / 8 * 1024 + k % 8 * 16 + line % 8 * 2;
    else
      byte = line / (span / 2) * 16 * span + k / 8 * 8 * span + k % 8 * span + line % (span / 2) * 2;
    return byte ^ (byte >> 7 & (span / 16 - 1)) << 4;
  }

  static __device__ unsigned long long descriptor(const char *memory) {
    int leading = !IsTransposed ? 128 : Layout == 0 ? 1024 : 16 * span;
    int stride = Layout != 0 ? 8 * span : !IsTransposed ? 256 : 128;
    return __cvta_generic_to_shared(memory) >> 4 & 0x3fff | (unsigned long long)(leading >> 4) << 16 |
           (unsigned long long)(stride >> 4) << 32 | (unsigned long long)Layout << 62;
  }
};

#define SUMS                                                                                                           \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),          \
      "+f"(d[9]), "+f"(d[10]), "+f"(d[11])

__device__ void store(const float (&d)[12], float *c) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 12; ++i) {
    int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    c[row * kColumns + column] = d[i];
  }
}

template <int Layout, bool RowsAreTransposed, bool ColumnsAreTransposed>
__device__ void product(const half *a, const half *b, float *c) {
  __shared__ alignas(1024) char rows[8192], columns[8192];
  using Rows = Matrix<Layout, RowsAreTransposed>;
  using Columns = Matrix<Layout, ColumnsAreTransposed>;
  for (int i = threadIdx.x; i < kRows * kDepth; i += blockDim.x)
    *(half *)(rows + Rows::place(i / kDepth, i % kDepth)) = a[i];
  for (int i = threadIdx.x; i < kColumns * kDepth; i += blockDim.x)
    *(half *)(columns + Columns::place(i % kColumns, i / kColumns)) = b[i];
  __syncthreads();
  float d[12];
  for (float &sum : d)
    sum = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, %14, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, %12, %13, p, %15, %16, %17, %18;\n"
               "}\n"
               : SUMS
               : "l"(Rows::descriptor(rows)), "l"(Columns::descriptor(columns)), "r"(1), "n"(1), "n"(1),
                 "n"(int(RowsAreTransposed)), "n"(int(ColumnsAreTransposed)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  store(d, c);
}

#define KERNELS(LAYOUT)                                                                                                \
  extern "C" __global__ void __launch_bounds__(128) layout##LAYOUT(const half *a, const half *b, float *c) {          \
    product<LAYOUT, false, false>(a, b, c);                                                                            \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(128) rows##LAYOUT(const half *a, const half *b, float *c) {            \
    product<LAYOUT, true, false>(a, b, c);                                                                             \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(128) columns##LAYOUT(const half *a, const half *b, float *c) {         \
    product<LAYOUT, false, true>(a, b, c);                                                                             \
  }                                                                                                                    \
  extern "C" __global__ void __launch_bounds__(128) both##LAYOUT(const half *a, const half *b, float *c) {            \
    product<LAYOUT, true, true>(a, b, c);                                                                              \
  }
KERNELS(0)
KERNELS(1)
KERNELS(2)
KERNELS(3)

// Rows in registers: -2 ab, of two products, of which the first begins anew.
extern "C" __global__ void __launch_bounds__(128) registers(const half *a, const half *b, float *c) {
  __shared__ alignas(1024) char columns[1024];
  using Columns = Matrix<0, false>;
  for (int i = threadIdx.x; i < kColumns * kDepth; i += blockDim.x)
    *(half *)(columns + Columns::place(i % kColumns, i / kColumns)) = b[i];
  __syncthreads();
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, first = threadIdx.x % 4 * 2;
  unsigned r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = *(const unsigned *)(a + (row + i % 2 * 8) * kDepth + first + i / 2 * 8);
  float d[12] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  unsigned long long descriptor = Columns::descriptor(columns);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int twice = 0; twice < 2; ++twice)
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %17, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, %16, p, -1, 1, 0;\n"
                 "}\n"
                 : SUMS
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(descriptor), "r"(twice));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  store(d, c);
}

// Two warpgroups with 64 rows each of 32 bytes, and sixteen columns, of tiles that are a part of larger ones: rows and columns
// of 128 bytes, of which the second quarter is multiplied.
template <class Sum, class Multiply>
__device__ void product(const uint4 *a, const uint4 *b, Sum *c, Multiply multiply) {
  __shared__ alignas(1024) char rows[2][8192], columns[2048];
  using Tile = Matrix<1, false>;
  int warpgroup = threadIdx.x / 128, thread = threadIdx.x % 128;
  *(uint4 *)(rows[warpgroup] + Tile::place(thread / 2, 16 + thread % 2 * 8)) = a[warpgroup * 128 + thread];
  if (threadIdx.x < 32)
    *(uint4 *)(columns + Tile::place(thread / 2, 16 + thread % 2 * 8)) = b[thread];
  __syncthreads();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  Sum d[8];
  multiply(d, Tile::descriptor(rows[warpgroup] + 32), Tile::descriptor(columns + 32));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (int i = 0; i < 8; ++i)
    c[(row + i / 2 % 2 * 8) * 16 + i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
}

#define KERNEL(NAME, TYPES, SUM, CONSTRAINT, IMMEDIATES)                                                               \
  extern "C" __global__ void __launch_bounds__(256) NAME(const uint4 *a, const uint4 *b, SUM *c) {                    \
    product(a, b, c, [](SUM(&d)[8], unsigned long long rows, unsigned long long columns) {                             \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;\n"                                                           \
                   "wgmma.mma_async.sync.aligned.m64n16" TYPES                                                         \
                   " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p" IMMEDIATES ";}"                                      \
                   : "=" CONSTRAINT(d[0]), "=" CONSTRAINT(d[1]), "=" CONSTRAINT(d[2]), "=" CONSTRAINT(d[3]),           \
                     "=" CONSTRAINT(d[4]), "=" CONSTRAINT(d[5]), "=" CONSTRAINT(d[6]), "=" CONSTRAINT(d[7])            \
                   : "l"(rows), "l"(columns), "r"(0));                                                                 \
    });                                                                                                                \
  }
KERNEL(bfloats, "k16.f32.bf16.bf16", float, "f", ", 1, 1, 0, 0")
KERNEL(tf32, "k8.f32.tf32.tf32", float, "f", ", 1, 1")
KERNEL(bytes, "k32.s32.s8.s8", int, "r", "")
KERNEL(eighths, "k32.f32.e5m2.e4m3", float, "f", ", 1, 1")
