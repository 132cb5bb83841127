//===- AssignGeometry.cpp - fix the block shape of naive kernels ----------===//

#include "passes/Analysis/AccessFunction.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Extents.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSIGNGEOMETRYPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

static constexpr llvm::StringLiteral remarkName = "AssignGeometry";

namespace {
/// Why a kernel keeps its launch.
struct Obstacle {
  Location loc;
  std::string reason;
};

/// What the pass does to one kernel.
struct GeometryPlan {
  std::array<int64_t, 3> block;
  /// Extents over the kernel's arguments; null where there is none.
  std::array<AffineExpr, 3> extents;
};
} // namespace

/// Returns why the kernel depends on its launch in more than the number of work
/// items, if it does.
static std::optional<Obstacle> findObstacle(gpu::GPUFuncOp kernel) {
  if (kernel.getNumWorkgroupAttributions() > 0)
    return Obstacle{kernel.getLoc(), "it uses workgroup memory"};
  std::optional<Obstacle> obstacle;
  kernel.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    StringRef space = dialect ? dialect->getNamespace() : "";
    bool isGPU = space == "gpu" || space == "nvvm" || space == "nvgpu" ||
                 space == "rocdl" || space == "amdgpu";
    bool isHarmless = isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::GlobalIdOp>(op);
    if ((isGPU && !isHarmless) ||
        (isa<CallOpInterface>(op) && !callsLibrary(op)) ||
        isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>(op)) {
      obstacle = Obstacle{op->getLoc(),
                          "it uses '" + op->getName().getStringRef().str() +
                              "', which may depend on the block shape"};
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return obstacle;
}

/// Whether coalescing may want a square block: for a load in a loop that
/// threads along either x or y repeat, or for an access that is not contiguous
/// along x. It leaves accesses alone whose addresses it cannot tell.
static bool mayBeStaged(gpu::GPUFuncOp kernel) {
  AccessFunctions functions(kernel);
  auto dependsOn = [&](const AccessFunction &access, unsigned id) {
    return functions.variables().dependsOnAny(
        access.address, [&](unsigned variable) { return variable == id; });
  };
  unsigned x = VariableTable::threadId(0), y = VariableTable::threadId(1);
  return llvm::any_of(functions.accesses(), [&](const AccessFunction &access) {
    if (access.space != MemorySpace::Global || !access.isResolved())
      return false;
    if (!dependsOn(access, x))
      return !access.loops.empty() && dependsOn(access, y);
    Polynomial step = access.address.getCofactor(x);
    // In a quotient or a minimum.
    if (step.isZero())
      return false;
    if (step != Polynomial(access.elementBytes))
      return true;
    return !access.loops.empty() && !dependsOn(access, y);
  });
}

/// Returns the block shape for `kernel` on `target`.
static std::array<int64_t, 3> defaultBlock(gpu::GPUFuncOp kernel,
                                           TargetAttr target) {
  constexpr int64_t threads = 256;
  bool isFlat = true;
  kernel.walk([&](gpu::GlobalIdOp id) {
    isFlat &= id.getDimension() == gpu::Dimension::x;
  });
  int64_t row = target.getCoalescedThreads();
  if (isFlat)
    return {row, 1, 1};
  if (mayBeStaged(kernel))
    // A segment of 16 words in both directions.
    return {16, 16, 1};
  return {row, threads / row, 1};
}

/// Writes the ids of work items as block and thread ids.
static void replaceGlobalIds(gpu::GPUFuncOp kernel,
                             const std::array<int64_t, 3> &block) {
  std::array<Value, 3> replacements;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<gpu::GlobalIdOp> ids;
  kernel.walk([&](gpu::GlobalIdOp id) { ids.push_back(id); });
  for (gpu::GlobalIdOp id : ids) {
    Value &replacement = replacements[static_cast<unsigned>(id.getDimension())];
    if (!replacement) {
      Location loc = id.getLoc();
      Value blockId = gpu::BlockIdOp::create(builder, loc, id.getDimension());
      Value threadId = gpu::ThreadIdOp::create(builder, loc, id.getDimension());
      AffineExpr expr = builder.getAffineDimExpr(0) *
                            block[static_cast<unsigned>(id.getDimension())] +
                        builder.getAffineDimExpr(1);
      replacement = affine::AffineApplyOp::create(
          builder, loc, AffineMap::get(2, 0, expr),
          ValueRange{blockId, threadId});
    }
    id.replaceAllUsesWith(replacement);
  }
  for (gpu::GlobalIdOp id : ids)
    id.erase();
}

static void applyPlan(gpu::GPUFuncOp kernel, const GeometryPlan &plan) {
  keepOriginal(kernel);
  replaceGlobalIds(kernel, plan.block);

  Builder builder(kernel.getContext());
  SmallVector<Attribute> extents;
  for (AffineExpr extent : plan.extents)
    extents.push_back(extent ? Attribute(AffineMapAttr::get(AffineMap::get(
                                   0, kernel.getNumArguments(), extent)))
                             : Attribute(builder.getUnitAttr()));
  int64_t one[3] = {1, 1, 1};
  kernel->setAttr(kGeometryAttrName,
                  GeometryAttr::get(kernel.getContext(), plan.block, one,
                                    plan.block, builder.getArrayAttr(extents)));
  SmallVector<int32_t> known(plan.block.begin(), plan.block.end());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(known));
}

