//===- AccessFunction.h - addresses as functions of the ids -----*- C++ -*-===//
//
// The address of a load or store as a function of the block id, the thread id,
// the iterators of the loops around it and the kernel's parameters. Everything
// that is decided about memory (coalescing, bank conflicts, sharing) is decided
// on this value, not on IR. For the matrix product of docs/Architecture.md:
//
//   access           address in elements of the array
//   A[idy, i]        by*bdy*k + ty*k + i0     (bd: block shape, b: block id,
//   B[i, idx]        bx*bdx + n*i0 + tx        t: thread id, i0: outer loop)
//   C[idy, idx]      by*bdy*n + bx*bdx + ty*n + tx
//
// Coefficients may be parameters, so addresses are polynomials. What is no
// polynomial but still computable (quotients, remainders, bit operations of
// polynomials, what wraps around) becomes a derived variable: `tid / 16` in an
// address is one variable whose definition is the quotient. So an address can
// be evaluated exactly for any lane. What is neither (a subscript loaded from
// memory) makes the access unresolved, with a reason.
//
// `IntegerValues` reads the IR; this is its result in terms of blocks, threads
// and loops. Addresses are equal modulo 2^64, as the machine computes them;
// what is compared, divided or bounds a loop is equal as an integer. Where that
// is not proven the value is a derived variable, `Wrap`, of which proofs know
// no more than what it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_ACCESSFUNCTION_H
#define PASSES_ANALYSIS_ACCESSFUNCTION_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Conditions.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Polynomial.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <string>
#include <vector>

namespace gpuopt {

/// Values of parameters by their names in the source: {"n", 4096}.
using SizeMap = llvm::StringMap<int64_t>;

/// A block shape: threads in x, y, z.
using BlockShape = std::array<int64_t, 3>;

/// What one variable of an access function stands for.
struct Variable {
  enum class Kind {
    BlockId,   ///< gpu.block_id `dimension`
    ThreadId,  ///< gpu.thread_id `dimension`
    BlockDim,  ///< gpu.block_dim `dimension`
    GridDim,   ///< gpu.grid_dim `dimension`
    Loop,      ///< iterator of a loop
    Parameter, ///< value that is the same for all threads of a launch
    Derived,   ///< computed from other variables, see `Operator`
  };
  /// How a derived variable follows from its operands.
  using Operator = IndexOperator;

  Kind kind;
  /// 0, 1, 2 for x, y, z; of ids and shapes only.
  unsigned dimension = 0;
  /// Short name for printing: `bx`, `ty`, `i0`, `n`.
  std::string name;
  /// The iterator or parameter in the IR; null when built by hand.
  mlir::Value value = {};
  /// Of what is read as unsigned, in the IR, its bits; 0 where as signed.
  unsigned unsignedBits = 0;

  /// First value of a loop's iterator: the largest of these. Empty: unknown.
  std::vector<Polynomial> lowerBounds = {};
  /// Exclusive end of a loop's iterator: the least of these. Empty: unknown.
  std::vector<Polynomial> upperBounds = {};
  /// Increment of a loop's iterator.
  Polynomial step = Polynomial(1);

  /// Of derived variables only.
  Operator op = Operator::FloorDiv;
  Polynomial left = {};
  Polynomial right = {};
};

/// The variables of one kernel; a polynomial's variable v is `table[v]`.
/// Definitions of derived variables and loop bounds refer to lower numbers.
class VariableTable {
public:
  /// Holds the ids and shapes: numbers 0 to 11.
  VariableTable();

  static unsigned blockId(unsigned dimension) { return dimension; }
  static unsigned threadId(unsigned dimension) { return 3 + dimension; }
  static unsigned blockDim(unsigned dimension) { return 6 + dimension; }
  static unsigned gridDim(unsigned dimension) { return 9 + dimension; }

  unsigned addLoop(std::string name, std::vector<Polynomial> lowerBounds,
                   std::vector<Polynomial> upperBounds,
                   Polynomial step = Polynomial(1), mlir::Value iterator = {},
                   unsigned unsignedBits = 0);
  unsigned addParameter(std::string name, mlir::Value value = {},
                        unsigned unsignedBits = 0);
  /// Returns the polynomial `left op right`, folded where that is possible.
  Polynomial addDerived(Variable::Operator op, const Polynomial &left,
                        const Polynomial &right);

  const Variable &operator[](unsigned number) const { return table[number]; }
  unsigned size() const { return table.size(); }
  bool isThreadId(unsigned number) const {
    return table[number].kind == Variable::Kind::ThreadId;
  }

  /// True where `polynomial` depends on a variable for which `predicate`
  /// holds, directly or through derived variables.
  bool dependsOnAny(const Polynomial &polynomial,
                    llvm::function_ref<bool(unsigned)> predicate) const;
  /// True where the value is not the same for all threads of a block.
  bool dependsOnThread(const Polynomial &polynomial) const;

