//===- MatrixPlan.cpp - how a subgroup multiplies tiles -------------------===//

#include "passes/Transforms/Tensor/MatrixPlan.h"

#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace gpuopt;

static Refusal refuse(Operation *op, const Twine &reason) {
  return {op->getLoc(), reason.str()};
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

bool gpuopt::isWidenedForUnits(const Contraction &contraction) {
  Contraction::Widening wanted = Contraction::Widening::None;
  if (contraction.elementType != contraction.sumType)
    wanted = isa<FloatType>(contraction.elementType)
                 ? Contraction::Widening::Float
                 : Contraction::Widening::Signed;
  return contraction.rows.widening == wanted &&
         contraction.columns.widening == wanted;
}

/// The rate of the vector units in what `type` sums up to.
static int64_t vectorRate(TargetAttr target, Type type) {
  return type.isF64() ? target.getF64Gflops() : target.getF32Gflops();
}

MatrixUnitAttr gpuopt::findMatrixUnit(const Contraction &contraction,
                                      TargetAttr target, int64_t trips) {
  MatrixUnitAttr best;
  if (!target.getMatrixUnits() || !isWidenedForUnits(contraction))
    return best;
  for (auto unit : target.getMatrixUnits().getAsRange<MatrixUnitAttr>())
    if (unit.getOperands() == contraction.elementType &&
        unit.getSums() == contraction.sumType && layoutOf(unit) &&
        trips % unit.getDepth() == 0 &&
        unit.getGflops() > vectorRate(target, unit.getSums()) &&
        (!best || unit.getDepth() > best.getDepth()))
      best = unit;
  return best;
}

static bool isTileLoad(affine::AffineLoadOp load) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(load.getMemRefType());
}

/// The iterations of `loop` for a full tile: the constant of its ends.
static int64_t fullTrips(affine::AffineForOp loop) {
  if (!loop.hasConstantLowerBound() || loop.getStepAsInt() != 1)
    return 0;
  for (AffineExpr end : loop.getUpperBoundMap().getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(end))
      return constant.getValue() - loop.getConstantLowerBound();
  return 0;
}

bool gpuopt::wantsMatrixUnits(gpu::GPUFuncOp kernel, TargetAttr target) {
  if (!target.getMatrixUnits())
    return false;
  return kernel
      .walk([&](affine::AffineForOp loop) {
        int64_t trips = fullTrips(loop);
        if (trips <= 0)
          return WalkResult::advance();
        std::optional<Contraction> found = recogniseContraction(loop);
        bool isWanted = found && found->mayReorder &&
                        llvm::all_of(found->rows.loads, isTileLoad) &&
                        llvm::all_of(found->columns.loads, isTileLoad) &&
                        findMatrixUnit(*found, target, trips);
        return isWanted ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
class Planner {
public:
  Planner(gpu::GPUFuncOp function, const UniformityAnalysis &values)
      : kernel(function), uniformity(values) {}

  std::optional<Refusal> run(Contraction contraction, TargetAttr target);

  MatrixPlan plan;

private:
  std::optional<Refusal> checkLoop();
  std::optional<Refusal> checkBlock(TargetAttr target);
  std::optional<Refusal> orient();
  std::optional<Refusal> readSide(const Contraction::Side &side,
                                  SmallVector<TileSubscripts> &subscripts);
  void groupRows();
  std::optional<Refusal> pairColumns();

  gpu::GPUFuncOp kernel;
  const UniformityAnalysis &uniformity;
};
} // namespace

/// The ids of threads that the subscripts of `load` depend on.
static Dependence threadsOf(affine::AffineLoadOp load, Value iterator,
                            const UniformityAnalysis &uniformity) {
  Dependence dependence = Dependence::None;
  for (Value operand : load.getMapOperands())
    if (operand != iterator)
      dependence |= uniformity.dependsOn(operand);
  return dependence & ~Dependence::AllBlocks;
}

std::optional<Refusal> Planner::checkLoop() {
  affine::AffineForOp loop = plan.contraction.loop;
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1)
    return refuse(loop, "the loop over the tile has no constant bounds");
  if (!uniformity.isUnderUniformControl(loop))
    return refuse(loop, "not all threads of a block get to the loop");
  for (const auto *side : {&plan.contraction.rows, &plan.contraction.columns})
    for (affine::AffineLoadOp load : side->loads)
      if (!isTileLoad(load))
        return refuse(load, "not both matrices have tiles in workgroup memory");
  return std::nullopt;
}

std::optional<Refusal> Planner::checkBlock(TargetAttr target) {
  if (target.getSubgroupSize() !=
      FragmentLayout::kLanesOfRow * FragmentLayout::kRowsOfLanes)
    return refuse(kernel, "a subgroup of the target has no 32 lanes");
  ArrayRef<int64_t> block = geometryOf(kernel).getBlock();
  if (block[0] % FragmentLayout::kLanesOfRow ||
      block[1] % FragmentLayout::kRowsOfLanes || block[2] != 1)
    return refuse(kernel, "a block of " + Twine(block[0]) + " x " +
                              Twine(block[1]) + " x " + Twine(block[2]) +
                              " threads is none of subgroups of 4 x 8 threads");
  return std::nullopt;
}

/// Makes rows of what depends on the thread's id along y.
std::optional<Refusal> Planner::orient() {
  Contraction &contraction = plan.contraction;
  auto dependsOnly = [&](const Contraction::Side &side, Dependence id) {
    return llvm::all_of(side.loads, [&](affine::AffineLoadOp load) {
      return threadsOf(load, contraction.loop.getInductionVar(), uniformity) ==
             id;
    });
  };
  if (dependsOnly(contraction.rows, Dependence::ThreadX))
    contraction.transpose();
  if (!dependsOnly(contraction.rows, Dependence::ThreadY) ||
      !dependsOnly(contraction.columns, Dependence::ThreadX))
    return refuse(contraction.loop,
                  "rows and columns do not follow the block's two directions");
  return std::nullopt;
}

std::optional<Refusal>
Planner::readSide(const Contraction::Side &side,
                  SmallVector<TileSubscripts> &subscripts) {
  for (affine::AffineLoadOp load : side.loads) {
    TileSubscripts read{load, load.getAffineMap(), {}};
    llvm::append_range(read.operands, load.getMapOperands());
    affine::fullyComposeAffineMapAndOperands(&read.map, &read.operands);
    affine::canonicalizeMapAndOperands(&read.map, &read.operands);
    for (Value operand : read.operands)
      if (operand != plan.contraction.loop.getInductionVar() &&
          !operand.getDefiningOp<gpu::ThreadIdOp>() &&
          !uniformity.isBlockUniform(operand))
        return refuse(load, "a subscript is not affine in the thread's ids");
    subscripts.push_back(std::move(read));
  }
  return std::nullopt;
}

/// Rows of a fragment may be any of a thread's.
void Planner::groupRows() {
  int64_t parts = plan.layout.rowParts;
  for (unsigned row = 0; row < plan.rows.size(); ++row) {
    if (row % parts == 0)
      plan.rowGroups.emplace_back();
    plan.rowGroups.back().push_back(row);
  }
}

std::optional<SmallVector<int64_t>>
gpuopt::distanceOf(const TileSubscripts &left, const TileSubscripts &right) {
  affine::AffineLoadOp leftLoad = left.load, rightLoad = right.load;
  if (leftLoad.getMemRef() != rightLoad.getMemRef() ||
      left.operands != right.operands ||
      left.map.getNumDims() != right.map.getNumDims())
    return std::nullopt;
  SmallVector<int64_t> distance;
  for (auto [from, to] :
       llvm::zip_equal(left.map.getResults(), right.map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        to - from, left.map.getNumDims(), left.map.getNumSymbols()));
    if (!constant)
      return std::nullopt;
    distance.push_back(constant.getValue());
  }
  return distance;
}

