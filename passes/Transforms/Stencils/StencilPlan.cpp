//===- StencilPlan.cpp - tiles for what neighbours share ------------------===//

#include "passes/Transforms/Stencils/StencilPlan.h"

#include "passes/Transforms/Coalesce/FirstItem.h"
#include "passes/Transforms/Coalesce/TileCost.h"
#include "passes/Transforms/Stencils/StencilGuards.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/ExactIds.h"
#include "passes/Transforms/Utils/UniformReach.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace gpuopt;

/// Elements farther away than this belong to no neighbour.
static constexpr int64_t kReach = 32;

/// Sectors saved, as a factor, from which a tile pays for its barrier.
static constexpr double kWorthwhileFactor = 2;

/// Most disjuncts of the test whether an element is needed.
static constexpr size_t kMostBoxes = 32;

/// The same in a loop, where each iteration has two barriers, on chips with a
/// cache in the multiprocessor.
static constexpr double kWorthwhileInLoop = 3;

SmallVector<int64_t> StencilTile::shape() const {
  return llvm::map_to_vector(dimensions, [](const StencilDimension &dimension) {
    return dimension.extent();
  });
}

int64_t StencilTile::bytes() const {
  int64_t elements = 1;
  for (int64_t extent : shape())
    elements *= extent;
  return elements * tileBytes({}, loads.front().op->getResult(0).getType());
}

namespace {
/// A load whose address grows with ids.
struct Candidate {
  Operation *op = nullptr;
  /// Where all threads are once guards are sunk: the load, or the outermost
  /// guard around it in the same iteration of the loops around.
  Operation *anchor = nullptr;
  /// The address as one of a single thread where a block has one.
  Polynomial address = {};
  /// Bytes that a step of each id moves, and the ids, the largest step first.
  std::vector<std::pair<Polynomial, unsigned>> strides = {};
  /// Why it belongs to no tile; empty where it may.
  std::string obstacle = {};
};

/// Candidates that differ by constant offsets from the first of them.
struct Group {
  std::vector<Candidate> members = {};
  std::vector<Offsets> offsets = {};
};

class StencilPlanner {
public:
  explicit StencilPlanner(const StagingContext &stagingContext)
      : context(stagingContext), functions(context.kernel) {}

  StencilPlan run(std::vector<MissedAccess> &missed);

private:
  std::optional<Candidate> makeCandidate(Operation *op);
  std::string findStrides(Candidate &candidate);
  std::optional<Offsets> offsetsBetween(const Candidate &left,
                                        const Candidate &right) const;
  std::vector<Group> groupCandidates(std::vector<MissedAccess> &missed);
  std::string makeTile(const Group &group, StencilTile &tile);
  void layOut(const Group &group, StencilTile &tile);
  std::string whyNotFillable(const Candidate &candidate);
  void keepFillable(Group &group, std::vector<MissedAccess> &missed);
  void computeCost(StencilTile &tile);
  std::string whyNotWorthwhile(const StencilTile &tile) const;
  std::string whyNotPlaceable(Operation *anchor) const;
  void keepThatFit(StencilPlan &plan, std::vector<MissedAccess> &missed);
  void refuse(const StencilTile &tile, const std::string &reason,
              std::vector<MissedAccess> &missed) const;
  bool dependsOnIds(const Polynomial &polynomial) const {
    const VariableTable &table = functions.variables();
    return table.dependsOnAny(polynomial, [&](unsigned number) {
      return table[number].kind == Variable::Kind::BlockId ||
             table.isThreadId(number);
    });
  }

  const StagingContext &context;
  AccessFunctions functions;
};
} // namespace

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The load, or the outermost condition around it that differs among threads
/// with no loop between.
static Operation *anchorOf(Operation *load) {
  Operation *anchor = load;
  for (Operation *parent = load->getParentOp(); isa<scf::IfOp>(parent);
       parent = parent->getParentOp())
    if (!computeSlice(cast<scf::IfOp>(parent).getCondition()).isUniform())
      anchor = parent;
  return anchor;
}

