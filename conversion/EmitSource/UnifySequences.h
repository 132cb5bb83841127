//===- UnifySequences.h - equal statements but for arguments ----*- C++ -*-===//
//
// Sequences of statements are walked all at once. Sums are equal up to the
// summands that only some have; these, of what is known outside of the
// sequence, are the arguments. Variables and counters that only a sequence uses
// may differ.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_UNIFYSEQUENCES_H
#define CONVERSION_EMITSOURCE_UNIFYSEQUENCES_H

#include "conversion/EmitSource/Tree.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuopt::source {

/// `length` statements of `block` from `begin` on.
struct Sequence {
  Block *block;
  size_t begin, length;

  llvm::ArrayRef<Stmt *> statements() const {
    return llvm::ArrayRef(*block).slice(begin, length);
  }
};

/// How often each variable is used.
using Uses = llvm::DenseMap<const Variable *, unsigned>;

/// The uses in `statements`, and in what they hold.
Uses countUses(llvm::ArrayRef<Stmt *> statements);

/// What differs between the occurrences of a sequence.
struct Argument {
  Variable *parameter;
  llvm::SmallVector<const Expr *, 4> values;
};

/// The common form of several occurrences.
class Unifier {
public:
  Unifier(Kernel &kernel, llvm::ArrayRef<Sequence> occurrences,
          const Uses &total);

  /// Has variables differ that one of `scopes` uses, each around an occurrence,
  /// and nothing else.
  void widenTo(llvm::ArrayRef<Block *> scopes);

  bool run();
  /// The statements of the first occurrence, as they are in the function.
  Block takeBody();
  llvm::ArrayRef<Argument> getArguments() const { return arguments; }
  /// The variables of an occurrence, each with what stands for it.
  const llvm::DenseMap<Variable *, Variable *> &getBound(size_t number) const {
    return bound[number];
  }

private:
  bool unify(llvm::ArrayRef<Stmt *> stmts);
  bool unifyBlocks(llvm::ArrayRef<const Block *> blocks);
  const Expr *unify(llvm::ArrayRef<const Expr *> exprs);
  const Expr *unifySum(llvm::ArrayRef<const Expr *> sums);
  const Expr *unifyRest(llvm::ArrayRef<const Expr *> rests);
  bool matches(const Expr *first, const Expr *other, size_t number);
  bool bind(llvm::ArrayRef<Variable *> variables);
  bool isOwn(const Variable *variable, size_t number) const;
  bool isKnownOutside(const Expr *expr, size_t number) const;

  Kernel &kernel;
  llvm::SmallVector<Sequence> occurrences;
  const Uses &total;
  llvm::SmallVector<Uses> inside;
  /// The variables of the first occurrence that stand for those of the others.
  llvm::SmallVector<llvm::DenseMap<Variable *, Variable *>> bound;
  std::vector<Argument> arguments;
  /// New roots of the statements of the first occurrence.
  std::vector<std::pair<const Expr **, const Expr *>> rewritten;
  /// What is computed here is computed whenever the sequence runs.
  bool isCertain = true;
  /// In a position that is known to fit `int`.
  bool isNarrow = false;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_UNIFYSEQUENCES_H
