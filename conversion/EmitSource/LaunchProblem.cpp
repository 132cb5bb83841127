//===- LaunchProblem.cpp - how much work a kernel has, by itself ----------===//

#include "conversion/EmitSource/LaunchProblem.h"

#include "conversion/EmitSource/ExtentText.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

unsigned gpuopt::source::bitsOfArgument(gpu::GPUFuncOp function,
                                        unsigned number) {
  Type type = function.getFunctionType().getInput(number);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Whether `expr` is the number that a parameter is in C, a signed one or, if
/// that may be, an unsigned one.
static bool isParameter(gpu::GPUFuncOp function, AffineExpr expr,
                        bool asUnsigned) {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  FunctionType type = function.getFunctionType();
  if (!symbol || symbol.getPosition() >= type.getNumInputs())
    return false;
  bool isUnsigned =
      bool(function.getArgAttr(symbol.getPosition(), kUnsignedAttrName));
  return type.getInput(symbol.getPosition()).isIntOrIndex() &&
         (!isUnsigned || asUnsigned);
}

/// Whether C computes `expr`: exactly or, where quotients of negative numbers
/// are taken, as a larger number, which `isExact` says.
static bool isComputedInC(gpu::GPUFuncOp function, AffineExpr expr,
                          bool &isExact) {
  if (isa<AffineConstantExpr>(expr))
    return true;
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation)
    return isParameter(function, expr, /*asUnsigned=*/false);
  AffineExpr left = operation.getLHS();
  auto constant = dyn_cast<AffineConstantExpr>(operation.getRHS());
  bool isByPositive = constant && constant.getValue() > 0;
  if (operation.getKind() == AffineExprKind::Mod) {
    auto symbol = dyn_cast<AffineSymbolExpr>(left);
    if (!constant || !symbol ||
        !isParameter(function, symbol, /*asUnsigned=*/true))
      return false;
    unsigned bits = bitsOfArgument(function, symbol.getPosition());
    return bits <= 32 && constant.getValue() == int64_t(1) << bits;
  }
  if (!isComputedInC(function, left, isExact) ||
      !isComputedInC(function, operation.getRHS(), isExact))
    return false;
  if (operation.getKind() == AffineExprKind::Add)
    return true;
  if (operation.getKind() == AffineExprKind::Mul)
    return isExact || isByPositive;
  isExact = false;
  return isByPositive;
}

/// Whether a launch helper can compute `end`.
static bool isUsable(gpu::GPUFuncOp function, AffineExpr end) {
  // Where it counts, a large one is not negative: it is taken as it is.
  if (auto symbol = dyn_cast<AffineSymbolExpr>(end))
    if (isParameter(function, end, /*asUnsigned=*/true) &&
        bitsOfArgument(function, symbol.getPosition()) == 64)
      return true;
  bool isExact = true;
  return isComputedInC(function, end, isExact) &&
         typeOfExtents(end, [&](unsigned symbol, std::optional<int64_t>) {
           return SymbolText{"", bitsOfArgument(function, symbol)};
         }) != "double";
}

/// The dimensions along which `original` tells work items apart; nothing where
/// it reads more of its launch than the ids of work items.
static std::optional<std::array<bool, 3>>
findUsedDimensions(gpu::GPUFuncOp original, GeometryAttr geometry) {
  std::array<bool, 3> used = {};
  ArrayRef<int64_t> block = geometry.getOriginalBlock();
  WalkResult result = original.walk([&](Operation *op) {
    StringRef dialect =
        op->getDialect() ? op->getDialect()->getNamespace() : "";
    if (auto item = dyn_cast<gpu::GlobalIdOp>(op)) {
      used[static_cast<unsigned>(item.getDimension())] = true;
    } else if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
      auto dim = static_cast<unsigned>(id.getDimension());
      used[dim] = true;
      if (block.empty() || block[dim] != 1)
        return WalkResult::interrupt();
    } else if (!isa<gpu::GPUFuncOp, gpu::ReturnOp>(op) &&
               (dialect == "gpu" || dialect == "nvvm" || dialect == "rocdl" ||
                dialect == "nvgpu" || dialect == "amdgpu")) {
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return used;
}

/// Whether a condition on the launch, or the extent of an array in one, reads
/// its grid or block.
static bool dependsOnLaunch(gpu::GPUFuncOp function) {
  unsigned numArguments = function.getFunctionType().getNumInputs();
  auto readsLaunch = [&](AffineExpr expression) {
    for (unsigned i = 0; i < kNumLaunchSymbols; ++i)
      if (expression.isFunctionOfSymbol(numArguments + i))
        return true;
    return false;
  };
  if (IntegerSet set = launchConditions(function))
    if (llvm::any_of(set.getConstraints(), readsLaunch))
      return true;
  for (unsigned i = 0; i < numArguments; ++i)
    if (auto map = function.getArgAttrOfType<AffineMapAttr>(i, kExtentAttrName))
      if (llvm::any_of(map.getValue().getResults(), readsLaunch))
        return true;
  return false;
}

/// Threads that read neighbours, a power of two of them.
static std::array<int64_t, 3> usualBlock(const std::array<bool, 3> &used,
                                         ArrayRef<int64_t> demanded) {
  std::array<int64_t, 3> block = {256, 1, 1};
  if (used[1])
    block = {32, 8, 1};
  if (used[2])
    block = {32, used[1] ? 4 : 1, used[1] ? 2 : 8};
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!used[dim] || (!demanded.empty() && demanded[dim] != 0))
      block[dim] = 1;
  return block;
}

std::optional<LaunchProblem>
gpuopt::source::findLaunchProblem(gpu::GPUFuncOp function,
                                  gpu::GPUFuncOp original) {
  auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  if (!geometry || function->hasAttr(kWorkItemsAttrName) ||
      function->hasAttr(kPhaseOfAttrName) || dependsOnLaunch(function))
    return std::nullopt;
  auto extents = original->getAttrOfType<ArrayAttr>(kOwnExtentsAttrName);
  if (!extents)
    extents = geometry.getExtents();
  std::optional<std::array<bool, 3>> used =
      findUsedDimensions(original, geometry);
  if (!extents || !used || !llvm::is_contained(*used, true))
    return std::nullopt;
  LaunchProblem problem;
  ArrayRef<int64_t> demanded = geometry.getOriginalBlock();
  problem.originalBlock = usualBlock(*used, demanded);
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto map = dyn_cast<AffineMapAttr>(extents[dim]);
    bool isFree = demanded.empty() || demanded[dim] <= 1;
    if ((*used)[dim] ? !map : geometry.getItemsPerBlock()[dim] != 1)
      return std::nullopt;
    if (!isFree)
      return std::nullopt;
    if (!(*used)[dim])
      continue;
    for (AffineExpr end : map.getValue().getResults())
      if (isUsable(function, end))
        problem.extents[dim].push_back(end);
    if (problem.extents[dim].empty())
      return std::nullopt;
  }
  for (unsigned i = 0; i < original.getNumArguments(); ++i)
    if (original.getArgAttr(i, kBoundsUnsignedAttrName))
      problem.nonNegative.push_back(i);
  return problem;
}
