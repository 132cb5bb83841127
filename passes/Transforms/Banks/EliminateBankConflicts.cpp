//===- EliminateBankConflicts.cpp - spread tiles over the banks -----------===//
//
// Gives workgroup arrays whose accesses meet in a bank of workgroup memory
// another layout. It moves elements to other places and changes every access to
// match; that is right where all accesses are known and tell the elements apart
// by their subscripts. Which layout is chosen is a matter of BankLayout.h.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/IndexBounds.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Transforms/Banks/LayoutRewrite.h"
#include "passes/Transforms/Banks/WarpgroupLayout.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/KnownBlock.h"
#include "passes/Transforms/Utils/TileShape.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace gpuopt {
#define GEN_PASS_DEF_ELIMINATEBANKCONFLICTS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a kernel.
class KernelFacts {
public:
  KernelFacts(gpu::GPUFuncOp kernel, BlockShape block);

  /// Checks that the layout of `array` may change.
  std::optional<Refusal> check(BlockArgument array);
  TileArray describe(BlockArgument array) const;
  BankContext context(TargetAttr target) const;

  gpu::GPUFuncOp kernel;

private:
  bool isInside(Operation *op, const Subscripts &subscripts, MemRefType type);
  bool isNonNegative(Operation *op, const Polynomial &form,
                     const Polynomial &value);

  BlockShape block;
  AccessFunctions functions;
  IndexBounds bounds;
  IntegerValues values;
};
} // namespace

KernelFacts::KernelFacts(gpu::GPUFuncOp function, BlockShape shape)
    : kernel(function), block(shape), functions(function),
      bounds(function, shape), values(function) {
  // In loops without a rest the last iteration starts a step before the end.
  kernel.walk([&](affine::AffineForOp loop) {
    if (loop.hasConstantBounds() && loop.getStepAsInt() > 1 &&
        (loop.getConstantUpperBound() - loop.getConstantLowerBound()) %
                loop.getStepAsInt() ==
            0)
      bounds.assumeFullTiles(loop);
  });
}

/// Two analyses know different things: `form` the block shape, `value` the
/// guards around `op`.
bool KernelFacts::isNonNegative(Operation *op, const Polynomial &form,
                                const Polynomial &value) {
  std::optional<int64_t> least = bounds.minimum(form).getConstant();
  return (least && *least >= 0) || provesNonNegative(op, value, values);
}

/// Whether every subscript stays in its dimension. One that leaves the
/// outermost dimension leaves the array, which no program may.
bool KernelFacts::isInside(Operation *op, const Subscripts &subscripts,
                           MemRefType type) {
  SmallVector<Polynomial> forms, exact;
  if (subscripts.map) {
    forms = bounds.formsOf(subscripts.map, subscripts.operands);
    exact = values.get(subscripts.map, subscripts.operands);
  } else {
    for (Value operand : subscripts.operands) {
      forms.push_back(bounds.formOf(operand));
      exact.push_back(values.getExact(operand, false).value);
    }
  }
  for (int64_t dimension = 1; dimension < type.getRank(); ++dimension) {
    bool isRow = dimension + 1 == type.getRank();
    Polynomial last =
        type.getDimSize(dimension) - (isRow ? subscripts.elements : int64_t(1));
    if (!isNonNegative(op, forms[dimension], exact[dimension]) ||
        !isNonNegative(op, last - forms[dimension], last - exact[dimension]))
      return false;
  }
  return true;
}

std::optional<Refusal> KernelFacts::check(BlockArgument array) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return Refusal{array.getLoc(), "the array's layout is given"};
  for (Operation *user : array.getUsers()) {
    std::optional<Subscripts> subscripts = subscriptsOf(user, array);
    if (!subscripts)
      return Refusal{user->getLoc(),
                     ("the array is used by '" +
                      user->getName().getStringRef() +
                      "', which may depend on where its elements lie")
                         .str()};
    if (!isInside(user, *subscripts, type))
      return Refusal{user->getLoc(), "a subscript may leave its dimension"};
  }
  return std::nullopt;
}

TileArray KernelFacts::describe(BlockArgument array) const {
  auto type = cast<MemRefType>(array.getType());
  TileArray tile;
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  for (const AccessFunction &access : functions.accesses()) {
    if (access.base != array)
      continue;
    tile.elementBytes = access.elementBytes;
    tile.accesses.push_back(
        {access,
         computeExecutions(access, functions.variables(), block).count});
  }
  return tile;
}

