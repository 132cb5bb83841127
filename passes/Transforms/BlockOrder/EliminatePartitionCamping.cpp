//===- EliminatePartitionCamping.cpp - spread blocks over partitions ------===//
//
// Section 3.7 of Yang et al. 2012: where neighbouring blocks meet in a memory
// partition (passes/Analysis/PartitionCamping.h), blocks of a grid of two
// dimensions are put in diagonal order, and those of a grid of one start their
// loops at different places. Strides that are known only when the kernel is
// launched are tested there, once per block and the same for all threads.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/AccessReport.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "passes/Analysis/PartitionCamping.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"
#include "passes/Transforms/BlockOrder/RotateLoop.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/Poison.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_ELIMINATEPARTITIONCAMPING
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What camps
//===----------------------------------------------------------------------===//

namespace {
/// A condition on the launch: all of these, in bytes, are multiples of the
/// period.
using Multiples = std::vector<Polynomial>;

/// An access that camps, always or for some sizes.
struct Camper {
  const AccessFunction *access;
  /// From a block to its neighbour along x, in bytes.
  Polynomial strideBytes;
  /// When it camps.
  Multiples multiples;
  /// How often a thread makes it.
  double executions;
};

/// One kernel and what happens in the partitions.
struct Situation {
  gpu::GPUFuncOp kernel;
  TargetAttr target;
  AccessFunctions functions;
  BlockShape block;
  int64_t period;
  std::vector<Camper> campers = {};

  const VariableTable &variables() const { return functions.variables(); }
};
} // namespace

/// How often a thread of a block that lies inside the arrays makes `access`.
static double countReached(const Situation &at, const AccessFunction &access) {
  if (computeCoalescing(access, at.variables(), at.target, at.block)
          .requestsPerBlock == 0)
    return 0;
  return computeExecutions(access, at.variables(), at.block).count;
}

/// A length of rows as parameters: where rows are known to be multiples of a
/// vector, (w floordiv 4) * 4 stands for w.
static Polynomial asParameters(const Polynomial &length,
                               const VariableTable &variables) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : length.getTerms()) {
    Polynomial term(coefficient);
    for (unsigned number : monomial) {
      const Variable &variable = variables[number];
      std::optional<int64_t> divisor = variable.right.getConstant();
      if (variable.kind == Variable::Kind::Derived &&
          variable.op == Variable::Operator::FloorDiv && divisor &&
          term.getContent() % *divisor == 0) {
        Polynomial exact;
        for (const auto &[factors, factor] : term.getTerms())
          exact += Polynomial::term(factors, factor / *divisor);
        term = exact * variable.left;
      } else {
        term = term * Polynomial::variable(number);
      }
    }
    result += term;
  }
  return result;
}

/// Finds the accesses that camp.
static void findCampers(Situation &at) {
  for (const AccessFunction &access : at.functions.accesses()) {
    if (access.space != MemorySpace::Global)
      continue;
    CampingFact fact =
        computeCamping(access, at.variables(), at.target, at.block);
    double executions = fact.mayCamp() ? countReached(at, access) : 0;
    if (executions == 0)
      continue;
    Camper camper{&access,
                  asParameters(fact.strideBytes, at.variables()),
                  {},
                  executions};
    for (const Polynomial &length : fact.multiples)
      camper.multiples.push_back(asParameters(length, at.variables()));
    at.campers.push_back(std::move(camper));
  }
}

/// "where 4*w is a multiple of 2048", or nothing where it is always so.
static std::string describe(const Multiples &multiples, const Situation &at) {
  std::string text;
  for (const Polynomial &length : multiples)
    text += (text.empty() ? " where " : " and ") +
            at.variables().toString(length) + " is a multiple of " +
            std::to_string(at.period);
  return text;
}

/// Says once for each place in the source what camps there.
static void reportCampers(const Situation &at) {
  std::vector<std::pair<Location, std::string>> said;
  for (const Camper &camper : at.campers) {
    std::string text =
        (stringifyAccessKind(camper.access->kind) + " of '" +
         camper.access->array + "' camps" + describe(camper.multiples, at))
            .str();
    std::pair<Location, std::string> what(camper.access->op->getLoc(), text);
    if (llvm::is_contained(said, what))
      continue;
    said.push_back(what);
    sayFound(RemarkCode::PartitionCamping, at.kernel, what.first,
             {{"access", text},
              {"bytes", at.variables().toString(camper.strideBytes)},
              {"partitions", at.target.getMemoryPartitions()}});
  }
}

