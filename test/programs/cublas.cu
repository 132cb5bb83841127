// cuBLAS in a program: products of several types and layouts against loops, and what cuBLAS says of wrong arguments.
// REQUIRES: cublas
// RUN: gpuopt cc -O2 %s -o %t -lcublas -lcublasLt && env GPUOPT_DEVICE=cpu %t | FileCheck %s

// A file of the host's alone can call it, too. What the library does not have is no function here.
// RUN: cp %s %t.cpp && gpuopt cc -c %t.cpp -o %t.o
// RUN: not gpuopt cc -c -DUSE_OTHER %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: use of undeclared identifier 'cublasCgemm
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

static const int m = 37, n = 21, k = 45, batches = 3;

template <class T> static std::vector<T> numbers(size_t count, int seed) {
  std::vector<T> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = T((float)((i * 7 + seed) % 17) - 8);
  return made;
}

template <class T> struct Array {
  Array(const std::vector<T> &values) : host(values) {
    cudaMalloc(&device, sizeof(T) * host.size());
    cudaMemcpy(device, host.data(), sizeof(T) * host.size(), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(device); }
  const std::vector<T> &fetch() {
    cudaMemcpy(host.data(), device, sizeof(T) * host.size(), cudaMemcpyDeviceToHost);
    return host;
  }
  std::vector<T> host;
  T *device;
};

// 2 op(A) op(B) + C, of batch `i`.
template <class T>
static double expected(const std::vector<T> &a, bool opA, const std::vector<T> &b, bool opB, const std::vector<T> &c, int i, int row,
                       int column) {
  double sum = 0;
  for (int l = 0; l < k; ++l)
    sum += (double)(float)a[i * m * k + (opA ? row * k + l : l * m + row)] *
           (double)(float)b[i * k * n + (opB ? l * n + column : column * k + l)];
  return 2 * sum + (double)(float)c[i * m * n + column * m + row];
}

template <class T, class Multiply> static void compare(const char *name, bool opA, bool opB, double tolerance, Multiply multiply) {
  auto c = numbers<T>(m * n * batches, 3);
  Array<T> a(numbers<T>(m * k * batches, 1)), b(numbers<T>(k * n * batches, 2)), result(c);
  cublasStatus_t status = multiply(a.device, b.device, result.device);
  int wrong = 0;
  const std::vector<T> &found = result.fetch();
  for (int i = 0; i < batches; ++i)
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < m; ++row) {
        double right = expected(a.host, opA, b.host, opB, c, i, row, column);
        wrong += !(std::fabs((float)found[(i * n + column) * m + row] - right) <= tolerance * (1 + std::fabs(right)));
      }
  printf("%s: %s, %d wrong\n", name, cublasGetStatusName(status), wrong);
}

template <class T> static void compareEx(cublasHandle_t handle, const char *name, cudaDataType type, cublasComputeType_t compute) {
  float alpha = 2, beta = 1;
  compare<T>(name, true, true, 0.01, [&](T *a, T *b, T *c) {
    return cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, a, type, k, m * k, b, type, n, k * n, &beta, c,
                                      type, m, m * n, batches, compute, CUBLAS_GEMM_DEFAULT);
  });
}

