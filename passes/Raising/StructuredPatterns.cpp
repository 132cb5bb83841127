//===- StructuredPatterns.cpp - make raised control flow readable ---------===//

#include "passes/Raising/StructuredPatterns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {

/// `if (c) {} else {B}`  →  `if (!c) {B}`.
struct InvertEmptyIf : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 0 || !op.elseBlock() ||
        !op.thenBlock()->without_terminator().empty() ||
        op.elseBlock()->without_terminator().empty())
      return rewriter.notifyMatchFailure(op, "first region is not empty");
    Value condition = gpuopt::makeNot(rewriter, op.getLoc(), op.getCondition());
    auto inverted = scf::IfOp::create(rewriter, op.getLoc(), condition,
                                      /*withElseRegion=*/false);
    rewriter.eraseBlock(inverted.thenBlock());
    rewriter.inlineRegionBefore(op.getElseRegion(), inverted.getThenRegion(),
                                inverted.getThenRegion().end());
    rewriter.eraseOp(op);
    return success();
  }
};

/// `if (a && b) {T}`, with b not to be evaluated where a is false
///   →  `if (a) { if (b) {T} }`.
struct NestConjunction : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IfOp op,
                                PatternRewriter &rewriter) const override {
    auto select = op.getCondition().getDefiningOp<arith::SelectOp>();
    if (op.getNumResults() != 0 || op.elseBlock() || !select ||
        !matchPattern(select.getFalseValue(), m_Zero()))
      return rewriter.notifyMatchFailure(op, "not a lone conjunction");
    auto outer =
        scf::IfOp::create(rewriter, op.getLoc(), select.getCondition(), false);
    rewriter.setInsertionPointToStart(outer.thenBlock());
    auto inner =
        scf::IfOp::create(rewriter, op.getLoc(), select.getTrueValue(), false);
    rewriter.eraseBlock(inner.thenBlock());
    rewriter.inlineRegionBefore(op.getThenRegion(), inner.getThenRegion(),
                                inner.getThenRegion().end());
    rewriter.eraseOp(op);
    return success();
  }
};

/// A variable that is advanced at the head of a loop, as LLVM leaves it of
/// `for (k = i + 1; k < n; ++k)`, is advanced in front of it and behind its
/// body:
///
///   while (%x = %i) { %k = %x + c; condition(%k < %n) %k } do { B(%k); yield
///   %k }
///     →
///   while (%k = %i + c) { condition(%k < %n) %k } do { B(%k); yield %k + c }
struct AdvanceBehindBody : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::WhileOp loop,
                                PatternRewriter &rewriter) const override {
    scf::ConditionOp condition = loop.getConditionOp();
    for (BlockArgument variable : loop.getBeforeArguments()) {
      auto add = variable.hasOneUse()
                     ? dyn_cast<arith::AddIOp>(*variable.user_begin())
                     : nullptr;
      unsigned number = variable.getArgNumber();
      if (!add || add->getBlock() != loop.getBeforeBody() ||
          add.getLhs() != variable ||
          !loop.isDefinedOutsideOfLoop(add.getRhs()))
        continue;
      auto passedOn = llvm::find(condition.getArgs(), add.getResult());
      if (passedOn == condition.getArgs().end())
        continue;
      BlockArgument advanced =
          loop.getAfterArguments()[passedOn - condition.getArgs().begin()];
      if (loop.getYieldOp().getOperand(number) != advanced)
        continue;
      auto advance = [&](OpOperand &operand) {
        rewriter.setInsertionPoint(operand.getOwner());
        IRMapping mapping;
        mapping.map(variable, operand.get());
        Value next = rewriter.clone(*add, mapping)->getResult(0);
        rewriter.modifyOpInPlace(operand.getOwner(),
                                 [&] { operand.set(next); });
      };
      advance(loop.getInitsMutable()[number]);
      advance(loop.getYieldOp()->getOpOperand(number));
      rewriter.replaceOp(add, variable);
      return success();
    }
    return rewriter.notifyMatchFailure(loop, "nothing is advanced at its head");
  }
};

