//===- VirtualBlocks.cpp - blocks that take turns with memory -------------===//

#include "passes/Transforms/Multiplex/VirtualBlocks.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What need not wait
//===----------------------------------------------------------------------===//

/// Whether all that `op` does to memory is to read it.
static bool onlyReads(Operation *op) {
  return !op->walk([](Operation *nested) {
              if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
                return WalkResult::advance();
              return isMemoryEffectFree(nested) ||
                             hasSingleEffect<MemoryEffects::Read>(nested)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Whether `op` uses, itself or in its regions, what one of `others` defines.
static bool usesResultsOf(Operation *op,
                          const llvm::SmallPtrSetImpl<Operation *> &others) {
  return op
      ->walk([&](Operation *nested) {
        return llvm::any_of(nested->getOperands(),
                            [&](Value operand) {
                              Operation *from = operand.getDefiningOp();
                              return from && others.contains(from);
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void gpuopt::shrinkRegion(const AccessRegion &region,
                          const WorkgroupLiveness &liveness) {
  llvm::SmallPtrSet<Operation *, 16> staying;
  bool mayWrite = false;
  for (Operation *op : region.operations()) {
    if (synchronises(op))
      return;
    bool isReading = onlyReads(op);
    if (!liveness.accesses(op) && !usesResultsOf(op, staying) &&
        (isMemoryEffectFree(op) || (isReading && !mayWrite))) {
      op->moveBefore(region.first);
      continue;
    }
    staying.insert(op);
    // What it stores to workgroup memory no other memory has.
    bool isOwnStore =
        liveness.accesses(op) &&
        isa<memref::StoreOp, affine::AffineStoreOp, vector::StoreOp>(op);
    mayWrite |= !isReading && !isOwnStore;
  }
}

//===----------------------------------------------------------------------===//
// What all threads compute
//===----------------------------------------------------------------------===//

namespace {
/// The values of a region that only threads whose turn it is have.
class OwnValues {
public:
  explicit OwnValues(const AccessRegion &region) {
    size_t before;
    do {
      before = own.size();
      for (Operation *op : region.operations())
        visit(op);
    } while (own.size() != before);
  }

  bool contains(Value value) const { return own.contains(value); }
  /// Whether all threads may run `op`, and do nothing by it.
  bool isShared(Operation *op) const {
    return op->getNumRegions() == 0 && isPure(op) &&
           llvm::none_of(op->getOperands(),
                         [&](Value operand) { return contains(operand); });
  }
  const llvm::SetVector<Value> &values() const { return own; }

private:
  void visit(Operation *op);
  void visitBody(Operation *op);
  /// `to` is what `from` was, or may be.
  void flow(ValueRange from, ValueRange to) {
    for (auto [source, target] : llvm::zip(from, to))
      if (contains(source))
        own.insert(target);
  }

  llvm::SetVector<Value> own;
};
} // namespace

void OwnValues::visitBody(Operation *op) {
  for (Region &body : op->getRegions())
    for (Operation &nested : body.getOps())
      visit(&nested);
}

void OwnValues::visit(Operation *op) {
  if (!synchronises(op)) {
    if (!isShared(op))
      own.insert_range(op->getResults());
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    flow(loop.getInits(), loop.getBeforeArguments());
    flow(loop.getYieldOp().getResults(), loop.getBeforeArguments());
    flow(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    flow(loop.getConditionOp().getArgs(), loop.getResults());
  } else if (auto counted = dyn_cast<LoopLikeOpInterface>(op)) {
    flow(counted.getInits(), counted.getRegionIterArgs());
    flow(counted.getYieldedValues(), counted.getRegionIterArgs());
    flow(counted.getInits(), op->getResults());
    flow(counted.getYieldedValues(), op->getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(op);
             branch && branch->getNumResults() != 0) {
    flow(branch.thenYield().getResults(), branch.getResults());
    flow(branch.elseYield().getResults(), branch.getResults());
  }
  visitBody(op);
}

bool gpuopt::isNumber(Type type) {
  return isa<IntegerType, IndexType, FloatType, VectorType>(type);
}

/// A value for threads that have none.
static TypedAttr zeroOf(Type type) {
  return Builder(type.getContext()).getZeroAttr(type);
}

/// What decides how often the barriers in `op` are reached.
static SmallVector<Value> controlOf(Operation *op) {
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getCondition()};
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return llvm::to_vector(
      op->getOperands().drop_back(loop ? loop.getInits().size() : 0));
}

std::optional<Refusal> gpuopt::checkTurns(const AccessRegion &region) {
  OwnValues own(region);
  for (Value value : own.values())
    if (!isNumber(value.getType()))
      return Refusal{value.getLoc(),
                     "a region that uses workgroup memory hands on a value "
                     "that is no number"};
  std::optional<Refusal> refusal;
  for (Operation *op : region.operations())
    op->walk([&](Operation *nested) {
      if (nested->getNumRegions() == 0 || !synchronises(nested))
        return;
      bool isKnown =
          isa<scf::IfOp, scf::WhileOp, scf::ForOp, affine::AffineForOp>(nested);
      if (!isKnown || llvm::any_of(controlOf(nested), [&](Value value) {
            return own.contains(value);
          }))
        refusal = Refusal{nested->getLoc(),
                          "what decides how often a barrier is reached comes "
                          "from a region that uses workgroup memory"};
    });
  return refusal;
}

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

namespace {
using Operations = SmallVector<Operation *>;

/// Writes regions of one block of operations, and what is between them, once
/// for each virtual block.
class TurnWriter {
public:
  TurnWriter(ArrayRef<AccessRegion> inOrder, ValueRange isTurn)
      : regions(inOrder), span{inOrder.front().first, inOrder.back().last},
        own(span), turns(isTurn), builder(span.first) {}

  void write(bool afterOthers);

private:
  void writePipeline(bool afterOthers);
  void writeTurn(const AccessRegion &region, unsigned number,
                 bool isSynchronised, ArrayRef<Operation *> meanwhile = {});
  /// Writes operations of a region, those that the region has itself where
  /// `isTop`: threads keep what they have of these in other turns.
  void writeOperations(ArrayRef<Operation *> ops, IRMapping &mapping,
                       bool isTop, ArrayRef<Operation *> meanwhile = {});
  void writeAround(Operation *op, IRMapping &mapping);
  void writeRun(Operations &run, IRMapping &mapping, bool isTop,
                ArrayRef<Operation *> meanwhile);
  void handOn(ArrayRef<Operation *> operations, const IRMapping &mapping);
  Operations takeGap(const AccessRegion &before, const AccessRegion &after);
  IRMapping known() const;
  bool usesOwnIndex(Operation *op) const;
  void lowerIndices();
  void finish();

  ArrayRef<AccessRegion> regions;
  AccessRegion span;
  OwnValues own;
  ValueRange turns;
  OpBuilder builder;
  /// The current one of `turns`.
  unsigned turn = 0;
  /// Of what is used elsewhere, what each thread has after the turns so far.
  llvm::MapVector<Value, Value> handedOn;
  /// Affine operations that have become something else.
  SmallVector<Operation *> notAffine;
};
} // namespace

/// Whether something uses `value` that is none of `ops`, which stand in one
/// block of operations, and in none of them.
static bool isUsedOutside(Value value, ArrayRef<Operation *> ops) {
  Block *block = ops.front()->getBlock();
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *here = block->findAncestorOpInBlock(*user);
    return !here || !llvm::is_contained(ops, here);
  });
}

/// The results of `ops` that are used elsewhere.
static SmallVector<Value> resultsOf(ArrayRef<Operation *> ops) {
  SmallVector<Value> results;
  for (Operation *op : ops)
    llvm::append_range(results,
                       llvm::make_filter_range(op->getResults(), [&](Value of) {
                         return isUsedOutside(of, ops);
                       }));
  return results;
}

/// What the values of the source are for all threads so far.
IRMapping TurnWriter::known() const {
  IRMapping mapping;
  for (auto [value, all] : handedOn)
    mapping.map(value, all);
  return mapping;
}

/// Whether an affine operation in `op` has an index that only threads whose
/// turn it is have: at the top of the kernel it is a symbol, in a branch it is
/// not.
bool TurnWriter::usesOwnIndex(Operation *op) const {
  return op
      ->walk([&](Operation *nested) {
        if (!isa<affine::AffineDialect>(nested->getDialect()))
          return WalkResult::advance();
        return llvm::any_of(nested->getOperands(),
                            [&](Value operand) {
                              return operand.getType().isIndex() &&
                                     own.contains(operand);
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Writes the arithmetic of such operations, and of what is inside of them, as
/// what it is.
void TurnWriter::lowerIndices() {
  RewritePatternSet patterns(span.first->getContext());
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  LogicalResult lowered =
      applyOpPatternsGreedily(notAffine, std::move(patterns), config);
  assert(succeeded(lowered) && "each affine operation has a pattern");
  (void)lowered;
}

/// Writes `run`, which no barrier interrupts, for the threads whose turn it is,
/// and `meanwhile` for the others.
void TurnWriter::writeRun(Operations &run, IRMapping &mapping, bool isTop,
                          ArrayRef<Operation *> meanwhile) {
  if (run.empty() && meanwhile.empty())
    return;
  SmallVector<Value> mine = resultsOf(run), others = resultsOf(meanwhile);
  SmallVector<Value> results =
      llvm::to_vector(llvm::concat<Value>(mine, others));
  Location loc = (run.empty() ? meanwhile : ArrayRef(run)).front()->getLoc();
  bool hasElse = !results.empty() || !meanwhile.empty();
  auto branch = scf::IfOp::create(builder, loc, ValueRange(results).getTypes(),
                                  turns[turn], hasElse);
  auto fill = [&](Block *block, ArrayRef<Operation *> ops, IRMapping values,
                  ArrayRef<Value> computed) {
    OpBuilder inside = OpBuilder::atBlockBegin(block);
    for (Operation *op : ops) {
      Operation *copy = inside.clone(*op, values);
      if (usesOwnIndex(op))
        copy->walk([&](Operation *nested) {
          if (isa<affine::AffineDialect>(nested->getDialect()))
            notAffine.push_back(nested);
        });
    }
    if (results.empty())
      return;
    SmallVector<Value> yielded;
    for (Value result : results) {
      Value before = isTop ? handedOn.lookup(result) : Value();
      if (llvm::is_contained(computed, result))
        yielded.push_back(values.lookup(result));
      else if (before)
        yielded.push_back(before);
      else
        yielded.push_back(
            arith::ConstantOp::create(inside, loc, zeroOf(result.getType())));
    }
    scf::YieldOp::create(inside, loc, yielded);
  };
  fill(branch.thenBlock(), run, mapping, mine);
  if (hasElse)
    fill(branch.elseBlock(), meanwhile, known(), others);
  for (auto [from, to] : llvm::zip_equal(results, branch.getResults()))
    if (llvm::is_contained(mine, from))
      mapping.map(from, to);
    else
      handedOn[from] = to;
  run.clear();
}

/// Writes `op`, which has barriers inside that all threads get to.
void TurnWriter::writeAround(Operation *op, IRMapping &mapping) {
  Operation *copy = op->cloneWithoutRegions(mapping);
  builder.insert(copy);
  for (auto [from, to] : llvm::zip(op->getRegions(), copy->getRegions())) {
    if (from.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      mapping.map(argument,
                  body->addArgument(argument.getType(), argument.getLoc()));
    Operations nested;
    for (Operation &inside : from.front().without_terminator())
      nested.push_back(&inside);
    builder.setInsertionPointToEnd(body);
    writeOperations(nested, mapping, /*isTop=*/false);
    builder.clone(*from.front().getTerminator(), mapping);
  }
  mapping.map(op->getResults(), copy->getResults());
}

void TurnWriter::writeOperations(ArrayRef<Operation *> ops, IRMapping &mapping,
                                 bool isTop, ArrayRef<Operation *> meanwhile) {
  Operations run;
  for (Operation *op : ops) {
    if (!synchronises(op)) {
      if (own.isShared(op))
        builder.clone(*op, mapping);
      else
        run.push_back(op);
      continue;
    }
    writeRun(run, mapping, isTop, {});
    if (isa<gpu::BarrierOp>(op))
      builder.clone(*op, mapping);
    else
      writeAround(op, mapping);
  }
  writeRun(run, mapping, isTop, meanwhile);
}

/// Notes what threads have after this turn of what `operations`, a region, hand
/// on.
void TurnWriter::handOn(ArrayRef<Operation *> operations,
                        const IRMapping &mapping) {
  for (Value result : resultsOf(operations)) {
    Value mine = mapping.lookup(result);
    Value &all = handedOn[result];
    // A branch has chosen already.
    bool isChosen =
        !all || !own.contains(result) || !synchronises(result.getDefiningOp());
    all = isChosen ? mine
                   : arith::SelectOp::create(builder, result.getLoc(),
                                             turns[turn], mine, all)
                         .getResult();
  }
}

void TurnWriter::writeTurn(const AccessRegion &region, unsigned number,
                           bool isSynchronised,
                           ArrayRef<Operation *> meanwhile) {
  turn = number;
  if (isSynchronised)
    gpu::BarrierOp::create(builder, region.first->getLoc());
  Operations operations = region.operations();
  IRMapping mapping = known();
  writeOperations(operations, mapping, /*isTop=*/true, meanwhile);
  handOn(operations, mapping);
}

/// What stands between two regions and is to be done by each virtual block for
/// itself; the rest is written here, but for barriers: those of turns do.
Operations TurnWriter::takeGap(const AccessRegion &before,
                               const AccessRegion &after) {
  Operations gap;
  IRMapping mapping = known();
  for (Operation *op = before.last->getNextNode(); op != after.first;
       op = op->getNextNode()) {
    if (isa<gpu::BarrierOp>(op))
      continue;
    if (!own.isShared(op)) {
      gap.push_back(op);
      continue;
    }
    builder.clone(*op, mapping);
    for (Value result : op->getResults())
      handedOn[result] = mapping.lookup(result);
  }
  return gap;
}

/// One of two virtual blocks has its turn in a region while the other one does
/// what stands behind the region before.
void TurnWriter::writePipeline(bool afterOthers) {
  writeTurn(regions.front(), 0, afterOthers);
  for (auto [before, after] : llvm::zip(regions, regions.drop_front())) {
    Operations gap = takeGap(before, after);
    writeTurn(before, 1, /*isSynchronised=*/true, gap);
    writeTurn(after, 0, /*isSynchronised=*/true, gap);
  }
  writeTurn(regions.back(), 1, /*isSynchronised=*/true);
}

/// Puts what has been written in the place of the source's operations.
void TurnWriter::finish() {
  Operations replaced = span.operations();
  for (auto [value, all] : handedOn)
    Value(value).replaceUsesWithIf(all, [&](OpOperand &use) {
      Operation *here =
          span.first->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return !here || !llvm::is_contained(replaced, here);
    });
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

void TurnWriter::write(bool afterOthers) {
  if (regions.size() > 1)
    writePipeline(afterOthers);
  else
    for (unsigned number = 0; number < turns.size(); ++number)
      writeTurn(regions.front(), number, number > 0 || afterOthers);
  lowerIndices();
  finish();
}

void gpuopt::takeTurns(ArrayRef<AccessRegion> regions, ValueRange isTurn,
                       bool afterOthers) {
  TurnWriter(regions, isTurn).write(afterOthers);
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// Whether what stands between two regions of a block of operations can be done
/// by one virtual block while the other one is in a region: no barrier is in
/// the middle of it.
static bool canOverlap(const AccessRegion &before, const AccessRegion &after,
                       const OwnValues &own) {
  enum { Leading, Work, Trailing } part = Leading;
  for (Operation *op = before.last->getNextNode(); op != after.first;
       op = op->getNextNode()) {
    if (isa<gpu::BarrierOp>(op)) {
      part = part == Leading ? Leading : Trailing;
      continue;
    }
    if (synchronises(op))
      return false;
    if (own.isShared(op))
      continue;
    if (part == Trailing || !llvm::all_of(op->getResultTypes(), isNumber))
      return false;
    part = Work;
  }
  return part != Leading;
}

std::vector<std::vector<AccessRegion>>
gpuopt::groupForPipelines(ArrayRef<AccessRegion> regions) {
  std::vector<std::vector<AccessRegion>> groups;
  for (const AccessRegion &region : regions) {
    bool isJoined = false;
    if (!groups.empty()) {
      const AccessRegion &before = groups.back().back();
      if (before.first->getBlock() == region.first->getBlock()) {
        AccessRegion span{groups.back().front().first, region.last};
        isJoined =
            canOverlap(before, region, OwnValues(span)) && !checkTurns(span);
      }
    }
    if (isJoined)
      groups.back().push_back(region);
    else
      groups.push_back({region});
  }
  return groups;
}
