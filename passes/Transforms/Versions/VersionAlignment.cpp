//===- VersionAlignment.cpp - a version for aligned rows and arrays -------===//
//
// Vector accesses need aligned addresses. Whether rows of n elements and the
// arrays themselves are aligned is known when the kernel is launched only: one
// test of sizes and base addresses, the same for all threads of the launch,
// tells launches where they are from others, and the former run a copy of the
// code in which a parameter n reads (n floordiv W) * W, and each array
// `memref.assume_alignment`. From there it is structure, which no pass has to
// know about to keep. Behind `gpuopt-version-guards` the code with guards is
// the other version, which is right for every block of every launch.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/SubscriptRanges.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Alignment.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/Poison.h"
#include "passes/Transforms/Utils/VectorWidth.h"
#include "passes/Transforms/Vectorize/UnrollForVectors.h"
#include "passes/Transforms/Versions/VersionedBlock.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_VERSIONALIGNMENT
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What is to be tested
//===----------------------------------------------------------------------===//

namespace {
/// What a version is made for.
struct AlignmentPlan {
  /// Integer parameters of the kernel and what they have to be multiples of.
  llvm::MapVector<Value, int64_t> multiples;
  /// Arrays that have to begin at multiples of so many bytes.
  llvm::MapVector<Value, int64_t> arrays;
};

/// A vector access that only alignment prevents.
struct Wish {
  Operation *op;
  int64_t bytes;
};

/// Finds the accesses that only alignment keeps from being vectorized.
class AlignedVersionPlanner {
public:
  AlignedVersionPlanner(gpu::GPUFuncOp kernel, int64_t maxBytes);

  /// The wishes in and below `kernel`.
  SmallVector<Wish> findWishes();
  /// What has to be tested for all of `wishes`.
  AlignmentPlan plan(ArrayRef<Wish> wishes) const;

private:
  void considerBlock(Block &block);
  void considerLoop(Operation *op);
  void compare(const BlockEvents &asIs, const BlockEvents &asWished);

  gpu::GPUFuncOp kernel;
  AccessFunctions functions;
  int64_t maxBytes;
  SubscriptProofs proofs;
  VectorEvents proven;
  VectorEvents wished;
  SmallVector<Wish> wishes;
};
} // namespace

/// Whether `variable` stands for an integer parameter of `kernel`.
static bool isParameter(const Variable &variable, gpu::GPUFuncOp kernel) {
  auto argument = dyn_cast_or_null<BlockArgument>(variable.value);
  return variable.kind == Variable::Kind::Parameter && argument &&
         argument.getOwner() == &kernel.getBody().front() &&
         argument.getType().isIntOrIndex();
}

/// Every parameter and the first byte of every array a multiple of `bytes`.
static AlignmentHypothesis
wishAll(gpu::GPUFuncOp kernel, const VariableTable &variables, int64_t bytes) {
  AlignmentHypothesis result{bytes, {}};
  for (unsigned number = 0; number < variables.size(); ++number)
    if (isParameter(variables[number], kernel))
      result.multiples[number] = bytes;
  return result;
}

AlignedVersionPlanner::AlignedVersionPlanner(gpu::GPUFuncOp kernel,
                                             int64_t maxBytes)
    : kernel(kernel), functions(kernel), maxBytes(maxBytes), proofs(kernel),
      proven(functions, proofs),
      wished(functions, proofs,
             wishAll(kernel, functions.variables(), maxBytes)) {}

/// The width in bytes of the group that `plan` puts each event into.
static DenseMap<unsigned, int64_t> widthsOf(const VectorPlan &plan,
                                            const BlockEvents &block) {
  DenseMap<unsigned, int64_t> widths;
  for (const VectorGroup &group : plan.groups)
    for (unsigned lane : group.lanes)
      widths[lane] = group.lanes.size() * block.events[lane].bytes;
  return widths;
}

/// Notes the groups that are wider, or exist only, in `asWished`.
void AlignedVersionPlanner::compare(const BlockEvents &asIs,
                                    const BlockEvents &asWished) {
  VectorPlan plan = wished.plan(asWished, maxBytes);
  DenseMap<unsigned, int64_t> now = widthsOf(proven.plan(asIs, maxBytes), asIs);
  for (const VectorGroup &group : plan.groups) {
    unsigned first = group.lanes.front();
    int64_t bytes = group.lanes.size() * asWished.events[first].bytes;
    if (now.lookup(first) < bytes)
      wishes.push_back({asWished.operations[first], bytes});
  }
}

