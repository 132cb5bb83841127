//===- ClaimedValues.cpp - what polynomials amount to in a run ------------===//

#include "ClaimedValues.h"
#include "Properties.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

Number gpuopt::property::read(const Bits &bits, bool isUnsigned) {
  if (!bits)
    return std::nullopt;
  return DynamicAPInt(isUnsigned ? bits->zext(bits->getBitWidth() + 1) : *bits);
}

Number
gpuopt::property::evaluate(const Polynomial &polynomial,
                           llvm::function_ref<Number(unsigned)> valueOf) {
  if (polynomial.isUnknown())
    return std::nullopt;
  DynamicAPInt sum(0);
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    DynamicAPInt product(coefficient);
    for (unsigned variable : monomial) {
      Number value = valueOf(variable);
      if (!value)
        return std::nullopt;
      product *= *value;
    }
    sum += product;
  }
  return sum;
}

Number gpuopt::property::evaluate(const Polynomial &polynomial,
                                  const IntegerValues &values,
                                  const Interpreter &run) {
  return evaluate(polynomial, [&](unsigned variable) -> Number {
    const Atom &atom = values.getAtom(variable);
    const WorkItem &item = run.getItem();
    unsigned dimension = atom.dimension;
    switch (atom.kind) {
    case Atom::Kind::Signed:
    case Atom::Kind::Unsigned:
      return read(run.get(atom.value), atom.kind == Atom::Kind::Unsigned);
    case Atom::Kind::GlobalId:
      return DynamicAPInt(item.globalId(dimension));
    case Atom::Kind::GlobalSize:
      return DynamicAPInt(item.blockDim[dimension] * item.gridDim[dimension]);
    case Atom::Kind::BlockId:
      return DynamicAPInt(item.blockId[dimension]);
    case Atom::Kind::ThreadId:
      return DynamicAPInt(item.threadId[dimension]);
    case Atom::Kind::BlockDim:
      return DynamicAPInt(item.blockDim[dimension]);
    case Atom::Kind::GridDim:
      return DynamicAPInt(item.gridDim[dimension]);
    case Atom::Kind::FloorDiv:
      if (Number numerator = evaluate(atom.numerator, values, run))
        return floorDiv(*numerator, DynamicAPInt(atom.divisor));
      return std::nullopt;
    case Atom::Kind::Derived:
      break; // Only definitions of atoms have these.
    }
    return std::nullopt;
  });
}

bool gpuopt::property::encloses(const Interval &range,
                                const DynamicAPInt &number) {
  return (range.low == Interval::minusInfinity ||
          number >= DynamicAPInt(range.low)) &&
         (range.high == Interval::plusInfinity ||
          number <= DynamicAPInt(range.high));
}

std::string gpuopt::property::toString(const DynamicAPInt &number) {
  std::string text;
  llvm::raw_string_ostream os(text);
  number.print(os);
  return text;
}

std::string gpuopt::property::toString(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return text;
}

std::string Tally::str() const {
  std::vector<std::string> lines;
  for (const auto &entry : counts)
    lines.push_back("  " + entry.getKey().str() + ": " +
                    std::to_string(entry.getValue()) + "\n");
  llvm::sort(lines);
  return llvm::join(lines, "");
}
