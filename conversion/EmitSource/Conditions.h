//===- Conditions.h - what conditions say -----------------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_CONDITIONS_H
#define CONVERSION_EMITSOURCE_CONDITIONS_H

#include "conversion/EmitSource/Tree.h"

namespace gpuopt::source {

/// The operands of nested `text` operations, `&&` or `||`.
void takeApart(const Expr *condition, llvm::StringRef text,
               llvm::SmallVectorImpl<const Expr *> &parts);

/// All of `parts`, of which there is at least one, joined by `text`.
const Expr *join(Kernel &kernel, llvm::StringRef text,
                 llvm::ArrayRef<const Expr *> parts);

/// What a comparison of exact integers says is not negative; null for all else.
const Expr *differenceOf(Kernel &kernel, const Expr *comparison);

/// Whether `wanted`, which is one comparison, follows from one of `given`.
bool implies(Kernel &kernel, llvm::ArrayRef<const Expr *> given,
             const Expr *wanted);

/// Whether `second` holds wherever `first` does, as far as their parts tell.
bool implies(Kernel &kernel, const Expr *first, const Expr *second);

/// `left || right`, with as few alternatives as can be.
const Expr *eitherOf(Kernel &kernel, const Expr *left, const Expr *right);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_CONDITIONS_H
