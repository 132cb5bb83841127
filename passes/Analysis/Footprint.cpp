//===- Footprint.cpp - what neighbours touch of an array ------------------===//

#include "passes/Analysis/Footprint.h"

#include "passes/Analysis/Coalescing.h"
#include "passes/Analysis/Evaluation.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>

using namespace gpuopt;

/// How many blocks are looked at; strides up to half of that are found.
static constexpr int64_t kBlocks = 64;

/// Points of an axis beyond these are left out: their neighbourhood repeats.
static constexpr size_t kMostPoints = 1 << 14;

/// The most addresses of one footprint that are enumerated.
static constexpr int64_t kMostAddresses = 1024;

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool FootprintQuery::variesWithin(unsigned number) const {
  const Variable &variable = variables[number];
  if (variable.kind == Variable::Kind::ThreadId)
    return between == Neighbours::Blocks && block[variable.dimension] > 1;
  return variable.kind == Variable::Kind::Loop;
}

bool FootprintQuery::dependsOnSubject(const Polynomial &polynomial) const {
  return variables.dependsOnAny(
      polynomial, [&](unsigned number) { return number == subject(); });
}

int64_t FootprintQuery::instances() const {
  return between == Neighbours::Blocks ? kBlocks : block[dimension];
}

/// Selects a neighbour.
static void setInstance(const FootprintQuery &query, Evaluation &evaluation,
                        int64_t instance) {
  if (query.between == Neighbours::Blocks) {
    evaluation.setBlockId(query.dimension, instance);
  } else {
    int64_t lane = instance;
    for (unsigned dim = 0; dim < query.dimension; ++dim)
      lane *= query.block[dim];
    evaluation.setThread(lane);
  }
  evaluation.update();
}

/// The loops that the address or a bound of one of them depends on, the outer
/// ones first.
static llvm::SmallVector<unsigned> loopsOf(const FootprintQuery &query) {
  llvm::BitVector needed =
      dependenciesOf(query.access.address, query.variables);
  llvm::SmallVector<unsigned> loops;
  for (int number = needed.find_last(); number >= 0;
       number = needed.find_prev(number)) {
    if (query.variables[number].kind != Variable::Kind::Loop)
      continue;
    std::vector<Polynomial> bounds;
    addBounds(bounds, number, query.variables);
    needed |= dependenciesOf(bounds, query.variables);
    loops.push_back(number);
  }
  return {loops.rbegin(), loops.rend()};
}