//===----------------------------------------------------------------------===//
// The test of the launch
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kUnknownRows =
    "rows have a length that is no parameter of the kernel";

/// Whether `conditions` can be tested at the top of the kernel.
static bool areOfParameters(ArrayRef<Multiples> conditions,
                            const Situation &at) {
  auto isParameter = [&](unsigned number) {
    auto argument =
        dyn_cast_or_null<BlockArgument>(at.variables()[number].value);
    return argument && argument.getType().isIntOrIndex() &&
           argument.getOwner()->getParentOp() == at.kernel;
  };
  return llvm::all_of(conditions, [&](const Multiples &multiples) {
    return llvm::all_of(multiples, [&](const Polynomial &length) {
      return llvm::all_of(length.getVariables(), isParameter);
    });
  });
}

/// The value of `polynomial`, of parameters, as an index.
static Value emit(OpBuilder &builder, const Polynomial &polynomial,
                  const Situation &at) {
  Location loc = at.kernel->getLoc();
  Value sum;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    Value product = arith::ConstantIndexOp::create(builder, loc, coefficient);
    for (unsigned number : monomial) {
      const Variable &variable = at.variables()[number];
      Value value = variable.value;
      Type index = builder.getIndexType();
      if (!value.getType().isIndex())
        value = variable.unsignedBits != 0
                    ? arith::IndexCastUIOp::create(builder, loc, index, value)
                          .getResult()
                    : arith::IndexCastOp::create(builder, loc, index, value);
      product = arith::MulIOp::create(builder, loc, product, value);
    }
    sum = sum ? arith::AddIOp::create(builder, loc, sum, product).getResult()
              : product;
  }
  return sum;
}

/// Whether an access that camps where all `multiples` are multiples of the
/// period does so in this launch.
static Value emitCamps(OpBuilder &builder, const Multiples &multiples,
                       const Situation &at) {
  Location loc = at.kernel->getLoc();
  Value all;
  for (const Polynomial &length : multiples) {
    Value rest = arith::RemSIOp::create(
        builder, loc, emit(builder, length, at),
        arith::ConstantIndexOp::create(builder, loc, at.period));
    Value test =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                              arith::ConstantIndexOp::create(builder, loc, 0));
    dropPoisonFlagsBehind(test);
    all =
        all ? arith::AndIOp::create(builder, loc, all, test).getResult() : test;
  }
  return all ? all : arith::ConstantIntOp::create(builder, loc, 1, 1);
}

/// Whether any of `conditions` holds for this launch.
static Value emitAnyCamps(OpBuilder &builder, ArrayRef<Multiples> conditions,
                          const Situation &at) {
  Value any;
  for (const Multiples &multiples : conditions) {
    Value camps = emitCamps(builder, multiples, at);
    any = any ? arith::OrIOp::create(builder, at.kernel->getLoc(), any, camps)
                    .getResult()
              : camps;
  }
  return any;
}

/// The different conditions of `campers`.
static std::vector<Multiples> conditionsOf(ArrayRef<const Camper *> campers) {
  std::vector<Multiples> conditions;
  for (const Camper *camper : campers)
    if (!llvm::is_contained(conditions, camper->multiples))
      conditions.push_back(camper->multiples);
  return conditions;
}

