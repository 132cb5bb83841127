//===- PartitionPlan.cpp - the best parts of arrays for a block -----------===//

#include "passes/Transforms/Share/PartitionPlan.h"

using namespace gpuopt;

/// The most iterations of a loop that a tile serves: more take memory and save
/// nothing.
static constexpr int64_t kMostIterations = 32;
static constexpr int64_t kMostItemsOfThread = 32;

namespace {
/// What stood in the way of a point, by how far it came.
enum class Obstacle { Lengths, Rows, Memory, NoProfit, None };

/// Looks at all points for one split.
class PointSearch {
public:
  PointSearch(const PartitionProblem &problem, const IterationSplit &split,
              llvm::ArrayRef<ArrayFeatures> features,
              const PartitionLimits &limits)
      : problem(problem), split(split), features(features), limits(limits) {}

  void run();

  int64_t points = 0;
  std::optional<PartitionPlan> best;
  /// Of the point that came furthest.
  Obstacle obstacle = Obstacle::Lengths;

private:
  void tryBlock(const std::array<int64_t, 3> &block);
  std::optional<std::array<int64_t, 3>>
  itemsOfThread(const std::array<int64_t, 3> &block,
                llvm::ArrayRef<int64_t> values) const;
  Obstacle planAt(const std::array<int64_t, 3> &block, int64_t iterations,
                  PartitionPlan &plan) const;
  std::vector<int64_t> iterationsToTry() const;
  bool isReused(const ArrayFeatures &array,
                llvm::ArrayRef<int64_t> values) const;
  bool hasLongRows(const ArrayFeatures &array,
                   llvm::ArrayRef<int64_t> values) const;
  void describe(PartitionPlan &plan) const;
  std::vector<int64_t> valuesAt(const std::array<int64_t, 3> &block,
                                int64_t iterations) const;

  const PartitionProblem &problem;
  const IterationSplit &split;
  llvm::ArrayRef<ArrayFeatures> features;
  const PartitionLimits &limits;
};
} // namespace

std::vector<int64_t> PointSearch::valuesAt(const std::array<int64_t, 3> &block,
                                           int64_t iterations) const {
  std::vector<int64_t> vague(problem.parameters.all().size(),
                             std::max<int64_t>(iterations, 1));
  return problem.parameters.evaluate(block, vague);
}

bool PointSearch::isReused(const ArrayFeatures &array,
                           llvm::ArrayRef<int64_t> values) const {
  std::optional<int64_t> references = array.references.evaluate(values);
  std::optional<int64_t> elements = array.elements.evaluate(values);
  return references && elements && *elements > 0 &&
         double(*references) > limits.reuseThreshold * double(*elements);
}

/// The work items of a thread; nothing where not all have as many.
std::optional<std::array<int64_t, 3>>
PointSearch::itemsOfThread(const std::array<int64_t, 3> &block,
                           llvm::ArrayRef<int64_t> values) const {
  std::array<int64_t, 3> items = {1, 1, 1};
  for (auto [number, dimension] : llvm::enumerate(problem.dimensions)) {
    if (!dimension.workItem)
      continue;
    std::optional<int64_t> length =
        lengthOfWorkItems(problem, split, number).evaluate(values);
    int64_t threads = block[*dimension.workItem];
    if (!length || *length < threads || *length % threads != 0 ||
        *length > kMostItemsOfThread * threads)
      return std::nullopt;
    items[*dimension.workItem] = *length / threads;
  }
  return items;
}

/// Fills in `plan`, as far as nothing stands in its way.
Obstacle PointSearch::planAt(const std::array<int64_t, 3> &block,
                             int64_t iterations, PartitionPlan &plan) const {
  std::vector<int64_t> values = valuesAt(block, iterations);
  auto items = itemsOfThread(block, values);
  if (!items)
    return Obstacle::Lengths;
  plan.block = block;
  plan.items = *items;
  plan.iterations = iterations;
  for (const ArrayFeatures &array : features) {
    int64_t elementBytes = problem.arrays[array.array].elementBytes;
    std::optional<int64_t> references = array.references.evaluate(values);
    std::optional<int64_t> transactions = array.transactions.evaluate(values);
    std::optional<int64_t> tile = array.tileElements.evaluate(values);
    if (!references || !transactions || !tile || *tile < 1)
      return Obstacle::Lengths;
    bool isUsed = isReused(array, values);
    if (!isUsed && array.isCoalesced)
      continue;
    if (!array.isCoalesced && !hasLongRows(array, values))
      return Obstacle::Rows;
    plan.arrays.push_back(array.array);
    plan.bytes += *tile * elementBytes;
    if (isUsed)
      plan.profit += *references * elementBytes;
    plan.profit += *transactions * limits.transactionBytes;
  }
  if (plan.bytes > limits.workgroupBytes)
    return Obstacle::Memory;
  return plan.profit > 0 ? Obstacle::None : Obstacle::NoProfit;
}

/// Whether neighbours along x that fill its tiles access neighbouring elements.
bool PointSearch::hasLongRows(const ArrayFeatures &array,
                              llvm::ArrayRef<int64_t> values) const {
  return llvm::all_of(array.rows, [&](const Polynomial &row) {
    std::optional<int64_t> elements = row.evaluate(values);
    return elements && *elements * problem.arrays[array.array].elementBytes >=
                           limits.rowBytes;
  });
}