/// A loop that runs once, as LLVM leaves it of `for (k = 0; k < 1; ++k)`, is
/// its body:
///
///   %r = while (%x = %a, %c = true) { condition(%c) %x }
///        do { B(%x); yield %y, false }                     →  B(%a); %r = %y
struct InlineSingleIteration : OpRewritePattern<scf::WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::WhileOp loop,
                                PatternRewriter &rewriter) const override {
    scf::ConditionOp condition = loop.getConditionOp();
    scf::YieldOp yield = loop.getYieldOp();
    auto goesOn = dyn_cast<BlockArgument>(condition.getCondition());
    if (!goesOn || goesOn.getOwner() != loop.getBeforeBody() ||
        &loop.getBeforeBody()->front() != condition ||
        !matchPattern(loop.getInits()[goesOn.getArgNumber()], m_One()) ||
        !matchPattern(yield.getOperand(goesOn.getArgNumber()), m_Zero()))
      return rewriter.notifyMatchFailure(loop, "it may run more than once");
    auto passedOn = [&](ValueRange variables) {
      return llvm::map_to_vector(condition.getArgs(), [&](Value value) {
        auto variable = dyn_cast<BlockArgument>(value);
        return variable && variable.getOwner() == loop.getBeforeBody()
                   ? variables[variable.getArgNumber()]
                   : value;
      });
    };
    SmallVector<Value> first = passedOn(loop.getInits());
    SmallVector<Value> last = passedOn(yield.getOperands());
    // What the body yields of its own variables is what it began with.
    for (Value &value : last)
      if (auto variable = dyn_cast<BlockArgument>(value);
          variable && variable.getOwner() == loop.getAfterBody())
        value = first[variable.getArgNumber()];
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(loop.getAfterBody(), loop, first);
    rewriter.replaceOp(loop, last);
    return success();
  }
};