/// All conditions in words.
static std::string describeAny(ArrayRef<Multiples> conditions,
                               const Situation &at) {
  std::string text;
  for (const Multiples &multiples : conditions) {
    std::string one = describe(multiples, at);
    if (one.empty())
      return "";
    text += (text.empty() ? "" : " or") + one;
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Two dimensions: diagonal order
//===----------------------------------------------------------------------===//

/// How far `access` moves from block to block in diagonal order, where both ids
/// go up by one, without what parameters multiply; nothing where it does not
/// depend on the block by a factor each.
static std::optional<int64_t> diagonalStep(const AccessFunction &access,
                                           const VariableTable &variables) {
  int64_t bytes = 0;
  for (const auto &[monomial, coefficient] : access.address.getTerms()) {
    if (monomial == Monomial{VariableTable::blockId(0)} ||
        monomial == Monomial{VariableTable::blockId(1)})
      bytes += coefficient;
    else if (monomial.size() == 1 &&
             variables.dependsOnAny(
                 Polynomial::variable(monomial.front()), [&](unsigned number) {
                   return variables[number].kind == Variable::Kind::BlockId;
                 }))
      return std::nullopt;
  }
  return bytes;
}

/// Whether the diagonal order spreads `access` over partitions.
static bool isSpreadByDiagonal(const AccessFunction &access,
                               const Situation &at) {
  std::optional<int64_t> step = diagonalStep(access, at.variables());
  return step && *step % at.period != 0;
}

/// What accesses that did not camp would do so in diagonal order: those that
/// depend on blockIdx.y in rows only.
static double countHurt(const Situation &at) {
  double hurt = 0;
  for (const AccessFunction &access : at.functions.accesses()) {
    bool camps = llvm::any_of(at.campers, [&](const Camper &camper) {
      return camper.access == &access;
    });
    bool dependsOnRow =
        access.isResolved() &&
        at.variables().dependsOnAny(access.address, [](unsigned number) {
          return number == VariableTable::blockId(1);
        });
    if (access.space == MemorySpace::Global && dependsOnRow && !camps &&
        !isSpreadByDiagonal(access, at))
      hurt += countReached(at, access);
  }
  return hurt;
}

/// Puts the blocks in diagonal order, or says why not.
static std::optional<Refusal> reorderDiagonally(Situation &at) {
  std::vector<const Camper *> helped;
  double executions = 0;
  for (const Camper &camper : at.campers)
    if (isSpreadByDiagonal(*camper.access, at)) {
      helped.push_back(&camper);
      executions += camper.executions;
    }
  Location loc = at.campers.front().access->op->getLoc();
  if (helped.empty())
    return Refusal{loc, "blocks in diagonal order would meet in a partition, "
                        "too: blockIdx.y does not tell them apart"};
  if (countHurt(at) >= executions)
    return Refusal{loc, "in diagonal order blocks would meet in a partition "
                        "by other accesses as often"};
  std::vector<Multiples> conditions = conditionsOf(helped);
  if (!areOfParameters(conditions, at))
    return Refusal{helped.front()->access->op->getLoc(), kUnknownRows.str()};
  auto order = BlockOrderAttr::get(at.kernel->getContext(),
                                   BlockOrderKind::Diagonal, /*rows=*/0);
  reorderBlocks(
      at.kernel, order, [&](OpBuilder &builder, GridPosition position) {
        Value camps = emitAnyCamps(builder, conditions, at);
        auto branch = scf::IfOp::create(
            builder, at.kernel->getLoc(), camps,
            [&](OpBuilder &inner, Location inside) {
              NewIds ids = emitDiagonalOrder(inner, position);
              scf::YieldOp::create(inner, inside, {ids.first, ids.second});
            },
            [&](OpBuilder &inner, Location inside) {
              scf::YieldOp::create(inner, inside,
                                   {position.blockX, position.blockY});
            });
        return NewIds{branch.getResult(0), branch.getResult(1)};
      });
  sayPassed(RemarkCode::BlocksDiagonal, at.kernel,
            helped.front()->access->op->getLoc(),
            {{"condition", describeAny(conditions, at)}})
      << remark::metric("partitions",
                        static_cast<int>(at.target.getMemoryPartitions()))
      << remark::metric("accesses", static_cast<int>(helped.size()));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One dimension: an offset for each block
//===----------------------------------------------------------------------===//

/// The outermost loop that moves `access` along a row, and by how many bytes
/// for each step of its iterator.
static std::optional<std::pair<affine::AffineForOp, int64_t>>
findRowLoop(const AccessFunction &access, const Situation &at) {
  for (int number : access.loops) {
    if (number < 0)
      continue;
    auto iterator =
        dyn_cast_or_null<BlockArgument>(at.variables()[number].value);
    auto loop =
        iterator
            ? dyn_cast<affine::AffineForOp>(iterator.getOwner()->getParentOp())
            : affine::AffineForOp();
    std::optional<int64_t> bytes =
        access.address.getCofactor(number).getConstant();
    if (loop && bytes && *bytes > 0 &&
        *bytes * loop.getStepAsInt() % at.period != 0)
      return std::pair{loop, *bytes};
  }
  return std::nullopt;
}

namespace {
/// A loop along the rows of accesses that camp.
struct RowLoop {
  int64_t bytes = 0;
  std::vector<const Camper *> campers;
};
} // namespace

/// Lets `row` start a partition's width further on for each block.
static void offsetLoop(FreeLoop free, const RowLoop &row,
                       ArrayRef<Multiples> conditions, Value blockId,
                       const Situation &at) {
  int64_t step = free.loop.getStepAsInt();
  int64_t perBlock = llvm::alignTo(
      llvm::divideCeil(at.target.getMemoryPartitionBytes(), row.bytes), step);
  Location loc = free.loop.getLoc();
  rotateLoop(free, [&](OpBuilder &builder, Value length) -> Value {
    Value offset = arith::RemUIOp::create(
        builder, loc,
        arith::MulIOp::create(
            builder, loc, blockId,
            arith::ConstantIndexOp::create(builder, loc, perBlock)),
        length);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return arith::SelectOp::create(
        builder, loc, emitAnyCamps(builder, conditions, at), offset, zero);
  });
  auto said = sayPassed(RemarkCode::LoopOffset, at.kernel, loc,
                        {{"bytes", perBlock * row.bytes},
                         {"condition", describeAny(conditions, at)}});
  said << remark::metric("partitions",
                         static_cast<int>(at.target.getMemoryPartitions()))
       << remark::metric("iterations", static_cast<int>(perBlock / step));
  if (reordersSums(free))
    said << remark::metric(kReordersSumsKey, true);
}

/// Offsets the loops of what camps; returns how many.
static int64_t offsetLoops(Situation &at) {
  llvm::MapVector<Operation *, RowLoop> loops;
  for (const Camper &camper : at.campers) {
    auto found = findRowLoop(*camper.access, at);
    if (!found) {
      sayMissed(RemarkCode::PartitionCampingLeft, at.kernel,
                Refusal{camper.access->op->getLoc(),
                        "no loop goes along the row, so that all of a block's "
                        "accesses are in one partition"});
      continue;
    }
    RowLoop &row = loops[found->first];
    row.bytes = std::max(row.bytes, found->second);
    row.campers.push_back(&camper);
  }
  gatherIds(at.kernel);
  UniformityAnalysis uniformity(at.kernel);
  int64_t offset = 0;
  for (auto &[op, row] : loops) {
    auto checked = checkOrderIsFree(cast<affine::AffineForOp>(op), uniformity);
    if (auto *refusal = std::get_if<Refusal>(&checked)) {
      sayMissed(RemarkCode::PartitionCampingLeft, at.kernel, *refusal);
      continue;
    }
    std::vector<Multiples> conditions = conditionsOf(row.campers);
    if (!areOfParameters(conditions, at)) {
      sayMissed(RemarkCode::PartitionCampingLeft, at.kernel,
                Refusal{op->getLoc(), kUnknownRows.str()});
      continue;
    }
    offsetLoop(std::get<FreeLoop>(checked), row, conditions,
               blockIdAtTop(at.kernel, 0), at);
    ++offset;
  }
  return offset;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct EliminatePartitionCamping
    : public gpuopt::impl::EliminatePartitionCampingBase<
          EliminatePartitionCamping> {
  using EliminatePartitionCampingBase::EliminatePartitionCampingBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    if (std::optional<int64_t> period = partitionPeriod(*machine))
      for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
        runOnKernel(kernel, *machine, *period);
  }

  void runOnKernel(gpu::GPUFuncOp kernel, TargetAttr machine, int64_t period);
};
} // namespace

/// Whether blocks are told apart along y.
static bool hasRowsOfBlocks(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](gpu::BlockIdOp id) {
        return id.getDimension() == gpu::Dimension::x ? WalkResult::advance()
                                                      : WalkResult::interrupt();
      })
      .wasInterrupted();
}

void EliminatePartitionCamping::runOnKernel(gpu::GPUFuncOp kernel,
                                            TargetAttr machine,
                                            int64_t period) {
  // Without a geometry the block's shape, and so its stride, is not known.
  if (!geometryOf(kernel) || blockOrderOf(kernel))
    return;
  Situation at{kernel, machine, AccessFunctions(kernel), blockShapeOf(kernel),
               period};
  findCampers(at);
  if (at.campers.empty())
    return;
  reportCampers(at);
  if (hasRowsOfBlocks(kernel)) {
    if (std::optional<Refusal> refusal = reorderDiagonally(at))
      sayMissed(RemarkCode::PartitionCampingLeft, kernel, *refusal);
    else
      ++reordered;
    return;
  }
  offset += offsetLoops(at);
}
