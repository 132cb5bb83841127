//===- Requests.cpp - the addresses of a subgroup's lanes -----------------===//

#include "passes/Analysis/Requests.h"

#include "passes/Analysis/Coalescing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

namespace {
/// A block id or loop iterator that an address depends on.
struct Iterator {
  unsigned variable;
  /// How many values it takes.
  int64_t count;
};
} // namespace

/// The block ids and loops that `access` depends on.
static std::vector<Iterator> iteratorsOf(const AccessFunction &access,
                                         const VariableTable &variables,
                                         const Evaluation &evaluation) {
  std::vector<Iterator> iterators;
  for (unsigned number = 0; number < variables.size(); ++number) {
    Variable::Kind kind = variables[number].kind;
    if (kind != Variable::Kind::BlockId && kind != Variable::Kind::Loop)
      continue;
    if (llvm::is_contained(access.collective, number))
      continue;
    if (!variables.dependsOnAny(
            access.address, [&](unsigned other) { return other == number; }))
      continue;
    int64_t count = kTriedIterations;
    if (kind == Variable::Kind::Loop)
      count = std::clamp<int64_t>(evaluation.tripCount(number).value_or(count),
                                  1, count);
    iterators.push_back({number, count});
  }
  return iterators;
}

/// True where `iterator` only adds to the address, the same for all lanes: it
/// stands in no product with a thread id or another iterator and in no other
/// variable's definition.
static bool onlyShifts(const Iterator &iterator, const AccessFunction &access,
                       const VariableTable &variables,
                       llvm::ArrayRef<Iterator> iterators) {
  unsigned self = iterator.variable;
  auto differsInSubgroup = [&](unsigned number) {
    return variables.isThreadId(number) ||
           llvm::is_contained(access.collective, number);
  };
  auto isSelf = [&](unsigned other) { return other == self; };
  auto varies = [&](unsigned number) {
    Polynomial variable = Polynomial::variable(number);
    if (variables.dependsOnAny(variable, differsInSubgroup))
      return true;
    return llvm::any_of(iterators, [&](const Iterator &other) {
      return other.variable != self &&
             variables.dependsOnAny(variable, [&](unsigned inner) {
               return inner == other.variable;
             });
    });
  };
  if (varies(self))
    return false;
  for (const auto &[monomial, coefficient] : access.address.getTerms()) {
    for (unsigned number : monomial)
      if (number != self &&
          variables.dependsOnAny(Polynomial::variable(number), isSelf))
        return false;
    if (llvm::is_contained(monomial, self) && llvm::any_of(monomial, varies))
      return false;
  }
  return true;
}

static void setIterator(Evaluation &evaluation, const VariableTable &variables,
                        unsigned number, int64_t value) {
  if (variables[number].kind == Variable::Kind::Loop)
    evaluation.setIteration(number, value);
  else
    evaluation.setBlockId(variables[number].dimension, value);
}

/// Combines `shifts` with those of the values of `iterator`.
static bool addShifts(std::map<int64_t, int64_t> &shifts,
                      const Iterator &iterator, const AccessFunction &access,
                      const VariableTable &variables, Evaluation &evaluation,
                      int64_t segmentBytes) {
  std::optional<int64_t> first = evaluation.evaluate(access.address);
  std::map<int64_t, int64_t> combined;
  for (int64_t value = 0; value < iterator.count; ++value) {
    setIterator(evaluation, variables, iterator.variable, value);
    evaluation.update();
    std::optional<int64_t> here = evaluation.evaluate(access.address);
    if (!first || !here)
      return false;
    for (auto [shift, count] : shifts) {
      int64_t sum = (shift + *here - *first) % segmentBytes;
      combined[sum < 0 ? sum + segmentBytes : sum] += count;
    }
  }
  setIterator(evaluation, variables, iterator.variable, 0);
  evaluation.update();
  shifts = std::move(combined);
  return true;
}

namespace {
/// The iterations of the collective loop around an access, in rounds in which
/// each thread takes one; a single iteration without variables elsewhere.
class CollectiveRounds {
public:
  CollectiveRounds(const AccessFunction &access, const Evaluation &evaluation,
                   int64_t blockThreads)
      : variables(access.collective), threads(blockThreads) {
    for (unsigned variable : variables) {
      extents.push_back(evaluation.tripCount(variable).value_or(1));
      iterations *= extents.back();
    }
  }