/// Finds how far each id moves the address, or says why that is no constant
/// step from work item to work item.
std::string StencilPlanner::findStrides(Candidate &candidate) {
  const VariableTable &table = functions.variables();
  Polynomial rest = candidate.address;
  for (unsigned dim = 0; dim < 3; ++dim) {
    unsigned id = VariableTable::threadId(dim);
    Polynomial stride = candidate.address.getCofactor(id);
    if (stride.isZero())
      continue;
    if (!isPosition(candidate.address, table, context.block, dim))
      return "its address is no function of the work item's id";
    if (dependsOnIds(stride))
      return "its address is no linear function of ids";
    candidate.strides.push_back({stride, dim});
    rest -= stride * Polynomial::variable(id);
  }
  if (table.dependsOnThread(rest) || !isExactInIds(candidate.op))
    return "its address is no linear function of ids";
  llvm::sort(candidate.strides, [](const auto &left, const auto &right) {
    auto key = [](const auto &entry) {
      return std::make_pair(strideRank(entry.first), entry.second);
    };
    return key(left) > key(right);
  });
  for (size_t next = 1; next < candidate.strides.size(); ++next)
    if (candidate.strides[next].first == candidate.strides[next - 1].first)
      return "two ids enter its address alike";
  return {};
}

std::optional<Candidate> StencilPlanner::makeCandidate(Operation *op) {
  const AccessFunction *access = functions.lookup(op);
  if (!access || access->kind != AccessKind::Load ||
      access->space != MemorySpace::Global || !access->isResolved() ||
      !access->base || collectiveAround(op) || isInFallbackVersion(op) ||
      !context.mayStage(*access) || !isTileType(op->getResult(0).getType()))
    return std::nullopt;
  Candidate candidate = {op, anchorOf(op), access->address};
  // The only thread's id is 0.
  for (unsigned dim = 0; dim < 3; ++dim)
    if (context.block[dim] == 1)
      candidate.address = candidate.address.substitute(
          VariableTable::threadId(dim), Polynomial(0));
  candidate.obstacle = findStrides(candidate);
  if (candidate.obstacle.empty() && candidate.strides.empty())
    return std::nullopt; // The same for all threads.
  return candidate;
}

/// By how many steps of each id `right` lies behind `left`, if it does.
std::optional<Offsets>
StencilPlanner::offsetsBetween(const Candidate &left,
                               const Candidate &right) const {
  if (left.strides != right.strides ||
      left.anchor->getBlock() != right.anchor->getBlock() ||
      left.op->getResult(0).getType() != right.op->getResult(0).getType() ||
      functions.lookup(left.op)->base != functions.lookup(right.op)->base)
    return std::nullopt;
  Polynomial rest = right.address - left.address;
  Offsets offsets;
  for (const auto &[stride, dim] : left.strides) {
    bool isBackward = stride.getTerms().begin()->second < 0;
    auto [quotient, remainder] = rest.divide(isBackward ? -stride : stride);
    std::optional<int64_t> steps = quotient.getConstant();
    if (!steps || std::abs(*steps) > kReach)
      return std::nullopt;
    offsets.push_back(isBackward ? -*steps : *steps);
    rest = remainder;
  }
  if (!rest.isZero())
    return std::nullopt;
  return offsets;
}