void AlignedVersionPlanner::considerBlock(Block &block) {
  compare(proven.collect(block), wished.collect(block));
}

/// Considers a loop whose iterations may be put together: one that is unrolled,
/// or whose iterations the threads of the block share out.
void AlignedVersionPlanner::considerLoop(Operation *op) {
  bool isShared = isa<affine::AffineParallelOp>(op);
  std::optional<VectorLoop> loop = vectorLoopOf(op);
  if (!loop || !(isShared || isVectorLoop(op)))
    return;
  int64_t factor =
      planUnrolling(*loop, wished, maxBytes, kMaxUnrolledOperations).factor;
  if (factor > 1)
    compare(proven.repeat(proven.collectLoop(*loop), factor),
            wished.repeat(wished.collectLoop(*loop), factor));
}

SmallVector<Wish> AlignedVersionPlanner::findWishes() {
  kernel.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        considerBlock(block);
    considerLoop(op);
  });
  return wishes;
}

AlignmentPlan AlignedVersionPlanner::plan(ArrayRef<Wish> chosen) const {
  AlignmentPlan result;
  const VariableTable &variables = functions.variables();
  auto raise = [](int64_t &value, int64_t least) {
    value = std::max(value, least);
  };
  for (const Wish &wish : chosen) {
    const AccessFunction &access = *functions.lookup(wish.op);
    if (provenBaseAlignment(getAccessedMemRef(wish.op)) < wish.bytes)
      raise(result.arrays[access.base], wish.bytes);
    for (const auto &[monomial, coefficient] : access.address.getTerms()) {
      int64_t divisor =
          provenDivisor(Polynomial::term(monomial, coefficient), variables);
      const auto *parameter = llvm::find_if(monomial, [&](unsigned number) {
        return isParameter(variables[number], kernel);
      });
      if (divisor < wish.bytes && parameter != monomial.end())
        raise(result.multiples[variables[*parameter].value],
              wish.bytes / divisor);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Where the versions stand
//===----------------------------------------------------------------------===//

/// The code without guards that `wishes` are in, where that stands in parts
/// inside a loop and behind it (`gpuopt-version-guards`). Drops the wishes that
/// are in none, unless all are.
static SmallVector<Block *> findParts(gpu::GPUFuncOp kernel,
                                      SmallVectorImpl<Wish> &wishes) {
  SmallVector<Block *> parts;
  bool inLoop = false;
  kernel.walk([&](scf::IfOp branch) {
    if (!branch->hasAttr(kUnguardedAttrName))
      return;
    parts.push_back(branch.thenBlock());
    inLoop |= bool(branch->getParentOfType<LoopLikeOpInterface>());
  });
  auto holds = [](Block *part, const Wish &wish) {
    return part->findAncestorOpInBlock(*wish.op) != nullptr;
  };
  llvm::erase_if(parts, [&](Block *part) {
    return !inLoop || llvm::none_of(wishes, [&](const Wish &wish) {
      return holds(part, wish);
    });
  });
  if (!parts.empty())
    llvm::erase_if(wishes, [&](const Wish &wish) {
      return llvm::none_of(parts,
                           [&](Block *part) { return holds(part, wish); });
    });
  return parts;
}

/// The innermost block that holds all of `wishes` but is in no loop; of two
/// branches the first, which is the one without guards where there are such
/// (`gpuopt-version-guards`). Drops the wishes that are not in it.
static Block *findVersionedBlock(gpu::GPUFuncOp kernel,
                                 SmallVectorImpl<Wish> &wishes) {
  Block *block = &kernel.getBody().front();
  while (true) {
    llvm::SmallSetVector<Operation *, 4> holders;
    for (const Wish &wish : wishes)
      holders.insert(block->findAncestorOpInBlock(*wish.op));
    auto branch = holders.size() == 1 ? dyn_cast<scf::IfOp>(holders.front())
                                      : scf::IfOp();
    if (!branch)
      return block;
    auto isInside = [&](const Wish &wish) {
      return branch.getThenRegion().isAncestor(wish.op->getParentRegion());
    };
    bool takesFirst = llvm::any_of(wishes, isInside);
    llvm::erase_if(
        wishes, [&](const Wish &wish) { return isInside(wish) != takesFirst; });
    block = takesFirst ? branch.thenBlock() : branch.elseBlock();
  }
}

//===----------------------------------------------------------------------===//
// The version
//===----------------------------------------------------------------------===//

namespace {
/// Makes the aligned version of a block.
class Versioner {
public:
  Versioner(gpu::GPUFuncOp kernel, const AlignmentPlan &plan)
      : kernel(kernel), plan(plan) {}

  /// Returns the conditional that chooses between the versions.
  scf::IfOp run(Block &block);

private:
  Value emitTest(OpBuilder &builder);
  void assumeMultiples();
  void assumeArrays(OpBuilder &builder);
  Value adapt(Value value, OpBuilder &inside);
  void adaptOperands(Operation *op, OpBuilder &inside);

  gpu::GPUFuncOp kernel;
  const AlignmentPlan &plan;
  /// What stands for a value in the aligned version.
  IRMapping map;
  /// The operations of the block that are versioned.
  llvm::SetVector<Operation *> moved;
};
} // namespace

/// `parameter` as an index, be it signed or not, at the top of the kernel; null
/// where it is none there.
static Value indexAtTop(Value parameter) {
  for (Operation *user : parameter.getUsers())
    if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(user) &&
        user->getBlock() == parameter.getParentBlock())
      return user->getResult(0);
  return Value();
}

/// Emits whether all that the plan needs holds for this launch.
Value Versioner::emitTest(OpBuilder &builder) {
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all;
  auto require = [&](Value remainder) {
    dropPoisonFlagsBehind(remainder);
    Value test = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       remainder, zero);
    all =
        all ? arith::AndIOp::create(builder, loc, all, test).getResult() : test;
  };
  auto requireMultiple = [&](Value value, int64_t multiple) {
    Value mask = arith::ConstantIndexOp::create(builder, loc, multiple - 1);
    require(arith::AndIOp::create(builder, loc, value, mask));
  };
  for (auto [parameter, multiple] : plan.multiples) {
    Value index = parameter;
    if (!index.getType().isIndex())
      index = indexAtTop(parameter);
    if (!index)
      index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         parameter);
    requireMultiple(index, multiple);
  }
  for (auto [array, bytes] : plan.arrays)
    requireMultiple(
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, array),
        bytes);
  return all;
}

