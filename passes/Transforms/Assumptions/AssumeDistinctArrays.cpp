//===- AssumeDistinctArrays.cpp - leave overlapping arrays to the launcher ===//
//
// check (extents of all arrays are known) → keep the original → mark.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/ArrayExtents.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Analysis/Variables.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_ASSUMEDISTINCTARRAYS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// The parameter that `memref` is a view of; null for other memory.
static BlockArgument parameterOf(gpu::GPUFuncOp kernel, Value memref) {
  auto argument = dyn_cast<BlockArgument>(memoryRoot(memref));
  bool isParameter = argument &&
                     argument.getOwner() == &kernel.getBody().front() &&
                     argument.getArgNumber() < kernel.getNumArguments();
  return isParameter ? argument : BlockArgument();
}

/// The arrays that the kernel writes and that are not known to be distinct from
/// another one that it reads, in the order of the stores. A work item's own
/// stores may all come after its loads: those of its neighbours, which one
/// thread may take over, need not.
static llvm::SmallSetVector<BlockArgument, 4>
findArraysInTheWay(gpu::GPUFuncOp kernel) {
  llvm::SmallSetVector<BlockArgument, 4> written;
  llvm::SmallDenseSet<Value, 4> seen;
  kernel.walk([&](Operation *load) {
    Value memref = getAccessedMemRef(load);
    if (!memref || !hasEffect<MemoryEffects::Read>(load) ||
        !seen.insert(memref).second)
      return;
    BlockArgument read = parameterOf(kernel, memref);
    (void)findConflict(
        kernel, memref, /*readsToo=*/false, [&](Operation *store) {
          Value target = getAccessedMemRef(store);
          BlockArgument array =
              target ? parameterOf(kernel, target) : BlockArgument();
          if (read && array && array != read)
            written.insert(array);
          return false; // the next one
        });
  });
  return written;
}

/// Whether `op` reads a structure that the kernel is given by value.
static bool readsStructure(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  Value address = load ? load.getAddr() : Value();
  while (address)
    if (auto step = address.getDefiningOp<LLVM::GEPOp>())
      address = step.getBase();
    else if (auto cast = address.getDefiningOp<LLVM::AddrSpaceCastOp>())
      address = cast.getArg();
    else
      break;
  auto argument = dyn_cast_or_null<BlockArgument>(address);
  auto kernel =
      argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp())
               : gpu::GPUFuncOp();
  unsigned number = argument ? argument.getArgNumber() : 0;
  return kernel && number < kernel.getNumArguments() &&
         (kernel.getArgAttr(number, LLVM::LLVMDialect::getByValAttrName()) ||
          kernel.getArgAttr(number, LLVM::LLVMDialect::getByRefAttrName()));
}