/// Puts loads of neighbouring elements together.
std::vector<Group>
StencilPlanner::groupCandidates(std::vector<MissedAccess> &missed) {
  std::vector<Group> groups;
  std::vector<Candidate> refused;
  gpu::GPUFuncOp kernel = context.kernel;
  kernel.walk([&](Operation *op) {
    if (!isa<affine::AffineLoadOp, memref::LoadOp>(op))
      return;
    std::optional<Candidate> candidate = makeCandidate(op);
    if (!candidate)
      return;
    if (!candidate->obstacle.empty()) {
      refused.push_back(std::move(*candidate));
      return;
    }
    for (Group &group : groups)
      if (std::optional<Offsets> offsets =
              offsetsBetween(group.members.front(), *candidate)) {
        group.members.push_back(std::move(*candidate));
        group.offsets.push_back(std::move(*offsets));
        return;
      }
    Offsets none(candidate->strides.size(), 0);
    groups.push_back({{std::move(*candidate)}, {none}});
  });
  // What looks like a stencil all the same is worth a remark.
  for (auto [number, candidate] : llvm::enumerate(refused))
    for (const Candidate &other :
         ArrayRef<Candidate>(refused).take_front(number)) {
      bool isNeighbour =
          functions.lookup(candidate.op)->base ==
              functions.lookup(other.op)->base &&
          (candidate.address - other.address).getConstant().value_or(0) != 0;
      if (isNeighbour) {
        missed.push_back(
            {candidate.op, "neighbours share no tile: " + candidate.obstacle});
        break;
      }
    }
  return groups;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The conditions that whoever fills a tile evaluates. What all threads of a
/// block pass outside of the loops around still holds where it is filled.
static SmallVector<Condition> conditionsOf(const Candidate &candidate) {
  return conditionsToCheck(candidate.op, candidate.anchor->getParentOp());
}

/// Finds dimensions and offsets from 0 up.
void StencilPlanner::layOut(const Group &group, StencilTile &tile) {
  const Candidate &reference = group.members.front();
  for (const Candidate &candidate : group.members)
    tile.loads.push_back({candidate.op, {}, conditionsOf(candidate)});
  for (auto [number, entry] : llvm::enumerate(reference.strides)) {
    int64_t least = group.offsets.front()[number], greatest = least;
    for (const Offsets &offsets : group.offsets) {
      least = std::min(least, offsets[number]);
      greatest = std::max(greatest, offsets[number]);
    }
    tile.dimensions.push_back(
        {entry.second, context.block[entry.second], greatest - least});
    for (auto [load, offsets] : llvm::zip_equal(tile.loads, group.offsets))
      load.offsets.push_back(offsets[number] - least);
  }
}

std::string StencilPlanner::whyNotFillable(const Candidate &candidate) {
  BlockSlice address = computeSlice(candidate.op->getOperands());
  if (!address.isComputable())
    return "other threads cannot compute its address: " + address.obstacle;
  SmallVector<Condition> conditions = conditionsOf(candidate);
  for (const Condition &condition : conditions)
    if (BlockSlice slice = computeSlice(condition.value); !slice.isComputable())
      return "other threads cannot compute its condition: " + slice.obstacle;
  std::array<bool, 3> covered;
  for (unsigned dim = 0; dim < 3; ++dim)
    covered[dim] = context.block[dim] == 1;
  for (const auto &[stride, dim] : candidate.strides)
    covered[dim] = true;
  return whyFirstItemDiffers(functions, conditions, covered);
}

/// Keeps the loads that other threads can do.
void StencilPlanner::keepFillable(Group &group,
                                  std::vector<MissedAccess> &missed) {
  Group kept;
  for (auto [candidate, offsets] :
       llvm::zip_equal(group.members, group.offsets)) {
    std::string reason = whyNotFillable(candidate);
    if (reason.empty()) {
      kept.members.push_back(std::move(candidate));
      kept.offsets.push_back(std::move(offsets));
    } else {
      missed.push_back({candidate.op, "neighbours share no tile: " + reason});
    }
  }
  group = std::move(kept);
}

/// `access` without its guards: in the first block often few work items are in
/// them, and which of two branches is taken is not known.
static AccessFunction withoutGuards(const AccessFunction &access) {
  AccessFunction result = access;
  result.op = nullptr;
  result.guards.clear();
  return result;
}

void StencilPlanner::computeCost(StencilTile &tile) {
  VariableTable table = functions.variables();
  SmallVector<Offsets> counted;
  for (const StencilLoad &load : tile.loads) {
    if (llvm::is_contained(counted, load.offsets))
      continue;
    AccessFunction access = withoutGuards(*functions.lookup(load.op));
    // All but one of them are misaligned at least.
    if (counted.empty() || tile.verdict == Verdict::Coalesced)
      tile.verdict =
          computeCoalescing(access, table, context.target, context.block)
              .verdict;
    counted.push_back(load.offsets);
    tile.sectorsBefore += sectorsPerBlock(context, access, table);
  }
  AccessFunction filled =
      withoutGuards(*functions.lookup(tile.loads.front().op));
  for (auto [dimension, offset] :
       llvm::zip_equal(tile.dimensions, tile.loads.front().offsets)) {
    unsigned index = table.addLoop("index", {Polynomial(0)},
                                   {Polynomial(dimension.extent())});
    filled.collective.push_back(index);
    filled.address = filled.address.substitute(
        VariableTable::threadId(dimension.id),
        Polynomial::variable(index) - Polynomial(offset));
  }
  tile.sectorsAfter = sectorsPerBlock(context, filled, table);
}

std::string StencilPlanner::whyNotWorthwhile(const StencilTile &tile) const {
  bool hasCache = context.target.getCoalescing() == CoalescingRule::Sectors;
  bool isInLoop =
      tile.loads.front().op->getParentOfType<LoopLikeOpInterface>() != nullptr;
  double factor = isInLoop && hasCache ? kWorthwhileInLoop : kWorthwhileFactor;
  if (tile.sectorsAfter > 0 && tile.sectorsBefore >= factor * tile.sectorsAfter)
    return {};
  return llvm::formatv("a tile would take {0:f1} sectors for a block instead "
                       "of {1:f1}, less than {2} times fewer",
                       tile.sectorsAfter, tile.sectorsBefore, factor);
}

/// Makes the tile of a group, or says why there is none.
std::string StencilPlanner::makeTile(const Group &group, StencilTile &tile) {
  layOut(group, tile);
  computeCost(tile);
  if (Operation *writer =
          findConflict(context.kernel, tile.loads.front().op->getOperand(0),
                       /*readsToo=*/false, [](Operation *) { return true; }))
    return ("'" + writer->getName().getStringRef() + "' may write the array")
        .str();
  if (std::string reason = whyNotWorthwhile(tile); !reason.empty())
    return reason;
  computeGuards(context, functions, tile);
  if (tile.boxes.size() > kMostBoxes)
    return "its loads have too many different conditions";
  return whyNotPlaceable(group.members.front().anchor);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Why no barrier can stand in front of `anchor`, and in a loop also at the end
/// of its body.
std::string StencilPlanner::whyNotPlaceable(Operation *anchor) const {
  std::string reason = whyNotReachable(anchor);
  if (reason.empty() && anchor->getParentOfType<LoopLikeOpInterface>())
    reason = whyNotReachable(anchor->getBlock()->getTerminator());
  return reason;
}

/// Notes a tile that is not made, unless its loads are coalesced as they are,
/// or in a version for sizes at which no kernel is launched.
void StencilPlanner::refuse(const StencilTile &tile, const std::string &reason,
                            std::vector<MissedAccess> &missed) const {
  if (tile.verdict != Verdict::Coalesced)
    missed.push_back(
        {tile.loads.front().op, "neighbours share no tile: " + reason});
}

/// Those that save most sectors for each byte come first where workgroup memory
/// does not suffice for all.
void StencilPlanner::keepThatFit(StencilPlan &plan,
                                 std::vector<MissedAccess> &missed) {
  int64_t left = freeWorkgroupBytes(context);
  int64_t needed = 0;
  for (const StencilTile &tile : plan.tiles)
    needed += tile.bytes();
  auto benefit = [&](unsigned number) {
    const StencilTile &tile = plan.tiles[number];
    return (tile.sectorsBefore - tile.sectorsAfter) / tile.bytes();
  };
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, plan.tiles.size()));
  if (needed > left)
    llvm::sort(order, [&](unsigned one, unsigned other) {
      return std::make_pair(-benefit(one), one) <
             std::make_pair(-benefit(other), other);
    });
  std::vector<StencilTile> kept;
  for (unsigned number : order) {
    StencilTile &tile = plan.tiles[number];
    if (tile.bytes() > left) {
      refuse(tile,
             llvm::formatv("{0} bytes do not fit in the {1} bytes of workgroup "
                           "memory left",
                           tile.bytes(), left),
             missed);
      continue;
    }
    left -= tile.bytes();
    kept.push_back(std::move(tile));
  }
  plan.tiles = std::move(kept);
}

