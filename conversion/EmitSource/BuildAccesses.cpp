//===- BuildAccesses.cpp - loads and stores as subscripts -----------------===//
//
// A view of an array is subscripts and strides: `a[row * k + i]`. See
// KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"

using namespace mlir;
using namespace gpuopt::source;

/// Whether `type` numbers its elements row by row without gaps.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity();
}

KernelBuilder::View KernelBuilder::viewOf(Value memref) {
  if (auto known = variables.find(memref); known != variables.end()) {
    View view;
    view.array = known->second;
    return view;
  }
  Operation *op = memref.getDefiningOp();
  if (auto assume = dyn_cast_or_null<memref::AssumeAlignmentOp>(op))
    return viewOf(assume.getMemref());
  if (auto conversion = dyn_cast_or_null<memref::CastOp>(op))
    return viewOf(conversion.getSource());
  if (auto reinterpret = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    View view = viewOf(reinterpret.getSource());
    if (!view.array || !view.array->shape.empty() || !view.strides.empty() ||
        view.offset)
      return {};
    auto fold = [&](OpFoldResult part) {
      if (auto value = dyn_cast<Value>(part))
        return index(value);
      return kernel.constant(cast<IntegerAttr>(cast<Attribute>(part)).getInt());
    };
    SmallVector<const Expr *> strides =
        llvm::map_to_vector(reinterpret.getMixedStrides(), fold);
    const Expr *start = fold(reinterpret.getMixedOffsets()[0]);
    if (constantValue(start) != 0)
      view.offset = start;
    if (strides.empty() || constantValue(strides.back()) != 1)
      return {};
    strides.pop_back();
    view.strides = std::move(strides);
    return view;
  }
  if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op);
      alloca && alloca.getType().hasStaticShape() &&
      isContiguous(alloca.getType())) {
    CType type = typeOf(alloca.getType().getElementType());
    Variable *array = kernel.createVariable(Variable::Private, "", type);
    llvm::append_range(array->shape, alloca.getType().getShape());
    variables[memref] = array;
    return {array, {}, nullptr};
  }
  return {};
}

const Expr *KernelBuilder::access(Location location, Value memref,
                                  ArrayRef<const Expr *> subscripts,
                                  CType type) {
  View view = viewOf(memref);
  if (!view.array || type.kind == CType::Void)
    return fail(location, "an access to " + spell(memref.getType()) +
                              " has no source form");
  SmallVector<const Expr *> at(subscripts);
  SmallVector<const Expr *> strides = view.strides;
  auto memrefType = cast<MemRefType>(memref.getType());
  bool hasShape = !view.array->shape.empty();
  if (!hasShape && view.strides.empty() && memrefType.getRank() > 1) {
    // A parameter with extents: row by row.
    if (!isContiguous(memrefType) ||
        llvm::any_of(memrefType.getShape().drop_front(), ShapedType::isDynamic))
      return fail(location,
                  "an access to " + spell(memrefType) + " has no source form");
    int64_t stride = 1;
    for (int64_t extent : llvm::reverse(memrefType.getShape().drop_front()))
      strides.insert(strides.begin(), kernel.constant(stride *= extent));
  }
  if (view.offset)
    at.back() = kernel.add(at.back(), view.offset);
  if (at.empty())
    at.push_back(kernel.constant(0));
  // A vector in an array of numbers is read as one of signed numbers, as all
  // vectors are: C++ has no conversion between uint4 and int4.
  if (view.array->type.kind == CType::Unsigned &&
      view.array->type.lanes == type.lanes)
    type.kind = CType::Unsigned;
  Expr expr{Expr::Access, type};
  expr.variable = view.array;
  expr.numSubscripts = at.size();
  expr.operands.append(at.begin(), at.end());
  expr.operands.append(strides.begin(), strides.end());
  return kernel.make(std::move(expr));
}
