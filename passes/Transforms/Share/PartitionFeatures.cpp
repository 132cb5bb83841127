//===- PartitionFeatures.cpp - what partitions are good for ---------------===//

#include "passes/Transforms/Share/PartitionFeatures.h"

using namespace gpuopt;

namespace {
/// Extracts the features of one array.
class FeatureExtractor {
public:
  FeatureExtractor(PartitionProblem &problem, const IterationSplit &split,
                   unsigned array, int64_t transactionBytes)
      : problem(problem), split(split), transactionBytes(transactionBytes) {
    features.array = array;
    for (const ShareHint &hint : problem.hints)
      isWanted |= hint.isCoalesced && hint.array == problem.arrays[array].name;
  }

  ArrayFeatures extract();

private:
  /// References with the same factors.
  using Group = std::vector<const ArrayReference *>;

  Polynomial wholeLength(unsigned dimension) const;
  Polynomial tileLength(unsigned dimension);
  Polynomial hull(const Group &group, bool ofTile);
  Polynomial transactionsOf(const ArrayReference &reference);

  PartitionProblem &problem;
  const IterationSplit &split;
  int64_t transactionBytes;
  bool isWanted = false;
  ArrayFeatures features;
};
} // namespace

Polynomial gpuopt::lengthOfWorkItems(const PartitionProblem &problem,
                                     const IterationSplit &split,
                                     unsigned dimension) {
  const SplitLength &length = split.lengths[dimension];
  return length.kind == SplitLength::Kind::Fixed
             ? length.length
             : Polynomial::variable(*problem.dimensions[dimension].workItem);
}

/// Over all iterations of a block.
Polynomial FeatureExtractor::wholeLength(unsigned dimension) const {
  return problem.dimensions[dimension].workItem
             ? lengthOfWorkItems(problem, split, dimension)
             : problem.dimensions[dimension].extent;
}

/// Over those that a tile serves.
Polynomial FeatureExtractor::tileLength(unsigned dimension) {
  const SplitLength &length = split.lengths[dimension];
  if (problem.dimensions[dimension].workItem ||
      length.kind == SplitLength::Kind::Whole)
    return wholeLength(dimension);
  if (length.kind == SplitLength::Kind::Fixed)
    return length.length;
  for (auto &[loop, chunk] : features.chunks)
    if (loop == dimension)
      return chunk;
  return features.chunks.emplace_back(dimension, problem.parameters.addVague())
      .second;
}

/// The elements of the rectangular hull of what `group` accesses (equation 1).
Polynomial FeatureExtractor::hull(const Group &group, bool ofTile) {
  Polynomial elements(1);
  for (size_t place = 0; place < group.front()->subscripts.size(); ++place) {
    const AffineSubscript &first = group.front()->subscripts[place];
    int64_t low = 0, high = 0;
    for (const ArrayReference *reference : group) {
      Polynomial distance = reference->subscripts[place].offset - first.offset;
      low = std::min(low, *distance.getConstant());
      high = std::max(high, *distance.getConstant());
    }
    Polynomial extent(1 + high - low);
    for (auto [dimension, factor] : llvm::enumerate(first.factors))
      if (factor != 0)
        extent +=
            Polynomial(std::abs(factor)) *
            ((ofTile ? tileLength(dimension) : wholeLength(dimension)) - 1);
    bool isRow = place + 1 == group.front()->subscripts.size();
    if (isRow && ofTile && !extent.isConstant())
      features.rows.push_back(extent);
    elements = elements * extent;
  }
  return elements;
}

/// Whether neighbours along x access neighbouring elements in the same step:
/// the adjacency constraints on schedule and placement (equations 4 and 5).
static bool isCoalescedReference(const PartitionProblem &problem,
                                 const ArrayReference &reference) {
  llvm::ArrayRef<AffineSubscript> subscripts = reference.subscripts;
  // It accesses no neighbouring elements.
  if (subscripts.empty() || subscripts.back().isFixed())
    return true;
  for (auto [dimension, of] : llvm::enumerate(problem.dimensions)) {
    if (of.workItem != 0u)
      continue;
    return std::abs(subscripts.back().factors[dimension]) == 1 &&
           llvm::all_of(subscripts.drop_back(),
                        [&](const AffineSubscript &subscript) {
                          return subscript.factors[dimension] == 0;
                        });
  }
  return false;
}

/// In each step of the loops around, one for each row of the array that the
/// block accesses, and more for long parts of rows (equation 7).
Polynomial FeatureExtractor::transactionsOf(const ArrayReference &reference) {
  Polynomial transactions(1), span(1);
  for (unsigned dimension : reference.dimensions) {
    if (!problem.dimensions[dimension].workItem) {
      transactions = transactions * wholeLength(dimension);
      continue;
    }
    if (int64_t factor = reference.subscripts.back().factors[dimension])
      span += Polynomial(std::abs(factor)) * (wholeLength(dimension) - 1);
    auto hasDimension = [&](const AffineSubscript &subscript) {
      return subscript.factors[dimension] != 0;
    };
    if (llvm::any_of(llvm::ArrayRef(reference.subscripts).drop_back(),
                     hasDimension))
      transactions = transactions * wholeLength(dimension);
  }
  int64_t bytes = problem.arrays[reference.array].elementBytes;
  return transactions * problem.parameters.addQuotient(span * Polynomial(bytes),
                                                       transactionBytes);
}

static bool haveSameFactors(const ArrayReference &one,
                            const ArrayReference &other) {
  return llvm::all_of(llvm::zip_equal(one.subscripts, other.subscripts),
                      [](const auto &pair) {
                        const auto &[first, second] = pair;
                        return first.factors == second.factors &&
                               (first.offset - second.offset).isConstant();
                      });
}

ArrayFeatures FeatureExtractor::extract() {
  std::vector<Group> groups;
  for (const ArrayReference &reference : problem.references) {
    if (reference.array != features.array || !reference.problem.empty())
      continue;
    Polynomial count(1);
    for (unsigned dimension : reference.dimensions)
      count = count * wholeLength(dimension);
    // What is stored cannot be read from a copy.
    if (!problem.isStored(features.array))
      features.references += count;
    bool isElement = reference.subscripts.empty();
    if (!isElement && (isWanted || !isCoalescedReference(problem, reference))) {
      features.isCoalesced = false;
      features.transactions += transactionsOf(reference);
    }
    auto group = llvm::find_if(groups, [&](const Group &known) {
      return known.front()->subscripts.size() == reference.subscripts.size() &&
             haveSameFactors(*known.front(), reference);
    });
    if (group == groups.end())
      group = groups.emplace(groups.end());
    group->push_back(&reference);
  }
  for (const Group &group : groups) {
    features.tileElements += hull(group, /*ofTile=*/true);
    features.elements += hull(group, /*ofTile=*/false);
  }
  return std::move(features);
}

std::vector<ArrayFeatures> gpuopt::extractFeatures(PartitionProblem &problem,
                                                   const IterationSplit &split,
                                                   int64_t transactionBytes) {
  std::vector<ArrayFeatures> all;
  for (unsigned array : selectCandidates(problem)) {
    // What is accessed through other arrays has no part that can be told.
    bool isAffine =
        llvm::all_of(problem.references, [&](const ArrayReference &reference) {
          return reference.array != array || reference.problem.empty();
        });
    if (isAffine)
      all.push_back(
          FeatureExtractor(problem, split, array, transactionBytes).extract());
  }
  return all;
}