/// Columns that are nearest to each other in their tile make a pair.
std::optional<Refusal> Planner::pairColumns() {
  std::vector<std::pair<SmallVector<int64_t>, unsigned>> order;
  for (auto [number, column] : llvm::enumerate(plan.columns)) {
    auto distance = distanceOf(plan.columns.front(), column);
    if (!distance)
      return refuse(column.load,
                    "the columns of a thread are not equally far apart");
    order.emplace_back(*distance, number);
  }
  llvm::sort(order);
  for (size_t pair = 0; pair + 1 < order.size(); pair += 2) {
    auto distance = distanceOf(plan.columns[order[pair].second],
                               plan.columns[order[pair + 1].second]);
    plan.columnPairs.push_back(
        {order[pair].second, order[pair + 1].second, *distance});
  }
  return std::nullopt;
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::optional<Refusal> Planner::run(Contraction contraction,
                                    TargetAttr target) {
  plan.contraction = std::move(contraction);
  Contraction &found = plan.contraction;
  if (std::optional<Refusal> refusal = checkLoop())
    return refusal;
  int64_t trips = affine::getConstantTripCount(found.loop).value_or(0);
  plan.unit = findMatrixUnit(found, target, trips);
  if (!plan.unit)
    return refuse(found.loop, "the target has no unit for " + Twine(trips) +
                                  " products of " + textOf(found.elementType) +
                                  " summed up in " + textOf(found.sumType));
  plan.layout = *layoutOf(plan.unit);
  if (std::optional<Refusal> refusal = checkBlock(target))
    return refusal;
  if (std::optional<Refusal> refusal = orient())
    return refusal;
  if (found.rows.loads.size() % plan.layout.rowParts ||
      found.columns.loads.size() % FragmentLayout::kColumns)
    return refuse(found.loop, "a thread has too few work items: " +
                                  Twine(found.rows.loads.size()) + " x " +
                                  Twine(found.columns.loads.size()));
  if (!found.mayReorder)
    return refuse(found.loop,
                  "matrix units of " + Twine(plan.unit.getGflops() / 1000) +
                      " Tflop/s are left alone: they add products in an order "
                      "of their own, and the sum is not marked 'reassoc' "
                      "(--reassociate)");
  if (std::optional<Refusal> refusal = readSide(found.rows, plan.rows))
    return refusal;
  if (std::optional<Refusal> refusal = readSide(found.columns, plan.columns))
    return refusal;
  groupRows();
  return pairColumns();
}

std::variant<MatrixPlan, Refusal>
gpuopt::planMatrices(gpu::GPUFuncOp kernel, Contraction contraction,
                     TargetAttr target, const UniformityAnalysis &uniformity) {
  Planner planner(kernel, uniformity);
  if (std::optional<Refusal> refusal =
          planner.run(std::move(contraction), target))
    return *refusal;
  return std::move(planner.plan);
}
