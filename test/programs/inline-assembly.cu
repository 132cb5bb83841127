// Inline PTX does on the CPU what the PTX ISA says: each kernel's results are compared with what the host computes.
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s
// RUN: env GPUOPT_DEVICE=cpu gpuopt run --check -- %t | FileCheck %s

#include <climits>
#include <cstdio>
#include <cstring>

constexpr int n = 64;

// Amounts of shifts, positions and lengths beyond the word.
__global__ void fields(const unsigned *a, const unsigned *b, unsigned *out) {
  int i = threadIdx.x;
  asm("shl.b32 %0, %1, %2;" : "=r"(out[i * 6]) : "r"(a[i]), "r"(b[i]));
  asm("shr.s32 %0, %1, %2;" : "=r"(out[i * 6 + 1]) : "r"(a[i]), "r"(b[i]));
  asm("bfe.u32 %0, %1, %2, 9;" : "=r"(out[i * 6 + 2]) : "r"(a[i]), "r"(b[i]));
  asm("bfi.b32 %0, %1, -1, %2, 5;" : "=r"(out[i * 6 + 3]) : "r"(a[i]), "r"(b[i]));
  asm("bmsk.clamp.b32 %0, %1, 7;" : "=r"(out[i * 6 + 4]) : "r"(b[i]));
  asm("lop3.b32 %0, %1, %2, 0xff, 0xe2;" : "=r"(out[i * 6 + 5]) : "r"(a[i]), "r"(b[i]));
}

__global__ void arithmetic(const int *a, const int *b, int *out, long long *wide) {
  int i = threadIdx.x;
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(out[i * 4]) : "r"(a[i]), "r"(b[i]));
  asm("mad.lo.s32 %0, %1, %2, -3;" : "=r"(out[i * 4 + 1]) : "r"(a[i]), "r"(b[i]));
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; // the smaller one\n"
      "  selp.s32 %0, %1, %2, p; }" : "=r"(out[i * 4 + 2]) : "r"(a[i]), "r"(b[i]));
  int sum = a[i];
  asm("{ .reg .pred p; setp.gt.s32 p, %1, 0; @p add.s32 %0, %0, %1; @!p sub.s32 %0, %0, 1; }" : "+r"(sum) : "r"(b[i]));
  out[i * 4 + 3] = sum;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide[i]) : "r"(a[i]), "r"(b[i]), "l"(5ll));
}

__global__ void floats(const float *a, float *out) {
  int i = threadIdx.x;
  asm("fma.rn.f32 %0, %1, %1, 0f3F800000;" : "=f"(out[2 * i]) : "f"(a[i]));
  asm("max.f32 %0, %1, 0f00000000;" : "=f"(out[2 * i + 1]) : "f"(a[i]));
}

// The sums up to each lane, as CUB adds them up, in segments of 8.
__global__ void scans(const int *a, int *out, unsigned *lanes) {
  int i = threadIdx.x, x = a[i];
  for (int step = 1; step < 8; step *= 2) {
    asm volatile("{ .reg .s32 r0; .reg .pred p;\n"
                 "  shfl.sync.up.b32 r0|p, %1, %2, 0x1800, 0xffffffff;\n"
                 "  @p add.s32 r0, r0, %1;\n"
                 "  mov.s32 %0, r0;\n"
                 "  @!p mov.s32 %0, %1; }" : "=r"(out[i]) : "r"(x), "r"(step));
    x = out[i];
  }
  unsigned lane, below, votes;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(votes) : "r"(a[i] & 1));
  lanes[3 * i] = lane;
  lanes[3 * i + 1] = below;
  lanes[3 * i + 2] = votes;
}

// Lanes up to a limit that only the kernel knows.
__global__ void limits(const int *a, int *out, int last) {
  int i = threadIdx.x;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, %2, 0xffffffff;" : "=r"(out[i]) : "r"(a[i]), "r"(last));
}

__global__ void memory(const unsigned *a, unsigned *out) {
  int i = threadIdx.x;
  unsigned x, y;
  asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(a + 2 * i) : "memory");
  asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(out + 2 * i), "r"(y), "r"(x) : "memory");
  if (i >= 16)
    asm volatile("exit;");
  unsigned char byte;
  unsigned loaded;
  asm volatile("ld.u8 %0, [%1+1];" : "=r"(loaded) : "l"(a + 2 * i) : "memory");
  byte = loaded;
  out[2 * i] += byte;
  // Hints, and values that are only held.
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a));
  asm volatile("nanosleep.u32 20;");
  asm volatile("" : "+r"(x));
  out[2 * i + 1] = x;
}

