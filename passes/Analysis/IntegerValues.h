//===- IntegerValues.h - what integer SSA values amount to ------*- C++ -*-===//
//
// Reads index arithmetic: for an SSA value of integer or index type, the
// polynomial over *atoms* that it equals. Atoms are what the arithmetic starts
// from: ids, induction variables, parameters, anything opaque.
//
//   int idx = blockIdx.x * blockDim.x + threadIdx.x   idx            (an atom)
//   idy * k + i                      (nsw)            idy*k + i      exact
//   idy * k + i                      (unsigned)       idy*k + i      mod 2^32
//   (size_t)(idy * k + i)            (nsw)            idy*k + i      exact
//   (size_t)(idy * k + i)            (unsigned)       an opaque atom
//   idx % 4                                           idx - 4*(idx floordiv 4)
//
// A value of N bits is always congruent to its polynomial modulo 2^N, since
// addition, subtraction, multiplication and truncation are. It is *exact*,
// equal as an integer, where the operation cannot wrap: because it carries
// `nsw` or `nuw`, or because the ranges of its atoms leave no room to. Only
// exact values can be widened or compared.
//
// Ranges come from the programming model (a launch has fewer than 2^31 work
// items per dimension, which launchers check, and at most 1024 threads per
// block), the bounds of loops and the widths of types.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_INTEGERVALUES_H
#define PASSES_ANALYSIS_INTEGERVALUES_H

#include "passes/Analysis/Interval.h"
#include "passes/Analysis/Polynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <deque>

namespace gpuopt {

/// What is no polynomial of its operands but can be computed from them.
enum class IndexOperator {
  FloorDiv,
  TruncDiv,
  And,
  Or,
  Xor,
  Min,
  Max,
  /// The left operand modulo 2^64, read as unsigned where the right one is 1,
  /// as signed where it is 0.
  Wrap,
};

/// What a polynomial's variable stands for.
struct Atom {
  enum class Kind {
    Signed,     ///< `value`, a signed integer or an index
    Unsigned,   ///< `value`, read as unsigned
    GlobalId,   ///< the work item's id along `dimension`
    GlobalSize, ///< the number of work items along `dimension`
    BlockId,
    ThreadId,
    BlockDim,
    GridDim,
    FloorDiv, ///< `numerator` floordiv `divisor`
    Derived   ///< `left` op `right`; only `IntegerValues::define` has these
  };

  Kind kind = Kind::Signed;
  mlir::Value value = {};
  /// 0, 1, 2 for x, y, z.
  unsigned dimension = 0;
  Polynomial numerator = {};
  int64_t divisor = 1;
  IndexOperator op = IndexOperator::FloorDiv;
  Polynomial left = {};
  Polynomial right = {};
  Interval range = {};
  /// True where it is the same for all threads of a launch and can be computed
  /// at the top of the kernel: parameters, sizes of the launch, and arithmetic
  /// on them.
  bool isParameter = false;
};

/// What is known of an SSA value.
struct IntegerValue {
  Polynomial value;
  /// Encloses the polynomial's value.
  Interval range;
  /// The value, read as signed, equals the polynomial.
  bool isSigned = false;
  /// The value, read as unsigned, equals the polynomial.
  bool isUnsigned = false;
};

class IntegerValues {
public:
  explicit IntegerValues(mlir::FunctionOpInterface function)
      : function(function) {}

  /// The polynomial of a value of integer or index type.
  IntegerValue get(mlir::Value value);

  /// The polynomial of `value` read as signed or unsigned; where that is not
  /// exact, the value itself as an atom.
  IntegerValue getExact(mlir::Value value, bool isUnsigned);

  /// The polynomial of an affine expression whose dimensions and symbols
  /// (in this order) are `operands`.
  Polynomial get(mlir::AffineExpr expr, unsigned dimensions,
                 llvm::ArrayRef<Polynomial> operands);

  /// The polynomials of an affine map's results, of a loop's bound say.
  llvm::SmallVector<Polynomial> get(mlir::AffineMap map,
                                    mlir::ValueRange operands);

  const Atom &getAtom(unsigned variable) const { return atoms[variable]; }

