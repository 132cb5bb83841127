//===- Product.h - products of matrices of several types --------*- C++ -*-===//
//
// D = epilogue(alpha op(A) op(B) + beta C), batch by batch, for what cuBLAS
// takes types for (`cublasGemmEx`, `cublasLtMatmul`). Elements of 16 bits are
// products of `float`s and are rounded once, when D is written.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CUDA_BLAS_PRODUCT_H
#define RUNTIME_CUDA_BLAS_PRODUCT_H

#include "runtime/CUDA/BLAS/Context.h"

namespace gpuopt::cuda {

/// A matrix by columns, or several of them `batchStride` elements apart.
struct MatrixOperand {
  const void *data = nullptr;
  cudaDataType_t type = CUDA_R_32F;
  /// How it is stored.
  int64_t rows = 0, columns = 0, leading = 0;
  int64_t batchStride = 0;
  /// Whether the product takes it transposed.
  bool isTransposed = false;
};

/// What becomes of each element of the product, in this order.
struct Epilogue {
  /// One element for each row; null for none.
  const void *bias = nullptr;
  cudaDataType_t biasType = CUDA_R_32F;
  enum { None, ReLU, GELU } activation = None;
};

struct Product {
  MatrixOperand a, b, c;
  /// Stored as its own layout says; `data` is written.
  MatrixOperand d;
  const void *alpha = nullptr, *beta = nullptr;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType_t scaleType = CUDA_R_32F;
  int batches = 1;
  Epilogue epilogue;
};

/// The type of `alpha` and `beta` where only `compute` is said.
cudaDataType_t scaleTypeOf(cublasComputeType_t compute);

/// Whether it can be computed: the types are supported, the shapes fit.
cublasStatus_t check(const Product &product);
/// Computes what has passed `check`.
void multiply(const Product &product);

} // namespace gpuopt::cuda

#endif // RUNTIME_CUDA_BLAS_PRODUCT_H