namespace {
struct AssignGeometry
    : public gpuopt::impl::AssignGeometryPassBase<AssignGeometry> {
  using AssignGeometryPassBase::AssignGeometryPassBase;

  void runOnOperation() override {
    // 1. The kernels that have no geometry yet and are nobody's fallback.
    SmallVector<gpu::GPUFuncOp> kernels;
    llvm::DenseSet<StringAttr> fallbacks;
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (auto name =
              kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
        fallbacks.insert(name.getAttr());
      if (kernel.isKernel() && !kernel.getBody().empty() && !geometryOf(kernel))
        kernels.push_back(kernel);
    }
    // 2. Each on its own.
    for (gpu::GPUFuncOp kernel : kernels)
      if (!fallbacks.contains(kernel.getNameAttr()) && failed(assign(kernel)))
        return signalPassFailure();
  }

private:
  LogicalResult assign(gpu::GPUFuncOp kernel);
  FailureOr<std::array<int64_t, 3>> chooseBlock(gpu::GPUFuncOp kernel);
};
} // namespace

FailureOr<std::array<int64_t, 3>>
AssignGeometry::chooseBlock(gpu::GPUFuncOp kernel) {
  if (block.empty()) {
    FailureOr<TargetAttr> description = resolveTarget(kernel, target);
    if (failed(description))
      return failure();
    return defaultBlock(kernel, *description);
  }
  std::array<int64_t, 3> shape = {1, 1, 1};
  if (block.size() > 3)
    return kernel.emitError("expected at most three threads per block, found ")
           << block.size();
  llvm::copy(block, shape.begin());
  for (int64_t threads : shape)
    if (threads < 1 || threads > 1024)
      return kernel.emitError(
                 "expected between 1 and 1024 threads in each dimension of a "
                 "block, found ")
             << threads;
  return shape;
}

LogicalResult AssignGeometry::assign(gpu::GPUFuncOp kernel) {
  if (std::optional<Obstacle> obstacle = findObstacle(kernel)) {
    remark::missed(obstacle->loc, remarkOptions(remarkName, kernel))
        << remark::reason("{0} keeps its launch: {1}", kernel.getName(),
                          obstacle->reason);
    ++kept;
    return success();
  }
  FailureOr<std::array<int64_t, 3>> shape = chooseBlock(kernel);
  if (failed(shape))
    return failure();
  applyPlan(kernel, {*shape, findExtents(kernel)});
  remark::passed(kernel.getLoc(), remarkOptions(remarkName, kernel))
      << remark::add("launched in blocks of {0}x{1}x{2}", (*shape)[0],
                     (*shape)[1], (*shape)[2]);
  ++assigned;
  return success();
}
