//===- TileDistribution.cpp - which thread does what of a tile ------------===//

#include "passes/Transforms/Tiles/TileDistribution.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Transforms/Utils/Alignment.h"
#include "passes/Transforms/Utils/BlockSlice.h"
#include "passes/Transforms/Utils/VectorWidth.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace gpuopt;

/// Orders of more dimensions than this are not tried.
static constexpr size_t kMostPermuted = 4;

namespace {
/// Finds the distribution of one loop.
class Distributor {
public:
  Distributor(affine::AffineParallelOp tileLoop, ArrayRef<int64_t> shape,
              const AccessFunctions &accessFunctions, TargetAttr machine,
              const BlockShape &blockShape, int64_t width)
      : loop(tileLoop), extents(shape), functions(accessFunctions),
        target(machine), block(blockShape),
        widestBytes(preferredAccessBytes(machine, width)) {
    loop.walk([&](Operation *op) {
      if (const AccessFunction *access = functions.lookup(op))
        accesses.push_back(access);
    });
  }

  TileDistribution run();

private:
  TileDistribution distribute(ArrayRef<unsigned> order);
  double sectorsOf(ArrayRef<unsigned> order);
  void widen(TileDistribution &distribution);
  int64_t mostElements();
  std::string whyNotVector(const TileDistribution &distribution, int64_t width,
                           llvm::SmallPtrSetImpl<Operation *> &vectors);
  std::string whyConditionsDiffer(unsigned variable, int64_t width);
  bool isVectorAccess(const AccessFunction &access, unsigned variable,
                      int64_t width);
  bool isSameForVector(const Comparison &comparison, unsigned variable,
                       int64_t width);

  unsigned variableOf(unsigned dimension) {
    return *functions.variableOf(loop.getIVs()[dimension]);
  }
  int64_t threads() const { return block[0] * block[1] * block[2]; }
  int64_t elements() const {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                           std::multiplies<int64_t>());
  }

  affine::AffineParallelOp loop;
  ArrayRef<int64_t> extents;
  const AccessFunctions &functions;
  TargetAttr target;
  const BlockShape &block;
  int64_t widestBytes;
  SmallVector<const AccessFunction *> accesses;
};
} // namespace

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether `comparison` has the same outcome for `width` values of `variable`
/// from a multiple of `width` on: a sum like that of the guard i + v < k, where
/// all but v are multiples of `width`.
bool Distributor::isSameForVector(const Comparison &comparison,
                                  unsigned variable, int64_t width) {
  const VariableTable &table = functions.variables();
  auto isIt = [&](unsigned number) { return number == variable; };
  if (!table.dependsOnAny(comparison.left, isIt))
    return true;
  Polynomial rest = comparison.left.without(variable);
  std::optional<int64_t> factor =
      comparison.left.getCofactor(variable).getConstant();
  bool isPlain = factor && !table.dependsOnAny(rest, isIt) &&
                 comparison.left == rest + Polynomial(*factor) *
                                               Polynomial::variable(variable);
  if (!isPlain || provenDivisor(rest, table) < width)
    return false;
  using Relation = Comparison::Relation;
  return (*factor == 1 && comparison.relation == Relation::Less) ||
         (*factor == -1 && comparison.relation == Relation::LessEqual);
}

