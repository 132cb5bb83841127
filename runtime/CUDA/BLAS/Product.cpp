//===- Product.cpp - products of matrices of several types ----------------===//

#include "runtime/CUDA/BLAS/Product.h"

#include "runtime/CPU/SoftFloat.h"
#include "runtime/CUDA/BLAS/CBLAS.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace gpuopt;
using namespace gpuopt::cuda;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static bool isOf16Bits(cudaDataType_t type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

static double load(const void *data, cudaDataType_t type, int64_t index) {
  switch (type) {
  case CUDA_R_64F:
    return static_cast<const double *>(data)[index];
  case CUDA_R_16F:
    return runtime::halfToDouble(static_cast<const uint16_t *>(data)[index]);
  case CUDA_R_16BF:
    return std::bit_cast<float>(
        uint32_t(static_cast<const uint16_t *>(data)[index]) << 16);
  default:
    return static_cast<const float *>(data)[index];
  }
}

static void store(void *data, cudaDataType_t type, int64_t index,
                  double value) {
  switch (type) {
  case CUDA_R_64F:
    static_cast<double *>(data)[index] = value;
    break;
  case CUDA_R_16F:
    static_cast<uint16_t *>(data)[index] = runtime::doubleToHalf(value);
    break;
  case CUDA_R_16BF:
    static_cast<uint16_t *>(data)[index] = runtime::doubleToBFloat(value);
    break;
  default:
    static_cast<float *>(data)[index] = float(value);
  }
}

static int64_t bytesOf(cudaDataType_t type) {
  return isOf16Bits(type) ? 2 : type == CUDA_R_64F ? 8 : 4;
}

static const void *batch(const MatrixOperand &operand, int index) {
  return static_cast<const char *>(operand.data) +
         index * operand.batchStride * bytesOf(operand.type);
}

template <class T>
static constexpr cudaDataType_t typeOf() {
  return sizeof(T) == 8 ? CUDA_R_64F : CUDA_R_32F;
}

namespace {
/// A batch of a matrix with elements of the type that is computed in: where
/// it is, or converted.
template <class T>
struct Converted {
  Converted(const MatrixOperand &operand, int index) {
    const void *place = batch(operand, index);
    if (operand.type == typeOf<T>()) {
      data = static_cast<const T *>(place);
      leading = int(operand.leading);
      return;
    }
    storage.resize(operand.rows * operand.columns);
    for (int64_t column = 0; column < operand.columns; ++column)
      for (int64_t row = 0; row < operand.rows; ++row)
        storage[column * operand.rows + row] =
            T(load(place, operand.type, column * operand.leading + row));
    data = storage.data();
    leading = int(std::max<int64_t>(1, operand.rows));
  }
  Converted(const Converted &) = delete;

  const T *data;
  int leading;
  std::vector<T> storage;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is supported
//===----------------------------------------------------------------------===//

cudaDataType_t cuda::scaleTypeOf(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  default:
    return CUDA_R_32F;
  }
}

/// As the tables of cuBLAS's documentation have it, without integers and
/// complex numbers.
static bool areSupported(const Product &product) {
  cudaDataType_t inputs = product.a.type, results = product.d.type;
  cudaDataType_t computed = scaleTypeOf(product.compute);
  if (product.b.type != inputs || product.c.type != results ||
      product.scaleType != computed)
    return false;
  if (computed == CUDA_R_16F || computed == CUDA_R_64F)
    return inputs == computed && results == computed;
  if (computed != CUDA_R_32F)
    return false;
  if (inputs == CUDA_R_32F)
    return results == CUDA_R_32F;
  return isOf16Bits(inputs) && (results == inputs || results == CUDA_R_32F);
}

static int64_t rowsOf(const MatrixOperand &operand) {
  return operand.isTransposed ? operand.columns : operand.rows;
}
static int64_t columnsOf(const MatrixOperand &operand) {
  return operand.isTransposed ? operand.rows : operand.columns;
}

cublasStatus_t cuda::check(const Product &product) {
  for (const MatrixOperand *operand :
       {&product.a, &product.b, &product.c, &product.d})
    if (!areSizes(operand->rows, operand->columns) ||
        operand->rows > INT32_MAX || operand->columns > INT32_MAX ||
        operand->leading > INT32_MAX ||
        !isLeading(operand->leading, operand->rows))
      return CUBLAS_STATUS_INVALID_VALUE;
  if (!product.alpha || !product.beta || product.batches < 0 ||
      rowsOf(product.a) != product.d.rows ||
      columnsOf(product.b) != product.d.columns ||
      columnsOf(product.a) != rowsOf(product.b) ||
      product.c.rows != product.d.rows ||
      product.c.columns != product.d.columns)
    return CUBLAS_STATUS_INVALID_VALUE;
  return areSupported(product) ? CUBLAS_STATUS_SUCCESS
                               : CUBLAS_STATUS_NOT_SUPPORTED;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

static double activate(double value, const Epilogue &epilogue) {
  switch (epilogue.activation) {
  case Epilogue::ReLU:
    // Keeps what is no number.
    return value < 0 ? 0 : value;
  case Epilogue::GELU:
    return 0.5 * value *
           (1 + std::tanh(0.7978845608028654 *
                          (value + 0.044715 * value * value * value)));
  case Epilogue::None:
    break;
  }
  return value;
}

template <class T>
static void multiplyBatch(const Product &product, int index) {
  const MatrixOperand &d = product.d;
  auto alpha = T(load(product.alpha, product.scaleType, 0));
  auto beta = T(load(product.beta, product.scaleType, 0));
  Converted<T> a(product.a, index), b(product.b, index);
  // C is not read where it has no part in the result.
  std::vector<T> result(d.rows * d.columns);
  const void *c = batch(product.c, index);
  if (beta != 0)
    for (int64_t column = 0; column < d.columns; ++column)
      for (int64_t row = 0; row < d.rows; ++row)
        result[column * d.rows + row] =
            T(load(c, product.c.type, column * product.c.leading + row));
  gemm(product.a.isTransposed ? CblasTrans : CblasNoTrans,
       product.b.isTransposed ? CblasTrans : CblasNoTrans, int(d.rows),
       int(d.columns), int(columnsOf(product.a)), alpha, a.data, a.leading,
       b.data, b.leading, beta, result.data(),
       int(std::max<int64_t>(1, d.rows)));
  auto *place = const_cast<void *>(batch(d, index));
  const Epilogue &epilogue = product.epilogue;
  for (int64_t column = 0; column < d.columns; ++column)
    for (int64_t row = 0; row < d.rows; ++row) {
      double value = result[column * d.rows + row];
      if (epilogue.bias)
        value += load(epilogue.bias, epilogue.biasType, row);
      store(place, d.type, column * d.leading + row, activate(value, epilogue));
    }
}

void cuda::multiply(const Product &product) {
  for (int index = 0; index < product.batches; ++index)
    if (scaleTypeOf(product.compute) == CUDA_R_64F)
      multiplyBatch<double>(product, index);
    else
      multiplyBatch<float>(product, index);
  __cudaNoteLibraryWrites();
}

//===----------------------------------------------------------------------===//
// cuBLAS's functions with types
//===----------------------------------------------------------------------===//

static MatrixOperand makeOperand(const void *data, cudaDataType_t type,
                                 cublasOperation_t op, int rows, int columns,
                                 int leading, long long stride) {
  bool isTransposed = op != CUBLAS_OP_N;
  return {data,
          type,
          isTransposed ? columns : rows,
          isTransposed ? rows : columns,
          leading,
          stride,
          isTransposed};
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m,
    int n, int k, const void *alpha, const void *a, cudaDataType aType, int lda,
    long long strideA, const void *b, cudaDataType bType, int ldb,
    long long strideB, const void *beta, void *c, cudaDataType cType, int ldc,
    long long strideC, int batches, cublasComputeType_t compute,
    cublasGemmAlgo_t) {
  if (cublasStatus_t status = begin(handle))
    return status;
  Product product;
  product.a = makeOperand(a, aType, opA, m, k, lda, strideA);
  product.b = makeOperand(b, bType, opB, k, n, ldb, strideB);
  product.c = product.d =
      makeOperand(c, cType, CUBLAS_OP_N, m, n, ldc, strideC);
  product.alpha = alpha;
  product.beta = beta;
  product.compute = compute;
  product.scaleType = scaleTypeOf(compute);
  product.batches = batches;
  if (cublasStatus_t status = check(product))
    return status;
  multiply(product);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA,
                            cublasOperation_t opB, int m, int n, int k,
                            const void *alpha, const void *a,
                            cudaDataType aType, int lda, const void *b,
                            cudaDataType bType, int ldb, const void *beta,
                            void *c, cudaDataType cType, int ldc,
                            cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, opA, opB, m, n, k, alpha, a, aType,
                                    lda, 0, b, bType, ldb, 0, beta, c, cType,
                                    ldc, 0, 1, compute, algorithm);
}