/// Registers that hold the values that loops carry: a lower bound on what a
/// thread needs.
static int64_t carriedRegisters(gpu::GPUFuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](LoopLikeOpInterface loop) {
    int64_t registers = 0;
    for (Value value : loop.getRegionIterArgs())
      registers += registersOf(value.getType());
    most = std::max(most, registers);
  });
  return most;
}

BankContext KernelFacts::context(TargetAttr target) const {
  BlockResources resources;
  resources.threads = block[0] * block[1] * block[2];
  resources.registersPerThread =
      std::min(carriedRegisters(kernel), target.getRegistersPerThread());
  resources.workgroupMemoryBytes = workgroupBytes(kernel);
  return BankContext{target, block, functions.variables(), resources,
                     staticWorkgroupLimit(target)};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What was done for `layout` to an array of `rank` dimensions. Adds to
/// `values` what the remark says of it.
static RemarkCode describe(const BankLayout &layout, unsigned rank,
                           SmallVectorImpl<RemarkValue> &values) {
  switch (layout.kind) {
  case BankLayout::Kind::Permuted: {
    SmallVector<std::string> order;
    for (unsigned dimension : layout.order)
      order.push_back(std::to_string(dimension));
    values.emplace_back("order", llvm::join(order, ", "));
    return RemarkCode::TilePermuted;
  }
  case BankLayout::Kind::Swizzled:
    values.append({{"rows", layout.rows},
                   {"steps", layout.steps},
                   {"chunk", layout.chunk}});
    return RemarkCode::TileSwizzled;
  case BankLayout::Kind::Interleaved:
    values.emplace_back("members", layout.chunk);
    return RemarkCode::TileInterleaved;
  case BankLayout::Kind::Skewed:
    values.append({{"elements", layout.padding}, {"line", layout.chunk}});
    return RemarkCode::TileSkewed;
  case BankLayout::Kind::Padded:
    values.emplace_back("elements", layout.padding);
    if (layout.dimension + 1 == rank)
      return RemarkCode::TileRowsPadded;
    values.emplace_back("dimension", layout.dimension);
    return RemarkCode::TileDimensionPadded;
  case BankLayout::Kind::RowMajor:
    break;
  }
  llvm_unreachable("nothing was done");
}

/// Reports what became of `array`, which had the type `type`; nothing where it
/// has no conflicts.
static void report(gpu::GPUFuncOp kernel, BlockArgument array, MemRefType type,
                   const BankPlan &plan) {
  std::string shape = shapeText(type.getShape());
  auto count = [](double value) { return static_cast<int64_t>(value + 0.5); };
  if (plan.layout.kind == BankLayout::Kind::RowMajor) {
    if (plan.before.hasConflicts())
      sayMissed(RemarkCode::BankConflictsLeft, kernel, array.getLoc(),
                {{"tile", shape},
                 {"wavefronts", count(plan.before.wavefronts)},
                 {"degree", plan.before.degree}});
    return;
  }
  SmallVector<RemarkValue> values = {{"tile", shape},
                                     {"before", plan.before.degree},
                                     {"after", plan.after.degree}};
  RemarkCode code = describe(plan.layout, type.getRank(), values);
  sayPassed(code, kernel, array.getLoc(), values)
      << remark::metric("wavefronts_before", count(plan.before.wavefronts))
      << remark::metric("wavefronts_after", count(plan.after.wavefronts))
      << remark::metric("wavefronts_needed", count(plan.after.needed))
      << remark::metric("bytes_added",
                        staticBytes(array.getType()) - staticBytes(type));
}

/// Lays out the matrices of warpgroups, which have but one layout.
static std::optional<Refusal> layOutMatrices(KernelFacts &facts,
                                             BlockArgument array) {
  auto type = cast<MemRefType>(array.getType());
  std::optional<Refusal> refusal = facts.check(array);
  if (!refusal)
    refusal = applyWarpgroupLayout(array);
  if (!refusal)
    sayPassed(RemarkCode::TileOfWarpgroups, facts.kernel, array.getLoc(),
              {{"tile", shapeText(type.getShape())}});
  return refusal;
}

namespace {
/// What is to become of an array.
struct ArrayPlan {
  BlockArgument array;
  BankPlan banks = {};
  /// Why the array stays as it is where its conflicts are not even known, or
  /// its layout may not change.
  std::optional<Refusal> refusal = std::nullopt;

  bool isChange() const {
    return !refusal && banks.layout.kind != BankLayout::Kind::RowMajor;
  }
};
} // namespace

/// Plans another layout for `array` where that pays.
static ArrayPlan planArray(KernelFacts &facts, BlockArgument array,
                           const TileArray &tile, const BankContext &context) {
  ArrayPlan plan{array};
  bool isKnown = llvm::all_of(tile.accesses, [](const TileAccess &access) {
    return access.function.isResolved();
  });
  if (!isKnown) {
    plan.refusal =
        Refusal{array.getLoc(), "the banks of an access are not known"};
    return plan;
  }
  plan.banks = planBankLayout(tile, context);
  if (plan.isChange())
    plan.refusal = facts.check(array);
  return plan;
}

/// Plans for all `arrays` of a kernel that are not matrices of warpgroups.
static SmallVector<ArrayPlan> planArrays(gpu::GPUFuncOp kernel,
                                         ArrayRef<BlockArgument> arrays,
                                         const BlockShape &block,
                                         TargetAttr target) {
  SmallVector<ArrayPlan> plans;
  std::optional<KernelFacts> facts;
  // A longer array leaves less memory to the next ones.
  int64_t bytesAdded = 0;
  for (BlockArgument array : arrays) {
    if (!hasTime(kernel.getContext()))
      break;
    if (hasMatricesOfWarpgroups(array))
      continue;
    if (!facts)
      facts.emplace(kernel, block);
    TileArray tile = facts->describe(array);
    BankContext context = facts->context(target);
    context.resources.workgroupMemoryBytes += bytesAdded;
    ArrayPlan plan = planArray(*facts, array, tile, context);
    if (plan.isChange())
      bytesAdded += tile.bytes(plan.banks.layout) - tile.bytes();
    plans.push_back(std::move(plan));
  }
  return plans;
}

namespace {
struct EliminateBankConflicts
    : public gpuopt::impl::EliminateBankConflictsBase<EliminateBankConflicts> {
  using EliminateBankConflictsBase::EliminateBankConflictsBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      process(kernel, *machine);
  }

  void process(gpu::GPUFuncOp kernel, TargetAttr machine);
  bool processMatrices(gpu::GPUFuncOp kernel, const BlockShape &block);
};
} // namespace

