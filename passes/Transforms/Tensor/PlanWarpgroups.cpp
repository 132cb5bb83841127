//===- PlanWarpgroups.cpp - blocks for products of warpgroups -------------===//
//
// Decides, before anything is fixed, whether a product is one for warpgroups,
// and for which block, items and tiles. The passes that follow do as they
// always do; `gpuopt-use-matrix-units` finds what it wants then, or what is
// good enough for subgroups.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/BlockItems.h"
#include "passes/Transforms/Geometry/FixGeometry.h"
#include "passes/Transforms/Geometry/LaunchObstacle.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Tensor/WarpgroupModel.h"
#include "passes/Transforms/Tensor/WarpgroupPlan.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cmath>

namespace gpuopt {
#define GEN_PASS_DEF_PLANWARPGROUPS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
/// What is asked of one product.
class ProductReader {
public:
  ProductReader(gpu::GPUFuncOp function, TargetAttr machine)
      : kernel(function), target(machine), functions(function) {}

  /// Why `contraction` is none for warpgroups; fills in the members where it
  /// is.
  std::optional<Refusal> read(const Contraction &contraction);

  MatrixUnitAttr unit;
  /// The arrays of both sides.
  SmallVector<std::string> arrays;
  /// Products of a tile's sums: as many as a line of 128 bytes has elements.
  int64_t depth = 0;

private:
  std::optional<Refusal> readSide(const Contraction::Side &side,
                                  const Contraction &contraction);
  std::optional<Refusal> checkStores();
  bool dependsOn(const AccessFunction &access, unsigned dimension) const;

  gpu::GPUFuncOp kernel;
  TargetAttr target;
  AccessFunctions functions;
  /// Along which dimensions sides have been found.
  std::array<bool, 2> found = {};
};
} // namespace

static Refusal refuse(Operation *op, const Twine &reason) {
  return {op->getLoc(), reason.str()};
}

bool ProductReader::dependsOn(const AccessFunction &access,
                              unsigned dimension) const {
  return functions.variables().dependsOnAny(
      access.address, [&](unsigned variable) {
        return variable == VariableTable::threadId(dimension);
      });
}

std::optional<Refusal> ProductReader::readSide(const Contraction::Side &side,
                                               const Contraction &contraction) {
  affine::AffineLoadOp load = side.loads.front();
  const AccessFunction *access = functions.lookup(load);
  if (side.loads.size() != 1 || !access || !access->isResolved() ||
      access->space != MemorySpace::Global || access->loops.empty() ||
      access->loops.back() < 0)
    return refuse(load, "a matrix is not in global memory, or is not accessed "
                        "by ids and the loop's iterator alone");
  bool alongX = dependsOn(*access, 0);
  if (alongX == dependsOn(*access, 1))
    return refuse(load, "rows and columns do not follow the work items' two "
                        "directions");
  found[alongX ? 0 : 1] = true;
  auto isContiguousAlong = [&](unsigned variable) {
    return access->address.getCofactor(variable) ==
           Polynomial(access->elementBytes);
  };
  bool isTransposed =
      isContiguousAlong(VariableTable::threadId(alongX ? 0 : 1));
  if (!isTransposed && !isContiguousAlong(access->loops.back()))
    return refuse(load, "neighbouring elements are not those of a row or a "
                        "column");
  if (isTransposed && !mayBeTransposed(unit))
    return refuse(load, "warpgroups multiply matrices of this type only where "
                        "the elements for one sum are neighbours");
  arrays.push_back(access->array);
  return std::nullopt;
}

/// What follows the product accesses global memory in the order of the lanes,
/// which lie along x.
std::optional<Refusal> ProductReader::checkStores() {
  for (const AccessFunction &access : functions.accesses()) {
    if (access.kind == AccessKind::Load || access.space != MemorySpace::Global)
      continue;
    if (!access.isResolved() ||
        access.address.getCofactor(VariableTable::threadId(0)) !=
            Polynomial(access.elementBytes))
      return refuse(access.op, "results of work items along x are no "
                               "neighbours");
  }
  return std::nullopt;
}

std::optional<Refusal> ProductReader::read(const Contraction &contraction) {
  unit = findWarpgroupUnit(contraction, target);
  auto loop = contraction.loop;
  depth = kWarpgroupLineBytes * 8 / unit.getOperands().getIntOrFloatBitWidth();
  if (loop.getStepAsInt() != 1)
    return refuse(loop, "the loop does not count by ones");
  if (std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
      trips && static_cast<int64_t>(*trips) < depth)
    return refuse(loop, "sums of " + Twine(*trips) +
                            " products are too short for tiles of " +
                            Twine(depth));
  for (const auto *side : {&contraction.rows, &contraction.columns})
    if (std::optional<Refusal> refusal = readSide(*side, contraction))
      return refusal;
  if (!found[0] || !found[1])
    return refuse(loop, "both matrices follow the same direction");
  return checkStores();
}

namespace {
struct PlanWarpgroups
    : public gpuopt::impl::PlanWarpgroupsBase<PlanWarpgroups> {
  using PlanWarpgroupsBase::PlanWarpgroupsBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectOpenKernels(getOperation())) {
      FailureOr<TargetAttr> machine = resolveTarget(kernel, target);
      if (failed(machine))
        return signalPassFailure();
      if (kernel.getBody().hasOneBlock() && machine->getMatrixUnits() &&
          !kernel->hasAttr(kPartitionAttrName))
        plan(kernel, *machine);
    }
  }

  void plan(gpu::GPUFuncOp kernel, TargetAttr machine);
  std::optional<WarpgroupShape> requestedShape();
};
} // namespace