// GELU(op(A) B + bias).
static void compareLight() {
  Array<float> a(numbers<float>(m * k, 1)), b(numbers<float>(k * n, 2)), bias(numbers<float>(m, 5)), d(std::vector<float>(m * n));
  cublasLtHandle_t handle;
  cublasLtCreate(&handle);
  cublasLtMatmulDesc_t description;
  cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasOperation_t op = CUBLAS_OP_T;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_BIAS;
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op);
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.device, sizeof bias.device);
  cublasLtMatrixLayout_t aLayout, bLayout, dLayout;
  cublasLtMatrixLayoutCreate(&aLayout, CUDA_R_32F, k, m, k);
  cublasLtMatrixLayoutCreate(&bLayout, CUDA_R_32F, k, n, k);
  cublasLtMatrixLayoutCreate(&dLayout, CUDA_R_32F, m, n, m);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t choice;
  int choices = 0;
  cublasLtMatmulAlgoGetHeuristic(handle, description, aLayout, bLayout, dLayout, dLayout, preference, 1, &choice, &choices);
  float alpha = 0.01f, beta = 0;
  cublasStatus_t status = cublasLtMatmul(handle, description, &alpha, a.device, aLayout, b.device, bLayout, &beta, d.device, dLayout,
                                         d.device, dLayout, &choice.algo, nullptr, 0, nullptr);
  int wrong = 0;
  d.fetch();
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      double x = bias.host[row];
      for (int l = 0; l < k; ++l)
        x += 0.01 * a.host[row * k + l] * b.host[column * k + l];
      double right = 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
      wrong += !(std::fabs(d.host[column * m + row] - right) <= 1e-4 * (1 + std::fabs(right)));
    }
  printf("light: %d choice, %s, %d wrong\n", choices, cublasGetStatusName(status), wrong);
  epilogue = CUBLASLT_EPILOGUE_DGELU;
  cublasLtMatmulDescSetAttribute(description, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  status = cublasLtMatmulAlgoGetHeuristic(handle, description, aLayout, bLayout, dLayout, dLayout, preference, 1, &choice, &choices);
  printf("other epilogue: %d choices, %s\n", choices, cublasGetStatusName(status));
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float alpha = 2, beta = 1;
  double alphaOfDoubles = 2, betaOfDoubles = 1;
  // CHECK: float: CUBLAS_STATUS_SUCCESS, 0 wrong
  compare<float>("float", false, true, 1e-5, [&](float *a, float *b, float *c) {
    return cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a, m, m * k, b, n, k * n, &beta, c, m, m * n,
                                     batches);
  });
  // CHECK-NEXT: double: CUBLAS_STATUS_SUCCESS, 0 wrong
  compare<double>("double", true, false, 1e-12, [&](double *a, double *b, double *c) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < batches && !status; ++i)
      status = cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alphaOfDoubles, a + i * m * k, k, b + i * k * n, k, &betaOfDoubles,
                           c + i * m * n, m);
    return status;
  });
#ifdef __CUDACC__
  compareEx<__half>(handle, "half", CUDA_R_16F, CUBLAS_COMPUTE_32F);
  compareEx<__nv_bfloat16>(handle, "bfloat16", CUDA_R_16BF, CUBLAS_COMPUTE_32F_FAST_16BF);
  compareEx<__nv_bfloat16>(handle, "bfloat16 in half", CUDA_R_16BF, CUBLAS_COMPUTE_16F);
#endif
  // CHECK-NEXT: half: CUBLAS_STATUS_SUCCESS, 0 wrong
  // CHECK-NEXT: bfloat16: CUBLAS_STATUS_SUCCESS, 0 wrong
  // CHECK-NEXT: bfloat16 in half: CUBLAS_STATUS_NOT_SUPPORTED
  // CHECK-NEXT: light: 1 choice, CUBLAS_STATUS_SUCCESS, 0 wrong
  // CHECK-NEXT: other epilogue: 0 choices, CUBLAS_STATUS_NOT_SUPPORTED
  compareLight();

  Array<float> x(numbers<float>(10, 0)), y(std::vector<float>(10, 1)), matrix(numbers<float>(100, 4));
  float dot, norm;
  int place;
  cublasSaxpy(handle, 10, &alpha, x.device, 1, y.device, 1);
  cublasSdot(handle, 5, x.device, 2, y.device, 1, &dot);
  cublasSnrm2(handle, 10, x.device, 1, &norm);
  cublasIsamax(handle, 10, y.device, 1, &place);
  // CHECK-NEXT: -8 -1 6 -4 3 -7 0 7 -3 4
  // CHECK-NEXT: dot 132, norm 15.78, largest at 1
  for (float value : x.host)
    printf("%g ", value);
  printf("\ndot %g, norm %.4g, largest at %d\n", dot, norm, place);
  // CHECK-NEXT: rows too far apart: an invalid value was used as an argument
  printf("rows too far apart: %s\n",
         cublasGetStatusString(cublasSgemv(handle, CUBLAS_OP_N, 10, 10, &alpha, matrix.device, 9, x.device, 1, &beta, y.device, 1)));
  // CHECK-NEXT: no handle: CUBLAS_STATUS_NOT_INITIALIZED
  printf("no handle: %s\n", cublasGetStatusName(cublasSscal(nullptr, 10, &alpha, x.device, 1)));
#ifdef USE_OTHER
  cublasCgemm(handle);
#endif
  cublasDestroy(handle);
}