  /// True where the value is provably at least 0 (ids are).
  bool isNonNegative(const Polynomial &polynomial) const;

  /// `left op right` for numbers; nothing on a division by zero.
  static std::optional<int64_t> fold(Variable::Operator op, int64_t left,
                                     int64_t right);

  std::string toString(const Polynomial &polynomial) const;

private:
  std::vector<Variable> table;
};

/// `left relation 0` for integers.
struct Comparison {
  enum class Relation { Equal, NotEqual, Less, LessEqual };
  Polynomial left;
  Relation relation;
  bool holds(int64_t value) const;
  bool isOrdering() const {
    return relation == Relation::Less || relation == Relation::LessEqual;
  }
  bool operator==(const Comparison &other) const = default;
};

/// A condition under which an access happens: all comparisons hold, or with
/// `negated` not all of them do (the else region).
struct Guard {
  std::vector<Comparison> comparisons;
  bool negated = false;
  /// False where a part of the condition is no comparison of polynomials.
  bool complete = true;
  bool operator==(const Guard &other) const = default;
};

/// The address function of one load or store. An asynchronous copy has two: the
/// load from global memory, then the store to workgroup memory.
struct AccessFunction {
  /// The operation; null when built by hand.
  mlir::Operation *op = nullptr;
  AccessKind kind = AccessKind::Load;
  MemorySpace space = MemorySpace::Global;
  /// The array's name in the source, else that of its definition in the IR.
  std::string array;
  /// The kernel argument or workgroup attribution behind all views.
  mlir::Value base = {};
  /// Bytes of one element of the array: 4 for float.
  int64_t elementBytes = 0;
  /// Bytes that one thread moves: 16 for a load of vector<4xf32>.
  int64_t accessBytes = 0;
  /// Bytes from the start of the array; meaningful where resolved.
  Polynomial address;
  /// The operation's own subscripts, in the shape of the view it accesses:
  /// {idy, i} for A[idy, i]. Empty where unresolved.
  std::vector<Polynomial> subscripts;
  /// The loops around the access, outermost first; -1 for loops that are not
  /// counted (scf.while).
  std::vector<int> loops;
  /// The variables of the collective loop around the access, slowest first;
  /// they are not among `loops`. The threads of the block, in the order of
  /// their linear ids, take its iterations in this order, in as many rounds as
  /// that needs. Empty for accesses that every thread makes for itself.
  std::vector<unsigned> collective;
  /// The conditions around the access.
  std::vector<Guard> guards;
  /// Why there is no address; empty where there is one.
  std::string unresolved;

  bool isResolved() const { return unresolved.empty(); }
  /// Whether `value` may differ between the threads that make the access.
  bool variesOverLanes(const Polynomial &value,
                       const VariableTable &variables) const;
  /// The address in elements where it is a whole number of them:
  /// `k*ty + i0`; else `(…) bytes`; else `unresolved: …`.
  std::string toString(const VariableTable &variables) const;
};

/// The access functions of every load and store of a raised kernel.
class AccessFunctions {
public:
  /// `kernel` is a gpu.func, or an llvm.func (whose accesses are unresolved).
  explicit AccessFunctions(mlir::Operation *kernel);

  const VariableTable &variables() const { return table; }
  /// In the order of the operations.
  llvm::ArrayRef<AccessFunction> accesses() const { return functions; }
  /// The first access of `op`; null where it has none.
  const AccessFunction *lookup(mlir::Operation *op) const;

  /// The value of an index or integer, read as signed, as a polynomial that
  /// equals it; nothing where there is none. May add variables.
  std::optional<Polynomial> resolve(mlir::Value value);
  /// A comparison, its operands read with the signs that its predicate gives
  /// them: `left relation 0` holds just where it does.
  std::optional<Comparison> resolve(const Conjunct &conjunct);
  /// The variable of a loop's iterator or a parameter that occurs in some
  /// access; nothing else.
  std::optional<unsigned> variableOf(mlir::Value value) const;

private:
  friend class AccessResolver;

  mlir::Operation *root;
  IntegerValues values;
  VariableTable table;
  std::vector<AccessFunction> functions;
  llvm::DenseMap<mlir::Operation *, unsigned> indexByOp;
  /// What the atoms of `values` are; nothing for those that are known to be
  /// unresolved.
  llvm::DenseMap<unsigned, std::optional<Polynomial>> resolvedAtoms;
  /// Why an atom of `resolvedAtoms` has no polynomial.
  llvm::DenseMap<unsigned, std::string> reasons;
  /// The variables of iterators and parameters.
  llvm::DenseMap<mlir::Value, unsigned> variableNumbers;
  /// Variables of extents of arrays with unknown shape, by dimension.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> extents;
};

} // namespace gpuopt

#endif // PASSES_ANALYSIS_ACCESSFUNCTION_H