/// False where matrices of warpgroups cannot be where their products look for
/// them.
bool EliminateBankConflicts::processMatrices(gpu::GPUFuncOp kernel,
                                             const BlockShape &block) {
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    if (!awaitsWarpgroupLayout(array))
      continue;
    KernelFacts facts(kernel, block);
    if (std::optional<Refusal> refusal = layOutMatrices(facts, array)) {
      emitError(refusal->location)
          << "the tile of a product of warpgroups cannot be laid out: "
          << refusal->reason;
      return false;
    }
    ++changed;
  }
  return true;
}

void EliminateBankConflicts::process(gpu::GPUFuncOp kernel,
                                     TargetAttr machine) {
  ArrayRef<BlockArgument> arrays = kernel.getWorkgroupAttributions();
  if (arrays.empty())
    return;
  std::optional<BlockShape> block = knownBlockOf(kernel);
  if (!block)
    return sayMissed(
        RemarkCode::TileLayoutKept, kernel,
        Refusal{kernel.getLoc(), "the kernel's block shape is not known"});
  if (!processMatrices(kernel, *block))
    return signalPassFailure();
  size_t free = 0;
  for (const ArrayPlan &plan : planArrays(kernel, arrays, *block, machine)) {
    if (plan.refusal) {
      sayMissed(RemarkCode::TileLayoutKept, kernel, *plan.refusal);
      continue;
    }
    BlockArgument array = plan.array;
    auto type = cast<MemRefType>(array.getType());
    applyLayout(array, plan.banks.layout);
    report(kernel, array, type, plan.banks);
    changed += plan.isChange();
    free += !plan.isChange() && !plan.banks.before.hasConflicts();
  }
  if (free > 0)
    sayFound(RemarkCode::TilesFreeOfConflicts, kernel, kernel.getLoc(),
             {{"arrays", free}, {"all", arrays.size()}});
}