/// For each parameter as an index, `(n floordiv m) * m`.
void Versioner::assumeMultiples() {
  auto assume = [&](Value index, int64_t multiple) {
    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfterValue(index);
    AffineExpr n = builder.getAffineSymbolExpr(0);
    Value rounded = affine::AffineApplyOp::create(
        builder, kernel.getLoc(),
        AffineMap::get(0, 1, n.floorDiv(multiple) * multiple), index);
    map.map(index, rounded);
  };
  for (auto [parameter, multiple] : plan.multiples) {
    if (parameter.getType().isIndex())
      assume(parameter, multiple);
    for (Operation *user : parameter.getUsers())
      if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(user) &&
          user->getBlock() == &kernel.getBody().front())
        assume(user->getResult(0), multiple);
  }
}

void Versioner::assumeArrays(OpBuilder &builder) {
  for (auto [array, bytes] : plan.arrays)
    map.map(array, memref::AssumeAlignmentOp::create(builder, kernel.getLoc(),
                                                     array, bytes)
                       .getResult());
}

/// What stands for `value` in the version: indices computed from parameters
/// stay where they are, at the top of the kernel, where they are symbols;
/// views may only be taken inside. Other launches than those of the version
/// compute the indices as well, with sizes that are rounded down to zero, and
/// must not divide by these.
Value Versioner::adapt(Value value, OpBuilder &inside) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || moved.contains(op) || op->getNumRegions() != 0 || !isPure(op))
    return value;
  // The address of an array is the same in each version.
  bool isView = isa<BaseMemRefType>(value.getType());
  if (!isView &&
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    return value;
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return adapt(operand, inside); });
  Value adapted = value;
  bool dividesByOther =
      getDivisor(op) && operands.back() != op->getOperands().back();
  if (!dividesByOther && !llvm::equal(operands, op->getOperands())) {
    OpBuilder beside(op);
    beside.setInsertionPointAfter(op);
    OpBuilder &builder = isView ? inside : beside;
    Operation *copy = builder.clone(*op, map);
    adapted = copy->getResult(cast<OpResult>(value).getResultNumber());
  }
  map.map(value, adapted);
  return adapted;
}

