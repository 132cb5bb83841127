// What asks for the hardware's approximation is the function with LLVM's flag for that; what does not, is not.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// In PTX it is the instruction, with little around it: no reduction of the argument, no rounding as IEEE has it.
// RUN: gpuopt compile %s --target sm_90 --no-opt -o - | FileCheck %s --check-prefix=PTX
// The tuned kernel beside its original, with and without a device library.
// RUN: gpuopt compile %s --target sm_90 -o - | FileCheck %s --check-prefix=TUNED
// RUN: env GPUOPT_NO_DEVICE_LIBRARY=1 gpuopt compile %s --target sm_75 -o - | FileCheck %s --check-prefix=TUNED
// RUN: gpuopt compile %s --target gfx942 --emit llvm -o - | FileCheck %s --check-prefix=AMD
// The text is within what the approximation may be off.
// RUN: gpuopt check %s --size n=1000,a=1000,o=1000 | FileCheck %s --check-prefix=PROOF

// CHECK-LABEL: llvm.func {{.*}}@fast
// PTX-LABEL: .entry fast
// PTX-NOT: .local
// PTX-DAG: ex2.approx
// PTX-DAG: sin.approx
// PTX-DAG: cos.approx
// PTX-DAG: lg2.approx
// PTX-DAG: div.approx
// PTX-NOT: div.rn
// PTX: ret;
// PROOF: fast: original launch
// PROOF: PTX {{.*}}: within the bound of each element
// PROOF: passed
extern "C" __global__ void fast(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i];
  // CHECK: llvm.intr.exp(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  float s = __expf(x);
  // CHECK: llvm.intr.sin(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  s += __sinf(x);
  // CHECK: llvm.intr.cos(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  s += __cosf(x);
  // CHECK: llvm.intr.log(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  s += __logf(x * x + 1);
  // CHECK: llvm.intr.pow(%{{.*}}, %{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  s += __powf(x * x + 1, 0.3f);
  // CHECK: llvm.fdiv %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract, afn>}
  o[i] = __fdividef(s, x * x + 3);
}

// TUNED-LABEL: .entry others
// TUNED-NOT: div.rn
// TUNED-COUNT-3: lg2.approx
// TUNED: ret;
// AMD: define {{.*}}@others
// CHECK-LABEL: llvm.func {{.*}}@others
// PROOF: others: original launch
// PROOF: passed
extern "C" __global__ void others(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = a[i], s, c;
  // CHECK-DAG: llvm.intr.sin(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  // CHECK-DAG: llvm.intr.cos(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  __sincosf(x, &s, &c);
  // CHECK-DAG: llvm.intr.log2(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  // CHECK-DAG: llvm.intr.log10(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  // CHECK-DAG: llvm.intr.exp10(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  // CHECK-DAG: llvm.intr.tan(%{{.*}}) {fastmathFlags = #llvm.fastmath<contract, afn>}
  o[i] = s * c + __log2f(x * x + 1) + __log10f(x * x + 2) + __logf(x * x + 3) + __exp10f(x * 8) + __tanf(x * 0.1f);
}

// CHECK-LABEL: llvm.func {{.*}}@exact
// CHECK-NOT: afn
extern "C" __global__ void exact(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    o[i] = expf(a[i]) / (sinf(a[i]) + 2);
}
