//===- BankLayout.cpp - where the elements of a tile lie in banks ---------===//

#include "passes/Transforms/Banks/BankLayout.h"

#include "passes/Analysis/BankConflicts.h"
#include "passes/Transforms/Utils/Alignment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace gpuopt;

int64_t TileArray::bytes(const BankLayout &layout) const {
  int64_t elements = 1;
  if (layout.kind == BankLayout::Kind::Skewed) {
    int64_t last = shape.front() - 1;
    return (last + last / layout.chunk * layout.padding + 1) * elementBytes;
  }
  for (auto [dimension, extent] : llvm::enumerate(shape))
    elements *=
        extent + (dimension == layout.dimension ? layout.padding : int64_t(0));
  return elements * elementBytes;
}

int64_t TileArray::widestAccess() const {
  int64_t widest = 1;
  for (const TileAccess &access : accesses)
    widest = std::max(widest, access.function.accessBytes / elementBytes);
  return widest;
}

//===----------------------------------------------------------------------===//
// The cost of a layout
//===----------------------------------------------------------------------===//

/// The place of element `index` of an array of one dimension.
static Polynomial placeIn(const TileArray &array, const BankLayout &layout,
                          const Polynomial &index, VariableTable &variables) {
  Polynomial group =
      variables.addDerived(Variable::Operator::FloorDiv, index, layout.chunk);
  if (layout.kind == BankLayout::Kind::Skewed)
    return index + group * Polynomial(layout.padding);
  Polynomial member = index - group * Polynomial(layout.chunk);
  return group + member * Polynomial(array.shape.front() / layout.chunk);
}

/// Where `layout` puts the element with these subscripts, in bytes.
static Polynomial addressIn(const TileArray &array, const BankLayout &layout,
                            llvm::ArrayRef<Polynomial> subscripts,
                            VariableTable &variables) {
  llvm::SmallVector<Polynomial> indices(subscripts);
  if (layout.kind == BankLayout::Kind::Interleaved ||
      layout.kind == BankLayout::Kind::Skewed)
    indices.front() = placeIn(array, layout, indices.front(), variables);
  if (layout.kind == BankLayout::Kind::Swizzled) {
    using Operator = Variable::Operator;
    Polynomial step = variables.addDerived(
        Operator::FloorDiv, indices[indices.size() - 2], layout.rows);
    Polynomial round =
        variables.addDerived(Operator::FloorDiv, step, layout.steps);
    step -= round * Polynomial(layout.steps);
    indices.back() = variables.addDerived(Operator::Xor, indices.back(),
                                          step * Polynomial(layout.chunk));
  }
  Polynomial address;
  int64_t stride = array.elementBytes;
  for (unsigned place = indices.size(); place-- > 0;) {
    unsigned dimension = layout.order.empty() ? place : layout.order[place];
    address += indices[dimension] * Polynomial(stride);
    stride *= array.shape[dimension];
    if (dimension == layout.dimension)
      stride += stride / array.shape[dimension] * layout.padding;
  }
  return address;
}

/// Like `computeBankCost`, but gives up, with the cost so far, once it is not
/// below `limit`.
static BankCost computeCostUpTo(double limit, const TileArray &array,
                                const BankLayout &layout,
                                const BankContext &context) {
  VariableTable variables = context.variables;
  BankCost cost;
  for (const TileAccess &access : array.accesses) {
    AccessFunction function = access.function;
    function.address = addressIn(array, layout, function.subscripts, variables);
    BankConflictFact fact = computeBankConflicts(function, variables,
                                                 context.target, context.block);
    // The general version beside a fast one counts for little, but not for
    // nothing.
    double weight = access.executions * (fact.isUnreachable ? 1e-3 : 1.0);
    cost.wavefronts += weight * fact.wavefronts;
    cost.needed += weight * fact.neededWavefronts;
    cost.degree = std::max(cost.degree, fact.degree);
    if (cost.wavefronts >= limit)
      break;
  }
  return cost;
}

BankCost gpuopt::computeBankCost(const TileArray &array,
                                 const BankLayout &layout,
                                 const BankContext &context) {
  return computeCostUpTo(std::numeric_limits<double>::infinity(), array, layout,
                         context);
}