/// The shape that the options ask for; nothing where they leave it open, or ask
/// for one that is none of warpgroups.
std::optional<WarpgroupShape> PlanWarpgroups::requestedShape() {
  constexpr int64_t lanes = FragmentLayout::kLanesOfRow,
                    rows = kWarpgroupSubgroups * FragmentLayout::kRowsOfLanes;
  auto entry = [](ArrayRef<int64_t> list, size_t index) {
    return index < list.size() ? list[index] : 1;
  };
  WarpgroupShape shape;
  shape.columns = lanes * entry(*threads, 0);
  shape.products = entry(*threads, 1) / 2;
  shape.warpgroups = entry(*block, 1) / rows;
  bool isShape = entry(*block, 0) == lanes && entry(*block, 1) % rows == 0 &&
                 entry(*block, 2) == 1 && entry(*threads, 1) % 2 == 0 &&
                 entry(*threads, 2) == 1 && shape.columns % 8 == 0 &&
                 shape.columns <= kMostWarpgroupColumns &&
                 llvm::all_of(*blocks, [](int64_t b) { return b == 1; });
  return isShape ? std::optional(shape) : std::nullopt;
}

/// What the passes after this one take the plan from.
static DictionaryAttr toAttribute(const ProductReader &product,
                                  const WarpgroupShape &shape,
                                  Builder &builder) {
  auto shapeOf = [&](int64_t x, int64_t y) {
    return builder.getDenseI32ArrayAttr({int32_t(x), int32_t(y), 1});
  };
  SmallVector<StringRef> arrays(product.arrays.begin(), product.arrays.end());
  constexpr int64_t lanes = FragmentLayout::kLanesOfRow;
  NamedAttrList partition;
  partition.set("arrays", builder.getStrArrayAttr(arrays));
  partition.set("block", shapeOf(lanes, shape.warpgroups * kWarpgroupSubgroups *
                                            FragmentLayout::kRowsOfLanes));
  partition.set("items", shapeOf(shape.columns / lanes, 2 * shape.products));
  partition.set("contiguous", shapeOf(FragmentLayout::kColumns, 1));
  partition.set("iterations", builder.getI64IntegerAttr(product.depth));
  return partition.getDictionary(builder.getContext());
}

/// The part of the rate of `unit` that the best unit of subgroups has.
static double shareOfSubgroups(const Contraction &contraction,
                               MatrixUnitAttr unit, TargetAttr machine) {
  constexpr int64_t anyTrips = 0;
  MatrixUnitAttr other = findMatrixUnit(contraction, machine, anyTrips);
  return other ? double(other.getGflops()) / double(unit.getGflops()) : 0;
}

/// Whether `kernel` has workgroup memory of its own, some of which may be of a
/// size that the launch gives: tiles need that place.
static bool usesWorkgroupMemory(gpu::GPUFuncOp kernel) {
  return kernel.getNumWorkgroupAttributions() > 0 ||
         kernel
             .walk([](Operation *op) {
               return isa<gpu::DynamicSharedMemoryOp, LLVM::AddressOfOp>(op)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

static int percent(double share) {
  return static_cast<int>(std::lround(100 * share));
}

void PlanWarpgroups::plan(gpu::GPUFuncOp kernel, TargetAttr machine) {
  std::optional<Contraction> contraction;
  kernel.walk([&](affine::AffineForOp loop) {
    std::optional<Contraction> found = recogniseContraction(loop);
    // Of others the pass that uses units says why they are left alone.
    if (!contraction && found && found->mayReorder &&
        findWarpgroupUnit(*found, machine))
      contraction = std::move(found);
  });
  bool isAsked = !block.empty() || !threads.empty() || !blocks.empty();
  std::optional<WarpgroupShape> shape =
      isAsked ? requestedShape() : std::optional<WarpgroupShape>();
  // A kernel that keeps its launch has no use for a plan.
  if (!contraction || (isAsked && !shape) ||
      findLaunchObstacle(kernel, findBlockItems(kernel), *block))
    return;
  if (usesWorkgroupMemory(kernel))
    return sayMissed(RemarkCode::WarpgroupsNotPlanned, kernel,
                     refuse(kernel, "the kernel has workgroup memory of its "
                                    "own"));
  ProductReader product(kernel, machine);
  if (std::optional<Refusal> refusal = product.read(*contraction))
    return sayMissed(RemarkCode::WarpgroupsNotPlanned, kernel, *refusal);
  if (!shape)
    shape = chooseShape(product.unit, machine);
  double share = shareOfPeak(*shape, product.unit, machine);
  double other = shareOfSubgroups(*contraction, product.unit, machine);
  if (share <= other && !isAsked)
    return sayMissed(RemarkCode::WarpgroupsNotPlanned, kernel,
                     refuse(contraction->loop,
                            "warpgroups would reach " + Twine(percent(share)) +
                                " % of their unit's peak, subgroups " +
                                Twine(percent(other)) + " %"));
  Builder builder(&getContext());
  kernel->setAttr(kPartitionAttrName, toAttribute(product, *shape, builder));
  sayFound(RemarkCode::WarpgroupsPlanned, kernel, contraction->loop->getLoc(),
           {{"warpgroups", shape->warpgroups},
            {"columns", shape->columns},
            {"share", percent(share)},
            {"other", percent(other)}});
  ++planned;
}
