//===- LaunchProblem.cpp - how much work a kernel has, by itself ----------===//

#include "conversion/EmitSource/LaunchProblem.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// Bits that 64-bit parameters are taken to fit, as guards are read.
static constexpr unsigned kWideBits = 62;

namespace {
/// How an extent is computed in C, in 64 bits.
struct Computation {
  /// Bits that no partial result exceeds.
  unsigned bits;
  /// Quotients of C are those of the extent or, for negative ones, larger.
  bool isExact;
};
} // namespace

static std::optional<Computation> computeInC(gpu::GPUFuncOp function,
                                             AffineExpr expr);

/// A parameter, read as signed or, of `bits`, as unsigned.
static std::optional<Computation>
computeParameter(gpu::GPUFuncOp function, AffineExpr expr, bool asUnsigned) {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  FunctionType type = function.getFunctionType();
  if (!symbol || symbol.getPosition() >= type.getNumInputs())
    return std::nullopt;
  Type parameter = type.getInput(symbol.getPosition());
  bool isUnsigned =
      bool(function.getArgAttr(symbol.getPosition(), kUnsignedAttrName));
  if (!parameter.isIntOrIndex() || (isUnsigned && !asUnsigned))
    return std::nullopt;
  bool isWide = parameter.isIndex() || parameter.getIntOrFloatBitWidth() > 32;
  return Computation{isWide ? kWideBits : 32, true};
}

static std::optional<Computation> computeBinary(gpu::GPUFuncOp function,
                                                AffineBinaryOpExpr operation) {
  auto constant = dyn_cast<AffineConstantExpr>(operation.getRHS());
  bool isByPositive = constant && constant.getValue() > 0;
  if (operation.getKind() == AffineExprKind::Mod) {
    auto symbol = dyn_cast<AffineSymbolExpr>(operation.getLHS());
    bool isWhole =
        constant && symbol && constant.getValue() == int64_t(1) << 32 &&
        function.getFunctionType().getInput(symbol.getPosition()).isInteger(32);
    return isWhole ? computeParameter(function, symbol, true) : std::nullopt;
  }
  std::optional<Computation> left = computeInC(function, operation.getLHS());
  std::optional<Computation> right = computeInC(function, operation.getRHS());
  if (!left || !right)
    return std::nullopt;
  bool isExact = left->isExact && right->isExact;
  switch (operation.getKind()) {
  case AffineExprKind::Add:
    return Computation{std::max(left->bits, right->bits) + 1, isExact};
  case AffineExprKind::Mul:
    if (!isExact && !isByPositive)
      return std::nullopt;
    return Computation{left->bits + right->bits, isExact};
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    if (!isByPositive)
      return std::nullopt;
    return Computation{std::max(left->bits, right->bits) + 1, false};
  default:
    return std::nullopt;
  }
}

static std::optional<Computation> computeInC(gpu::GPUFuncOp function,
                                             AffineExpr expr) {
  std::optional<Computation> computation;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    computation = {
        llvm::APInt(64, constant.getValue(), true).getSignificantBits(), true};
  else if (auto operation = dyn_cast<AffineBinaryOpExpr>(expr))
    computation = computeBinary(function, operation);
  else
    computation = computeParameter(function, expr, /*asUnsigned=*/false);
  return computation && computation->bits <= 63 ? computation : std::nullopt;
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

/// Whether a condition on the launch reads its grid or block.
static bool dependsOnLaunch(gpu::GPUFuncOp function) {
  IntegerSet set = launchConditions(function);
  unsigned numArguments = function.getFunctionType().getNumInputs();
  if (!set)
    return false;
  for (AffineExpr constraint : set.getConstraints())
    for (unsigned symbol = numArguments; symbol < set.getNumSymbols(); ++symbol)
      if (constraint.isFunctionOfSymbol(symbol))
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
    problem.extents[dim] = map.getValue().getResult(0);
    if (!computeInC(function, problem.extents[dim]))
      return std::nullopt;
  }
  return problem;
}
