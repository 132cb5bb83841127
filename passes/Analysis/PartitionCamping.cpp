//===- PartitionCamping.cpp - blocks that meet in a partition -------------===//

#include "passes/Analysis/PartitionCamping.h"

#include "passes/Analysis/Evaluation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace gpuopt;

std::optional<int64_t> gpuopt::partitionPeriod(TargetAttr target) {
  int64_t partitions = target.getMemoryPartitions(), period;
  if (partitions < 2 ||
      llvm::MulOverflow(partitions, target.getMemoryPartitionBytes(), period))
    return std::nullopt;
  return period;
}

llvm::StringRef gpuopt::stringify(CampingFact::Verdict verdict) {
  switch (verdict) {
  case CampingFact::Verdict::None:
    return "none";
  case CampingFact::Verdict::Spread:
    return "spread";
  case CampingFact::Verdict::Camps:
    return "camps";
  case CampingFact::Verdict::Depends:
    return "depends";
  case CampingFact::Verdict::Unresolved:
    return "unresolved";
  }
  llvm_unreachable("unknown verdict");
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Holds `polynomials`, and what `forEachLane` needs to know.
static Evaluation evaluate(std::vector<Polynomial> polynomials,
                           const AccessFunction &access,
                           const VariableTable &variables,
                           const BlockShape &block, const SizeMap &sizes) {
  addBounds(polynomials, access.collective, variables);
  return Evaluation(variables, block, sizes, polynomials, access.collective);
}

/// Calls `visit(subgroup)` for every lane of the block that makes `access`,
/// with its ids set in `evaluation`; `subgroup` numbers its request.
static void forEachLane(const AccessFunction &access, Evaluation &evaluation,
                        const BlockShape &block, int64_t subgroupSize,
                        llvm::function_ref<void(int64_t subgroup)> visit) {
  int64_t threads = block[0] * block[1] * block[2], lanes = threads;
  llvm::SmallVector<int64_t> extents;
  if (!access.collective.empty())
    lanes = 1;
  for (unsigned variable : access.collective) {
    extents.push_back(evaluation.tripCount(variable).value_or(1));
    lanes *= extents.back();
  }
  for (int64_t lane = 0; lane < lanes; ++lane) {
    evaluation.setThread(lane % threads);
    int64_t rest = lane;
    for (size_t number = extents.size(); number-- > 0;) {
      evaluation.setIteration(access.collective[number],
                              rest % extents[number]);
      rest /= extents[number];
    }
    evaluation.updateLane();
    visit(lane / threads * llvm::divideCeil(threads, subgroupSize) +
          lane % threads / subgroupSize);
  }
  for (unsigned variable : access.collective)
    evaluation.setIteration(variable, 0);
  evaluation.setThread(0);
  evaluation.update();
}

static bool isBlockId(const VariableTable &variables, unsigned number) {
  return variables[number].kind == Variable::Kind::BlockId;
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

namespace {
/// Takes an address apart by what moves it.
class CampingRule {
public:
  CampingRule(const AccessFunction &access, const VariableTable &variables,
              const BlockShape &block, const SizeMap &sizes, int64_t period)
      : access(access), variables(variables), block(block),
        evaluation(evaluate({access.address}, access, variables, block, sizes)),
        period(period) {}

  CampingFact judge();

private:
  bool dependsOnBlockX(const Polynomial &polynomial) const;
  bool isLaunchUniform(unsigned number) const;
  Polynomial withKnownSizes() const;
  bool takeApart(const Polynomial &address);
  bool reachesOverHalf();

  const AccessFunction &access;
  const VariableTable &variables;
  const BlockShape &block;
  Evaluation evaluation;
  int64_t period;
  /// What multiplies blockIdx.x.
  Polynomial stride;
  /// By product of parameters: the greatest common divisor of the factors with
  /// which it tells blocks or threads apart. {w: 4}: rows of 4*w bytes.
  std::map<Monomial, int64_t, MonomialOrder> rows;
  /// What the threads add without parameters.
  Polynomial lanes;
};
} // namespace

bool CampingRule::dependsOnBlockX(const Polynomial &polynomial) const {
  return variables.dependsOnAny(polynomial, [](unsigned number) {
    return number == VariableTable::blockId(0);
  });
}

/// Whether the value is the same in the whole launch.
bool CampingRule::isLaunchUniform(unsigned number) const {
  return !variables.dependsOnAny(Polynomial::variable(number),
                                 [&](unsigned other) {
                                   switch (variables[other].kind) {
                                   case Variable::Kind::BlockId:
                                   case Variable::Kind::ThreadId:
                                   case Variable::Kind::Loop:
                                     return true;
                                   default:
                                     return false;
                                   }
                                 });
}

/// The address with the values of parameters that are known.
Polynomial CampingRule::withKnownSizes() const {
  Polynomial address = access.address;
  for (unsigned number : access.address.getVariables()) {
    std::vector<std::string> assumptions;
    Polynomial variable = Polynomial::variable(number);
    evaluation.noteAssumptions(variable, assumptions);
    if (!isLaunchUniform(number) || !assumptions.empty())
      continue;
    if (std::optional<int64_t> value = evaluation.evaluate(variable))
      address = address.substitute(number, Polynomial(*value));
  }
  return address;
}

/// Sorts the terms of `address`; false where blockIdx.x is not a factor alone.
bool CampingRule::takeApart(const Polynomial &address) {
  for (const auto &[monomial, coefficient] : address.getTerms()) {
    Monomial sizes, ids;
    for (unsigned number : monomial)
      (isLaunchUniform(number) ? sizes : ids).push_back(number);
    Polynomial term = Polynomial::term(monomial, coefficient);
    bool isOfBlock = dependsOnBlockX(term);
    if (isOfBlock) {
      if (ids != Monomial{VariableTable::blockId(0)})
        return false;
      stride += Polynomial::term(sizes, coefficient);
    } else if (!access.variesOverLanes(term, variables)) {
      continue;
    }
    if (!sizes.empty())
      rows[sizes] = std::gcd(rows[sizes], coefficient);
    else if (!isOfBlock)
      lanes += term;
  }
  return true;
}

/// Whether what the threads add to a row lies in more than half a period.
bool CampingRule::reachesOverHalf() {
  std::set<int64_t> places;
  FlatPolynomial ofLane(lanes);
  forEachLane(access, evaluation, block, 1, [&](int64_t) {
    if (std::optional<int64_t> offset = evaluation.evaluate(ofLane))
      places.insert((*offset % period + period) % period);
  });
  if (places.empty())
    return true;
  int64_t gap = *places.begin() + period - *places.rbegin();
  for (auto place = places.begin(), next = std::next(place);
       next != places.end(); ++place, ++next)
    gap = std::max(gap, *next - *place);
  return period - gap + access.accessBytes > period / 2;
}

CampingFact CampingRule::judge() {
  using Verdict = CampingFact::Verdict;
  CampingFact fact;
  Polynomial address = withKnownSizes();
  if (!dependsOnBlockX(address)) {
    fact.verdict = Verdict::None;
    return fact;
  }
  if (address.isUnknown() || !takeApart(address)) {
    fact.reason = "blockIdx.x is not a factor of its own in the address";
    return fact;
  }
  fact.strideBytes = stride;
  fact.verdict = Verdict::Spread;
  if (stride.getConstantTerm() % period != 0 || reachesOverHalf())
    return fact;
  for (const auto &[sizes, factor] : rows)
    if (factor % period != 0)
      fact.multiples.push_back(Polynomial::term(sizes, factor));
  fact.verdict = fact.multiples.empty() ? Verdict::Camps : Verdict::Depends;
  return fact;
}

CampingFact gpuopt::computeCamping(const AccessFunction &access,
                                   const VariableTable &variables,
                                   TargetAttr target, const BlockShape &block,
                                   const SizeMap &sizes) {
  CampingFact fact;
  std::optional<int64_t> period = partitionPeriod(target);
  if (!access.isResolved()) {
    fact.reason = access.unresolved;
    return fact;
  }
  if (!period || access.space != MemorySpace::Global) {
    fact.verdict = CampingFact::Verdict::None;
    return fact;
  }
  return CampingRule(access, variables, block, sizes, *period).judge();
}

//===----------------------------------------------------------------------===//
// The histogram
//===----------------------------------------------------------------------===//

ActiveBlocks gpuopt::activeBlocksOf(TargetAttr target,
                                    const std::array<int64_t, 3> &items,
                                    const std::array<int64_t, 3> &itemsPerBlock,
                                    int64_t blocksPerMultiprocessor) {
  ActiveBlocks active;
  int64_t blocks = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    active.grid[dimension] = std::max<int64_t>(
        1, llvm::divideCeil(items[dimension], itemsPerBlock[dimension]));
    if (llvm::MulOverflow(blocks, active.grid[dimension], blocks))
      blocks = INT64_MAX;
  }
  active.count =
      std::min(blocks, target.getMultiprocessors() *
                           std::max<int64_t>(1, blocksPerMultiprocessor));
  return active;
}

int64_t PartitionHistogram::total() const {
  return std::accumulate(sectors.begin(), sectors.end(), int64_t(0));
}

double PartitionHistogram::busiestShare() const {
  int64_t all = total();
  return all ? double(*llvm::max_element(sectors)) / all : 0;
}

void PartitionHistogram::add(const PartitionHistogram &other) {
  if (sectors.empty())
    sectors.resize(other.sectors.size());
  for (auto [sum, more] : llvm::zip(sectors, other.sectors))
    sum += more;
  for (const std::string &note : other.assumptions)
    if (!llvm::is_contained(assumptions, note))
      assumptions.push_back(note);
}

namespace {
/// Counts the sectors of one access.
class PartitionCounter {
public:
  PartitionCounter(const AccessFunction &access, const VariableTable &variables,
                   TargetAttr target, const BlockShape &block,
                   const SizeMap &sizes)
      : access(access), variables(variables), target(target), block(block),
        evaluation(
            evaluate(polynomialsOf(access), access, variables, block, sizes)),
        histogram{std::vector<int64_t>(target.getMemoryPartitions())} {}

  std::optional<PartitionHistogram> count(const ActiveBlocks &active);

private:
  /// Addresses of the lanes of one request.
  using Addresses = llvm::SmallVector<int64_t, 64>;

  bool collect(std::vector<Addresses> &into, bool onlyActive);
  void addSectors(llvm::ArrayRef<Addresses> of, int64_t shift, int64_t times);
  void selectBlock(const ActiveBlocks &active, int64_t number);
  bool blocksOnlyShift(Polynomial &ofBlock) const;

  const AccessFunction &access;
  const VariableTable &variables;
  TargetAttr target;
  const BlockShape &block;
  Evaluation evaluation;
  PartitionHistogram histogram;
};
} // namespace

/// Collects the addresses of the selected block by request.
bool PartitionCounter::collect(std::vector<Addresses> &into, bool onlyActive) {
  bool isKnown = true;
  FlatPolynomial position(access.address);
  FlatGuards guards(access.guards);
  forEachLane(access, evaluation, block, target.getSubgroupSize(),
              [&](int64_t subgroup) {
                if (onlyActive && !evaluation.isActive(guards))
                  return;
                auto address = evaluation.evaluate(position);
                isKnown &= address.has_value();
                into.resize(std::max<size_t>(into.size(), subgroup + 1));
                into[subgroup].push_back(address.value_or(0));
              });
  return isKnown && !into.empty();
}

void PartitionCounter::addSectors(llvm::ArrayRef<Addresses> of, int64_t shift,
                                  int64_t times) {
  int64_t sectorBytes = target.getSectorBytes();
  for (const Addresses &request : of) {
    std::set<int64_t> sectors;
    for (int64_t address : request)
      for (int64_t sector =
               llvm::divideFloorSigned(address + shift, sectorBytes);
           sector * sectorBytes < address + shift + access.accessBytes;
           ++sector)
        sectors.insert(sector);
    for (int64_t sector : sectors) {
      int64_t window = llvm::divideFloorSigned(
          sector * sectorBytes, target.getMemoryPartitionBytes());
      int64_t partitions = target.getMemoryPartitions();
      histogram.sectors[(window % partitions + partitions) % partitions] +=
          times;
    }
  }
}

void PartitionCounter::selectBlock(const ActiveBlocks &active, int64_t number) {
  evaluation.setBlockId(0, number % active.grid[0]);
  evaluation.setBlockId(1, number / active.grid[0] % active.grid[1]);
  evaluation.setBlockId(2, number / active.grid[0] / active.grid[1]);
  evaluation.update();
}

/// Whether a block's addresses are those of the first one, all moved by the
/// difference of `ofBlock`.
bool PartitionCounter::blocksOnlyShift(Polynomial &ofBlock) const {
  for (const auto &[monomial, coefficient] : access.address.getTerms()) {
    Polynomial term = Polynomial::term(monomial, coefficient);
    bool isOfBlock = variables.dependsOnAny(
        term, [&](unsigned number) { return isBlockId(variables, number); });
    if (isOfBlock && access.variesOverLanes(term, variables))
      return false;
    if (isOfBlock)
      ofBlock += term;
  }
  return true;
}

std::optional<PartitionHistogram>
PartitionCounter::count(const ActiveBlocks &active) {
  evaluation.noteAssumptions(access.address, histogram.assumptions);
  std::vector<Addresses> first;
  if (!collect(first, /*onlyActive=*/true))
    return std::nullopt;

  Polynomial ofBlock;
  if (!blocksOnlyShift(ofBlock)) {
    for (int64_t number = 0; number < active.count; ++number) {
      selectBlock(active, number);
      std::vector<Addresses> addresses;
      if (!collect(addresses, /*onlyActive=*/false))
        return std::nullopt;
      addSectors(addresses, 0, 1);
    }
    return histogram;
  }
  // Only the shift modulo a period matters.
  std::map<int64_t, int64_t> shifts;
  std::optional<int64_t> origin = evaluation.evaluate(ofBlock);
  for (int64_t number = 0; number < active.count; ++number) {
    selectBlock(active, number);
    std::optional<int64_t> place = evaluation.evaluate(ofBlock);
    if (!place || !origin)
      return std::nullopt;
    ++shifts[(*place - *origin) % *partitionPeriod(target)];
  }
  for (auto [shift, times] : shifts)
    addSectors(first, shift, times);
  return histogram;
}

std::optional<PartitionHistogram> gpuopt::computePartitionHistogram(
    const AccessFunction &access, const VariableTable &variables,
    TargetAttr target, const BlockShape &block, const ActiveBlocks &active,
    const SizeMap &sizes) {
  if (!access.isResolved() || !partitionPeriod(target))
    return std::nullopt;
  SizeMap launch = sizes;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    launch[variables[VariableTable::gridDim(dimension)].name] =
        active.grid[dimension];
  return PartitionCounter(access, variables, target, block, launch)
      .count(active);
}

std::vector<ArrayPartitions>
gpuopt::computePartitions(const AccessFunctions &functions, TargetAttr target,
                          const BlockShape &block, const ActiveBlocks &active,
                          const SizeMap &sizes) {
  std::vector<ArrayPartitions> arrays;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space != MemorySpace::Global)
      continue;
    std::optional<PartitionHistogram> histogram = computePartitionHistogram(
        access, functions.variables(), target, block, active, sizes);
    if (!histogram)
      continue;
    auto known = llvm::find_if(arrays, [&](const ArrayPartitions &array) {
      return array.array == access.array && array.kind == access.kind;
    });
    if (known == arrays.end())
      known = arrays.insert(known, {access.array, access.kind});
    known->histogram.add(*histogram);
    known->isSameForBlocks &= !functions.variables().dependsOnAny(
        access.address, [&](unsigned number) {
          return isBlockId(functions.variables(), number);
        });
  }
  return arrays;
}