/// Those of loops that are cut into parts: as the hints say, or where they
/// leave it open powers of two, the most first; 0 where no loop is cut.
std::vector<int64_t> PointSearch::iterationsToTry() const {
  bool isVague = llvm::any_of(features, [](const ArrayFeatures &array) {
    return !array.chunks.empty();
  });
  std::vector<int64_t> numbers;
  for (int64_t number = kMostIterations; isVague && number > 0; number /= 2)
    numbers.push_back(number);
  if (isVague)
    return numbers;
  int64_t fixed = 0;
  for (auto [length, dimension] : llvm::zip(split.lengths, problem.dimensions))
    if (length.kind == SplitLength::Kind::Fixed && !dimension.workItem)
      fixed = length.length.getConstant().value_or(0);
  return {fixed};
}

void PointSearch::tryBlock(const std::array<int64_t, 3> &block) {
  bool hasFound = false;
  for (int64_t iterations : iterationsToTry()) {
    PartitionPlan plan;
    Obstacle met = planAt(block, iterations, plan);
    obstacle = std::max(obstacle, met);
    if (met != Obstacle::None)
      continue;
    ++points;
    // Fewer iterations change nothing but the memory that is left.
    if (!std::exchange(hasFound, true) && (!best || plan.profit > best->profit))
      best = plan;
  }
}

/// The formula of the profit, and what bounds the vague numbers.
void PointSearch::describe(PartitionPlan &plan) const {
  Polynomial profit, bytes;
  std::vector<int64_t> values = valuesAt(plan.block, plan.iterations);
  for (const ArrayFeatures &array : features) {
    if (!llvm::is_contained(plan.arrays, array.array))
      continue;
    Polynomial elementBytes(problem.arrays[array.array].elementBytes);
    if (isReused(array, values))
      profit += elementBytes * array.references;
    profit += Polynomial(limits.transactionBytes) * array.transactions;
    bytes += elementBytes * array.tileElements;
  }
  plan.formula = problem.parameters.toString(profit);
  for (auto [number, parameter] : llvm::enumerate(problem.parameters.all()))
    if (parameter.kind != PlanParameter::Kind::Vague)
      bytes = bytes.substitute(number, Polynomial(values[number]));
  int64_t constant = bytes.getConstantTerm(), unit = 1;
  bytes -= Polynomial(constant);
  if (int64_t content = bytes.getContent(); content > 1) {
    unit = content;
    bytes = bytes.divide(Polynomial(content)).quotient;
  }
  plan.limit =
      bytes.isZero()
          ? std::to_string(plan.bytes) +
                " bytes <= " + std::to_string(limits.workgroupBytes)
          : problem.parameters.toString(bytes) + " <= " +
                std::to_string((limits.workgroupBytes - constant) / unit);
}

void PointSearch::run() {
  std::array<bool, 3> isUsed = {};
  for (const IterationDimension &dimension : problem.dimensions)
    if (dimension.workItem)
      isUsed[*dimension.workItem] = true;
  auto most = [&](unsigned dimension) {
    return isUsed[dimension] ? limits.threads : 1;
  };
  for (int64_t x = isUsed[0] ? limits.threadsAlongX : 1; x <= most(0); x *= 2)
    for (int64_t y = 1; y <= most(1) && x * y <= limits.threads; y *= 2)
      for (int64_t z = 1; z <= most(2) && x * y * z <= limits.threads; z *= 2)
        tryBlock({x, y, z});
  if (best)
    describe(*best);
}

static std::string describe(Obstacle obstacle, const PartitionLimits &limits) {
  switch (obstacle) {
  case Obstacle::Lengths:
    return "no block has a whole number of work items of the parts for each "
           "thread";
  case Obstacle::Rows:
    return "parts have rows of fewer than " + std::to_string(limits.rowBytes) +
           " bytes, and stay uncoalesced";
  case Obstacle::Memory:
    return "parts take more than " + std::to_string(limits.workgroupBytes) +
           " bytes";
  case Obstacle::NoProfit:
  case Obstacle::None:
    break;
  }
  return "no array is reused, and all accesses are coalesced";
}

/// Whether work items access elements of their own: else they all do the same,
/// or one does everything.
static bool dependsOnIds(const PartitionProblem &problem) {
  auto moves = [&](const AffineSubscript &subscript) {
    return llvm::any_of(llvm::zip(problem.dimensions, subscript.factors),
                        [](const auto &pair) {
                          const auto &[dimension, factor] = pair;
                          return dimension.workItem && factor != 0;
                        });
  };
  return llvm::any_of(problem.references, [&](const ArrayReference &reference) {
    return llvm::any_of(reference.subscripts, moves);
  });
}

PartitionSearch gpuopt::searchPartitions(PartitionProblem problem,
                                         const PartitionLimits &limits) {
  PartitionSearch search;
  std::vector<IterationSplit> splits =
      splitIterations(problem, search.ignoredHints);
  search.splits = splits.size();
  if (!dependsOnIds(problem)) {
    search.obstacle = "no affine access depends on a work item's id";
    return search;
  }
  Obstacle furthest = Obstacle::Lengths;
  for (const IterationSplit &split : splits) {
    PartitionProblem own = problem;
    std::vector<ArrayFeatures> features =
        extractFeatures(own, split, limits.transactionBytes);
    PointSearch points(own, split, features, limits);
    points.run();
    search.points += points.points;
    furthest = std::max(furthest, points.obstacle);
    if (!points.best)
      continue;
    auto place =
        llvm::upper_bound(search.plans, points.best->profit,
                          [](int64_t profit, const PartitionPlan &other) {
                            return profit > other.profit;
                          });
    search.plans.insert(place, std::move(*points.best));
  }
  if (search.plans.empty())
    search.obstacle = splits.empty() ? "no hint says what a block works on"
                                     : describe(furthest, limits);
  return search;
}
