//===- CountLoops.cpp - loops over numbers and addresses, counted ---------===//

#include "conversion/PTX/CountLoops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace gpuopt::ptx;

namespace {

/// A variable of a loop, as it starts and what is added each time.
struct Stepper {
  PHINode *phi;
  Value *start;
  const SCEV *step;
};

class LoopCounter {
public:
  LoopCounter(Loop &loop, ScalarEvolution &evolution)
      : loop(loop), evolution(evolution) {}

  bool run();

private:
  bool findSteppers();
  void count(const SCEV *iterations);
  Value *expand(const SCEV *value);

  Loop &loop;
  ScalarEvolution &evolution;
  SmallVector<Stepper> steppers;
  BranchInst *end = nullptr;
};

} // namespace

/// False where all of them count from zero already, or not at all.
bool LoopCounter::findSteppers() {
  bool isCounted = true;
  for (PHINode &phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy() ||
        phi.getType()->getIntegerBitWidth() > 64)
      continue;
    auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!steps || steps->getLoop() != &loop || !steps->isAffine())
      continue;
    const SCEV *step = steps->getStepRecurrence(evolution);
    isCounted &= steps->getStart()->isZero() && step->isOne();
    steppers.push_back(
        {&phi, phi.getIncomingValueForBlock(loop.getLoopPreheader()), step});
  }
  return !isCounted;
}

Value *LoopCounter::expand(const SCEV *value) {
  Instruction *at = loop.getLoopPreheader()->getTerminator();
  return SCEVExpander(evolution, "steps")
      .expandCodeFor(value, value->getType(), at->getIterator());
}

/// `iterations` fit into their type.
void LoopCounter::count(const SCEV *iterations) {
  Value *bound = expand(iterations);
  SmallVector<Value *> steps;
  for (const Stepper &stepper : steppers)
    steps.push_back(expand(stepper.step));
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  Type *type = bound->getType();
  PHINode *counter = PHINode::Create(type, 2, "", header->begin());
  IRBuilder<> ir(header, header->getFirstInsertionPt());
  ir.SetCurrentDebugLocation(end->getDebugLoc());
  auto valueAt = [&](IRBuilderBase &at, const Stepper &stepper, Value *step,
                     Value *iteration) {
    Value *times =
        at.CreateMul(step, at.CreateZExtOrTrunc(iteration, step->getType()));
    return at.CreateAdd(stepper.start, times);
  };
  IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
  for (auto [stepper, step] : zip(steppers, steps)) {
    // Behind the loop it is known without it.
    auto isOutside = [&](Use &use) {
      return !loop.contains(cast<Instruction>(use.getUser()));
    };
    auto *last =
        dyn_cast<Instruction>(stepper.phi->getIncomingValueForBlock(latch));
    if (last && loop.contains(last) && any_of(last->uses(), isOutside))
      last->replaceUsesWithIf(valueAt(before, stepper, step, bound), isOutside);
    stepper.phi->replaceAllUsesWith(valueAt(ir, stepper, step, counter));
  }
  ir.SetInsertPoint(end);
  bool isPositive = evolution.isKnownNonNegative(iterations);
  Value *next = ir.CreateAdd(counter, ConstantInt::get(type, 1), "",
                             /*HasNUW=*/true, /*HasNSW=*/isPositive);
  counter->addIncoming(Constant::getNullValue(type), loop.getLoopPreheader());
  counter->addIncoming(next, latch);
  bool goesOn = end->getSuccessor(0) == header;
  end->setCondition(ir.CreateICmp(
      goesOn ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE, next, bound));
}

bool LoopCounter::run() {
  BasicBlock *latch = loop.getLoopLatch();
  if (!loop.getLoopPreheader() || !latch || loop.getExitingBlock() != latch)
    return false;
  end = dyn_cast<BranchInst>(latch->getTerminator());
  if (!end || !end->isConditional() || !findSteppers())
    return false;
  const SCEV *left = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(left) ||
      evolution.getUnsignedRangeMax(evolution.applyLoopGuards(left, &loop))
          .isAllOnes())
    return false;
  SCEVExpander expander(evolution, "steps");
  Instruction *at = loop.getLoopPreheader()->getTerminator();
  auto isSafe = [&](const SCEV *value) {
    return expander.isSafeToExpandAt(value, at);
  };
  const SCEV *iterations =
      evolution.getAddExpr(left, evolution.getOne(left->getType()));
  if (!isSafe(iterations) || !all_of(steppers, [&](const Stepper &stepper) {
        return isSafe(stepper.step);
      }))
    return false;
  count(iterations);
  return true;
}

PreservedAnalyses CountLoops::run(llvm::Function &function,
                                  FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (LoopCounter(*loop, evolution).run()) {
      evolution.forgetLoop(loop);
      isChanged = true;
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
