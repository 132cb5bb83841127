//===- UseMatrixUnits.cpp - tiles multiplied by subgroups -----------------===//
//
// The block has its tiles and each thread its sums; here subgroups get to
// multiply the one and own the other together. See MatrixPlan.h for how, and
// Contraction.h for what.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/LibraryCalls.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Tensor/MatrixRewrite.h"
#include "passes/Transforms/Tensor/WarpgroupPlan.h"
#include "passes/Transforms/Utils/IndexUses.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace gpuopt {
#define GEN_PASS_DEF_USEMATRIXUNITS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Why threads of a block cannot swap their places; nothing where they can.
static std::optional<Refusal> findThreadOrder(gpu::GPUFuncOp kernel) {
  ArrayRef<int64_t> original = geometryOf(kernel).getOriginalBlock();
  if (llvm::any_of(original, [](int64_t threads) { return threads > 1; }))
    return Refusal{kernel.getLoc(), "the kernel keeps its source's block"};
  std::optional<Refusal> refusal;
  kernel.walk([&](Operation *op) {
    bool isHarmless = isa<gpu::GPUFuncOp, gpu::ReturnOp, gpu::ThreadIdOp,
                          gpu::BlockIdOp, gpu::GridDimOp, gpu::BarrierOp>(op) ||
                      (isa<CallOpInterface>(op) && callsLibrary(op));
    if (isHarmless || !(mayTellPlace(op) || isa<CallOpInterface>(op)))
      return WalkResult::advance();
    refusal = Refusal{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                        "' may depend on how threads are "
                                        "grouped"};
    return WalkResult::interrupt();
  });
  return refusal;
}

/// "64 x 32": rows and columns of sums that a subgroup owns.
static std::string subgroupTile(const MatrixPlan &plan) {
  int64_t rows = plan.rowGroups.size() * plan.layout.rows();
  int64_t columns = plan.columnPairs.size() * plan.layout.columns();
  return std::to_string(rows) + " x " + std::to_string(columns);
}

static std::string operandsOf(MatrixUnitAttr unit) {
  std::string operands;
  llvm::raw_string_ostream(operands) << unit.getOperands();
  return operands;
}

static void report(gpu::GPUFuncOp kernel, const WarpgroupPlan &plan,
                   Location loc) {
  auto said = sayPassed(RemarkCode::WarpgroupUnitsUsed, kernel, loc,
                        {{"columns", plan.columnsOfProduct()},
                         {"depth", plan.unit.getDepth()},
                         {"operands", operandsOf(plan.unit)}});
  int64_t products =
      plan.productsOfIteration() * plan.depth / plan.unit.getDepth();
  said << remark::metric("instructions", static_cast<int>(products));
  if (isa<FloatType>(plan.unit.getSums()))
    said << remark::metric(kReordersSumsKey, true);
}

static void report(gpu::GPUFuncOp kernel, const MatrixPlan &plan, Location loc,
                   int64_t matrixLoads) {
  auto said = sayPassed(RemarkCode::MatrixUnitsUsed, kernel, loc,
                        {{"rows", plan.unit.getRows()},
                         {"columns", plan.unit.getColumns()},
                         {"depth", plan.unit.getDepth()},
                         {"operands", operandsOf(plan.unit)},
                         {"tile", subgroupTile(plan)}});
  int64_t products = plan.rowGroups.size() * plan.columnPairs.size();
  said << remark::metric("instructions", static_cast<int>(products))
       << remark::metric("matrix_loads", static_cast<int>(matrixLoads));
  if (isa<FloatType>(plan.unit.getSums()))
    said << remark::metric(kReordersSumsKey, true);
}

