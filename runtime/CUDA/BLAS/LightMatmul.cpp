//===- LightMatmul.cpp - cuBLASLt's product of matrices -------------------===//

#include "runtime/CUDA/BLAS/Product.h"

#include <cstring>

using namespace gpuopt::cuda;

struct cublasLtContext {};

struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t compute;
  cudaDataType_t scaleType;
  cublasLtPointerMode_t pointerMode = CUBLASLT_POINTER_MODE_HOST;
  cublasOperation_t opA = CUBLAS_OP_N, opB = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
  /// D's, where it is not said.
  int32_t biasType = -1;
};

struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType_t type;
  uint64_t rows, columns;
  int64_t leading;
  int32_t batches = 1;
  int64_t batchStride = 0;
};

/// Wishes for the choice of an algorithm; there is one.
struct cublasLtMatmulPreferenceOpaque_t {};

/// Sets an attribute that is as large as `place`.
template <class T>
static cublasStatus_t assign(T &place, const void *value, size_t bytes) {
  if (!value || bytes != sizeof(T))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&place, value, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

/// Makes what a description begins as.
template <class Opaque>
static cublasStatus_t create(Opaque **place, Opaque made) {
  if (!place)
    return CUBLAS_STATUS_INVALID_VALUE;
  *place = new Opaque(made);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque>
static cublasStatus_t destroy(Opaque *description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (handle)
    if (cublasStatus_t status = begin(handle))
      return status;
  return create(handle, {});
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return handle ? destroy(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description,
                                        cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create(description, {compute, scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return destroy(description);
}
cublasStatus_t
cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                               cublasLtMatmulDescAttributes_t attribute,
                               const void *value, size_t bytes) {
  if (!description)
    return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return assign(description->compute, value, bytes);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return assign(description->scaleType, value, bytes);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return assign(description->pointerMode, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return assign(description->opA, value, bytes);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return assign(description->opB, value, bytes);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return assign(description->epilogue, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return assign(description->bias, value, bytes);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return assign(description->biasType, value, bytes);
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout,
                                          cudaDataType_t type, uint64_t rows,
                                          uint64_t columns, int64_t leading) {
  return create(layout, {type, rows, columns, leading});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}
cublasStatus_t
cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                 cublasLtMatrixLayoutAttribute_t attribute,
                                 const void *value, size_t bytes) {
  if (!layout)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasLtOrder_t order;
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return assign(layout->type, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    if (cublasStatus_t status = assign(order, value, bytes))
      return status;
    return order == CUBLASLT_ORDER_COL ? CUBLAS_STATUS_SUCCESS
                                       : CUBLAS_STATUS_NOT_SUPPORTED;
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return assign(layout->rows, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return assign(layout->columns, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return assign(layout->leading, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return assign(layout->batches, value, bytes);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return assign(layout->batchStride, value, bytes);
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference, {});
}
cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}
cublasStatus_t
cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                     cublasLtMatmulPreferenceAttributes_t,
                                     const void *value, size_t) {
  return preference && value ? CUBLAS_STATUS_SUCCESS
                             : CUBLAS_STATUS_INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

static MatrixOperand makeOperand(const void *data,
                                 const cublasLtMatrixLayoutOpaque_t &layout,
                                 cublasOperation_t op = CUBLAS_OP_N) {
  return {data,
          layout.type,
          int64_t(layout.rows),
          int64_t(layout.columns),
          layout.leading,
          layout.batchStride,
          op != CUBLAS_OP_N};
}

/// Sets the epilogue; false for one that is not supported.
static bool setEpilogue(Product &product,
                        const cublasLtMatmulDescOpaque_t &description) {
  int activation = description.epilogue & ~CUBLASLT_EPILOGUE_BIAS;
  if (activation == CUBLASLT_EPILOGUE_RELU)
    product.epilogue.activation = Epilogue::ReLU;
  else if (activation == CUBLASLT_EPILOGUE_GELU)
    product.epilogue.activation = Epilogue::GELU;
  else if (activation != CUBLASLT_EPILOGUE_DEFAULT && activation != 0)
    return false;
  if (!(description.epilogue & CUBLASLT_EPILOGUE_BIAS))
    return true;
  product.epilogue.bias = description.bias;
  product.epilogue.biasType = description.biasType < 0
                                  ? product.d.type
                                  : cudaDataType_t(description.biasType);
  return description.bias;
}

/// Succeeds where the product can be computed.
static cublasStatus_t
describe(Product &product, cublasLtMatmulDesc_t description,
         cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
         cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d) {
  if (!description || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  // The device's memory is the host's, but a scalar is no vector of them.
  if (description->pointerMode != CUBLASLT_POINTER_MODE_HOST &&
      description->pointerMode != CUBLASLT_POINTER_MODE_DEVICE)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  product.a = makeOperand(product.a.data, *a, description->opA);
  product.b = makeOperand(product.b.data, *b, description->opB);
  product.c = makeOperand(product.c.data, *c);
  product.d = makeOperand(product.d.data, *d);
  product.compute = description->compute;
  product.scaleType = description->scaleType;
  product.batches = d->batches;
  for (cublasLtMatrixLayout_t layout : {a, b, c})
    if (layout->batches != d->batches)
      return CUBLAS_STATUS_INVALID_VALUE;
  if (!setEpilogue(product, *description))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return check(product);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int wanted,
    cublasLtMatmulHeuristicResult_t results[], int *found) {
  if (cublasStatus_t status = begin(handle))
    return status;
  if (!preference || wanted < 1 || !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  const int one = 1;
  Product product;
  product.alpha = product.beta = &one;
  if (cublasStatus_t status = describe(product, description, a, b, c, d))
    return status;
  *found = 1;
  *results = {};
  results->wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description,
               const void *alpha, const void *a, cublasLtMatrixLayout_t aLayout,
               const void *b, cublasLtMatrixLayout_t bLayout, const void *beta,
               const void *c, cublasLtMatrixLayout_t cLayout, void *d,
               cublasLtMatrixLayout_t dLayout, const cublasLtMatmulAlgo_t *,
               void *, size_t, cudaStream_t) {
  if (cublasStatus_t status = begin(handle))
    return status;
  Product product;
  product.a.data = a;
  product.b.data = b;
  product.c.data = c;
  product.d.data = d;
  product.alpha = alpha;
  product.beta = beta;
  if (cublasStatus_t status =
          describe(product, description, aLayout, bLayout, cLayout, dLayout))
    return status;
  multiply(product);
  return CUBLAS_STATUS_SUCCESS;
}
