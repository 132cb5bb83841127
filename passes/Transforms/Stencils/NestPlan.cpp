//===- NestPlan.cpp - tiles with a halo for nests of loops ----------------===//

#include "passes/Transforms/Stencils/NestPlan.h"

#include "dialects/GPUOpt/Predicates.h"
#include "passes/Analysis/LoopRange.h"

#include "passes/Transforms/Coalesce/TileCost.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/ExactIds.h"
#include "passes/Transforms/Utils/StripLoop.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gpuopt;

int64_t NestLoad::bytes() const {
  int64_t elements = 1;
  for (const NestDimension &dimension : dimensions)
    elements *= dimension.extent;
  return elements * tileBytes({}, op->getResult(0).getType());
}

const NestPlan::Loop *NestPlan::find(Operation *op) const {
  const Loop *found =
      llvm::find_if(loops, [&](const Loop &loop) { return loop.op == op; });
  return found == loops.end() ? nullptr : found;
}

namespace {
/// Plans the tiles of one nest.
class NestPlanner {
public:
  NestPlanner(const StagingContext &stagingContext,
              AccessFunctions &kernelFunctions, Operation *outermost)
      : context(stagingContext), outer(outermost), functions(kernelFunctions) {}

  NestPlan run(std::vector<MissedAccess> &missed);

private:
  bool isIteratorOf(unsigned number, Operation *loop);
  bool isNestIterator(unsigned number);
  bool dependsOnBlock(const Polynomial &polynomial, unsigned dim);
  std::string collectLoops(Operation *load);
  std::string whyNotUniform(Operation *loop);
  bool isLinear(const Polynomial &address, ArrayRef<unsigned> used);
  std::string layOut(const AccessFunction &access, NestLoad &load);
  std::string checkConditions(NestLoad &load);
  std::string checkConjunct(const Conjunct &conjunct, const NestLoad &load);
  std::string consider(const AccessFunction &access, NestLoad &load);
  void setExtents();
  bool shrink();
  void computeCost(NestLoad &load);
  bool isWorthwhile(const NestLoad &load) const;
  bool hasHalo(const NestLoad &load) const;
  std::vector<MissedAccess> considerLoads();
  bool chooseIterations();
  bool shrinkToFit();
  void dropPoorTiles(std::vector<MissedAccess> &missed);

