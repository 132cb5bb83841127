//===- FixGeometry.cpp - what fixing a kernel's launch takes --------------===//

#include "passes/Transforms/Geometry/FixGeometry.h"

#include "dialects/GPUOpt/LaunchConditions.h"
#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Transforms/Utils/Extents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace gpuopt;

SmallVector<gpu::GPUFuncOp>
gpuopt::collectOpenKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::GPUFuncOp> kernels;
  llvm::DenseSet<StringAttr> fallbacks;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    if (auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
      fallbacks.insert(name.getAttr());
    if (kernel.isKernel() && !kernel.getBody().empty() && !geometryOf(kernel))
      kernels.push_back(kernel);
  }
  llvm::erase_if(kernels, [&](gpu::GPUFuncOp kernel) {
    return fallbacks.contains(kernel.getNameAttr());
  });
  return kernels;
}

/// Writes the ids of blocks that are work items as what they are.
static void replaceBlockIds(gpu::GPUFuncOp kernel) {
  kernel.walk([&](gpu::BlockIdOp id) {
    OpBuilder builder(id);
    Value item =
        gpu::GlobalIdOp::create(builder, id.getLoc(), id.getDimension());
    id.replaceAllUsesWith(item);
    id.erase();
  });
}

std::array<bool, 3> gpuopt::findSingleItems(gpu::GPUFuncOp kernel,
                                            const GeometryPlan &plan) {
  std::array<bool, 3> single;
  for (unsigned dim = 0; dim < 3; ++dim)
    single[dim] = plan.blockItems[dim] && !plan.extents[dim];
  kernel.walk([&](gpu::GridDimOp size) {
    single[static_cast<unsigned>(size.getDimension())] = true;
  });
  return single;
}

/// The extent along a dimension, the least of `ends`.
static Attribute asAttribute(ArrayRef<AffineExpr> ends, gpu::GPUFuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  if (ends.empty() || !ends.front())
    return UnitAttr::get(context);
  return AffineMapAttr::get(
      AffineMap::get(0, kernel.getNumArguments(), ends, context));
}

/// Sizes that are known and ranges that are assumed give the tuned kernel other
/// extents than the original has: who launches that must know its own, and all
/// of several that there are.
static void recordOriginalExtents(gpu::GPUFuncOp kernel,
                                  const GeometryPlan &plan) {
  auto original = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      kernel, kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName));
  if (!original)
    return;
  OwningOpRef<gpu::GPUFuncOp> items(original.clone());
  if (plan.keepsBlock)
    items->setKnownBlockSizeAttr(DenseI32ArrayAttr::get(
        kernel.getContext(),
        SmallVector<int32_t>(plan.block.begin(), plan.block.end())));
  else
    replaceBlockIds(*items);
  Extents extents = findExtents(*items);
  bool isSame = extents.nonNegative.empty();
  SmallVector<Attribute> all;
  for (unsigned dim = 0; dim < 3; ++dim) {
    isSame &=
        extents.ends[dim].size() <= 1 && extents.end(dim) == plan.extents[dim];
    all.push_back(asAttribute(extents.ends[dim], original));
  }
  if (isSame)
    return;
  original->setAttr(kOwnExtentsAttrName,
                    ArrayAttr::get(original.getContext(), all));
  for (AffineExpr argument : extents.nonNegative)
    original.setArgAttr(cast<AffineSymbolExpr>(argument).getPosition(),
                        kBoundsUnsignedAttrName,
                        UnitAttr::get(original.getContext()));
}

/// The index that `value`, of 64 bits, is after casts through fewer bits; null
/// where it is not. All casts leave ids of work items what they are.
static Value indexBehindCasts(Value value, IntegerValues &values) {
  Value source = value;
  while (source && !source.getType().isIndex()) {
    Operation *op = source.getDefiningOp();
    bool isCast = isa_and_nonnull<arith::ExtUIOp, arith::ExtSIOp,
                                  arith::IndexCastOp, arith::IndexCastUIOp>(op);
    source = isCast ? op->getOperand(0) : Value();
  }
  bool isSame = source && values.getExact(source, false).value ==
                              values.getExact(value, false).value;
  return isSame ? source : Value();
}

/// Sizes that a launch promises not to be negative are as large with a sign as
/// without. Positions that tiles begin at may be negative, so that it matters;
/// and that they do not go through fewer bits.
static void compareAsSigned(gpu::GPUFuncOp kernel) {
  IntegerValues values(kernel);
  auto isNonNegative = [&](Value value) {
    return values.getExact(value, /*isUnsigned=*/false).range.low >= 0;
  };
  kernel.walk([&](arith::CmpIOp compare) {
    if (!isUnsigned(compare.getPredicate()) ||
        !isNonNegative(compare.getLhs()) || !isNonNegative(compare.getRhs()))
      return;
    compare.setPredicate(toSigned(compare.getPredicate()));
    OpBuilder builder(compare);
    for (OpOperand &operand : compare->getOpOperands())
      if (operand.get().getType().isInteger(64))
        if (Value index = indexBehindCasts(operand.get(), values))
          operand.set(arith::IndexCastOp::create(builder, compare.getLoc(),
                                                 builder.getI64Type(), index));
  });
}

void gpuopt::openGeometry(gpu::GPUFuncOp kernel, GeometryPlan &plan) {
  // The original takes any launch; from here on blocks are work items.
  keepOriginal(kernel);
  if (!plan.keepsBlock)
    replaceBlockIds(kernel);
  Extents extents = findExtents(kernel);
  for (unsigned dim = 0; dim < 3; ++dim)
    plan.extents[dim] = extents.end(dim);
  recordOriginalExtents(kernel, plan);
  if (extents.nonNegative.empty())
    return;
  addLaunchConditions(kernel, kernel.getNumArguments(),
                      extents.nonNegative.getArrayRef());
  compareAsSigned(kernel);
}

void gpuopt::recordGeometry(gpu::GPUFuncOp kernel, const GeometryPlan &plan) {
  Builder builder(kernel.getContext());
  SmallVector<int64_t, 3> originalBlock;
  if (plan.keepsBlock)
    originalBlock.assign(plan.block.begin(), plan.block.end());
  else if (llvm::is_contained(plan.blockItems, true))
    originalBlock.assign(plan.blockItems.begin(), plan.blockItems.end());
  int64_t one[3] = {1, 1, 1};
  SmallVector<Attribute> extents;
  for (AffineExpr extent : plan.extents)
    extents.push_back(asAttribute(extent, kernel));
  kernel->setAttr(kGeometryAttrName,
                  GeometryAttr::get(kernel.getContext(), plan.block, one,
                                    plan.items, builder.getArrayAttr(extents),
                                    originalBlock));
  SmallVector<int32_t> known(plan.block.begin(), plan.block.end());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(known));
}

std::string gpuopt::describeCondition(const GeometryPlan &plan) {
  if (plan.keepsBlock)
    return ", as in the source, on which it depends";
  std::string dimensions;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (plan.blockItems[dim])
      dimensions +=
          (dimensions.empty() ? "" : ", ") +
          gpu::stringifyDimension(static_cast<gpu::Dimension>(dim)).str();
  return dimensions.empty() ? ""
                            : "; a launch of blocks with more than one thread "
                              "along " +
                                  dimensions + " takes the original kernel";
}