  /// How the value behind an opaque atom is computed: a polynomial over other
  /// atoms, `Derived` ones among them, that it equals as an integer. Proofs can
  /// do little with that, but it can be evaluated, where nothing leaves 64
  /// bits; no code is to be made of it. Nothing for what arithmetic starts
  /// from: arguments, iterators, what is loaded from memory.
  ///
  ///   min(n, 9)                  n min 9
  ///   (signed char)p             p + 128 - 256*((p + 128)/256) - 128
  ///   i < n ? 4 : 3              3 - (((i - n) min 0) max -1)
  std::optional<Polynomial> define(unsigned variable);

  /// `left - right`, exactly, where they are read as `predicate` reads them.
  Polynomial getDifference(mlir::arith::CmpIPredicate predicate,
                           mlir::Value left, mlir::Value right);

  /// Range of a product of atoms, of a polynomial.
  Interval getRange(const Monomial &monomial) const;
  Interval getRange(const Polynomial &polynomial) const;
  /// True where every factor is a parameter.
  bool isParameter(const Monomial &monomial) const;
  bool isParameter(const Polynomial &polynomial) const;

  /// The polynomial as a user reads it: parameters by their names.
  std::string str(const Polynomial &polynomial);
  std::string nameOf(unsigned variable);

  /// The atom of an id; `kind` is one of those with a dimension.
  Polynomial getId(Atom::Kind kind, unsigned dimension);

private:
  IntegerValue compute(mlir::Value value);
  IntegerValue computeArgument(mlir::BlockArgument argument);
  std::optional<IntegerValue> computeArithmetic(mlir::Operation *op);
  std::optional<IntegerValue> computeComplement(mlir::arith::XOrIOp op);
  std::optional<IntegerValue> computeCast(mlir::Operation *op);
  std::optional<IntegerValue> computeDivision(mlir::Operation *op);
  std::optional<IntegerValue> computeId(mlir::Operation *op);
  std::optional<IntegerValue> computeCarried(mlir::BlockArgument argument);
  IntegerValue computeInduction(mlir::BlockArgument argument, Interval range,
                                bool isUnsigned);
  Interval computeRange(mlir::Value value, bool isUnsigned);
  Interval computeRangeOfChoice(mlir::Operation *op, bool isUnsigned);
  Interval computeRangeOfQuotient(mlir::Operation *op, bool isUnsigned);

  IntegerValue readOtherwise(mlir::Value value, const IntegerValue &congruent,
                             bool isUnsigned);
  IntegerValue opaque(mlir::Value value, bool isUnsigned);
  IntegerValue opaque(mlir::Value value);
  IntegerValue fit(Polynomial polynomial, Interval range, unsigned bits,
                   bool isSigned, bool isUnsigned);
  Polynomial floorDivide(const Polynomial &numerator, int64_t divisor);
  Polynomial derive(IndexOperator op, const Polynomial &left,
                    const Polynomial &right);
  Polynomial addAtom(Atom atom);
  Polynomial multiply(const Polynomial &left, const Polynomial &right);

  // Definitions. Each returns nothing where there is none.
  using Definition = std::optional<Polynomial>;
  Definition wrap(const Polynomial &value, unsigned bits, bool isUnsigned);
  Definition defineOp(mlir::Operation *op, bool &isUnsigned);
  Definition defineQuotient(mlir::Operation *op, bool isUnsigned);
  Definition defineChoice(mlir::Value condition, mlir::Value taken,
                          mlir::Value other);
  Definition defineExtremum(mlir::Operation *op);
  Definition indicate(mlir::Value condition);
  Polynomial indicateNegative(const Polynomial &value);

  mlir::FunctionOpInterface function;
  std::deque<Atom> atoms;
  llvm::DenseMap<mlir::Value, IntegerValue> known;
  /// The same read as unsigned (1) or signed (0), where that is another one.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, IntegerValue> knownReadings;
  /// Values carried around loops that are being or have been resolved.
  llvm::DenseMap<mlir::Value, std::optional<IntegerValue>> carried;
};

/// Number of bits that arithmetic of this type has; 64 for `index`, 0 for
/// types that are neither integer nor index.
unsigned getBits(mlir::Type type);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_INTEGERVALUES_H
