//===- Requests.cpp - the addresses of a subgroup's lanes -----------------===//

#include "passes/Analysis/Requests.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/LinearLanes.h"
#include "passes/Analysis/ReachedAccesses.h"
#include "passes/Analysis/RequestIterators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace gpuopt;

/// What tells the lanes of `access` and the values that its iterators take.
static std::vector<Polynomial> neededFor(const AccessFunction &access,
                                         const VariableTable &variables) {
  std::vector<Polynomial> needed = polynomialsOf(access);
  addBounds(needed, access.collective, variables);
  llvm::BitVector ofAddress = dependenciesOf(access.address, variables);
  for (unsigned number : ofAddress.set_bits())
    if (variables[number].kind == Variable::Kind::Loop)
      addBounds(needed, number, variables);
  return needed;
}

static void setIterator(Evaluation &evaluation, const VariableTable &variables,
                        unsigned number, int64_t value) {
  if (variables[number].kind == Variable::Kind::Loop)
    evaluation.setIteration(number, value);
  else
    evaluation.setBlockId(variables[number].dimension, value);
}

/// Sets the iterators to their values in one of their combinations.
static void setIterators(Evaluation &evaluation, const VariableTable &variables,
                         llvm::ArrayRef<Iterator> iterators,
                         int64_t combination) {
  for (const Iterator &iterator : iterators) {
    setIterator(evaluation, variables, iterator.variable,
                combination % iterator.count);
    combination /= iterator.count;
  }
  evaluation.update();
}

/// Takes values away from `iterators` until there are at most `most`
/// combinations, but leaves each two. Returns how many there are.
static int64_t limitCombinations(std::vector<Iterator> &iterators, int64_t most,
                                 const VariableTable &variables,
                                 std::vector<std::string> &assumptions) {
  // Counts are small; their product need not be.
  auto combinations = [&] {
    int64_t product = 1;
    for (const Iterator &iterator : iterators)
      product = std::min(product * iterator.count, int64_t(1) << 32);
    return product;
  };
  std::vector<Iterator> all = iterators;
  while (combinations() > most) {
    auto longest = llvm::max_element(iterators, [](auto &left, auto &right) {
      return left.count < right.count;
    });
    if (longest->count <= 2)
      break;
    longest->count = llvm::divideCeil(longest->count, 2);
  }
  for (auto [before, after] : llvm::zip_equal(all, iterators))
    if (after.count < before.count)
      assumptions.push_back(variables[after.variable].name + " at its first " +
                            std::to_string(after.count) + " values");
  return combinations();
}

/// Makes large counts small, of which only the ratios matter: those of nested
/// loops multiply. Beyond all real nests they are approximate.
static void shorten(std::map<int64_t, int64_t> &shifts) {
  constexpr int64_t most = int64_t(1) << 24;
  int64_t divisor = 0, largest = 0;
  for (auto [shift, count] : shifts) {
    divisor = std::gcd(divisor, count);
    largest = std::max(largest, count);
  }
  if (largest > most)
    for (auto &[shift, count] : shifts)
      count = std::min(count / divisor, most);
}

