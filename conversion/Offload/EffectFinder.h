//===- EffectFinder.h - a walk through a section ----------------*- C++ -*-===//
//
// Goes through the statements of a section in their order, with what is known
// of its variables there, and into the functions that it calls. Private to
// Effects.h.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_EFFECTFINDER_H
#define CONVERSION_OFFLOAD_EFFECTFINDER_H

#include "conversion/Offload/Effects.h"
#include "conversion/Offload/Writes.h"

#include "llvm/ADT/DenseMap.h"

namespace gpuopt::offload {

/// What is known of an expression, or of what it points to.
struct Value {
  enum class Kind {
    Unknown,
    Integer,
    /// Of an element of `base`.
    Pointer,
    /// Into memory that belongs to one iteration.
    OwnPointer
  };
  Kind kind = Kind::Unknown;
  Polynomial number;
  const clang::VarDecl *base = nullptr;
  std::vector<std::optional<Polynomial>> subscripts;
  /// In an element of a structure.
  bool isInElement = false;
  /// To the first element of an array, as its name is.
  bool isRow = false;
  bool operator==(const Value &) const = default;

  static Value ofNumber(Polynomial number);
  bool isInteger() const { return kind == Kind::Integer; }
};

/// What an lvalue names.
struct Place {
  enum class Kind { Unknown, Own, Variable, Element };
  Kind kind = Kind::Unknown;
  /// The variable, or the base of the element.
  const clang::VarDecl *variable = nullptr;
  std::vector<std::optional<Polynomial>> subscripts;
  bool isInElement = false;
};

/// The accesses of the branches of a condition, by their places.
struct Branches {
  size_t firstOfThen = 0, firstOfElse = 0;
  /// Around the former.
  std::vector<size_t> loopsOfThen;
  unsigned conditionsOfThen = 0;
};

class EffectFinder {
public:
  EffectFinder(const Region &region, const clang::ASTContext &context);
  Effects run();

private:
  using Environment = llvm::DenseMap<const clang::VarDecl *, Value>;

  // Statements.
  void visit(const clang::Stmt *statement);
  template <class Statements>
  void visitAll(Statements statements) {
    for (const clang::Stmt *statement : statements)
      visit(statement);
  }
  void visitRegion(size_t parent);
  void visitBystander(const clang::Stmt &bystander);
  /// What a loop is to the region.
  enum class LoopRole { Parent, Parallel, Inner };
  void visitLoop(const clang::ForStmt &loop, LoopRole role,
                 llvm::function_ref<void()> visitInside);
  void visitParallel(const clang::ForStmt &loop, unsigned collapsed);
  void addCommon(const Branches &branches);
  std::vector<std::optional<Polynomial>>
  withoutConditions(const Access &access) const;
  void visitUncounted(const clang::Stmt &loop);
  void visitChoice(const clang::IfStmt &choice);
  void visitDeclarations(const clang::DeclStmt &declarations);
  void visitDirective(const clang::OMPExecutableDirective &directive);
  void visitReturn(const clang::ReturnStmt &statement);
  void visitMaybe(const clang::Stmt *statement);
  std::optional<LoopRange> rangeOf(const clang::ForStmt &loop,
                                   const CountedLoop &form);
  Polynomial lastStep(LoopRange &range);
  void forget(const clang::Stmt &statement);

  // Conditions.
  bool narrow(const clang::Expr &condition);
  bool narrowVariable(const clang::BinaryOperator &comparison);
  std::optional<size_t> loopOf(const clang::Expr &expression) const;
  bool mentionsInner(const Polynomial &polynomial, size_t outer) const;
  Value valueAgain(const clang::Expr &expression);

  // Expressions, in the order in which they are computed.
  Value valueOf(const clang::Expr *expression);
  Value valueWithoutName(const clang::Expr *expression);
  Value valueOfCast(const clang::CastExpr &cast);
  Value valueOfUnary(const clang::UnaryOperator &unary);
  Value valueOfBinary(const clang::BinaryOperator &binary);
  Value valueOfAssignment(const clang::BinaryOperator &assignment);
  Value valueOfChoice(const clang::AbstractConditionalOperator &choice);
  Value valueOfCall(const clang::CallExpr &call);
  Value valueOfBody(const clang::CallExpr &call,
                    const clang::FunctionDecl &callee);
  Value valueOfVariable(const clang::DeclRefExpr &reference);
  Value nameOf(const clang::Expr &expression);
  Value ofSymbol(llvm::StringRef text, clang::QualType type);
  Value sum(const Value &left, const Value &right, int sign);
  Place placeOf(const clang::Expr *expression);
  Place placeOfElement(const Value &pointer, const clang::Expr &expression);
  Place placeOfVariable(const clang::DeclRefExpr &reference);
  Value load(const Place &place, const clang::Expr &expression);
  void store(const Place &place, const clang::Expr &expression, Value value);
  void note(const Place &place, const clang::Expr &expression, bool isWrite);
  void noteScalar(const clang::VarDecl *variable, const clang::Expr &expression,
                  bool isWrite, Scalars &scalars);
  void noteOwn(const clang::VarDecl *variable, const clang::Expr &expression,
               bool isWrite);
  Value addressOf(const Place &place, const clang::Expr &expression,
                  bool isDecay);

  /// Whether each iteration of the section has that variable to itself.
  bool isOwn(const clang::VarDecl *variable) const;
  /// Whether `variable`, of outside, has one value in the whole section.
  bool isFixed(const clang::VarDecl *variable) const;
  bool isKeptByDevice(const clang::VarDecl *variable) const;
  bool hasFixedSizes(clang::QualType type) const;
  bool isNameable(const clang::Expr &expression) const;
  bool isNameableElement(const clang::Expr &expression) const;
  bool isFixedPlace(const clang::Expr &expression) const;
  std::optional<Value> fixedPointer(const clang::Expr &expression);
  void fail(clang::SourceLocation location, const llvm::Twine &message,
            bool isForAuthor = false);
  void count(int64_t operations, int64_t memoryOperations);

  const Region &region;
  /// The parallel loop that is visited; null in front of the first.
  const ParallelLoop *section = nullptr;
  const clang::ASTContext &context;
  /// Those of the section, and of the function around it.
  Writes writes, around;
  Effects effects;
  Environment environment;
  /// Scalars from outside of the loop that the iteration has written for sure.
  llvm::DenseSet<const clang::VarDecl *> assigned;
  /// Loops around the statement that is visited.
  std::vector<size_t> loops;
  /// How often it is done for each iteration of the parallel loops.
  Polynomial repetitions = 1;
  /// How many conditions it stands behind.
  unsigned conditions = 0;
  /// How many loops and switches of an iteration.
  unsigned breakable = 0;
  bool isAtomic = false;
  /// The host would evaluate this before the section as well.
  bool isAtBegin = false;
  /// Functions that are called around it.
  std::vector<const clang::FunctionDecl *> callers;
  /// What the innermost one returns, and where it was called.
  std::optional<Value> returned;
  unsigned conditionsOfCall = 0;
  size_t loopsOfCall = 0;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_EFFECTFINDER_H