void Versioner::adaptOperands(Operation *op, OpBuilder &inside) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      bool isOutside =
          definition ? !op->isProperAncestor(definition)
                     : !op->isAncestor(operand.getParentBlock()->getParentOp());
      if (isOutside)
        adapt(operand, inside);
    }
  });
}

scf::IfOp Versioner::run(Block &block) {
  // What both versions can share stays in front.
  moved = findVersionedOps(block).ops;
  SmallVector<Operation *> body(moved.getArrayRef());
  Operation *end = block.getTerminator();
  SmallVector<Value> results(
      llvm::make_filter_range(end->getOperands(), [&](Value value) {
        return moved.contains(value.getDefiningOp());
      }));

  OpBuilder builder(body.front());
  builder.setInsertionPoint(end);
  auto versions = scf::IfOp::create(builder, kernel.getLoc(),
                                    ValueRange(results).getTypes(),
                                    emitTest(builder), /*withElseRegion=*/true);
  assumeMultiples();
  OpBuilder first = OpBuilder::atBlockBegin(versions.thenBlock());
  OpBuilder last = OpBuilder::atBlockBegin(versions.thenBlock());
  if (results.empty())
    last.setInsertionPoint(versions.thenYield());
  assumeArrays(first);
  for (Operation *op : body)
    adaptOperands(op, first);
  for (Operation *op : body)
    last.clone(*op, map);
  Block *other = versions.elseBlock();
  for (Operation *op : llvm::reverse(body))
    op->moveBefore(other, other->begin());
  if (results.empty())
    return versions;
  scf::YieldOp::create(
      last, kernel.getLoc(),
      llvm::map_to_vector(results, [&](Value v) { return map.lookup(v); }));
  last.setInsertionPointToEnd(other);
  scf::YieldOp::create(last, kernel.getLoc(), results);
  for (auto [index, value] : llvm::enumerate(results))
    end->replaceUsesOfWith(value, versions.getResult(index));
  return versions;
}

/// The conditional of which `block` is the code without guards, and that has
/// code with guards beside it; null where it is not.
static scf::IfOp codeWithGuards(Block *block) {
  auto guards = dyn_cast<scf::IfOp>(block->getParentOp());
  bool isUnguarded = guards && guards->hasAttr(kUnguardedAttrName) &&
                     block == guards.thenBlock() && guards.getNumResults() == 0;
  return isUnguarded ? guards : scf::IfOp();
}

/// Whether only addresses that the launcher knows are in question.
static bool isAboutParametersOnly(gpu::GPUFuncOp kernel,
                                  const AlignmentPlan &plan) {
  return plan.multiples.empty() &&
         llvm::all_of(plan.arrays, [&](const auto &array) {
           auto argument = dyn_cast<BlockArgument>(array.first);
           return argument &&
                  argument.getArgNumber() < kernel.getNumArguments();
         });
}

/// Leaves it to the launcher to look at addresses.
static void requireAlignedArrays(gpu::GPUFuncOp kernel,
                                 const AlignmentPlan &plan) {
  keepOriginal(kernel);
  Builder builder(kernel.getContext());
  for (auto [array, bytes] : plan.arrays) {
    unsigned number = cast<BlockArgument>(array).getArgNumber();
    IntegerAttr alignment = builder.getI64IntegerAttr(bytes);
    kernel.setArgAttr(number, kAlignedAttrName, alignment);
    kernel.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(), alignment);
  }
}

/// Lets `test` decide, too, whether the code without guards runs. What is known
/// for the whole block is decided before the loop that this code stands in.
static void require(scf::IfOp guards, Operation *top, Value test) {
  Value condition = guards.getCondition();
  auto both = condition.getDefiningOp<arith::AndIOp>();
  Location loc = test.getLoc();
  if (both && guards != top &&
      both.getLhs().getParentBlock() == top->getBlock()) {
    OpBuilder builder(top);
    Value known = arith::AndIOp::create(builder, loc, both.getLhs(), test);
    builder.setInsertionPoint(guards);
    condition = arith::AndIOp::create(builder, loc, known, both.getRhs());
  } else {
    OpBuilder builder(guards);
    condition = arith::AndIOp::create(builder, loc, condition, test);
  }
  guards.getConditionMutable().assign(condition);
}