/// Combines `shifts` with those of the values of `iterators`, a group.
static bool addShifts(std::map<int64_t, int64_t> &shifts,
                      llvm::ArrayRef<Iterator> iterators, int64_t combinations,
                      const AccessFunction &access,
                      const VariableTable &variables,
                      const Evaluation &atFirstValues, int64_t segmentBytes) {
  Polynomial shifted =
      access.address
          .partition([&](const Monomial &monomial) {
            return variables.dependsOnAny(
                Polynomial::term(monomial, 1), [&](unsigned number) {
                  return llvm::any_of(iterators, [&](const Iterator &iterator) {
                    return iterator.variable == number;
                  });
                });
          })
          .first;
  std::vector<Guard> guards = guardsOf(iterators, access, variables);
  std::vector<Polynomial> needed = {shifted};
  for (const Guard &guard : guards)
    for (const Comparison &comparison : guard.comparisons)
      needed.push_back(comparison.left);
  Evaluation evaluation = atFirstValues;
  evaluation.restrictTo(needed, {});
  FlatPolynomial shift(shifted);
  FlatGuards conditions(guards);
  std::optional<int64_t> first = evaluation.evaluate(shift);
  if (!first)
    return false;
  std::map<int64_t, int64_t> reached, all, combined;
  for (int64_t number = 0; number < combinations; ++number) {
    setIterators(evaluation, variables, iterators, number);
    std::optional<int64_t> here = evaluation.evaluate(shift);
    int64_t difference;
    if (!here || __builtin_sub_overflow(*here, *first, &difference))
      return false;
    ++all[llvm::mod(difference, segmentBytes)];
    if (evaluation.isActive(conditions))
      ++reached[llvm::mod(difference, segmentBytes)];
  }
  const std::map<int64_t, int64_t> &ofGroup = reached.empty() ? all : reached;
  for (auto [left, leftCount] : shifts)
    for (auto [right, rightCount] : ofGroup)
      combined[(left + right) % segmentBytes] += leftCount * rightCount;
  shorten(combined);
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
  /// How many lanes there are in all rounds.
  int64_t size() const { return variables.empty() ? threads : iterations; }
  /// What tells the lanes apart; nothing where iterators are no progressions.
  std::optional<llvm::SmallVector<LaneDigit, 3>>
  digits(const Evaluation &evaluation, const BlockShape &block) const {
    if (variables.empty())
      return digitsOf(block);
    llvm::SmallVector<LaneDigit, 3> found;
    for (auto [variable, extent] :
         llvm::reverse(llvm::zip_equal(variables, extents))) {
      auto values = evaluation.progressionOf(variable);
      if (!values)
        return std::nullopt;
      found.push_back({variable, extent, values->first, values->second});
    }
    return found;
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

namespace {
/// The address and the guards of an access, laid out once for all combinations
/// of the iterators.
struct FlatAccess {
  explicit FlatAccess(const AccessFunction &access)
      : access(access), address(access.address), guards(access.guards) {}
  const AccessFunction &access;
  FlatPolynomial address;
  FlatGuards guards;
};

/// The lanes of a block for the current values of the iterators.
class BlockLanes {
public:
  BlockLanes(const FlatAccess &flat, Evaluation &evaluation,
             const BlockShape &block, bool ignoreGuards)
      : evaluation(evaluation), threads(block[0] * block[1] * block[2]),
        lanes(flat.access, evaluation, threads), guards(FlatGuards::none()),
        address(evaluation.fold(flat.address)) {
    evaluation.foldUniform();
    if (!ignoreGuards)
      guards = evaluation.fold(flat.guards);
    if (!evaluation.hasFailed())
      if (auto digits = lanes.digits(evaluation, block))
        linear = LinearLanes::create(*digits, address, guards, &evaluation);
  }
  ~BlockLanes() {
    evaluation.setThread(0);
    lanes.select(evaluation, 0, 0);
    evaluation.update();
  }

  int64_t rounds() const { return lanes.count(); }
  /// Calls `visit` with the threads from `begin` to `end` that make the access
  /// in `round`, and their addresses, until it returns false; false where an
  /// address cannot be computed.
  bool visit(int64_t round, int64_t begin, int64_t end,
             llvm::function_ref<bool(int64_t, int64_t)> visit);

private:
  Evaluation &evaluation;
  int64_t threads;
  CollectiveRounds lanes;
  FlatGuards guards;
  FlatPolynomial address;
  std::optional<LinearLanes> linear;
};
} // namespace

bool BlockLanes::visit(int64_t round, int64_t begin, int64_t end,
                       llvm::function_ref<bool(int64_t, int64_t)> visit) {
  if (linear) {
    int64_t first = round * threads;
    linear->visit(first + begin, std::min(first + end, lanes.size()),
                  [&](int64_t number, int64_t position) {
                    return visit(number - first, position);
                  });
    return true;
  }
  if (!guards.mayHold())
    return true;
  for (int64_t thread = begin; thread < end; ++thread) {
    evaluation.setThread(thread);
    if (!lanes.select(evaluation, round, thread))
      break;
    evaluation.updateLane();
    if (!evaluation.isActive(guards))
      continue;
    std::optional<int64_t> position = evaluation.evaluate(address);
    if (!position)
      return false;
    if (!visit(thread, *position))
      break;
  }
  return true;
}

/// Appends the requests of all subgroups of a block for the current values of
/// the iterators.
static bool addRequests(std::vector<Request> &requests, BlockLanes &lanes,
                        const BlockShape &block, int64_t subgroupSize) {
  int64_t threads = block[0] * block[1] * block[2];
  int64_t subgroups = llvm::divideCeil(threads, subgroupSize);
  for (int64_t number = 0; number < lanes.rounds() * subgroups; ++number) {
    Request request;
    int64_t begin = number % subgroups * subgroupSize;
    int64_t end = std::min(begin + subgroupSize, threads);
    if (!lanes.visit(number / subgroups, begin, end,
                     [&](int64_t thread, int64_t address) {
                       request.addresses.push_back(address);
                       request.lanes.push_back(thread - begin);
                       return true;
                     }))
      return false;
    if (!request.addresses.empty())
      requests.push_back(std::move(request));
  }
  return true;
}

/// The most combinations of iterators that shift together.
static constexpr int64_t kMostShifts = 256;

namespace {
/// The lanes of one block for every combination of the iterators that lanes
/// notice.
class Enumeration {
public:
  Enumeration(const AccessFunction &access, const VariableTable &variables,
              const BlockShape &block, const SizeMap &sizes)
      : variables(variables), block(block), flat(access),
        evaluation(variables, block, sizes, neededFor(access, variables)) {
    plan = planIterators(access, variables,
                         iteratorsOf(access, variables, evaluation));
    std::vector<Polynomial> needed = polynomialsOf(access);
    addBounds(needed, access.collective, variables);
    evaluation.restrictTo(needed, access.collective);
  }

  /// Limits the combinations by the lanes of each, and returns how many remain.
  int64_t limit(std::vector<std::string> &assumptions);
  /// Calls `visit` with the lanes of each combination until it returns false.
  void forEach(bool ignoreGuards,
               llvm::function_ref<bool(BlockLanes &)> visit) {
    for (int64_t number = 0; number < combinations; ++number) {
      setIterators(evaluation, variables, plan.enumerated, number);
      BlockLanes lanes(flat, evaluation, block, ignoreGuards);
      if (!visit(lanes))
        return;
    }
  }

  /// Leaves the guards, and the iterators that they depend on.
  void dropAddress();
  /// Whether guards that no enumerated iterator decides about hold for no lane:
  /// then no combination has any.
  bool isExcluded();
  /// Whether the guards hold for a lane of any combination.
  bool findsLane();

  const VariableTable &variables;
  const BlockShape &block;
  FlatAccess flat;
  Evaluation evaluation;
  IteratorPlan plan;

private:
  int64_t combinations = 1;
};
} // namespace

int64_t Enumeration::limit(std::vector<std::string> &assumptions) {
  int64_t threads = block[0] * block[1] * block[2];
  int64_t lanes =
      threads * CollectiveRounds(flat.access, evaluation, threads).count();
  combinations = limitCombinations(
      plan.enumerated,
      std::max(kMostLanes / std::max<int64_t>(lanes, 1), kTriedIterations),
      variables, assumptions);
  return combinations;
}

void Enumeration::dropAddress() {
  const AccessFunction &access = flat.access;
  std::vector<Polynomial> needed = polynomialsOf(access);
  needed.erase(needed.begin());
  llvm::BitVector ofGuards = dependenciesOf(needed, variables);
  llvm::erase_if(plan.enumerated, [&](const Iterator &iterator) {
    return !ofGuards[iterator.variable];
  });
  flat.address = FlatPolynomial(Polynomial());
  addBounds(needed, access.collective, variables);
  evaluation.restrictTo(needed, access.collective);
}

bool Enumeration::isExcluded() {
  auto isEnumerated = [&](unsigned number) {
    return llvm::any_of(plan.enumerated, [&](const Iterator &iterator) {
      return iterator.variable == number;
    });
  };
  std::vector<Guard> fixed = flat.access.guards;
  llvm::erase_if(fixed, [&](const Guard &guard) {
    return llvm::any_of(guard.comparisons, [&](const Comparison &comparison) {
      return variables.dependsOnAny(comparison.left, isEnumerated);
    });
  });
  setIterators(evaluation, variables, plan.enumerated, 0);
  return !evaluation.fold(FlatGuards(fixed)).mayHold();
}

bool Enumeration::findsLane() {
  if (isExcluded())
    return false;
  int64_t threads = block[0] * block[1] * block[2];
  bool isFound = false;
  forEach(/*ignoreGuards=*/false, [&](BlockLanes &lanes) {
    for (int64_t round = 0; round < lanes.rounds() && !isFound; ++round)
      lanes.visit(round, 0, threads, [&](int64_t, int64_t) {
        isFound = true;
        return false;
      });
    return !isFound;
  });
  return isFound;
}

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
  Enumeration all(access, variables, block, sizes);
  all.evaluation.noteAssumptions(access.address, result.assumptions);
  bool isComputable = true;
  for (std::vector<Iterator> &group : all.plan.shifting) {
    int64_t combinations =
        limitCombinations(group, kMostShifts, variables, result.assumptions);
    isComputable &= addShifts(result.shifts, group, combinations, access,
                              variables, all.evaluation, segmentBytes);
  }
  result.combinations = all.limit(result.assumptions);
  enum { AsAssumed, WithoutOffsets, WithoutGuards };
  for (auto attempt : {AsAssumed, WithoutOffsets, WithoutGuards}) {
    if (attempt == WithoutOffsets && !all.evaluation.dropOffsets(access.guards))
      continue;
    bool ignoreGuards = attempt == WithoutGuards;
    all.forEach(ignoreGuards, [&](BlockLanes &lanes) {
      isComputable &= addRequests(result.requests, lanes, block, subgroupSize);
      return isComputable;
    });
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

//===----------------------------------------------------------------------===//
// Whether there are any
//===----------------------------------------------------------------------===//

ReachedAccesses::Guards &
ReachedAccesses::guardsOf(const AccessFunction &access) {
  unsigned number = numbers.numberOf(access);
  while (known.size() <= number) {
    std::vector<Polynomial> polynomials = polynomialsOf(numbers[known.size()]);
    known.push_back(
        {dependenciesOf(llvm::ArrayRef(polynomials).drop_front(), variables),
         {}});
  }
  return known[number];
}

/// What has to be enumerated of `access`; nothing where a loop is among it, of
/// whose iterations an evaluation knows.
std::optional<std::vector<Iterator>>
ReachedAccesses::findIterators(const AccessFunction &access,
                               const Guards &guards) const {
  llvm::BitVector ofAddress = dependenciesOf(access.address, variables);
  std::vector<Iterator> iterators;
  bool areAsked = false;
  for (unsigned number : iteratorVariablesOf(access, ofAddress, variables)) {
    iterators.push_back({number, kTriedIterations});
    areAsked |= guards.dependencies[number];
  }
  if (!areAsked)
    return std::vector<Iterator>();
  iterators = noticedByLanes(access, variables, iterators);
  llvm::erase_if(iterators, [&](const Iterator &iterator) {
    return !guards.dependencies[iterator.variable];
  });
  if (llvm::any_of(iterators, [&](const Iterator &iterator) {
        return variables[iterator.variable].kind == Variable::Kind::Loop;
      }))
    return std::nullopt;
  return iterators;
}

bool ReachedAccesses::contains(const AccessFunction &access) {
  Guards &guards = guardsOf(access);
  auto find = [&](llvm::ArrayRef<Iterator> iterators) {
    return llvm::find_if(guards.answers, [&](const Answer &answer) {
      return llvm::ArrayRef(answer.iterators) == iterators;
    });
  };
  if (auto iterators = findIterators(access, guards))
    if (auto answer = find(*iterators); answer != guards.answers.end())
      return answer->isReached;
  Enumeration all(access, variables, block, sizes);
  all.dropAddress();
  if (auto answer = find(all.plan.enumerated); answer != guards.answers.end())
    return answer->isReached;
  Answer answer{all.plan.enumerated, /*isReached=*/true};
  std::vector<std::string> assumptions;
  all.limit(assumptions);
  answer.isReached =
      all.findsLane() ||
      (all.evaluation.dropOffsets(access.guards) && all.findsLane());
  guards.answers.push_back(std::move(answer));
  return guards.answers.back().isReached;
}

bool gpuopt::isReached(const AccessFunction &access,
                       const VariableTable &variables, const BlockShape &block,
                       const SizeMap &sizes) {
  return ReachedAccesses(variables, block, sizes).contains(access);
}