/// Lets blocks have a row of threads for each subgroup.
static SubgroupIds makeSubgroups(gpu::GPUFuncOp kernel) {
  GeometryAttr geometry = geometryOf(kernel);
  ArrayRef<int64_t> block = geometry.getBlock();
  constexpr int64_t lanes =
      FragmentLayout::kLanesOfRow * FragmentLayout::kRowsOfLanes;
  int64_t shape[] = {lanes, block[0] * block[1] / lanes, 1};
  SubgroupIds ids;
  ids.subgroupsAlongX = block[0] / FragmentLayout::kLanesOfRow;
  kernel->setAttr(kGeometryAttrName,
                  GeometryAttr::get(
                      kernel.getContext(), shape, geometry.getItemsPerThread(),
                      geometry.getItemsPerBlock(), geometry.getExtents(),
                      geometry.getOriginalBlock()));
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  ids.lane =
      gpu::ThreadIdOp::create(builder, kernel.getLoc(), gpu::Dimension::x);
  ids.subgroup =
      gpu::ThreadIdOp::create(builder, kernel.getLoc(), gpu::Dimension::y);
  auto part = [&](int64_t first, int64_t count) -> Value {
    Value begin = arith::DivUIOp::create(
        builder, kernel.getLoc(), ids.lane,
        arith::ConstantIndexOp::create(builder, kernel.getLoc(), first));
    return arith::RemUIOp::create(
        builder, kernel.getLoc(), begin,
        arith::ConstantIndexOp::create(builder, kernel.getLoc(), count));
  };
  ids.matrixRow = part(1, 8);
  ids.matrixBits[0] = part(8, 2);
  ids.matrixBits[1] = part(16, 2);
  return ids;
}

namespace {
struct UseMatrixUnits
    : public gpuopt::impl::UseMatrixUnitsBase<UseMatrixUnits> {
  using UseMatrixUnitsBase::UseMatrixUnitsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      FailureOr<TargetAttr> machine = resolveTarget(kernel, target);
      if (failed(machine))
        return signalPassFailure();
      if (geometryOf(kernel) && kernel.getBody().hasOneBlock() &&
          machine->getMatrixUnits())
        useUnits(kernel, *machine);
    }
  }

  void useUnits(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

/// The contractions of `kernel` whose types `machine` has a unit for.
static std::vector<Contraction> findContractions(gpu::GPUFuncOp kernel,
                                                 TargetAttr machine) {
  std::vector<Contraction> found;
  kernel.walk([&](affine::AffineForOp loop) {
    std::optional<Contraction> contraction = recogniseContraction(loop);
    constexpr int64_t anyTrips = 0;
    if (contraction && findMatrixUnit(*contraction, machine, anyTrips))
      found.push_back(std::move(*contraction));
  });
  return found;
}

namespace {
/// The loops of a kernel that units will run: those of warpgroups, and those of
/// subgroups.
struct Plans {
  std::vector<WarpgroupPlan> ofWarpgroups;
  std::vector<MatrixPlan> ofSubgroups;

  bool empty() const { return ofWarpgroups.empty() && ofSubgroups.empty(); }
};
} // namespace

static Plans makePlans(gpu::GPUFuncOp kernel, TargetAttr machine,
                       std::vector<Contraction> contractions) {
  UniformityAnalysis uniformity(kernel);
  Plans plans;
  for (Contraction &contraction : contractions) {
    if (auto plan = planWarpgroups(kernel, contraction, machine, uniformity)) {
      plans.ofWarpgroups.push_back(std::move(*plan));
      continue;
    }
    auto plan =
        planMatrices(kernel, std::move(contraction), machine, uniformity);
    if (auto *refusal = std::get_if<Refusal>(&plan))
      sayMissed(RemarkCode::MatrixUnitsNotUsed, kernel, *refusal);
    else
      plans.ofSubgroups.push_back(std::get<MatrixPlan>(std::move(plan)));
  }
  return plans;
}

void UseMatrixUnits::useUnits(gpu::GPUFuncOp kernel, TargetAttr machine) {
  std::vector<Contraction> contractions = findContractions(kernel, machine);
  if (contractions.empty())
    return;
  gatherIds(kernel);
  Plans plans = makePlans(kernel, machine, std::move(contractions));
  if (plans.empty())
    return;
  std::optional<Refusal> refusal = findThreadOrder(kernel);
  if (!refusal && !instructions)
    refusal =
        Refusal{kernel.getLoc(), "source has no form of matrix instructions"};
  if (refusal)
    return sayMissed(RemarkCode::MatrixUnitsNotUsed, kernel, *refusal);
  SubgroupIds ids = makeSubgroups(kernel);
  for (const MatrixPlan &plan : plans.ofSubgroups) {
    affine::AffineForOp loop = plan.contraction.loop;
    Location loc = loop.getLoc();
    report(kernel, plan, loc, multiplyByUnits(plan, ids));
    ++rewritten;
  }
  for (const WarpgroupPlan &plan : plans.ofWarpgroups) {
    affine::AffineForOp loop = plan.contraction.loop;
    Location loc = loop.getLoc();
    multiplyByWarpgroups(plan, ids);
    report(kernel, plan, loc);
    ++rewritten;
  }
  placeThreads(kernel, ids);
  simplifyIndices(kernel);
}
