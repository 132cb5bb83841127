// SIMD intrinsics on halfwords and bytes, with the lanes at which sums leave their range.
// RUN: gpuopt cc -std=c++17 %s -o %t
// RUN: env GPUOPT_DEVICE=cpu %t | FileCheck %s
// RUN: %on_gpu %t | FileCheck %s

#include <cstdio>

#define FUNCTIONS(F) F(vadd) F(vsub) F(vaddss) F(vaddus) F(vsubss) F(vsubus) F(vavgs) F(vavgu) F(vhaddu) F(vmaxs) F(vminu) F(vabsdiffs) F(vabsdiffu) F(vcmpgts) F(vsetleu)
#define UNARY(F) F(vneg) F(vnegss) F(vabs) F(vabsss)

__global__ void all(unsigned a, unsigned b, unsigned *out) {
  int at = 0;
#define STORE(NAME) out[at++] = __##NAME##2(a, b), out[at++] = __##NAME##4(a, b);
  FUNCTIONS(STORE)
  STORE(vsads)
  STORE(vsadu)
#define STORE_UNARY(NAME) out[at++] = __##NAME##2(a), out[at++] = __##NAME##4(a);
  UNARY(STORE_UNARY)
}

int main() {
  unsigned *out, host[64];
  cudaMalloc(&out, sizeof host);
  all<<<1, 1>>>(0x8000ff7f, 0xffff0102, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int at = 0;
#define PRINT(NAME) std::printf(#NAME " %08x %08x\n", host[at], host[at + 1]), at += 2;
  FUNCTIONS(PRINT)
  PRINT(vsads)
  PRINT(vsadu)
  UNARY(PRINT)
}

// CHECK:      vadd 7fff0081 7fff0081
// CHECK-NEXT: vsub 8001fe7d 8101fe7d
// CHECK-NEXT: vaddss 80000081 80ff007f
// CHECK-NEXT: vaddus ffffffff ffffff81
// CHECK-NEXT: vsubss 8001fe7d 8101fe7d
// CHECK-NEXT: vsubus 0000fe7d 0000fe7d
// CHECK-NEXT: vavgs bfff0041 bfff0041
// CHECK-NEXT: vavgu c0008041 c0808041
// CHECK-NEXT: vhaddu bfff8040 bf7f8040
// CHECK-NEXT: vmaxs ffff0102 ff00017f
// CHECK-NEXT: vminu 80000102 80000102
// CHECK-NEXT: vabsdiffs 7fff0183 7f01027d
// CHECK-NEXT: vabsdiffu 7ffffe7d 7ffffe7d
// CHECK-NEXT: vcmpgts 00000000 00ff00ff
// CHECK-NEXT: vsetleu 00010000 01010000
// CHECK-NEXT: vsads 00008182 000000ff
// CHECK-NEXT: vsadu 00017e7c 000002f9
// CHECK-NEXT: vneg 80000081 80000181
// CHECK-NEXT: vnegss 7fff0081 7f000181
// CHECK-NEXT: vabs 80000081 8000017f
// CHECK-NEXT: vabsss 7fff0081 7f00017f
