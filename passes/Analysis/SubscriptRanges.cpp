//===- SubscriptRanges.cpp - do subscripts stay in their dimensions? ------===//

#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;

Value gpuopt::getAccessedMemRef(Operation *access) {
  if (auto load = dyn_cast<memref::LoadOp>(access))
    return load.getMemref();
  if (auto store = dyn_cast<memref::StoreOp>(access))
    return store.getMemref();
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(access))
    return load.getMemRef();
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(access))
    return store.getMemRef();
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(access))
    return atomic.getMemref();
  return nullptr;
}

SmallVector<Polynomial> gpuopt::getSubscripts(Operation *access,
                                              IntegerValues &values) {
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(access))
    return values.get(load.getAffineMap(), load.getMapOperands());
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(access))
    return values.get(store.getAffineMap(), store.getMapOperands());
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(access))
    indices = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(access))
    indices = store.getIndices();
  else if (auto atomic = dyn_cast<memref::AtomicRMWOp>(access))
    indices = atomic.getIndices();
  SmallVector<Polynomial> subscripts;
  for (Value index : indices)
    subscripts.push_back(values.getExact(index, false).value);
  return subscripts;
}

/// The polynomial of a size or stride.
static Polynomial getPolynomial(OpFoldResult value, IntegerValues &values) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  return values.getExact(cast<Value>(value), false).value;
}

/// The extent of one dimension, or `unknown`.
static Polynomial getExtent(Value memref, unsigned dimension,
                            IntegerValues &values) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(dimension))
    return type.getDimSize(dimension);
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  if (!view)
    return Polynomial::unknown();
  return getPolynomial(view.getMixedSizes()[dimension], values);
}

unsigned gpuopt::getFirstPackedDimension(Value memref, IntegerValues &values) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getLayout().isIdentity())
    return 0;
  auto view = memref.getDefiningOp<memref::ReinterpretCastOp>();
  if (!view)
    return type.getRank();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  Polynomial rowLength = 1;
  unsigned first = strides.size();
  while (first > 0 && getPolynomial(strides[first - 1], values) == rowLength)
    rowLength = rowLength * getExtent(memref, --first, values);
  return first;
}

bool gpuopt::proveSubscripts(Operation *access, unsigned first,
                             DominatingFacts &facts) {
  Value memref = getAccessedMemRef(access);
  IntegerValues &values = facts.integers();
  SmallVector<Polynomial> subscripts = getSubscripts(access, values);
  for (unsigned dimension = first; dimension < subscripts.size(); ++dimension) {
    const Polynomial &subscript = subscripts[dimension];
    Polynomial extent = getExtent(memref, dimension, values);
    if (!facts.proveNonNegative(access, subscript) ||
        !facts.proveNonNegative(access, extent - subscript - 1))
      return false;
  }
  return true;
}