/// Adds the executions of accesses that do the same.
static void mergeEqualAccesses(TileArray &array) {
  std::vector<TileAccess> distinct;
  for (TileAccess &access : array.accesses) {
    const AccessFunction &function = access.function;
    auto same = llvm::find_if(distinct, [&](const TileAccess &other) {
      return other.function.subscripts == function.subscripts &&
             other.function.accessBytes == function.accessBytes &&
             other.function.kind == function.kind &&
             other.function.collective == function.collective &&
             other.function.guards == function.guards;
    });
    if (same == distinct.end())
      distinct.push_back(std::move(access));
    else
      same->executions += access.executions;
  }
  array.accesses = std::move(distinct);
}

/// The array with subscripts that lack what is the same for all threads: in a
/// layout with constant strides that renames the banks. Unrolled code becomes
/// few accesses.
static TileArray withoutUniformParts(const TileArray &array,
                                     const BankContext &context) {
  TileArray reduced = array;
  if (array.elementBytes % context.target.getWorkgroupMemoryBankBytes() == 0)
    for (TileAccess &access : reduced.accesses)
      for (Polynomial &subscript : access.function.subscripts)
        subscript = subscript
                        .partition([&](const Monomial &monomial) {
                          return access.function.variesOverLanes(
                              Polynomial::term(monomial, 1), context.variables);
                        })
                        .first;
  mergeEqualAccesses(reduced);
  return reduced;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Blocks on a multiprocessor when the array takes `bytes` instead.
static int64_t residentBlocks(const TileArray &array,
                              const BankContext &context, int64_t bytes) {
  BlockResources resources = context.resources;
  resources.workgroupMemoryBytes += bytes - array.bytes();
  return computeOccupancy(resources, context.target).blocksPerMultiprocessor;
}

/// Whether there is memory for `layout`, and no resident block lost to it.
static bool fits(const TileArray &array, const BankContext &context,
                 const BankLayout &layout) {
  int64_t bytes = array.bytes(layout);
  return context.resources.workgroupMemoryBytes + bytes - array.bytes() <=
             context.limitBytes &&
         residentBlocks(array, context, bytes) >=
             residentBlocks(array, context, array.bytes());
}

/// Paddings that fit and cost no resident block, the smallest first. What
/// matters is the stride modulo a line of banks.
static std::vector<BankLayout> paddingsOf(const TileArray &array,
                                          const BankContext &context) {
  int64_t lineBytes = context.target.getWorkgroupMemoryBanks() *
                      context.target.getWorkgroupMemoryBankBytes();
  std::vector<BankLayout> layouts;
  for (unsigned dimension = 1; dimension < array.shape.size(); ++dimension) {
    bool isRow = dimension + 1 == array.shape.size();
    int64_t unit = isRow ? array.widestAccess() : 1;
    int64_t most = lineBytes / array.elementBytes;
    for (int64_t padding = unit; padding < most; padding += unit) {
      BankLayout layout{BankLayout::Kind::Padded, dimension, padding};
      if (fits(array, context, layout))
        layouts.push_back(layout);
    }
  }
  llvm::sort(layouts, [&](const BankLayout &a, const BankLayout &b) {
    return std::tuple(array.bytes(a), a.dimension) <
           std::tuple(array.bytes(b), b.dimension);
  });
  return layouts;
}

/// All other orders of up to four dimensions. Vectors are of one row.
static std::vector<BankLayout> permutationsOf(const TileArray &array) {
  constexpr unsigned mostDimensions = 4;
  std::vector<BankLayout> layouts;
  unsigned rank = array.shape.size();
  if (rank < 2 || rank > mostDimensions || array.widestAccess() > 1)
    return layouts;
  BankLayout layout{BankLayout::Kind::Permuted};
  for (unsigned dimension = 0; dimension < rank; ++dimension)
    layout.order.push_back(dimension);
  while (std::next_permutation(layout.order.begin(), layout.order.end()))
    layouts.push_back(layout);
  return layouts;
}

/// Structures of up to sixteen elements side by side, and elements left free
/// behind each line of banks, of arrays of one dimension.
static std::vector<BankLayout> flatLayoutsOf(const TileArray &array,
                                             const BankContext &context) {
  constexpr int64_t mostMembers = 16;
  std::vector<BankLayout> layouts;
  if (array.shape.size() != 1 || array.widestAccess() > 1)
    return layouts;
  for (int64_t members = 2; members <= mostMembers; ++members)
    if (array.shape.front() % members == 0) {
      BankLayout layout{BankLayout::Kind::Interleaved};
      layout.chunk = members;
      layouts.push_back(layout);
    }
  BankLayout skewed{BankLayout::Kind::Skewed};
  skewed.padding = 1;
  skewed.chunk = context.target.getWorkgroupMemoryBanks() *
                 context.target.getWorkgroupMemoryBankBytes() /
                 array.elementBytes;
  if (skewed.chunk > 1 && fits(array, context, skewed))
    layouts.push_back(skewed);
  return layouts;
}

/// Whether vector accesses are provably aligned to their size.
static bool areAccessesAligned(const TileArray &array,
                               const VariableTable &variables) {
  return llvm::all_of(array.accesses, [&](const TileAccess &access) {
    int64_t elements = access.function.accessBytes / array.elementBytes;
    return llvm::isPowerOf2_64(elements) &&
           provenDivisor(access.function.subscripts.back(), variables) %
                   elements ==
               0;
  });
}

/// Swizzles of chunks that vector accesses lie in, the ones with the fewest
/// steps first.
static std::vector<BankLayout> swizzlesOf(const TileArray &array,
                                          const BankContext &context) {
  if (array.shape.size() < 2)
    return {};
  int64_t bankBytes = context.target.getWorkgroupMemoryBankBytes();
  int64_t lineBytes = context.target.getWorkgroupMemoryBanks() * bankBytes;
  int64_t columns = array.shape.back();
  int64_t rows = array.shape[array.shape.size() - 2];
  int64_t chunk = std::max<int64_t>(
      array.widestAccess(), llvm::divideCeil(bankBytes, array.elementBytes));
  std::vector<BankLayout> layouts;
  if (!llvm::isPowerOf2_64(chunk) || columns % chunk != 0 ||
      !areAccessesAligned(array, context.variables))
    return layouts;
  int64_t chunks = columns / chunk;
  int64_t most = std::min<int64_t>(chunks & -chunks,
                                   lineBytes / (chunk * array.elementBytes));
  for (int64_t steps = 2; steps <= most; steps *= 2)
    for (int64_t perStep = 1; perStep < rows; perStep *= 2) {
      BankLayout layout{BankLayout::Kind::Swizzled};
      layout.rows = perStep;
      layout.steps = steps;
      layout.chunk = chunk;
      layouts.push_back(layout);
    }
  return layouts;
}

/// Some of the accesses: copies of unrolled code do much the same.
static TileArray sampleAccesses(const TileArray &array) {
  constexpr size_t most = 48;
  TileArray part = array;
  size_t step = llvm::divideCeil(array.accesses.size(), most);
  part.accesses.clear();
  for (size_t i = 0; i < array.accesses.size(); i += std::max<size_t>(step, 1))
    part.accesses.push_back(array.accesses[i]);
  return part;
}

BankPlan gpuopt::planBankLayout(const TileArray &array,
                                const BankContext &context) {
  TileArray reduced = withoutUniformParts(array, context);
  BankPlan plan;
  plan.before = plan.after = computeBankCost(reduced, {}, context);
  auto consider = [&](const TileArray &accesses, const BankLayout &layout) {
    BankCost cost =
        computeCostUpTo(plan.after.wavefronts, accesses, layout, context);
    if (cost.wavefronts >= plan.after.wavefronts)
      return;
    plan.layout = layout;
    plan.after = cost;
  };
  if (!plan.before.hasConflicts())
    return plan;
  for (const std::vector<BankLayout> &layouts :
       {permutationsOf(reduced), paddingsOf(reduced, context)})
    for (const BankLayout &layout : layouts) {
      consider(reduced, layout);
      if (!plan.after.hasConflicts())
        return plan;
    }
  TileArray whole = array;
  mergeEqualAccesses(whole);
  for (const BankLayout &layout : flatLayoutsOf(whole, context)) {
    constexpr double mostLeft = 0.8;
    BankCost cost = computeBankCost(whole, layout, context);
    if (cost.wavefronts > mostLeft * plan.before.wavefronts ||
        cost.wavefronts >= plan.after.wavefronts)
      continue;
    plan.layout = layout;
    plan.after = cost;
  }
  TileArray part = sampleAccesses(whole);
  bool isPart = part.accesses.size() < whole.accesses.size();
  double most = std::numeric_limits<double>::infinity();
  if (isPart)
    most = computeBankCost(part, plan.layout, context).wavefronts;
  for (const BankLayout &layout : swizzlesOf(whole, context)) {
    if (isPart &&
        computeCostUpTo(most, part, layout, context).wavefronts >= most)
      continue;
    consider(whole, layout);
    if (!plan.after.hasConflicts())
      return plan;
  }
  return plan;
}
