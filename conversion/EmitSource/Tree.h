//===- Tree.h - a kernel as statements and expressions ----------*- C++ -*-===//
//
// What a kernel is on its way from `gpu.func` to text: few kinds of statements
// and expressions, the same for every language.
//
// Index arithmetic is exact: a `Sum` stands for an integer of any size, so that
// it may be rewritten freely. The printer computes it in `int` where no partial
// result can leave `int`, else in 64 bits. All other integers have the width
// and the sign that their operation needs.
//
// Expressions are never changed and are shared: equal ones are the same object.
// Variables and statements belong to one kernel, and passes over the tree
// change them in place.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_TREE_H
#define CONVERSION_EMITSOURCE_TREE_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gpuopt::source {

/// Type of a value in C.
struct CType {
  enum Kind { Void, Index, Bool, Signed, Unsigned, Float, BFloat };
  Kind kind = Void;
  /// Width of one lane.
  unsigned bits = 0;
  /// 4 for `float4`.
  unsigned lanes = 1;

  bool operator==(const CType &) const = default;
  bool isInteger() const { return kind == Signed || kind == Unsigned; }
  CType element() const { return {kind, bits, 1}; }
  bool isSmallFloat() const {
    return bits == 16 && (kind == Float || kind == BFloat);
  }
  /// Whether all languages have such a vector. The others move as numbers of
  /// their size, and are arrays where their lanes are read.
  bool isNative() const {
    return lanes == 1 || (kind == Float && bits >= 32 && lanes <= 4) ||
           (kind == Float && lanes == 2) || (isInteger() && lanes <= 4);
  }
};

inline constexpr CType kIndexType{CType::Index, 64, 1};
inline constexpr CType kBoolType{CType::Bool, 1, 1};
inline constexpr CType kIntType{CType::Signed, 32, 1};

/// Bounds of an integer, both included. Saturated: the ends of `int64_t` also
/// stand for all that lies beyond.
struct Range {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();

  bool isNonNegative() const { return low >= 0; }
  /// Whether the value is within 64 bits for sure.
  bool isFinite() const {
    return low > std::numeric_limits<int64_t>::min() &&
           high < std::numeric_limits<int64_t>::max();
  }
  bool fitsInt() const {
    return low >= std::numeric_limits<int32_t>::min() &&
           high <= std::numeric_limits<int32_t>::max();
  }
};

Range operator+(Range left, Range right);
Range operator*(Range left, Range right);

/// A parameter, an array or a local variable.
struct Variable {
  enum Kind {
    Parameter,
    Shared,  ///< array in workgroup memory
    Private, ///< array of a thread, addressed by subscripts
    Local,   ///< holds a value; an array after unrolled copies became a loop
    Counter, ///< of a loop
    Builtin, ///< threadIdx.x and so on, read into a constant
    Function ///< of a sequence that occurs several times
  };
  Kind kind = Local;
  std::string name;
  CType type;
  /// Extents of an array; empty for a scalar and for a pointer.
  llvm::SmallVector<int64_t> shape;
  /// A parameter that points to elements of `type`.
  bool isPointer = false;
  bool isConst = false;
  bool isRestrict = false;
  /// A variable of the module: it has the name that it has there.
  bool isOfModule = false;
  /// A variable of the module that is one number; its shape has one element.
  bool isScalar = false;
  bool isInConstantMemory = false;
  /// What the source declares a pointer to, where it is known: "const float4".
  std::string pointee;
  /// The parameter, or variable of the module, that this is another name of,
  /// with elements of `type`.
  Variable *viewed = nullptr;
  /// An array that is read and written as vectors of 16 bytes.
  bool isAligned = false;
  /// A name for an index, whose values are in `range`.
  bool isIndex = false;
  /// An array that starts with zeros.
  bool isZeroed = false;

  /// Values of an integer variable.
  Range range;
  /// What a counter grows by.
  int64_t counterStep = 1;
  /// What a `Builtin` is read from.
  std::string initializer;
  /// The array that this variable has become an element of, and where.
  Variable *array = nullptr;
  int64_t position = 0;
  /// The name of the type of a structure.
  std::string structure;
  /// The structure that this is a member of; its name follows that one's.
  Variable *owner = nullptr;
  /// Number that tells variables apart, in order of creation.
  unsigned number = 0;