/// A switch on which way was taken, as structurisation leaves it of a block
/// that two branches share, `if (a && b) {A} else {B}`, goes into the branches:
///
///   %k = if (a) { if (b) {A}; yield extui b } else { yield 0 }
///   switch (%k) case 0 {B} default {}
///     →
///   if (a) { if (b) {A} else {B} } else {B}
struct EnterBranches : OpRewritePattern<scf::IndexSwitchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::IndexSwitchOp op,
                                PatternRewriter &rewriter) const override {
    auto index = op.getArg().getDefiningOp<arith::IndexCastUIOp>();
    if (!index || op.getNumResults() != 0 || !mayBeCopied(op))
      return rewriter.notifyMatchFailure(op, "no switch on the way taken");
    if (conditionOf(index.getIn())) {
      go(index.getIn(), op, op, rewriter);
      rewriter.eraseOp(op);
      return success();
    }
    auto branch = index.getIn().getDefiningOp<scf::IfOp>();
    if (!branch || !index->hasOneUse() || !index.getIn().hasOneUse() ||
        !isNextTo(branch, op) || usesWhatIsBetween(op, branch))
      return rewriter.notifyMatchFailure(op, "no branch that tells the way");
    unsigned number = cast<OpResult>(index.getIn()).getResultNumber();
    auto isKnown = [&](scf::YieldOp yield) {
      Value way = yield.getOperand(number);
      return numberOf(way) || conditionOf(way);
    };
    if (!isKnown(branch.thenYield()) || !isKnown(branch.elseYield()))
      return rewriter.notifyMatchFailure(op, "the way is not known");
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      go(yield.getOperand(number), op, yield, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The number that `way` is, as the switch reads it.
  static std::optional<int64_t> numberOf(Value way) {
    APInt number;
    if (!matchPattern(way, m_ConstantInt(&number)) ||
        number.getActiveBits() >= 64)
      return std::nullopt;
    return number.getZExtValue();
  }

  /// The condition that `way` is 1 for, else 0; null where it is none.
  static Value conditionOf(Value way) {
    auto extension = way.getDefiningOp<arith::ExtUIOp>();
    return extension && extension.getIn().getType().isInteger(1)
               ? extension.getIn()
               : Value();
  }

  static bool isNextTo(scf::IfOp branch, scf::IndexSwitchOp op) {
    if (branch->getBlock() != op->getBlock())
      return false;
    for (Operation *between = branch->getNextNode(); between != op;
         between = between->getNextNode())
      if (!isPure(between))
        return false;
    return true;
  }

  /// Whether `op` may be done in the branches of the threads instead: threads
  /// that meet in it would meet no longer, and copies are code.
  static bool mayBeCopied(scf::IndexSwitchOp op) {
    constexpr int mostOperations = 32;
    int operations = 0;
    auto isOfOneThread = [](Operation *inner) {
      if (isa<LLVM::LoadOp, LLVM::StoreOp, memref::LoadOp, memref::StoreOp,
              affine::AffineLoadOp, affine::AffineStoreOp, gpu::ThreadIdOp,
              gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::GlobalIdOp>(
              inner))
        return true;
      bool isOfOtherThreads =
          isa<CallOpInterface, LLVM::InlineAsmOp>(inner) ||
          isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect,
                          ROCDL::ROCDLDialect>(inner->getDialect());
      return !isOfOtherThreads &&
             (isMemoryEffectFree(inner) ||
              inner->hasTrait<OpTrait::IsTerminator>() ||
              inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
    };
    return !op->walk([&](Operation *inner) {
                bool isFine =
                    isOfOneThread(inner) && ++operations <= mostOperations;
                return isFine ? WalkResult::advance() : WalkResult::interrupt();
              }).wasInterrupted();
  }

  static bool usesWhatIsBetween(scf::IndexSwitchOp op, scf::IfOp branch) {
    return op
        ->walk([&](Operation *inner) {
          bool isUsed = llvm::any_of(inner->getOperands(), [&](Value value) {
            Operation *source = value.getDefiningOp();
            return source && inner != op &&
                   source->getBlock() == op->getBlock() &&
                   !source->isBeforeInBlock(branch);
          });
          return isUsed ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static void copy(int64_t way, scf::IndexSwitchOp op, OpBuilder &builder) {
    auto found = llvm::find(op.getCases(), way);
    Region &region = found == op.getCases().end()
                         ? op.getDefaultRegion()
                         : op.getCaseRegions()[found - op.getCases().begin()];
    IRMapping mapping;
    for (Operation &inner : region.front().without_terminator())
      builder.clone(inner, mapping);
  }

  /// The branch on `condition` that is the last to do something before
  /// `yield`; null where that is something else.
  static scf::IfOp lastBranchOn(Value condition, Operation *yield) {
    Operation *last = yield->getPrevNode();
    while (last && isPure(last))
      last = last->getPrevNode();
    auto branch = dyn_cast_or_null<scf::IfOp>(last);
    return branch && branch.getCondition() == condition &&
                   branch.getNumResults() == 0
               ? branch
               : scf::IfOp();
  }

  /// Does what `op` does for `way` before `yield`.
  static void go(Value way, scf::IndexSwitchOp op, Operation *yield,
                 PatternRewriter &rewriter) {
    rewriter.setInsertionPoint(yield);
    if (std::optional<int64_t> number = numberOf(way))
      return copy(*number, op, rewriter);
    Value condition = conditionOf(way);
    scf::IfOp before = lastBranchOn(condition, yield);
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), condition,
                                    /*withElseRegion=*/true);
    for (auto [number, block] :
         {std::pair(0, branch.elseBlock()), {1, branch.thenBlock()}}) {
      Region *earlier = !before       ? nullptr
                        : number == 1 ? &before.getThenRegion()
                                      : &before.getElseRegion();
      if (earlier && !earlier->empty()) {
        rewriter.eraseOp(block->getTerminator());
        rewriter.inlineBlockBefore(&earlier->front(), block, block->end());
      }
      rewriter.setInsertionPoint(block->getTerminator());
      copy(number, op, rewriter);
    }
    if (before)
      rewriter.eraseOp(before);
  }
};

} // namespace

Value gpuopt::makeNot(OpBuilder &builder, Location loc, Value condition) {
  if (auto compare = condition.getDefiningOp<arith::CmpIOp>())
    return arith::CmpIOp::create(builder, compare.getLoc(),
                                 arith::invertPredicate(compare.getPredicate()),
                                 compare.getLhs(), compare.getRhs());
  auto onBoth = [&](Operation *op) {
    return std::pair(makeNot(builder, loc, op->getOperand(0)),
                     makeNot(builder, loc, op->getOperand(1)));
  };
  if (auto disjunction = condition.getDefiningOp<arith::OrIOp>()) {
    auto [lhs, rhs] = onBoth(disjunction);
    return arith::AndIOp::create(builder, disjunction.getLoc(), lhs, rhs);
  }
  if (auto conjunction = condition.getDefiningOp<arith::AndIOp>()) {
    auto [lhs, rhs] = onBoth(conjunction);
    return arith::OrIOp::create(builder, conjunction.getLoc(), lhs, rhs);
  }
  if (auto negation = condition.getDefiningOp<arith::XOrIOp>())
    if (matchPattern(negation.getRhs(), m_One()))
      return negation.getLhs();
  // `a || b` with b not to be evaluated where a is true, and `a && b`.
  if (auto select = condition.getDefiningOp<arith::SelectOp>())
    if (matchPattern(select.getTrueValue(), m_One()) ||
        matchPattern(select.getFalseValue(), m_Zero())) {
      bool disjunction = matchPattern(select.getTrueValue(), m_One());
      Value first = makeNot(builder, loc, select.getCondition());
      Value second =
          makeNot(builder, loc,
                  disjunction ? select.getFalseValue() : select.getTrueValue());
      Value constant = arith::ConstantIntOp::create(
          builder, loc, builder.getI1Type(), disjunction ? 0 : 1);
      return arith::SelectOp::create(builder, select.getLoc(), first,
                                     disjunction ? second : constant,
                                     disjunction ? constant : second);
    }
  Value one =
      arith::ConstantIntOp::create(builder, loc, builder.getI1Type(), 1);
  return arith::XOrIOp::create(builder, loc, condition, one);
}

void gpuopt::populateStructuredPatterns(RewritePatternSet &patterns) {
  patterns.add<AdvanceBehindBody, EnterBranches, InlineSingleIteration,
               InvertEmptyIf, NestConjunction>(patterns.getContext());
}