/// Where `versions` stands in the code without guards, lets the code with
/// guards take the launches that are not aligned: a third version would be for
/// inner blocks of such launches alone.
static void dropUnalignedVersion(scf::IfOp versions) {
  Block *block = versions->getBlock();
  scf::IfOp guards = codeWithGuards(block);
  if (!guards)
    return;
  // The test is about parameters of the kernel, which are there before.
  llvm::SetVector<Operation *> test;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getBlock() == block; };
  (void)getBackwardSlice(versions.getCondition(), &test, options);
  auto kernel = guards->getParentOfType<gpu::GPUFuncOp>();
  Operation *top = kernel.getBody().front().findAncestorOpInBlock(*guards);
  for (Operation *op : test)
    op->moveBefore(top);
  require(guards, top, versions.getCondition());
  Block *aligned = versions.thenBlock();
  block->getOperations().splice(versions->getIterator(),
                                aligned->getOperations(), aligned->begin(),
                                std::prev(aligned->end()));
  versions.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct VersionAlignment
    : public gpuopt::impl::VersionAlignmentBase<VersionAlignment> {
  using VersionAlignmentBase::VersionAlignmentBase;

  void runOnOperation() override {
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation())) {
      FailureOr<TargetAttr> resolved = resolveTarget(kernel, target);
      if (failed(resolved) || failed(checkAccessBytes(kernel, width)))
        return signalPassFailure();
      if (std::optional<Refusal> refusal =
              version(kernel, preferredAccessBytes(*resolved, width)))
        sayMissed(RemarkCode::AlignmentNotVersioned, kernel, *refusal);
    }
  }

  std::optional<Refusal> version(gpu::GPUFuncOp kernel, int64_t bytes);
};
} // namespace

std::optional<Refusal> VersionAlignment::version(gpu::GPUFuncOp kernel,
                                                 int64_t bytes) {
  if (!kernel.getBody().hasOneBlock())
    return Refusal{kernel.getLoc(), "the control flow is not structured"};
  AlignedVersionPlanner planner(kernel, bytes);
  SmallVector<Wish> wishes = planner.findWishes();
  if (wishes.empty())
    return std::nullopt;
  SmallVector<Block *> blocks = findParts(kernel, wishes);
  if (blocks.empty())
    blocks = {findVersionedBlock(kernel, wishes)};
  int64_t operations = 0;
  for (Block *block : blocks)
    block->walk([&](Operation *) { ++operations; });
  if (operations > maxOperations)
    return Refusal{wishes.front().op->getLoc(),
                   "the code has " + std::to_string(operations) +
                       " operations, too many to have once more"};
  AlignmentPlan plan = planner.plan(wishes);
  Location loc = wishes.front().op->getLoc();
  if (isAboutParametersOnly(kernel, plan) && !codeWithGuards(blocks.front())) {
    requireAlignedArrays(kernel, plan);
    ++versioned;
    sayPassed(RemarkCode::AlignmentRequired, kernel, loc)
        << remark::metric("accesses", static_cast<int>(wishes.size()))
        << remark::metric("arrays", static_cast<int>(plan.arrays.size()));
    return std::nullopt;
  }
  for (Block *block : blocks)
    if (Operation *symbol = findVersionedOps(*block).symbol)
      return Refusal{symbol->getLoc(),
                     "the bounds of a loop or a subscript depend on it, and "
                     "are not known before the code that is to be aligned"};
  for (Block *block : blocks)
    dropUnalignedVersion(Versioner(kernel, plan).run(*block));
  ++versioned;
  sayPassed(RemarkCode::AlignmentVersioned, kernel, loc)
      << remark::metric("accesses", static_cast<int>(wishes.size()))
      << remark::metric("sizes", static_cast<int>(plan.multiples.size()))
      << remark::metric("arrays", static_cast<int>(plan.arrays.size()));
  return std::nullopt;
}