  /// Makes it a `const void *`, which takes every pointer.
  void pointToAnything() {
    type = {CType::Void, 8, 1};
    isConst = true;
  }
};

struct Expr {
  enum Kind {
    Literal,   ///< `text`
    Use,       ///< of `variable`, at the subscripts `operands`
    Sum,       ///< `constant` + the sum of `coefficients[i] * operands[i]`
    Product,   ///< of `operands`, exact
    Quotient,  ///< floor(operands[0] / constant)
    Remainder, ///< operands[0] mod constant, never negative
    Minimum,   ///< of exact integers
    Maximum,
    Binary, ///< operands[0] `text` operands[1]
    Unary,  ///< `text` operands[0]
    Call,   ///< of the function `text`
    Cast,   ///< of operands[0] to `type`
    Select, ///< operands[0] ? operands[1] : operands[2]
    Lane,   ///< operands[1] of the vector operands[0]
    Vector, ///< made of `operands`
    Access, ///< element of `variable`; see below
    Address ///< of the access operands[0]
  };
  Kind kind;
  CType type;
  std::string text;
  /// Of a `Sum`: its constant. Of a division: the positive divisor.
  int64_t constant = 0;
  Variable *variable = nullptr;
  llvm::SmallVector<const Expr *, 2> operands;
  llvm::SmallVector<int64_t, 2> coefficients;
  /// Of an `Access`: its first so many operands are subscripts, the others the
  /// strides, in elements, of all subscripts but the last. No strides for an
  /// array with a shape.
  unsigned numSubscripts = 0;
  /// Of a division: whether its dividend is known not to be negative (or the
  /// place that it stands at makes no difference between that and zero).
  bool isTruncating = false;
  /// A sum whose parts fit `int` where it stands, whatever their ranges say
  /// elsewhere.
  bool isInt = false;
  /// Number that tells expressions apart, in order of creation.
  unsigned key = 0;
  /// Number of nodes, shared ones counted each time.
  unsigned size = 1;
  /// The structure without constants of sums: equal for unrolled copies.
  std::string shape;

  Expr(Kind kind, CType type) : kind(kind), type(type) {}
};

struct Stmt;
using Block = std::vector<Stmt *>;

struct Stmt {
  enum Kind {
    Assign, ///< target = value
    Evaluate,
    If,
    For,     ///< counter from `lower` to below `upper` by `step`
    Forever, ///< left by `Break`
    While,   ///< test in front; DoWhile: behind
    DoWhile,
    Break,
    Barrier,
    AsyncCopy, ///< `step` bytes from the access `value` to the access `target`
    AsyncCommit,
    AsyncWait, ///< until at most `step` groups are in flight
    Comment,
    Function ///< `body`, under the name of `function`
  };
  Kind kind;
  mlir::Location location;
  const Expr *target = nullptr;
  /// Value, or the condition of an `If` or of a loop.
  const Expr *value = nullptr;
  Variable *counter = nullptr;
  const Expr *lower = nullptr;
  const Expr *upper = nullptr;
  int64_t step = 1;
  /// What a counter grows by where that is no constant.
  const Expr *stepBy = nullptr;
  /// An assignment that also declares its variable, and one that no other
  /// assignment follows.
  bool isDeclaration = false;
  bool isConstant = false;
  /// A declaration of a constant, together with the next one.
  bool joinsNext = false;
  /// A loop of unrolled copies: to be unrolled again.
  bool isUnrolled = false;
  /// A loop whose counter is halved from `lower` on while it is above `upper`.
  bool halves = false;
  std::string text;
  Block body;
  Block orElse;
  /// A local function and its parameters, all of them indices.
  Variable *function = nullptr;
  llvm::SmallVector<Variable *, 2> parameters;
  /// Declared here, before or together with the assignment.
  llvm::SmallVector<Variable *, 1> declares;

  Stmt(Kind kind, mlir::Location location) : kind(kind), location(location) {}
};

/// One kernel, and the owner of its parts.
class Kernel {
public:
  explicit Kernel(mlir::Location function) : place(function) {}