/// An operation that may touch memory which no parameter and nothing of the
/// kernel's own stands for; null where there is none.
static Operation *findOtherMemory(gpu::GPUFuncOp kernel) {
  Operation *found = nullptr;
  kernel.getBody().walk([&](Operation *op) {
    if (isMemoryEffectFree(op) || touchesNoMemory(op) ||
        isa<gpu::BarrierOp>(op) || readsStructure(op) ||
        op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        op->hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocaOp>(op))
      return WalkResult::advance();
    Value memref = getAccessedMemRef(op);
    // Of its own: private memory, or an argument after the parameters.
    Value root = memref ? memoryRoot(memref) : Value();
    if (root && (isa<BlockArgument>(root) || isConstantVariable(root) ||
                 isa_and_nonnull<memref::AllocaOp>(root.getDefiningOp())))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// The variable of the module that `op` accesses, if it does.
static LLVM::GlobalOp accessedVariable(Operation *op) {
  Value memref = op ? getAccessedMemRef(op) : Value();
  return memref ? getVariable(memoryRoot(memref)) : LLVM::GlobalOp();
}

static std::string parameterName(gpu::GPUFuncOp kernel, unsigned argument) {
  auto name = kernel.getArgAttrOfType<StringAttr>(argument, kNameAttrName);
  return name ? name.str() : "arg" + std::to_string(argument);
}

/// "'a', 'b' and 'c'".
static std::string listNames(gpu::GPUFuncOp kernel,
                             ArrayRef<BlockArgument> arrays) {
  std::string list;
  for (auto [index, array] : llvm::enumerate(arrays)) {
    if (index)
      list += index + 1 == arrays.size() ? " and " : ", ";
    list += "'" + parameterName(kernel, array.getArgNumber()) + "'";
  }
  return list;
}

static bool areKnown(ArrayRef<ArrayExtent> extents) {
  return llvm::all_of(
      extents, [](const ArrayExtent &extent) { return bool(extent.elements); });
}

/// Finds extents that are known where no distance in an array (`ldc`) is
/// negative, and what the launcher has to make sure of for that; leaves both as
/// they are where that does not help.
static void tryPositiveDistances(gpu::GPUFuncOp kernel,
                                 SmallVectorImpl<ArrayExtent> &extents,
                                 SmallVectorImpl<AffineExpr> &conditions) {
  Attribute before = kernel->getAttr(kRequiresAttrName);
  SmallVector<AffineExpr> distances;
  llvm::SmallDenseSet<unsigned, 4> asked;
  // Behind an access that was not known are others; but what has been asked for
  // once and is no help is not asked for again.
  while (true) {
    SmallVector<AffineExpr> more;
    for (unsigned argument : findSignedDistances(kernel))
      if (asked.insert(argument).second)
        more.push_back(getAffineSymbolExpr(argument, kernel.getContext()));
    if (more.empty())
      break;
    addLaunchConditions(kernel, kernel.getNumArguments(), more);
    llvm::append_range(distances, more);
  }
  if (distances.empty())
    return;
  SmallVector<ArrayExtent> found = computeArrayExtents(kernel);
  if (before)
    kernel->setAttr(kRequiresAttrName, before);
  else
    kernel->removeAttr(kRequiresAttrName);
  if (!areKnown(found))
    return;
  extents = std::move(found);
  conditions = std::move(distances);
}

namespace {
struct AssumeDistinctArrays
    : public gpuopt::impl::AssumeDistinctArraysBase<AssumeDistinctArrays> {
  using AssumeDistinctArraysBase::AssumeDistinctArraysBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (std::optional<Refusal> refusal = assume(kernel))
        sayMissed(RemarkCode::ArraysNotAssumedDistinct, kernel, *refusal);
  }

  std::optional<Refusal> assume(gpu::GPUFuncOp kernel);
};
} // namespace

std::optional<Refusal> AssumeDistinctArrays::assume(gpu::GPUFuncOp kernel) {
  llvm::SmallSetVector<BlockArgument, 4> written = findArraysInTheWay(kernel);
  if (written.empty())
    return std::nullopt;
  std::string arrays = listNames(kernel, written.getArrayRef());
  std::string advice = "; declare the pointers __restrict__";
  Operation *other = findOtherMemory(kernel);
  if (LLVM::GlobalOp variable = accessedVariable(other))
    return Refusal{other->getLoc(),
                   arrays + " may point to the variable '" +
                       variable.getSymName().str() +
                       "', whose place the launcher does not know" + advice};
  if (other)
    return Refusal{
        other->getLoc(),
        "what overlaps with " + arrays +
            " is not known: what is accessed here may be any memory" + advice};
  SmallVector<ArrayExtent> extents = computeArrayExtents(kernel);
  SmallVector<AffineExpr> conditions;
  if (!areKnown(extents))
    tryPositiveDistances(kernel, extents, conditions);
  for (const ArrayExtent &extent : extents) {
    if (extent.elements)
      continue;
    std::string name = "'" + parameterName(kernel, extent.argument) + "'";
    std::string overlap = arrays == name ? "what overlaps with it"
                                         : "whether it overlaps with " + arrays;
    return Refusal{kernel.getLoc(), "how much of " + name +
                                        " the kernel accesses is not known, "
                                        "nor " +
                                        overlap + ": " + extent.reason +
                                        advice};
  }

  keepOriginal(kernel);
  addLaunchConditions(kernel, kernel.getNumArguments(), conditions);
  for (const ArrayExtent &extent : extents)
    kernel.setArgAttr(extent.argument, kExtentAttrName,
                      AffineMapAttr::get(extent.elements));
  auto unit = UnitAttr::get(&getContext());
  for (BlockArgument array : written) {
    kernel.setArgAttr(array.getArgNumber(), kDistinctAttrName, unit);
    kernel.setArgAttr(array.getArgNumber(),
                      LLVM::LLVMDialect::getNoAliasAttrName(), unit);
  }
  ++assumed;
  sayPassed(RemarkCode::ArraysAssumedDistinct, kernel, kernel.getLoc(),
            {{"arrays", arrays},
             {"overlap", written.size() == 1 ? "overlaps" : "overlap"}});
  return std::nullopt;
}
