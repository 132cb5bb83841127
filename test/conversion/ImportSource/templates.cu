// A kernel template is imported for each instantiation, also for those that only
// a launch in a host body makes. Errors in host bodies are none of ours.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// CHECK: llvm.func {{.*}}kernelcc @_Z5scaleIdLi2EEvPT_{{.*}}gpuopt.source_name = "scale"
// CHECK: llvm.fmul {{.*}} : f64
// CHECK: llvm.func {{.*}}kernelcc @_Z5scaleIfLi4EEvPT_{{.*}}gpuopt.source_name = "scale"
// CHECK: llvm.fmul {{.*}} : f32
template <typename T, int Factor> __global__ void scale(T *a) {
  a[threadIdx.x] *= T(Factor);
}

template __global__ void scale<double, 2>(double *);

template <typename T> void run(T *a) { scale<T, 4><<<1, 32>>>(a); }

int main() {
  float *a;
  undeclared_function(&a);
  run(a);
}
