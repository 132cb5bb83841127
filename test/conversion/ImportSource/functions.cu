// Every function is part of the kernels that call it: templates that call themselves, pointers that are known, functions
// that ask not to be inlined, references, overloads and bases leave no call behind.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s --implicit-check-not='llvm.call @_Z' --implicit-check-not=llvm.alloca
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s --implicit-check-not='llvm.call @_Z' --implicit-check-not=llvm.alloca

// Three factors, and the one that ends the recursion.
// CHECK-LABEL: @_Z6powersPf(
// CHECK:     %[[X:.*]] = llvm.load
// CHECK:     %[[SQUARE:.*]] = llvm.fmul %[[X]], %[[X]]
// CHECK:     llvm.fmul %[[X]], %[[SQUARE]]
template <int N> struct Power {
  static __device__ float of(float x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
  static __device__ float of(float) { return 1; }
};
__global__ void powers(float *a) { a[0] = Power<3>::of(a[1]); }

// CHECK-LABEL: @_Z5knownPf(
// CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2.000000e+00 : f32)
// CHECK:     %[[FIRST:.*]] = llvm.fmul %{{.*}}, %[[TWO]]
// CHECK:     %[[SECOND:.*]] = llvm.fmul %{{.*}}, %[[TWO]]
// CHECK:     llvm.fadd %[[FIRST]], %[[SECOND]]
typedef float (*Function)(float);
__device__ float twice(float x) { return 2 * x; }
template <Function F> __device__ float apply(float x) { return F(x); }
__device__ float call(Function f, float x) { return f(x); }
__global__ void known(float *a) { a[0] = apply<twice>(a[1]) + call(twice, a[2]); }

// CHECK-LABEL: @_Z12by_referencePf(
// CHECK:     %[[X:.*]] = llvm.load
// CHECK:     llvm.store %[[X]], %arg0
__device__ __noinline__ void store(float *to, const float &from) { *to = from; }
__global__ void by_reference(float *a) {
  float x = a[1];
  store(&a[0], x);
}

// One of them is given a second argument by default, the other one takes a `double`.
// CHECK-LABEL: @_Z9overloadsPfPd(
// CHECK:     %[[X:.*]] = llvm.load {{.*}} -> f32
// CHECK:     llvm.store %[[X]]
// CHECK:     llvm.fadd %{{.*}} : f64
__device__ float pick(float x, int which = 1) { return which ? x : -x; }
__device__ double pick(double x) { return x + 1; }
__global__ void overloads(float *a, double *b) {
  a[0] = pick(a[1]);
  b[0] = pick(b[1]);
}

// CHECK-LABEL: @_Z9inheritedPf(
// CHECK:     %[[SUM:.*]] = llvm.fadd
// CHECK:     llvm.store %[[SUM]], %arg0
struct Base { float v; __device__ float get() const { return v; } };
struct Derived : Base { __device__ Derived(float x) { v = x + 1; } };
__global__ void inherited(float *a) { a[0] = Derived(a[1]).get(); }
