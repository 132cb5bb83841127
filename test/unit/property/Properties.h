//===- Properties.h - what the analyses promise -----------------*- C++ -*-===//
//
// Each property takes a random program, asks an analysis about it, runs it for
// some work items and says what was claimed and is not so.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_PROPERTY_PROPERTIES_H
#define TEST_UNIT_PROPERTY_PROPERTIES_H

#include "Program.h"

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace gpuopt::property {

/// What is wrong, or nothing.
using Violation = std::optional<std::string>;

/// How often each kind of claim was made and compared with what happened: a
/// property that never meets its claim tests nothing.
class Tally {
public:
  void add(llvm::StringRef claim) { ++counts[claim]; }
  uint64_t get(llvm::StringRef claim) const { return counts.lookup(claim); }
  std::string str() const;

private:
  llvm::StringMap<uint64_t> counts;
};

/// IntegerValues: polynomials, exactness, ranges, parameters.
Violation checkIntegerValues(const Program &program, Tally &tally);
/// DominatingFacts: facts at the store, and what they are said to prove.
Violation checkFacts(const Program &program, Tally &tally);
/// SubscriptRanges: subscripts that are said to stay in their dimensions.
Violation checkSubscripts(const Program &program, Tally &tally);
/// IndexBounds: minima over a block, margins of comparisons.
Violation checkIndexBounds(const Program &program, Tally &tally);
/// IndexArithmetic: rebuilt indices, ranges of indices.
Violation checkRebuiltIndices(const Program &program, Tally &tally);
/// IndexBuilder: indices made of polynomials.
Violation checkBuiltIndices(const Program &program, Tally &tally);
/// Extents: work items beyond them do nothing.
Violation checkExtents(const Program &program, Tally &tally);
/// Uniformity: work items with equal ids compute equal values.
Violation checkUniformity(const Program &program, Tally &tally);
/// AccessFunctions: values as polynomials, guards as comparisons.
Violation checkAccessFunctions(const Program &program, Tally &tally);
/// Polynomial: identities of its operations. Uses only the program's seed.
Violation checkPolynomials(const Program &program, Tally &tally);
/// Alignment: divisors of polynomials over derived variables. The same.
Violation checkDivisors(const Program &program, Tally &tally);
/// The interpreter, against the constant folding of the arith dialect.
Violation checkInterpreter(const Program &program, Tally &tally);

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_PROPERTIES_H
