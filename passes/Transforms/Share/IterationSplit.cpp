//===- IterationSplit.cpp - iterations that belong to a block -------------===//

#include "passes/Transforms/Share/IterationSplit.h"

using namespace gpuopt;

/// The dimension that a part of what `subscript` selects cuts: the only one,
/// or the only one of work items, around which loops make a halo. Nothing where
/// there are several.
static std::optional<unsigned> dimensionOf(const PartitionProblem &problem,
                                           const AffineSubscript &subscript) {
  llvm::SmallVector<unsigned> all, workItems;
  for (auto [dimension, factor] : llvm::enumerate(subscript.factors)) {
    if (factor == 0)
      continue;
    all.push_back(dimension);
    if (problem.dimensions[dimension].workItem)
      workItems.push_back(dimension);
  }
  const auto &candidates = workItems.empty() ? all : workItems;
  return candidates.size() == 1 ? std::optional(candidates.front())
                                : std::nullopt;
}

/// `length` of a part without the elements that only neighbours reach, where
/// the hint counts them: `in[TBX + 2]` for in[x], in[x + 1] and in[x + 2], or
/// for in[x + a] in a loop of three iterations.
static Polynomial withoutHalo(const PartitionProblem &problem,
                              const ArrayReference &reference, size_t place,
                              const Polynomial &length) {
  int64_t low = 0, high = 0;
  for (const ArrayReference &other : problem.references) {
    if (other.array != reference.array || !other.problem.empty() ||
        other.subscripts.size() != reference.subscripts.size() ||
        other.subscripts[place].factors != reference.subscripts[place].factors)
      continue;
    Polynomial distance =
        other.subscripts[place].offset - reference.subscripts[place].offset;
    low = std::min(low, distance.getConstant().value_or(0));
    high = std::max(high, distance.getConstant().value_or(0));
  }
  int64_t halo = high - low;
  for (auto [dimension, factor] :
       llvm::zip(problem.dimensions, reference.subscripts[place].factors))
    if (std::optional<int64_t> iterations = dimension.extent.getConstant();
        iterations && !dimension.workItem)
      halo += std::abs(factor) * (*iterations - 1);
  bool isCounted = !length.isConstant() && length.getConstantTerm() == halo;
  return isCounted ? length - halo : length;
}

InverseImage gpuopt::invertAccess(PartitionProblem &problem, unsigned hint,
                                  const ArrayReference &reference) {
  const ShareHint &part = problem.hints[hint];
  if (!reference.problem.empty())
    return {std::nullopt, reference.problem};
  if (part.lengths.size() != reference.subscripts.size())
    return {std::nullopt, "it has " + std::to_string(part.lengths.size()) +
                              " dimensions, the access " +
                              std::to_string(reference.subscripts.size())};
  IterationSplit split;
  split.lengths.resize(problem.dimensions.size());
  split.hints.push_back(hint);
  for (auto [place, length, subscript] :
       llvm::enumerate(part.lengths, reference.subscripts)) {
    if (subscript.isFixed())
      continue;
    std::optional<unsigned> dimension = dimensionOf(problem, subscript);
    if (!dimension)
      return {std::nullopt, "a subscript has several loops or ids"};
    SplitLength own{SplitLength::Kind::Vague};
    if (!length.empty()) {
      own = {SplitLength::Kind::Fixed,
             withoutHalo(problem, reference, place,
                         problem.parameters.addLength(length))};
      if (int64_t factor = std::abs(subscript.factors[*dimension]); factor > 1)
        own.length = problem.parameters.addQuotient(own.length, factor);
    }
    SplitLength &known = split.lengths[*dimension];
    if (known.kind == SplitLength::Kind::Fixed &&
        own.kind == SplitLength::Kind::Fixed && own != known)
      return {std::nullopt, "it gives one loop or id two lengths"};
    if (known.kind != SplitLength::Kind::Fixed)
      known = own;
  }
  return {split, ""};
}

/// What is in both; nothing where they are not compatible.
static std::optional<IterationSplit> intersect(const IterationSplit &one,
                                               const IterationSplit &other) {
  IterationSplit both = one;
  for (auto [length, of] : llvm::zip(both.lengths, other.lengths)) {
    if (length.kind == SplitLength::Kind::Fixed &&
        of.kind == SplitLength::Kind::Fixed && length != of)
      return std::nullopt;
    if (of.kind > length.kind)
      length = of;
  }
  for (unsigned hint : other.hints)
    if (!llvm::is_contained(both.hints, hint))
      both.hints.push_back(hint);
  return both;
}

std::vector<IterationSplit> gpuopt::splitIterations(
    PartitionProblem &problem,
    std::vector<std::pair<unsigned, std::string>> &ignored) {
  std::vector<IterationSplit> splits;
  for (unsigned hint = 0; hint < problem.hints.size(); ++hint) {
    std::string why = "the kernel does not access it";
    size_t before = splits.size();
    for (const ArrayReference &reference : problem.references) {
      if (problem.arrays[reference.array].name != problem.hints[hint].array)
        continue;
      InverseImage image = invertAccess(problem, hint, reference);
      if (image.split)
        splits.push_back(std::move(*image.split));
      else
        why = image.problem;
    }
    if (splits.size() == before)
      ignored.emplace_back(hint, why);
  }
  // What each is compatible with, and these with each other, in their order.
  std::vector<IterationSplit> intersected;
  for (size_t first = 0; first < splits.size(); ++first) {
    IterationSplit all = splits[first];
    for (const IterationSplit &split : splits)
      if (std::optional<IterationSplit> both = intersect(all, split))
        all = std::move(*both);
    if (llvm::none_of(intersected, [&](const IterationSplit &known) {
          return known.lengths == all.lengths;
        }))
      intersected.push_back(std::move(all));
  }
  return intersected;
}
