//===- AlignedAllocations.h - memory that a device gets ---------*- C++ -*-===//
//
// Copies between host and device are fastest from and to whole lines of memory
// (malloc-to-memalign, 4.4.3.3 of the thesis):
//
//   a = malloc(n * sizeof(double));   →   a = gpuopt_offload_malloc(n * …);
//
// which calls posix_memalign for 64 bytes, with the size rounded up to them. By
// POSIX that is memory like malloc's: as much as is asked for at least, aligned
// for every type, for `free` and `realloc`, and a null pointer where there is
// none. It is done for calls of the C library's malloc whose result is given to
// a pointer that is mapped, without a macro in between.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_ALIGNEDALLOCATIONS_H
#define CONVERSION_OFFLOAD_ALIGNEDALLOCATIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace gpuopt::offload {

/// What names `malloc` in calls of it in `function` for a pointer in `mapped`.
std::vector<const clang::DeclRefExpr *>
findAllocations(const clang::FunctionDecl &function,
                const llvm::DenseSet<const clang::VarDecl *> &mapped);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_ALIGNEDALLOCATIONS_H