template <class T> T *upload(const T *host, int count) {
  T *device;
  cudaMalloc(&device, count * sizeof(T));
  if (host)
    cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T> void download(T *host, const T *device, int count) {
  cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
}

int wrong = 0;
template <class T> void expect(const char *what, T found, T expected) {
  if (found != expected && wrong++ < 10)
    std::printf("%s: found %lld, expected %lld\n", what, (long long)found, (long long)expected);
}

int main() {
  unsigned a[2 * n], b[n];
  for (int i = 0; i < 2 * n; ++i)
    a[i] = i * 2654435761u + 12345;
  for (int i = 0; i < n; ++i)
    b[i] = i; // 32 and more among them
  unsigned *deviceA = upload(a, 2 * n), *deviceB = upload(b, n);

  static unsigned f[6 * n];
  unsigned *deviceF = upload((unsigned *)nullptr, 6 * n);
  fields<<<1, n>>>(deviceA, deviceB, deviceF);
  download(f, deviceF, 6 * n);
  for (int i = 0; i < n; ++i) {
    unsigned long long wide = a[i];
    bool fits = i < 32;
    expect("shl", f[6 * i], fits ? a[i] << i : 0);
    expect("shr", f[6 * i + 1], (unsigned)((int)a[i] >> (fits ? i : 31)));
    expect("bfe", f[6 * i + 2], unsigned(wide >> i) & 511);
    unsigned mask = fits ? 31u << i : 0;
    expect("bfi", f[6 * i + 3], (~0u & ~mask) | ((fits ? a[i] << i : 0) & mask));
    expect("bmsk", f[6 * i + 4], fits ? 127u << i : 0);
    // 0xe2 is `c ? a : b` where bits 1 and 6 are b's, 5 and 7 a's.
    unsigned looked = 0;
    for (int bit = 0; bit < 32; ++bit) {
      unsigned row = (a[i] >> bit & 1) << 2 | (b[i] >> bit & 1) << 1 | (0xffu >> bit & 1);
      looked |= (0xe2u >> row & 1) << bit;
    }
    expect("lop3", f[6 * i + 5], looked);
  }

  static int r[4 * n];
  static long long w[n];
  int *deviceR = upload((int *)nullptr, 4 * n);
  long long *deviceW = upload((long long *)nullptr, n);
  arithmetic<<<1, n>>>((int *)deviceA, (int *)(deviceA + n), deviceR, deviceW);
  download(r, deviceR, 4 * n);
  download(w, deviceW, n);
  for (int i = 0; i < n; ++i) {
    int x = a[i], y = a[n + i];
    expect("mul.hi", r[4 * i], int((long long)x * y >> 32));
    expect("mad.lo", r[4 * i + 1], int(unsigned(x) * unsigned(y) - 3));
    expect("selp", r[4 * i + 2], x < y ? x : y);
    expect("guards", r[4 * i + 3], int(unsigned(x) + (y > 0 ? unsigned(y) : ~0u)));
    expect("mad.wide", w[i], (long long)x * y + 5);
  }

  float x[n], g[2 * n];
  for (int i = 0; i < n; ++i)
    x[i] = (i - 32) * 0.5f;
  float *deviceG = upload((float *)nullptr, 2 * n);
  floats<<<1, n>>>(upload(x, n), deviceG);
  download(g, deviceG, 2 * n);
  for (int i = 0; i < n; ++i) {
    expect("fma", g[2 * i], x[i] * x[i] + 1);
    expect("max", g[2 * i + 1], x[i] > 0 ? x[i] : 0);
  }

  int small[n], sums[n];
  unsigned lanes[3 * n];
  for (int i = 0; i < n; ++i)
    small[i] = i * 7 % 13;
  int *deviceSmall = upload(small, n), *deviceSums = upload((int *)nullptr, n);
  unsigned *deviceLanes = upload((unsigned *)nullptr, 3 * n);
  scans<<<1, n>>>(deviceSmall, deviceSums, deviceLanes);
  download(sums, deviceSums, n);
  download(lanes, deviceLanes, 3 * n);
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int k = i / 8 * 8; k <= i; ++k)
      sum += small[k];
    expect("scan", sums[i], sum);
    unsigned votes = 0;
    for (int k = 0; k < 32; ++k)
      votes |= unsigned(small[i / 32 * 32 + k] & 1) << k;
    expect("laneid", lanes[3 * i], i % 32u);
    expect("lanemask", lanes[3 * i + 1], (1u << i % 32) - 1);
    expect("ballot", lanes[3 * i + 2], votes);
  }
  limits<<<1, n>>>(deviceSmall, deviceSums, 20);
  download(sums, deviceSums, n);
  for (int i = 0; i < n; ++i)
    expect("limit", sums[i], small[i % 32 < 20 ? i + 1 : i]);

  unsigned m[2 * n];
  unsigned *deviceM = upload((unsigned *)nullptr, 2 * n);
  memory<<<1, n>>>(deviceA, deviceM);
  download(m, deviceM, 2 * n);
  for (int i = 0; i < n; ++i) {
    expect("ld and st", m[2 * i], a[2 * i + 1] + (i < 16 ? a[2 * i] >> 8 & 0xff : 0));
    expect("ld and st", m[2 * i + 1], a[2 * i]);
  }
  // CHECK: wrong: 0
  std::printf("wrong: %d\n", wrong);
}