/// Whether neighbours load the same.
static bool isStencil(const Group &group) {
  return llvm::any_of(group.offsets, [&](const Offsets &offsets) {
    return offsets != group.offsets.front();
  });
}

StencilPlan StencilPlanner::run(std::vector<MissedAccess> &missed) {
  if (!context.stageReused)
    return {};
  StencilPlan plan;
  for (Group &group : groupCandidates(missed)) {
    if (!isStencil(group))
      continue;
    keepFillable(group, missed);
    if (!isStencil(group))
      continue;
    // Other places have their turn when this one is done.
    Operation *anchor = group.members.front().anchor;
    if (plan.anchor && plan.anchor->getBlock() != anchor->getBlock())
      continue;
    StencilTile tile;
    if (std::string reason = makeTile(group, tile); !reason.empty()) {
      refuse(tile, reason, missed);
      continue;
    }
    if (!plan.anchor || anchor->isBeforeInBlock(plan.anchor))
      plan.anchor = anchor;
    plan.tiles.push_back(std::move(tile));
    keepThatFit(plan, missed);
    if (plan.tiles.empty())
      plan.anchor = nullptr;
  }
  if (plan.anchor)
    plan.isRepeated =
        plan.anchor->getParentOfType<LoopLikeOpInterface>() != nullptr;
  return plan;
}

StencilPlan gpuopt::planStencil(const StagingContext &context,
                                std::vector<MissedAccess> &missed) {
  return StencilPlanner(context).run(missed);
}