/// Returns why the iterations of a vector may decide their conditions
/// differently.
std::string Distributor::whyConditionsDiffer(unsigned variable, int64_t width) {
  Value iterator = functions.variables()[variable].value;
  WalkResult result = loop.walk([&](scf::IfOp branch) {
    if (!computeSlice(branch.getCondition()).iterators.contains(iterator))
      return WalkResult::advance();
    // Its comparisons are among the guards of the accesses in it.
    for (const AccessFunction *access : accesses) {
      if (!branch->isAncestor(access->op))
        continue;
      for (const Guard &guard : access->guards)
        if (!guard.complete ||
            llvm::any_of(guard.comparisons, [&](const Comparison &comparison) {
              return !isSameForVector(comparison, variable, width);
            }))
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted()
             ? "a condition may hold for a part of a vector only"
             : "";
}

/// Whether neighbours in the last dimension of the memref that `access`
/// accesses are neighbours in memory, by its type.
static bool hasUnitStride(Operation *access) {
  for (Value operand : access->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (type)
      return succeeded(type.getStridesAndOffset(strides, offset)) &&
             !strides.empty() && strides.back() == 1;
  }
  return false;
}

/// Whether `width` iterations from a multiple of `width` on access consecutive
/// elements from an address that a vector may have.
bool Distributor::isVectorAccess(const AccessFunction &access,
                                 unsigned variable, int64_t width) {
  const VariableTable &table = functions.variables();
  auto isIt = [&](unsigned number) { return number == variable; };
  Polynomial step = access.address.getCofactor(variable);
  Polynomial rest = access.address.without(variable);
  if (!access.isResolved() || step != Polynomial(access.accessBytes) ||
      access.accessBytes != access.elementBytes || !hasUnitStride(access.op) ||
      table.dependsOnAny(rest, isIt))
    return false;
  AccessFunction first = access;
  first.address = access.address.substitute(
      variable, Polynomial::variable(variable) * Polynomial(width));
  return provenAlignment(first, table) >= width * access.accessBytes;
}

/// The elements of the widest vector that any access of the loop could be.
int64_t Distributor::mostElements() {
  int64_t most = 1;
  for (const AccessFunction *access : accesses)
    if (access->space == MemorySpace::Global)
      most = std::max(most, widestBytes / access->accessBytes);
  return llvm::bit_floor<uint64_t>(most);
}

/// Whether every operation in `body` can be made for a vector of iterations:
/// data goes from loads to stores and nowhere else.
static bool onlyCopies(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
             onlyCopies(*branch.thenBlock());
    if (isa<affine::AffineLoadOp, memref::LoadOp>(op))
      return op.getResult(0).getType().isIntOrFloat() &&
             op.getResult(0).getType().getIntOrFloatBitWidth() % 8 == 0 &&
             llvm::all_of(op.getUsers(), [&](Operation *user) {
               return isa<affine::AffineStoreOp, memref::StoreOp>(user) &&
                      user->getOperand(0) == op.getResult(0);
             });
    if (isa<affine::AffineStoreOp, memref::StoreOp>(op))
      return isa_and_nonnull<affine::AffineLoadOp, memref::LoadOp>(
          op.getOperand(0).getDefiningOp());
    return op.getNumRegions() == 0 && isPure(&op);
  });
}

std::string
Distributor::whyNotVector(const TileDistribution &distribution, int64_t width,
                          llvm::SmallPtrSetImpl<Operation *> &vectors) {
  unsigned dimension = distribution.fastest();
  if (extents[dimension] % width != 0)
    return "the tile's extent is no multiple";
  if (!distribution.isCopy)
    return "the loop does more than copy";
  unsigned variable = variableOf(dimension);
  for (const AccessFunction *access : accesses) {
    if (isVectorAccess(*access, variable, width)) {
      vectors.insert(access->op);
      continue;
    }
    if (access->space != MemorySpace::Global)
      continue;
    bool isContiguous =
        access->isResolved() && access->address.getCofactor(variable) ==
                                    Polynomial(access->accessBytes);
    return "'" + access->array + "' is not " +
           (isContiguous ? "known to be aligned" : "contiguous along the tile");
  }
  return whyConditionsDiffer(variable, width);
}

/// Chooses the width: the widest with which no thread is idle in any round. A
/// tile that keeps threads idle anyway gets the widest vectors.
void Distributor::widen(TileDistribution &distribution) {
  int64_t most = mostElements();
  for (int64_t width = most; width > 1; width /= 2) {
    llvm::SmallPtrSet<Operation *, 4> vectors;
    std::string reason = whyNotVector(distribution, width, vectors);
    bool isUneven = elements() % threads() != 0;
    if (reason.empty() && !isUneven && elements() % (width * threads()) != 0)
      reason = "threads would be idle";
    if (reason.empty()) {
      distribution.width = width;
      distribution.vectorAccesses = std::move(vectors);
      return;
    }
    if (distribution.whyNotWider.empty())
      distribution.whyNotWider = reason;
  }
}

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Sectors of global memory that the block moves when it counts in `order`.
double Distributor::sectorsOf(ArrayRef<unsigned> order) {
  double sectors = 0;
  for (const AccessFunction *access : accesses) {
    if (access->space != MemorySpace::Global)
      continue;
    AccessFunction ordered = *access;
    ordered.collective.clear();
    for (unsigned dimension : order)
      ordered.collective.push_back(variableOf(dimension));
    CoalescingFact fact =
        computeCoalescing(ordered, functions.variables(), target, block);
    sectors += fact.sectorsPerRequest() * fact.requestsPerBlock;
  }
  return sectors;
}

TileDistribution Distributor::distribute(ArrayRef<unsigned> order) {
  TileDistribution distribution;
  distribution.order.assign(order.begin(), order.end());
  distribution.isCopy = onlyCopies(*loop.getBody());
  distribution.sectors = sectorsOf(order);
  widen(distribution);
  return distribution;
}

TileDistribution Distributor::run() {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, extents.size()));
  TileDistribution best = distribute(order);
  // In lexicographic order, so that the loop's own comes first.
  while (order.size() <= kMostPermuted &&
         std::next_permutation(order.begin(), order.end())) {
    TileDistribution other = distribute(order);
    if (other.sectors < best.sectors ||
        (other.sectors == best.sectors && other.width > best.width))
      best = std::move(other);
  }
  SmallVector<int64_t> counted;
  for (unsigned dimension : best.order)
    counted.push_back(extents[dimension]);
  counted.back() /= best.width;
  best.assignment = assignTile(counted, block, loop.getContext());
  return best;
}

TileDistribution
gpuopt::distributeTile(affine::AffineParallelOp loop, ArrayRef<int64_t> extents,
                       const AccessFunctions &functions, TargetAttr target,
                       const BlockShape &block, int64_t width) {
  return Distributor(loop, extents, functions, target, block, width).run();
}