  int64_t count() const {
    return variables.empty() ? 1 : llvm::divideCeil(iterations, threads);
  }
  /// Selects the iteration of `thread` in `round`; false where it has none.
  bool select(Evaluation &evaluation, int64_t round, int64_t thread) const {
    if (variables.empty())
      return true;
    int64_t iteration = round * threads + thread;
    if (iteration >= iterations)
      return false;
    for (size_t number = variables.size(); number-- > 0;) {
      evaluation.setIteration(variables[number], iteration % extents[number]);
      iteration /= extents[number];
    }
    return true;
  }

private:
  llvm::ArrayRef<unsigned> variables;
  llvm::SmallVector<int64_t, 4> extents;
  int64_t threads;
  int64_t iterations = 1;
};
} // namespace

/// Appends the requests of all subgroups of a block for the current values of
/// the iterators.
static bool addRequests(std::vector<Request> &requests,
                        const AccessFunction &access, Evaluation &evaluation,
                        const BlockShape &block, int64_t subgroupSize,
                        bool ignoreGuards) {
  int64_t threads = block[0] * block[1] * block[2];
  CollectiveRounds rounds(access, evaluation, threads);
  int64_t subgroups = llvm::divideCeil(threads, subgroupSize);
  for (int64_t number = 0; number < rounds.count() * subgroups; ++number) {
    Request request;
    int64_t begin = number % subgroups * subgroupSize;
    int64_t end = std::min(begin + subgroupSize, threads);
    for (int64_t thread = begin; thread < end; ++thread) {
      evaluation.setThread(thread);
      if (!rounds.select(evaluation, number / subgroups, thread))
        break;
      evaluation.update();
      if (!ignoreGuards && !evaluation.isActive(access.guards))
        continue;
      std::optional<int64_t> address = evaluation.evaluate(access.address);
      if (!address)
        return false;
      request.addresses.push_back(*address);
      request.lanes.push_back(thread - begin);
    }
    if (!request.addresses.empty())
      requests.push_back(std::move(request));
  }
  evaluation.setThread(0);
  rounds.select(evaluation, 0, 0);
  evaluation.update();
  return true;
}

/// The most combinations of iterators that are enumerated one by one.
static constexpr int64_t kMostCombinations = 256;

BlockRequests gpuopt::enumerateRequests(const AccessFunction &access,
                                        const VariableTable &variables,
                                        const BlockShape &block,
                                        int64_t subgroupSize,
                                        int64_t segmentBytes,
                                        const SizeMap &sizes) {
  BlockRequests result;
  if (!access.isResolved()) {
    result.reason = access.unresolved;
    return result;
  }
  Evaluation evaluation(variables, block, sizes);
  std::vector<Polynomial> needed = {access.address};
  for (const Guard &guard : access.guards)
    for (const Comparison &comparison : guard.comparisons)
      needed.push_back(comparison.left);
  std::vector<Iterator> iterators = iteratorsOf(access, variables, evaluation);
  evaluation.restrictTo(needed);
  evaluation.noteAssumptions(access.address, result.assumptions);

  std::vector<Iterator> enumerated;
  bool isComputable = true;
  for (const Iterator &iterator : iterators) {
    if (onlyShifts(iterator, access, variables, iterators))
      isComputable &= addShifts(result.shifts, iterator, access, variables,
                                evaluation, segmentBytes);
    else if (result.combinations * iterator.count <= kMostCombinations) {
      enumerated.push_back(iterator);
      result.combinations *= iterator.count;
    } else {
      result.assumptions.push_back(variables[iterator.variable].name +
                                   " at its first value");
    }
  }
  for (bool ignoreGuards : {false, true}) {
    for (int64_t combination = 0; combination < result.combinations;
         ++combination) {
      int64_t rest = combination;
      for (const Iterator &iterator : enumerated) {
        setIterator(evaluation, variables, iterator.variable,
                    rest % iterator.count);
        rest /= iterator.count;
      }
      isComputable &= addRequests(result.requests, access, evaluation, block,
                                  subgroupSize, ignoreGuards);
    }
    result.isUnreachable = ignoreGuards;
    if (!isComputable || !result.requests.empty())
      break;
  }
  if (!isComputable) {
    result.requests.clear();
    result.reason = "the address cannot be computed (division by zero or more "
                    "than 64 bits)";
  }
  return result;
}