  const StagingContext &context;
  Operation *outer;
  AccessFunctions &functions;
  NestPlan plan;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value iteratorOf(Operation *loop) {
  return *cast<LoopLikeOpInterface>(loop).getSingleInductionVar();
}

bool NestPlanner::isIteratorOf(unsigned number, Operation *loop) {
  return functions.variableOf(iteratorOf(loop)) == number;
}

bool NestPlanner::isNestIterator(unsigned number) {
  return llvm::any_of(plan.loops, [&](const NestPlan::Loop &loop) {
    return isIteratorOf(number, loop.op);
  });
}

/// Whether the loop counts by 1.
static bool isPlainLoop(Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return loop.getStepAsInt() == 1;
  return false;
}

/// Why other work items may run a loop differently often.
std::string NestPlanner::whyNotUniform(Operation *op) {
  auto loop = dyn_cast<affine::AffineForOp>(op);
  if (!loop)
    return "it stands in '" + op->getName().getStringRef().str() + "'";
  SmallVector<Value> bounds(loop.getLowerBoundOperands());
  llvm::append_range(bounds, loop.getUpperBoundOperands());
  const VariableTable &table = functions.variables();
  for (Value bound : bounds) {
    std::optional<Polynomial> value = functions.resolve(bound);
    bool isId = !value || table.dependsOnAny(*value, [&](unsigned number) {
      Variable::Kind kind = table[number].kind;
      return kind == Variable::Kind::BlockId ||
             kind == Variable::Kind::ThreadId;
    });
    if (isId)
      return "work items run its loops differently often";
  }
  return {};
}

/// Notes the loops from `load` to the outermost of the nest, or says why they
/// are none.
std::string NestPlanner::collectLoops(Operation *load) {
  SmallVector<Operation *> loops;
  for (Operation *op = load->getParentOp(); op != outer->getParentOp();
       op = op->getParentOp()) {
    if (isa<scf::IfOp>(op))
      continue;
    if (!isPlainLoop(op))
      return "it stands in '" + op->getName().getStringRef().str() + "'";
    loops.push_back(op);
  }
  for (Operation *op : llvm::reverse(loops)) {
    if (plan.find(op))
      continue;
    if (std::string reason = whyNotUniform(op); !reason.empty())
      return reason;
    auto loop = cast<affine::AffineForOp>(op);
    if (!hasRoomToStep(loop))
      return kNoRoomReason;
    // The number of iterations is needed in front of the nest.
    bool isKnown =
        loop.getUpperBoundMap().getNumResults() == 1 &&
        loop.hasConstantLowerBound() &&
        llvm::none_of(loop.getUpperBoundOperands(), [&](Value v) {
          return outer->isProperAncestor(v.getParentRegion()->getParentOp());
        });
    if (op != outer && !isKnown)
      return "a loop inside its nest has bounds that change";
    plan.loops.push_back({op});
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

bool NestPlanner::dependsOnBlock(const Polynomial &polynomial, unsigned dim) {
  return functions.variables().dependsOnAny(polynomial, [&](unsigned number) {
    return number == VariableTable::blockId(dim);
  });
}

/// Whether the address is a sum of `used`, each times what depends on none of
/// them, and of what is the same for all work items and iterations.
bool NestPlanner::isLinear(const Polynomial &address, ArrayRef<unsigned> used) {
  const VariableTable &table = functions.variables();
  Polynomial rest = address;
  auto isUsed = [&](unsigned number) {
    return llvm::is_contained(used, number);
  };
  for (unsigned variable : used) {
    Polynomial stride = rest.getCofactor(variable);
    if (table.dependsOnAny(stride, isUsed))
      return false;
    rest -= stride * Polynomial::variable(variable);
  }
  return !table.dependsOnAny(rest, [&](unsigned number) {
    return isNestIterator(number) ||
           (table.isThreadId(number) &&
            context.block[table[number].dimension] > 1);
  });
}

/// Finds the dimensions of the tile: ids and iterators by which the address
/// grows by the same. Their extents come later.
std::string NestPlanner::layOut(const AccessFunction &access, NestLoad &load) {
  const VariableTable &table = functions.variables();
  std::vector<std::pair<Polynomial, NestDimension>> found;
  llvm::SmallVector<unsigned> used;
  for (const NestPlan::Loop &loop : plan.loops) {
    std::optional<unsigned> variable =
        functions.variableOf(iteratorOf(loop.op));
    if (!variable || !access.address.contains(*variable))
      continue;
    used.push_back(*variable);
    found.push_back({access.address.getCofactor(*variable), {{}, loop.op}});
  }
  size_t numLoops = found.size();
  for (unsigned dim = 0; dim < 3; ++dim) {
    unsigned variable = VariableTable::threadId(dim);
    if (context.block[dim] == 1 || !access.address.contains(variable))
      continue;
    used.push_back(variable);
    Polynomial stride = access.address.getCofactor(variable);
    auto it = llvm::find_if(
        found, [&](const auto &entry) { return entry.first == stride; });
    if (it == found.end())
      found.push_back({stride, {dim}});
    else if (it->second.thread)
      return "two ids enter its address alike";
    else
      it->second.thread = dim;
  }
  if (!isLinear(access.address, used))
    return "its address is no linear function of ids and iterators";
  for (size_t left = 0; left < numLoops; ++left)
    for (size_t right = left + 1; right < numLoops; ++right)
      if (found[left].first == found[right].first)
        return "two iterators enter its address alike";
  for (const auto &[stride, dimension] : found)
    if (dimension.isHalo() &&
        !isPosition(access.address, table, context.block, *dimension.thread))
      return "its address is no function of the work item's id";
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, found.size()));
  llvm::sort(order, [&](unsigned left, unsigned right) {
    auto ranks = [&](unsigned number) {
      return strideRank(found[number].first);
    };
    return ranks(left) != ranks(right) ? ranks(left) > ranks(right)
                                       : left < right;
  });
  for (unsigned number : order)
    load.dimensions.push_back(found[number].second);
  for (unsigned dim = 0; dim < 3; ++dim)
    load.isFirstItem[dim] =
        !access.address.contains(VariableTable::threadId(dim)) &&
        !dependsOnBlock(access.address, dim);
  return {};
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Why one comparison does not let others stand for the work items that need
/// an element: it has to hold for smaller work items too.
std::string NestPlanner::checkConjunct(const Conjunct &conjunct,
                                       const NestLoad &load) {
  std::optional<Comparison> comparison = functions.resolve(conjunct);
  if (!comparison)
    return "its condition is no comparison of ids and sizes";
  const VariableTable &table = functions.variables();
  const Polynomial &difference = comparison->left;
  if (table.dependsOnAny(
          difference, [&](unsigned number) { return isNestIterator(number); }))
    return "its condition depends on the iteration";
  unsigned numHalos = 0;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (!table.dependsOnAny(difference, [&](unsigned number) {
          return number == VariableTable::threadId(dim) ||
                 number == VariableTable::blockId(dim);
        }))
      continue;
    bool isPlain = llvm::any_of(load.dimensions, [&](const NestDimension &d) {
      return d.thread == dim && !d.isHalo();
    });
    if (isPlain)
      continue; // Each work item stands for itself.
    numHalos += !load.isFirstItem[dim];
    unsigned variable = context.block[dim] == 1 ? VariableTable::blockId(dim)
                                                : VariableTable::threadId(dim);
    if (!comparison->isOrdering() ||
        !isPosition(difference, table, context.block, dim) ||
        difference.getCofactor(variable).getConstant().value_or(-1) < 0)
      return "its condition may hold for work items that need the datum, but "
             "not for those before them";
    if (!load.isFirstItem[dim] && !isExactInIds(conjunct))
      return "its condition compares ids without a sign, or in fewer bits";
  }
  return numHalos > 1 ? "its condition couples two dimensions of the halo" : "";
}

std::string NestPlanner::checkConditions(NestLoad &load) {
  Conjunction conjunction;
  for (const Condition &condition : conditionsAround(load.op))
    takeApart(condition, conjunction);
  if (!conjunction.others.empty())
    return "its condition is no comparison of ids and sizes";
  for (const Conjunct &conjunct : conjunction.conjuncts)
    if (std::string reason = checkConjunct(conjunct, load); !reason.empty())
      return reason;
  load.conditions = conditionsToCheck(load.op, outer);
  for (const Condition &condition : load.conditions)
    if (BlockSlice slice = computeSlice(condition.value); !slice.isComputable())
      return "other threads cannot compute its condition: " + slice.obstacle;
  // Other blocks get as far as this one.
  for (Operation *op = outer->getParentOp(); !isa<gpu::GPUFuncOp>(op);
       op = op->getParentOp())
    if (!isa<scf::IfOp>(op))
      if (std::string reason = whyNotUniform(op); !reason.empty())
        return reason;
  return {};
}

/// Plans one load, up to the extents of its tile, or says why not.
std::string NestPlanner::consider(const AccessFunction &access,
                                  NestLoad &load) {
  load.op = access.op;
  if (std::string reason = collectLoops(access.op); !reason.empty())
    return reason;
  BlockSlice slice = computeSlice(access.op->getOperands());
  if (!slice.isComputable())
    return "other threads cannot compute its address: " + slice.obstacle;
  if (std::string reason = layOut(access, load); !reason.empty())
    return reason;
  if (std::string reason = checkConditions(load); !reason.empty())
    return reason;
  Operation *writer =
      findConflict(context.kernel, access.op->getOperand(0), /*readsToo=*/false,
                   [](Operation *) { return true; });
  if (writer)
    return ("'" + writer->getName().getStringRef() + "' may write the array")
        .str();
  return {};
}

//===----------------------------------------------------------------------===//
// Extents and costs
//===----------------------------------------------------------------------===//

/// Gives each dimension its extent for the iterations planned.
void NestPlanner::setExtents() {
  for (NestLoad &load : plan.loads)
    for (NestDimension &dimension : load.dimensions) {
      int64_t threads = dimension.thread ? context.block[*dimension.thread] : 1;
      int64_t iterations =
          dimension.loop ? plan.find(dimension.loop)->iterations : 1;
      dimension.extent = threads + iterations - 1;
    }
}

/// Plans fewer iterations; false where there is none to take away.
bool NestPlanner::shrink() {
  constexpr int64_t least = 4;
  // The outermost loop may have any number of them.
  for (NestPlan::Loop &loop : plan.loops)
    if (loop.iterations >= 2 * least &&
        (&loop == &plan.loops[0] || !loop.isExact)) {
      loop.iterations /= 2;
      loop.isExact = false;
      setExtents();
      return true;
    }
  return false;
}

void NestPlanner::computeCost(NestLoad &load) {
  const AccessFunction &access = *functions.lookup(load.op);
  VariableTable table = functions.variables();
  load.verdict =
      computeCoalescing(access, table, context.target, context.block).verdict;
  load.sectorsBefore = sectorsPerBlock(context, access, table);
  for (const NestPlan::Loop &loop : plan.loops)
    if (loop.op->isAncestor(load.op))
      load.sectorsBefore *= loop.iterations;
  AccessFunction filled = access;
  filled.op = nullptr;
  filled.guards.clear();
  for (const NestDimension &dimension : load.dimensions) {
    Polynomial index = Polynomial::variable(table.addLoop(
        "index", {Polynomial(0)}, {Polynomial(dimension.extent)}));
    filled.collective.push_back(table.size() - 1);
    if (dimension.loop)
      filled.address = filled.address.substitute(
          *functions.variableOf(iteratorOf(dimension.loop)),
          dimension.thread ? Polynomial(0) : index);
    if (dimension.thread)
      filled.address = filled.address.substitute(
          VariableTable::threadId(*dimension.thread), index);
  }
  load.sectorsAfter = sectorsPerBlock(context, filled, table);
}

/// A cache catches some of what threads of a block load repeatedly.
bool NestPlanner::isWorthwhile(const NestLoad &load) const {
  bool hasCache = context.target.getCoalescing() == CoalescingRule::Sectors;
  return load.sectorsAfter > 0 &&
         load.sectorsBefore >= (hasCache ? 4 : 2) * load.sectorsAfter;
}

bool gpuopt::isSharedAcrossIterations(const StagingContext &context,
                                      const AccessFunctions &functions,
                                      const AccessFunction &access,
                                      Operation *loop) {
  std::optional<unsigned> iterator = functions.variableOf(iteratorOf(loop));
  if (!iterator || !access.isResolved())
    return false;
  Polynomial step = access.address.getCofactor(*iterator);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (context.block[dim] > 1 && !step.isZero() &&
        step == access.address.getCofactor(VariableTable::threadId(dim)))
      return true;
  return false;
}

/// Whether `load` has a halo in the outermost loop. A nest that starts further
/// inside is tried for itself.
bool NestPlanner::hasHalo(const NestLoad &load) const {
  return llvm::any_of(load.dimensions, [&](const NestDimension &d) {
    return d.isHalo() && d.loop == outer;
  });
}

/// Plans a tile for each load that can have one; returns the others, and why.
std::vector<MissedAccess> NestPlanner::considerLoads() {
  std::vector<MissedAccess> refused;
  outer->walk([&](Operation *op) {
    const AccessFunction *access = functions.lookup(op);
    if (!access || access->kind != AccessKind::Load ||
        access->space != MemorySpace::Global || !access->isResolved() ||
        !isa<affine::AffineLoadOp, memref::LoadOp>(op) ||
        !isTileType(op->getResult(0).getType()) || !context.mayStage(*access))
      return;
    NestLoad load;
    if (std::string reason = consider(*access, load); !reason.empty())
      refused.push_back({op, reason});
    else if (!load.dimensions.empty())
      plan.loads.push_back(std::move(load));
  });
  return refused;
}

/// How many iterations of each loop a tile holds; false where a loop inside the
/// nest has too many.
bool NestPlanner::chooseIterations() {
  int64_t most = 1;
  for (const NestLoad &load : plan.loads)
    most = std::max<int64_t>(most, context.target.getLineBytes() /
                                       functions.lookup(load.op)->accessBytes);
  for (NestPlan::Loop &loop : plan.loops) {
    std::optional<int64_t> trips = constantTripCount(loop.op);
    if (trips && *trips > 0 && *trips <= most)
      loop = {loop.op, *trips, true};
    else if (trips && loop.op != outer)
      return false;
    else
      loop.iterations = most;
  }
  return true;
}

/// Makes the tiles smaller until there is room for them; false where that does
/// not do.
bool NestPlanner::shrinkToFit() {
  auto bytes = [&] {
    int64_t sum = 0;
    for (const NestLoad &load : plan.loads)
      sum += load.bytes();
    return sum;
  };
  while (bytes() > freeWorkgroupBytes(context))
    if (!shrink())
      return false;
  return true;
}

void NestPlanner::dropPoorTiles(std::vector<MissedAccess> &missed) {
  for (NestLoad &load : plan.loads)
    computeCost(load);
  llvm::erase_if(plan.loads, [&](const NestLoad &load) {
    if (isWorthwhile(load))
      return false;
    if (load.verdict != Verdict::Coalesced && load.sectorsBefore > 0 &&
        hasHalo(load))
      missed.push_back(
          {load.op, "a tile for what neighbours share would save too little"});
    return true;
  });
}

NestPlan NestPlanner::run(std::vector<MissedAccess> &missed) {
  if (!context.stageReused || !isPlainLoop(outer) ||
      !functions.variableOf(iteratorOf(outer)))
    return {};
  auto hasOwnHalo = [&](const NestLoad &load) { return hasHalo(load); };
  std::vector<MissedAccess> refused = considerLoads();
  if (llvm::none_of(plan.loads, hasOwnHalo)) {
    llvm::copy_if(
        refused, std::back_inserter(missed), [&](const MissedAccess &access) {
          return isSharedAcrossIterations(context, functions,
                                          *functions.lookup(access.op), outer);
        });
    return {};
  }
  if (!chooseIterations()) {
    for (const NestLoad &load : plan.loads)
      if (hasHalo(load))
        missed.push_back(
            {load.op, "a loop inside its nest has too many iterations"});
    return {};
  }
  setExtents();
  if (!shrinkToFit()) {
    for (const NestLoad &load : plan.loads)
      missed.push_back(
          {load.op, llvm::formatv("its tile of {0} bytes does not fit in "
                                  "the {1} bytes of workgroup memory left",
                                  load.bytes(), freeWorkgroupBytes(context))});
    return {};
  }
  dropPoorTiles(missed);
  if (llvm::none_of(plan.loads, hasOwnHalo))
    return {};
  if (std::string reason = whyNotReachable(outer); !reason.empty()) {
    for (const NestLoad &load : plan.loads)
      missed.push_back({load.op, reason});
    return {};
  }
  llvm::append_range(missed, refused);
  return std::move(plan);
}

NestPlan gpuopt::planNest(const StagingContext &context,
                          AccessFunctions &functions, Operation *loop,
                          std::vector<MissedAccess> &missed) {
  return NestPlanner(context, functions, loop).run(missed);
}
