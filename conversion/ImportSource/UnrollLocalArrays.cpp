//===- UnrollLocalArrays.cpp - local arrays by constant subscripts --------===//
//
//   float sums[4];
//   for (int q = 0; q < 4; ++q)          sums[0] += v * b[j];
//     sums[q] += v * b[j + q];      →    sums[1] += v * b[j + 1]; …
//
// LLVM's own unrolling would take every short loop, also those of a stencil
// that later stages read better as loops.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

/// Loops of more iterations choose among more elements than are registers.
static constexpr unsigned mostIterations = 64;
/// Code that a nest may grow to.
static constexpr unsigned mostInstructions = 4096;

/// A structure that is passed by value is an array of its members, too.
static bool isStructure(const Argument &argument) {
  return argument.hasByValAttr() || argument.hasByRefAttr();
}

namespace {
class LocalArrays {
public:
  LocalArrays(Function &function, FunctionAnalysisManager &analyses)
      : function(function), loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        tree(analyses.getResult<DominatorTreeAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        target(analyses.getResult<TargetIRAnalysis>(function)),
        remarks(
            analyses.getResult<OptimizationRemarkEmitterAnalysis>(function)) {}

  bool unroll();

private:
  bool collectLoops(const Value &array);
  bool collectLoops(const Use &use, SmallPtrSetImpl<const Loop *> &found);
  bool isUnrollable(const Loop *loop);
  uint64_t sizeOf(const Loop *loop);

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &tree;
  AssumptionCache &assumptions;
  TargetTransformInfo &target;
  OptimizationRemarkEmitter &remarks;
  SmallPtrSet<const Loop *, 8> chosen;
};
} // namespace

bool LocalArrays::isUnrollable(const Loop *loop) {
  unsigned iterations = evolution.getSmallConstantMaxTripCount(loop);
  return iterations > 0 && iterations <= mostIterations &&
         loop->isLoopSimplifyForm() && loop->isSafeToClone();
}

/// Adds the loops whose variables choose what `use`, of an address in a local
/// array, accesses; false where others do, or it is no access.
bool LocalArrays::collectLoops(const Use &use,
                               SmallPtrSetImpl<const Loop *> &found) {
  const auto *user = cast<Instruction>(use.getUser());
  if (const auto *load = dyn_cast<LoadInst>(user))
    return load->isSimple();
  if (const auto *store = dyn_cast<StoreInst>(user))
    return store->isSimple() &&
           use.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (user->isLifetimeStartOrEnd())
    return true;
  // A structure that is passed by value is copied first on AMD: of elements
  // that constants choose there are loads then.
  if (const auto *copy = dyn_cast<MemTransferInst>(user))
    return !copy->isVolatile() && isa<ConstantInt>(copy->getLength());
  // AMD has an address space for local arrays.
  if (!isa<GetElementPtrInst, AddrSpaceCastInst>(user) ||
      use.getOperandNo() != 0)
    return false;
  for (const Value *index : drop_begin(user->operand_values())) {
    const SCEV *value = evolution.getSCEV(const_cast<Value *>(index));
    bool isOfOthers = SCEVExprContains(value, [&](const SCEV *part) {
      if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(part)) {
        found.insert(recurrence->getLoop());
        return !isUnrollable(recurrence->getLoop());
      }
      return isa<SCEVUnknown, SCEVCouldNotCompute>(part);
    });
    if (isOfOthers)
      return false;
  }
  return all_of(user->uses(),
                [&](const Use &next) { return collectLoops(next, found); });
}

/// Chooses the loops that have to be unrolled for `array`.
bool LocalArrays::collectLoops(const Value &array) {
  SmallPtrSet<const Loop *, 8> found;
  if (!all_of(array.uses(),
              [&](const Use &use) { return collectLoops(use, found); }))
    return false;
  chosen.insert(found.begin(), found.end());
  return !found.empty();
}

/// Instructions once the chosen loops in `loop`, and it, are unrolled.
uint64_t LocalArrays::sizeOf(const Loop *loop) {
  uint64_t size = 0;
  for (const BasicBlock *block : loop->blocks())
    if (loops.getLoopFor(block) == loop)
      size += block->size();
  for (const Loop *inner : *loop)
    size += sizeOf(inner);
  return chosen.contains(loop)
             ? size * evolution.getSmallConstantMaxTripCount(loop)
             : size;
}

bool LocalArrays::unroll() {
  bool isAny = false;
  for (const Instruction &instruction : instructions(function))
    if (const auto *array = dyn_cast<AllocaInst>(&instruction);
        array && array->isStaticAlloca())
      isAny |= collectLoops(*array);
  for (const Argument &argument : function.args())
    if (isStructure(argument))
      isAny |= collectLoops(argument);
  if (!isAny)
    return false;
  for (const Loop *loop : loops)
    if (sizeOf(loop) > mostInstructions)
      return false;
  bool isChanged = false;
  // Inner loops before those around them: `for (q = 0; q < 4 - p; ++q)` has the
  // most iterations of any p then, and tests that become constant with p.
  SmallVector<Loop *> nests = loops.getLoopsInPreorder();
  for (Loop *loop : reverse(nests)) {
    if (!chosen.contains(loop))
      continue;
    UnrollLoopOptions options = {};
    options.Count = evolution.getSmallConstantMaxTripCount(loop);
    options.Force = true;
    options.ForgetAllSCEV = true;
    formLCSSARecursively(*loop, tree, &loops, &evolution);
    isChanged |=
        UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions,
                   &target, &remarks,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return isChanged;
}

bool gpuopt::unrollLocalArrays(Function &function,
                               FunctionAnalysisManager &analyses) {
  bool hasArrays = any_of(function.args(), isStructure) ||
                   any_of(instructions(function), [](const Instruction &op) {
                     return isa<AllocaInst>(op);
                   });
  return hasArrays && LocalArrays(function, analyses).unroll();
}
