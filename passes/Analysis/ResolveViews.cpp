//===- ResolveViews.cpp - arrays behind chains of views -------------------===//

#include "passes/Analysis/AccessResolver.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Bytes of one element; nothing for types without a size of whole bytes.
std::optional<int64_t> gpuopt::bytesOf(Type type) {
  if (isa<IndexType, LLVM::LLVMPointerType>(type))
    return 8;
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<int64_t> part = bytesOf(complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable())
    return std::nullopt;
  std::optional<int64_t> element = bytesOf(vector.getElementType());
  return element ? std::optional(*element * vector.getNumElements())
                 : std::nullopt;
}

std::optional<Polynomial>
AccessResolver::extent(Value memref, unsigned dimension, StringRef name) {
  auto type = cast<MemRefType>(memref.getType());
  if (dimension >= type.getRank())
    return unknown("a dimension is out of range");
  if (!type.isDynamicDim(dimension))
    return Polynomial(type.getDimSize(dimension));
  if (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>())
    return resolveAddress(view.getMixedSizes()[dimension]);
  if (auto cast = memref.getDefiningOp<memref::CastOp>();
      cast && isa<MemRefType>(cast.getSource().getType()))
    return extent(cast.getSource(), dimension, name);
  auto [entry, isNew] = result.extents.try_emplace({memref, dimension}, 0);
  if (isNew)
    entry->second =
        parameter(Value(), (name + ".dim" + Twine(dimension)).str());
  return Polynomial::variable(entry->second);
}

/// A whole array: a kernel argument, an attribution or an allocation.
std::optional<ResolvedView> AccessResolver::resolveBase(Value memref,
                                                        std::string name) {
  auto type = cast<MemRefType>(memref.getType());
  ResolvedView view{memref, std::move(name), Polynomial(0), {}};
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset))) {
    reason = "the layout of '" + view.name + "' is not strided";
    return std::nullopt;
  }
  Polynomial running(1);
  for (int64_t dimension = type.getRank() - 1; dimension >= 0; --dimension) {
    if (!ShapedType::isDynamic(strides[dimension]))
      view.strides.push_back(Polynomial(strides[dimension]));
    else if (type.getLayout().isIdentity())
      view.strides.push_back(running);
    else
      view.strides.push_back(Polynomial::variable(parameter(
          Value(), view.name + ".stride" + std::to_string(dimension))));
    std::optional<Polynomial> size = extent(memref, dimension, view.name);
    running = size ? running * *size : Polynomial::unknown();
  }
  std::reverse(view.strides.begin(), view.strides.end());
  std::optional<int64_t> bytes = bytesOf(type.getElementType());
  if (ShapedType::isDynamic(offset))
    view.offsetBytes =
        Polynomial::variable(parameter(Value(), view.name + ".offset"));
  else
    view.offsetBytes = Polynomial(offset);
  view.offsetBytes = view.offsetBytes * Polynomial(bytes.value_or(1));
  return view;
}

std::optional<ResolvedView>
AccessResolver::resolveSubview(memref::SubViewOp op) {
  std::optional<ResolvedView> source = resolveView(op.getSource());
  std::optional<int64_t> bytes = bytesOf(op.getType().getElementType());
  if (!source || !bytes)
    return std::nullopt;
  ResolvedView view{source->base, source->name, source->offsetBytes, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  for (auto [dimension, sourceStride] : llvm::enumerate(source->strides)) {
    Result offset = resolveAddress(offsets[dimension]);
    Result stride = resolveAddress(strides[dimension]);
    if (!offset || !stride)
      return std::nullopt;
    view.offsetBytes += *offset * sourceStride * Polynomial(*bytes);
    if (!dropped.test(dimension))
      view.strides.push_back(*stride * sourceStride);
  }
  return view;
}

std::optional<ResolvedView> AccessResolver::resolveByteView(memref::ViewOp op) {
  std::optional<ResolvedView> source = resolveView(op.getSource());
  Result shift = resolveAddress(OpFoldResult(op.getByteShift()));
  std::optional<ResolvedView> shape = resolveBase(op.getResult(), "view");
  if (!source || !shift || !shape)
    return std::nullopt;
  return ResolvedView{source->base, source->name, source->offsetBytes + *shift,
                      shape->strides};
}

std::optional<ResolvedView>
AccessResolver::resolveReinterpretCast(memref::ReinterpretCastOp op) {
  std::optional<ResolvedView> source = resolveView(op.getSource());
  std::optional<int64_t> bytes = bytesOf(op.getType().getElementType());
  Result offset = resolveAddress(op.getMixedOffsets().front());
  if (!source || !bytes || !offset)
    return std::nullopt;
  ResolvedView view{
      source->base, source->name, *offset * Polynomial(*bytes), {}};
  for (OpFoldResult mixed : op.getMixedStrides()) {
    Result stride = resolveAddress(mixed);
    if (!stride)
      return std::nullopt;
    view.strides.push_back(*stride);
  }
  return view;
}

/// True for casts that leave address and shape alone.
static bool isTransparent(Operation *op) {
  return isa<memref::CastOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp>(op);
}

std::optional<ResolvedView> AccessResolver::resolveView(Value memref) {
  if (!isa<MemRefType>(memref.getType())) {
    reason = "the array has no known rank";
    return std::nullopt;
  }
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    if (argument.getOwner()->getParentOp() != kernel) {
      reason = "the array is carried around a loop";
      return std::nullopt;
    }
    return resolveBase(memref, nameOf(argument));
  }
  Operation *op = memref.getDefiningOp();
  if (isTransparent(op))
    return resolveView(op->getOperand(0));
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return resolveBase(memref, global.getName().str());
  if (auto variable = dyn_cast<GetVariableOp>(op))
    return resolveBase(memref, variable.getVariable().str());
  if (isa<memref::AllocaOp, memref::AllocOp>(op))
    return resolveBase(memref, "local array");
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return resolveBase(memref, "dynamic");
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return resolveSubview(subview);
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return resolveByteView(view);
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op))
    return resolveReinterpretCast(cast);
  reason =
      ("the array is made by '" + op->getName().getStringRef() + "'").str();
  return std::nullopt;
}
