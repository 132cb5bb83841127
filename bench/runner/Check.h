//===- Check.h - are results right? -----------------------------*- C++ -*-===//

#ifndef BENCH_RUNNER_CHECK_H
#define BENCH_RUNNER_CHECK_H

#include "Records.h"
#include "References.h"

namespace bench {

/// What a case has to give, and for how much of it that is known.
struct Expectation {
  std::vector<Expected> elements;
  bool isComplete = true;
  /// The largest bound: the others may differ from a checked result by twice
  /// it.
  double largestBound = 0;
  /// Results of the first variant that was right, by array.
  HostArrays firstRight;
  std::string firstName;
};

/// Works the results out, of as many items as `operations` are enough for.
inline Expectation expect(const Case &entry, const HostArrays &arrays,
                          double operations) {
  Reference reference(entry, arrays);
  uint64_t items = reference.items();
  std::vector<Expected> first;
  reference.compute(0, first);
  double affordable = std::min(operations / reference.operations(),
                               0x1p22 / std::max<double>(1, first.size()));
  auto wanted =
      std::min<uint64_t>(items, std::max<uint64_t>(1, uint64_t(affordable)));
  Expectation expectation;
  expectation.isComplete = wanted == items;
  std::vector<std::vector<Expected>> parts(wanted);
  parallelFor(wanted, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      uint64_t item = i;
      if (!expectation.isComplete) // a third each: start, end, anywhere
        item = i % 3 == 0   ? i / 3
               : i % 3 == 1 ? items - 1 - i / 3
                            : mix(i) % items;
      reference.compute(item, parts[i]);
    }
  });
  for (const std::vector<Expected> &part : parts)
    for (const Expected &element : part) {
      expectation.elements.push_back(element);
      expectation.largestBound =
          std::max(expectation.largestBound, element.bound);
    }
  return expectation;
}

/// Compares results with what is expected; false and a reason where they
/// differ.
inline bool compare(Record &record, const Case &entry, const HostArrays &got,
                    Expectation &expectation, const std::string &name) {
  double worst = 0;
  for (const Expected &element : expectation.elements) {
    double result = got[element.array][element.element];
    double error = std::fabs(result - element.value);
    if (error <= element.bound) {
      worst = error > 0 ? std::max(worst, error / element.bound) : worst;
      continue;
    }
    std::ostringstream reason;
    reason.precision(9);
    reason << entry.arrays[element.array].name << "[" << element.element
           << "] is " << result << ", expected " << element.value << " +- "
           << element.bound;
    record.add("status", "wrong").add("reason", reason.str());
    return false;
  }
  uint64_t all = 0;
  std::atomic<uint64_t> differing = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    all += got[i].size();
    if (expectation.isComplete || expectation.firstRight.empty())
      continue;
    // Equal bytes are equal, and what nobody writes is poison for everyone.
    const HostArray &other = expectation.firstRight[i];
    if (got[i] == other)
      continue;
    parallelFor(got[i].size(), [&](uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; ++at) {
        double a = got[i][at], b = other[at];
        differing += !(std::fabs(a - b) <= 2 * expectation.largestBound ||
                       (std::isnan(a) && std::isnan(b)));
      }
    });
  }
  record.add("status", differing ? "wrong" : "right");
  if (differing)
    record.add("reason", std::to_string(differing) + " elements differ from " +
                             expectation.firstName + "'s");
  record.add("compared", expectation.elements.size()).add("results", all);
  std::string against = "float64 reference";
  if (!expectation.isComplete)
    against += expectation.firstRight.empty()
                   ? ", a sample"
                   : ", a sample; the rest: " + expectation.firstName;
  record.add("against", against).add("error_over_bound", worst);
  if (!differing && !expectation.isComplete && expectation.firstRight.empty()) {
    expectation.firstRight = got;
    expectation.firstName = name;
  }
  return !differing;
}

} // namespace bench

#endif // BENCH_RUNNER_CHECK_H
