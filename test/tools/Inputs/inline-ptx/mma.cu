// Products of a subgroup by mma.sync, as hand-tuned CUDA has them: rows and columns of 32 bytes, which lane has what as the PTX
// ISA says. plain.cu is what comes out of it.
__device__ unsigned word(const void *matrix, int line, int number) {
  return ((const unsigned *)matrix)[line * 8 + number];
}

template <class Sum> __device__ void store(const Sum (&d)[4], Sum *c) {
  int row = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
  for (int i = 0; i < 4; ++i)
    c[(row + i / 2 * 8) * 8 + column + i % 2] = d[i];
}

#define KERNEL(NAME, INSTRUCTION, SUM, CONSTRAINT)                                                                     \
  extern "C" __global__ void NAME(const unsigned *a, const unsigned *b, SUM *c) {                                      \
    int g = threadIdx.x / 4, l = threadIdx.x % 4;                                                                      \
    SUM d[4] = {1, 1, 1, 1};                                                                                           \
    asm volatile(INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"                      \
                 : "+" CONSTRAINT(d[0]), "+" CONSTRAINT(d[1]), "+" CONSTRAINT(d[2]), "+" CONSTRAINT(d[3])              \
                 : "r"(word(a, g, l)), "r"(word(a, g + 8, l)), "r"(word(a, g, l + 4)), "r"(word(a, g + 8, l + 4)),     \
                   "r"(word(b, g, l)), "r"(word(b, g, l + 4)));                                                        \
    store(d, c);                                                                                                       \
  }

KERNEL(halves, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", float, "f")
KERNEL(bfloats, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
KERNEL(tf32, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
KERNEL(e4m3, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", float, "f")
KERNEL(e5m2, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", float, "f")
KERNEL(s8, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", int, "r")
KERNEL(u8s8, "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", int, "r")

// Sums of halves, two in a register.
extern "C" __global__ void half_sums(const unsigned *a, const unsigned *b, unsigned *c) {
  int g = threadIdx.x / 4, l = threadIdx.x % 4;
  unsigned upper = 0x3c003c00, lower = 0x3c003c00;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(upper), "+r"(lower)
               : "r"(word(a, g, l)), "r"(word(a, g + 8, l)), "r"(word(a, g, l + 4)), "r"(word(a, g + 8, l + 4)),
                 "r"(word(b, g, l)), "r"(word(b, g, l + 4)));
  c[g * 4 + l] = upper;
  c[(g + 8) * 4 + l] = lower;
}

// Eight rows and columns of four doubles.
extern "C" __global__ void doubles(const double *a, const double *b, double *c) {
  int g = threadIdx.x / 4, l = threadIdx.x % 4;
  double d0 = 1, d1 = 1;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(d0), "+d"(d1)
      : "d"(a[g * 4 + l]), "d"(b[g * 4 + l]));
  c[g * 8 + l * 2] = d0;
  c[g * 8 + l * 2 + 1] = d1;
}

// The way of a tile by hand: asynchronous copies, matrices from workgroup memory by addresses of 32 bits, a product.
extern "C" __global__ void staged(const unsigned *a, const unsigned *b, float *c) {
  __shared__ alignas(16) unsigned rows[2][128], columns[2][64];
  int lane = threadIdx.x;
  auto copy = [&](int stage) {
    for (int i = lane; i < 32; i += 32)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"((unsigned)__cvta_generic_to_shared(rows[stage] + i * 4)),
                   "l"(a + i * 4)
                   : "memory");
    if (lane < 16)
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n" ::"r"(
                       (unsigned)__cvta_generic_to_shared(columns[stage] + lane * 4)),
                   "l"(b + lane * 4)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  copy(0);
  copy(1);
  float d[4] = {1, 1, 1, 1};
  for (int stage = 0; stage < 2; ++stage) {
    if (stage == 0)
      asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
    else
      asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    unsigned r[4], k[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(rows[stage] + lane % 16 * 8 + lane / 16 * 4)));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(k[0]), "=r"(k[1])
                 : "r"((unsigned)__cvta_generic_to_shared(columns[stage] + lane % 8 * 8 + lane / 8 % 2 * 4)));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(k[0]), "r"(k[1]), "f"(d[0]), "f"(d[1]), "f"(d[2]),
                   "f"(d[3]));
  }
  store(d, c);
}
