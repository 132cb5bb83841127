//===- Addresses.cpp - are two elements of an array distinct? -------------===//

#include "passes/Transforms/Utils/Addresses.h"

#include "passes/Analysis/Entailment.h"
#include "passes/Analysis/SubscriptRanges.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace gpuopt;

static Polynomial read(OpFoldResult value, IntegerValues &values) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  return values.getExact(cast<Value>(value), false).value;
}

std::optional<ElementAddress> gpuopt::getElementAddress(Operation *access,
                                                        IntegerValues &values) {
  Value memref = getAccessedMemRef(access);
  if (!memref)
    return std::nullopt;
  auto type = cast<MemRefType>(memref.getType());
  ElementAddress address;
  address.elementType = type.getElementType();
  address.root = memref;
  if (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>()) {
    address.root = view.getSource();
    address.offset = read(view.getMixedOffsets().front(), values);
    for (OpFoldResult stride : view.getMixedStrides())
      address.strides.push_back(read(stride, values));
  } else {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return std::nullopt;
    address.offset = offset;
    address.strides.assign(strides.begin(), strides.end());
  }
  bool isArray =
      isa<BlockArgument>(address.root) ||
      isa<memref::AllocaOp, memref::AllocOp>(address.root.getDefiningOp());
  auto rootType = dyn_cast<MemRefType>(address.root.getType());
  if (!isArray || !rootType || rootType.getElementType() != address.elementType)
    return std::nullopt;
  for (auto [subscript, stride] :
       llvm::zip_equal(getSubscripts(access, values), address.strides))
    address.offset += subscript * stride;
  if (address.offset.isUnknown())
    return std::nullopt;
  return address;
}

bool gpuopt::provesNonZero(const Polynomial &difference,
                           ArrayRef<Polynomial> strides,
                           ArrayRef<Polynomial> facts,
                           const IntegerValues &values) {
  if (std::optional<int64_t> constant = difference.getConstant())
    return *constant != 0;
  auto isNonNegative = [&](const Polynomial &goal) {
    return provesNonNegative(facts, goal, [&](const Monomial &monomial) {
      return values.getRange(monomial);
    });
  };
  SmallVector<Polynomial> rows(strides);
  rows.push_back(1);
  for (const Polynomial &left : {difference, -difference})
    for (const Polynomial &row : rows) {
      if (row.isUnknown() || row.isZero())
        continue;
      auto [quotient, remainder] = left.divide(row);
      if (isNonNegative(quotient - 1) && isNonNegative(row) &&
          isNonNegative(row + remainder - 1))
        return true;
    }
  return false;
}