  /// Of the function.
  mlir::Location place;
  std::string name;
  std::vector<Variable *> parameters;
  std::vector<Variable *> shared;
  Block body;
  /// Threads of a block where that is fixed, else 0.
  int64_t threadsPerBlock = 0;
  /// What compilers shall leave a multiprocessor room for: blocks, and for
  /// AMD's wavefronts per execution unit; 0 where nothing is asked of them.
  int64_t residentBlocks = 0, wavesPerUnit = 0;
  /// Some access to workgroup memory moves several elements at once.
  bool alignsShared = false;
  /// The source computes all positions in arrays in `int`: they are in its
  /// range wherever an access is made.
  bool hasNarrowPositions = false;

  Variable *createVariable(Variable::Kind kind, std::string name, CType type);
  Stmt *createStmt(Stmt::Kind kind, mlir::Location location);

  const Expr *literal(std::string text, CType type);
  const Expr *integer(int64_t value, CType type);
  const Expr *use(Variable *variable, llvm::ArrayRef<const Expr *> at = {});
  /// `expr` as a sum; sums stay what they are.
  const Expr *asSum(const Expr *expr);
  const Expr *constant(int64_t value);
  const Expr *add(const Expr *left, const Expr *right, int64_t factor = 1);
  const Expr *scale(const Expr *sum, int64_t factor);
  const Expr *multiply(const Expr *left, const Expr *right);
  const Expr *markInt(const Expr *sum);
  const Expr *floorDivide(const Expr *sum, int64_t divisor);
  const Expr *remainder(const Expr *sum, int64_t divisor);
  const Expr *make(Expr expr);

  /// Says that `sum` is a multiple of `divisor`; false takes it back.
  void setDivisible(const Expr *sum, int64_t divisor, bool isKnown);

  std::deque<Variable> &allVariables() { return variables; }
  const std::deque<Variable> &allVariables() const { return variables; }

private:
  /// Puts summands with the same operand together.
  const Expr *
  makeSum(llvm::SmallVectorImpl<std::pair<const Expr *, int64_t>> &terms,
          int64_t constant);
  bool isDivisible(const Expr *sum, int64_t divisor) const;

  std::deque<Variable> variables;
  std::deque<Stmt> statements;
  llvm::StringMap<std::unique_ptr<Expr>> interned;
  std::vector<std::pair<const Expr *, int64_t>> divisible;
};

/// The value of a sum without variables.
std::optional<int64_t> constantValue(const Expr *expr);

/// Bounds of an exact integer or of one in C; all values where nothing is
/// known.
Range rangeOf(const Expr *expr);

/// What the terms of a sum add up to, in whatever order, and each of them.
Range partialResults(const Expr *sum);

/// Whether `sum` is computed in 64 bits without wrapping: one number is.
bool staysWide(const Expr *sum);

/// Calls `visit` on every statement, outer ones first.
template <typename Visit>
void forEachStmt(Block &block, Visit visit) {
  for (Stmt *stmt : block) {
    visit(*stmt);
    forEachStmt(stmt->body, visit);
    forEachStmt(stmt->orElse, visit);
  }
}

/// The expressions of `stmt` itself, without those of statements in it.
template <typename Visit>
void forEachRoot(Stmt &stmt, Visit visit) {
  for (const Expr **root :
       {&stmt.target, &stmt.value, &stmt.lower, &stmt.upper, &stmt.stepBy})
    if (*root)
      visit(*root);
}

/// `expr` with each part that `replace` gives something for in that form.
/// Operands first; null leaves a part as it is.
template <typename Replace>
const Expr *rewrite(Kernel &kernel, const Expr *expr, const Replace &replace) {
  Expr copy = *expr;
  bool isChanged = false;
  for (const Expr *&operand : copy.operands) {
    const Expr *changed = rewrite(kernel, operand, replace);
    isChanged |= changed != operand;
    operand = changed;
  }
  const Expr *result = expr;
  if (isChanged && expr->kind == Expr::Sum) {
    result = kernel.constant(expr->constant);
    for (auto [operand, coefficient] :
         llvm::zip(copy.operands, copy.coefficients))
      result = kernel.add(result, operand, coefficient);
    if (expr->isInt)
      result = kernel.markInt(result);
  } else if (isChanged) {
    result = kernel.make(std::move(copy));
  }
  const Expr *replaced = replace(result);
  return replaced ? replaced : result;
}

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_TREE_H
