// Intrinsics for dynamic programming (DPX), on both sides.
// RUN: gpuopt cc %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s

#include <cstdio>

static constexpr int kResults = 24;

__host__ __device__ void all(unsigned a, unsigned b, unsigned c, unsigned *out) {
  bool first = false, high = false, low = false;
  out[0] = __viaddmax_s32(a, b, c);
  out[1] = __viaddmax_s32_relu(a, b, c);
  out[2] = __viaddmax_u32(a, b, c);
  out[3] = __viaddmin_s32(a, b, c);
  out[4] = __viaddmin_u32(a, b, c);
  out[5] = __viaddmax_s16x2(a, b, c);
  out[6] = __viaddmax_s16x2_relu(a, b, c);
  out[7] = __viaddmax_u16x2(a, b, c);
  out[8] = __viaddmin_s16x2(a, b, c);
  out[9] = __viaddmin_u16x2(a, b, c);
  out[10] = __vimax3_s32(a, b, c);
  out[11] = __vimin3_s32_relu(a, b, c);
  out[12] = __vimax3_u32(a, b, c);
  out[13] = __vimax3_s16x2(a, b, c);
  out[14] = __vimin3_u16x2(a, b, c);
  out[15] = __vimax3_s16x2_relu(a, b, c);
  out[16] = __vimax_s32_relu(a, b);
  out[17] = __vimin_s16x2_relu(a, b);
  out[18] = __vibmax_s32(a, b, &first);
  out[19] = first;
  out[20] = __vibmin_u32(a, b, &first);
  out[21] = first;
  out[22] = __vibmax_s16x2(a, b, &high, &low);
  out[23] = 2 * high + low;
}

__global__ void onDevice(unsigned a, unsigned b, unsigned c, unsigned *out) { all(a, b, c, out); }

int main() {
  unsigned *out, here[kResults];
  cudaMallocManaged(&out, sizeof here);
  // Halves: 0x8000 and 0xfff0, 0xffff and 0x0102, 0x0001 and 0x0003.
  unsigned a = 0x8000fff0, b = 0xffff0102, c = 0x00010003;
  onDevice<<<1, 1>>>(a, b, c, out);
  cudaDeviceSynchronize();
  all(a, b, c, here);
  int equal = 0;
  for (int i = 0; i < kResults; ++i) {
    printf("%s%08x", i % 8 ? " " : i ? "\n" : "", out[i]);
    equal += out[i] == here[i];
  }
  printf("\nequal %d\n", equal);
}
// a + b = 0x800000f2 (negative); the halves' sums are 0x7fff and 0x00f2.
// CHECK:      00010003 00010003 800000f2 800000f2 00010003 7fff00f2 7fff00f2 7fff00f2
// CHECK-NEXT: 00010003 00010003 00010003 00000000 ffff0102 00010102 00010003 00010102
// CHECK-NEXT: 00000000 00000000 ffff0102 00000000 8000fff0 00000001 ffff0102 00000000
// CHECK-NEXT: equal 24