/// The trip counts of the loops of `loopsOf`, the outer ones in their last
/// iteration, by variable; 1 for all others.
static std::vector<int64_t> tripCounts(const FootprintQuery &query) {
  llvm::SmallVector<unsigned> loops = loopsOf(query);
  std::vector<Polynomial> bounds;
  addBounds(bounds, loops, query.variables);
  Evaluation evaluation(query.variables, query.block, query.sizes, bounds);
  std::vector<int64_t> counts(query.variables.size(), 1);
  for (unsigned loop : loops) {
    counts[loop] = std::max<int64_t>(
        1, evaluation.tripCount(loop).value_or(kTriedIterations));
    evaluation.setIteration(loop, counts[loop] - 1);
    evaluation.update();
  }
  return counts;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

bool Footprints::Axis::moves() const {
  return points.size() > 1 || llvm::any_of(offsets, [&](int64_t offset) {
           return offset != offsets.front();
         });
}

int64_t Footprints::Axis::common(int64_t left, int64_t right) const {
  int64_t distance = offsets[right] - offsets[left];
  bool isUniform = points.size() == 1;
  if (auto it = known.find(std::abs(distance)); isUniform && it != known.end())
    return it->second;
  int64_t number = 0;
  const Points &first = of(left), &second = of(right);
  for (auto a = first.begin(), b = second.begin();
       a != first.end() && b != second.end();) {
    int64_t difference = *b + distance - *a;
    number += difference == 0;
    a += difference >= 0;
    b += difference <= 0;
  }
  if (isUniform)
    known[std::abs(distance)] = number;
  return number;
}

/// `points` and `points + distance`.
static std::vector<int64_t> doubled(const std::vector<int64_t> &points,
                                    int64_t distance) {
  std::vector<int64_t> moved, both;
  moved.reserve(points.size());
  for (int64_t point : points)
    moved.push_back(point + distance);
  std::set_union(points.begin(), points.end(), moved.begin(), moved.end(),
                 std::back_inserter(both));
  return both;
}

/// Adds 0, `distance`, … `(count - 1) * distance` to each of `points`.
static void spread(std::vector<int64_t> &points, int64_t distance,
                   int64_t count) {
  for (int64_t done = 1; done < count && points.size() < kMostPoints;) {
    int64_t more = std::min(done, count - done);
    points = doubled(points, distance * more);
    done += more;
  }
}

Footprints::Axis &Footprints::axisOf(const Polynomial &factor,
                                     int64_t &multiple) {
  multiple = factor.getContent();
  if (factor.getTerms().begin()->second < 0)
    multiple = -multiple;
  Polynomial unit;
  for (const auto &[monomial, coefficient] : factor.getTerms())
    unit += Polynomial::term(monomial, coefficient / multiple);
  for (Axis &axis : axes)
    if (axis.unit == unit)
      return axis;
  axes.emplace_back();
  axes.back().unit = unit;
  axes.back().offsets.assign(count, 0);
  return axes.back();
}

//===----------------------------------------------------------------------===//
// Addresses as sums
//===----------------------------------------------------------------------===//

/// The address with block extents as numbers, and each loop's iterator as its
/// first value and the number of the iteration, which the loop's variable then
/// stands for.
static Polynomial normalised(const FootprintQuery &query) {
  Polynomial address = query.access.address;
  for (unsigned number = query.variables.size(); number-- > 0;) {
    const Variable &variable = query.variables[number];
    if (variable.kind != Variable::Kind::Loop || !address.contains(number))
      continue;
    Polynomial first = variable.lowerBounds.size() == 1
                           ? variable.lowerBounds.front()
                           : Polynomial(0);
    address = address.substitute(
        number, first + variable.step * Polynomial::variable(number));
  }
  for (unsigned dim = 0; dim < 3; ++dim)
    address = address.substitute(VariableTable::blockDim(dim),
                                 Polynomial(query.block[dim]));
  return address;
}

bool Footprints::separate(const FootprintQuery &query) {
  const VariableTable &variables = query.variables;
  Polynomial address = normalised(query);
  if (address.isUnknown())
    return false;
  auto varies = [&](unsigned number) { return query.variesWithin(number); };
  auto isSubject = [&](unsigned number) { return number == query.subject(); };
  auto mayVary = [&](unsigned number) {
    return varies(number) || isSubject(number);
  };
  Evaluation evaluation(variables, query.block, query.sizes, address);
  std::vector<int64_t> trips = tripCounts(query);
  for (unsigned number : address.getVariables()) {
    Polynomial variable = Polynomial::variable(number);
    bool moves = variables.dependsOnAny(variable, isSubject);
    if (!moves && !variables.dependsOnAny(variable, varies))
      continue;
    // A sum of factor * variable, with variables that are independent.
    bool isDerived = variables[number].kind == Variable::Kind::Derived;
    Polynomial factor = address.getCofactor(number);
    if (address != factor * variable + address.without(number) ||
        variables.dependsOnAny(factor, mayVary) ||
        (isDerived && variables.dependsOnAny(variable, varies)))
      return false;
    int64_t multiple = 1;
    Axis &axis = axisOf(factor, multiple);
    if (!moves) {
      int64_t extent = variables.isThreadId(number)
                           ? query.block[variables[number].dimension]
                           : trips[number];
      spread(axis.points.front(), multiple, extent);
      continue;
    }
    for (int64_t instance = 0; instance < count; ++instance) {
      setInstance(query, evaluation, instance);
      std::optional<int64_t> value = evaluation.evaluate(variable);
      if (!value)
        return false;
      axis.offsets[instance] += multiple * *value;
    }
  }
  for (Axis &axis : axes)
    if (axis.unit == Polynomial(1))
      for (int64_t &offset : axis.offsets)
        offset += address.getConstantTerm();
  return true;
}

//===----------------------------------------------------------------------===//
// Other addresses
//===----------------------------------------------------------------------===//

bool Footprints::enumerate(const FootprintQuery &query) {
  const VariableTable &variables = query.variables;
  const Polynomial &address = query.access.address;
  Evaluation evaluation(variables, query.block, query.sizes, address);
  int64_t threads = 1;
  if (query.between == Neighbours::Blocks)
    threads = query.block[0] * query.block[1] * query.block[2];
  // Loops, and how many of their iterations are tried.
  std::vector<std::pair<unsigned, int64_t>> loops;
  std::vector<int64_t> trips = tripCounts(query);
  int64_t combinations = 1;
  for (unsigned number = 0; number < variables.size(); ++number) {
    if (variables[number].kind != Variable::Kind::Loop ||
        !variables.dependsOnAny(
            address, [&](unsigned other) { return other == number; }))
      continue;
    int64_t most = std::min(
        {trips[number], kTriedIterations,
         std::max<int64_t>(1, kMostAddresses / threads / combinations)});
    loops.push_back({number, most});
    combinations *= most;
  }

  count = std::min(count, kBlocks / 2);
  axes.resize(1);
  axes[0].unit = Polynomial(1);
  axes[0].offsets.assign(count, 0);
  axes[0].points.assign(count, {});
  for (int64_t instance = 0; instance < count; ++instance) {
    std::vector<int64_t> &points = axes[0].points[instance];
    setInstance(query, evaluation, instance);
    for (int64_t number = 0; number < threads * combinations; ++number) {
      if (threads > 1)
        evaluation.setThread(number % threads);
      int64_t rest = number / threads;
      for (auto [loop, most] : loops) {
        evaluation.setIteration(loop, rest % most);
        rest /= most;
      }
      evaluation.update();
      std::optional<int64_t> point = evaluation.evaluate(address);
      if (!point)
        return false;
      points.push_back(*point);
    }
    llvm::sort(points);
    points.erase(llvm::unique(points), points.end());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

std::optional<Footprints> Footprints::compute(const FootprintQuery &query) {
  Footprints footprints;
  footprints.count = query.instances();
  if (!footprints.separate(query)) {
    footprints.axes.clear();
    if (!footprints.enumerate(query))
      return std::nullopt;
  }
  llvm::erase_if(footprints.axes,
                 [](const Axis &axis) { return !axis.moves(); });
  return footprints;
}

int64_t Footprints::common(int64_t left, int64_t right) const {
  int64_t number = 1;
  for (const Axis &axis : axes)
    number *= axis.common(left, right);
  return number;
}

int64_t Footprints::commonSegments(int64_t left, int64_t right, int64_t bytes,
                                   int64_t accessBytes) const {
  if (axes.size() != 1 || axes[0].unit != Polynomial(1))
    return 0;
  auto segmentsOf = [&](int64_t instance) {
    std::vector<int64_t> segments;
    for (int64_t point : axes[0].of(instance)) {
      int64_t begin = point + axes[0].offsets[instance];
      for (int64_t segment = llvm::divideFloorSigned(begin, bytes);
           segment * bytes < begin + accessBytes; ++segment)
        segments.push_back(segment);
    }
    llvm::sort(segments);
    segments.erase(llvm::unique(segments), segments.end());
    return segments;
  };
  std::vector<int64_t> both, first = segmentsOf(left),
                             second = segmentsOf(right);
  std::set_intersection(first.begin(), first.end(), second.begin(),
                        second.end(), std::back_inserter(both));
  return both.size();
}
