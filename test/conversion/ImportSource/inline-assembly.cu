// Inline PTX that is known becomes LLVM's instructions; what is not stays as it is, and so does all of a statement.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 --clang-arg=-DAMD | FileCheck %s --check-prefix=AMD

// CHECK-LABEL: llvm.func {{.*}}@reduces(
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.call @__gpuopt_shuffle_down(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, i32, i32, i32) -> i32
// CHECK: llvm.fadd
// CHECK: llvm.select
// CHECK-NOT: llvm.inline_asm
// AMD-LABEL: llvm.func {{.*}}@product(
// AMD-NOT: llvm.inline_asm
// AMD: llvm.mul
// AMD: llvm.lshr
#ifndef AMD
extern "C" __global__ void reduces(const float *a, float *b) {
  float sum = a[threadIdx.x];
  asm volatile("{  .reg .f32 r0;  .reg .pred p;"
               "  shfl.sync.down.b32 r0|p, %1, 1, 0x1f, 0xffffffff;"
               "  @p add.f32 r0, r0, %1;  mov.f32 %0, r0; }" : "=f"(sum) : "f"(sum));
  b[threadIdx.x] = sum;
}

// CHECK-LABEL: llvm.func {{.*}}@ends(
// CHECK-NOT: exit
// CHECK: llvm.cond_br
// CHECK: llvm.store
extern "C" __global__ void ends(int *a) {
  if (threadIdx.x > 5)
    asm volatile("exit;");
  a[threadIdx.x] = 1;
}

// An access that is made as often as it stands there, and that nothing may be moved across; its registers are vectors.
// CHECK-LABEL: llvm.func {{.*}}@loads(
// CHECK: llvm.inline_asm has_side_effects {{.*}}"", "~{memory}"
// CHECK: llvm.load volatile {{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<2xi32>
// CHECK: llvm.inline_asm has_side_effects {{.*}}"", "~{memory}"
// CHECK: llvm.store volatile {{.*}} atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr
extern "C" __global__ void loads(const int *a, int *b) {
  int x, y;
  asm volatile("ld.cg.v2.s32 {%0, %1}, [%2+8];" : "=r"(x), "=r"(y) : "l"(a) : "memory");
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(b), "r"(x + y));
}

// One that is not volatile may be made once, has hints, and no memory that others write.
// CHECK-LABEL: llvm.func {{.*}}@hints(
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
extern "C" __global__ void hints(const int *a, int *b) {
  int x;
  asm("ld.global.nc.L1::no_allocate.L2::128B.s32 %0, [%1];" : "=r"(x) : "l"(a));
  b[0] = x;
}

// A register with the name of a special one.
// CHECK-LABEL: llvm.func {{.*}}@named(
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.store
extern "C" __global__ void named(int *b) {
  asm("{ .reg .s32 %%r1; add.s32 %%r1, %1, 1; mov.s32 %0, %%r1; }" : "=r"(b[0]) : "r"(b[1]));
}

// What waits for another thread stays in its loop.
// CHECK-LABEL: llvm.func {{.*}}@waits(
// CHECK: ^[[LOOP:bb[0-9]+]]:
// CHECK: llvm.load volatile
// CHECK: llvm.cond_br {{.*}}^[[LOOP]]
extern "C" __global__ void waits(const int *flag, int *b) {
  int x;
  do
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(x) : "l"(flag));
  while (x == 0);
  b[0] = x;
}

// An input in the place of an output of another type.
// CHECK-LABEL: llvm.func {{.*}}@tied(
// CHECK: %[[P:.*]] = llvm.ptrtoint
// CHECK: llvm.add %[[P]], {{.*}} : i64
extern "C" __global__ void tied(const int *a, long long *b) {
  long long x;
  asm("add.s64 %0, %0, 4;" : "=l"(x) : "0"(a));
  b[0] = x;
}

// Approximations, registers that programs may not rely on, branches, several blocks, and 16 bytes at once that others see;
// barriers that may differ in each branch, orders that a load does not have, hints, and what holds values.
// CHECK-LABEL: llvm.func {{.*}}@stay(
// CHECK: llvm.inline_asm {{.*}}"ex2.approx.f32
// CHECK: llvm.inline_asm {{.*}}"mov.u32 $0, %smid;"
// CHECK: llvm.inline_asm {{.*}}"{ add.s32
// CHECK: llvm.inline_asm {{.*}}"add.sat.s32
// CHECK: llvm.inline_asm {{.*}}"ld.relaxed.gpu.v2.u64
// CHECK: llvm.inline_asm {{.*}}"barrier.sync 0;"
// CHECK: llvm.inline_asm {{.*}}"ld.release.gpu.u32
// CHECK: llvm.inline_asm {{.*}}"prefetch.global.L2
// CHECK: llvm.inline_asm {{.*}}"", "=f,0"
// CHECK: llvm.inline_asm {{.*}}".reg .s32 sum;"
// CHECK: llvm.inline_asm {{.*}}"popc.f32
extern "C" __global__ void stay(const float *a, float *b, int *c, const long long *d) {
  asm("ex2.approx.f32 %0, %1;" : "=f"(b[0]) : "f"(a[0]));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(c[0]));
  asm("{ add.s32 %0, %1, 1; } { add.s32 %0, %0, 1; }" : "=r"(c[1]) : "r"(c[2]));
  asm("add.sat.s32 %0, %1, 1;" : "=r"(c[3]) : "r"(c[4]));
  long long x, y;
  asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(d));
  c[5] = x + y;
  asm volatile("barrier.sync 0;" ::: "memory");
  asm volatile("ld.release.gpu.u32 %0, [%1];" : "=r"(c[6]) : "l"(a));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a));
  float held = a[1] * a[2];
  asm volatile("" : "+f"(held));
  b[1] = held + a[3];
  asm volatile(".reg .s32 sum;");
  asm("popc.f32 %0, %1;" : "=r"(c[7]) : "f"(a[4]));
}
#endif

extern "C" __global__ void product(const unsigned *a, unsigned *b) {
  unsigned x;
  asm("mul.hi.u32 %0, %1, 10;" : "=r"(x) : "r"(a[0]));
  b[0] = x;
}
