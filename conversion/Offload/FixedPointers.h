//===- FixedPointers.h - pointers in memory that do not change --*- C++ -*-===//
//
// `p->a[i]` follows a pointer that is in a structure. A device that had a copy
// of the structure would find an address of the host in it. Where the pointer
// is the same for all of a region, the host reads it once, and the region goes
// by that:
//
//   for (i = 0; i < p->n; i++)     __typeof__(*p->a) *gpuopt_p_a;
//     p->a[i] = 0;                 if (… && (gpuopt_p_a = p->a, 1)) {
//                              →   #pragma omp target … map(from:
//                              gpuopt_p_a[0:…])
//                                  for (i = 0; i < p->n; i++)
//                                    gpuopt_p_a[i] = 0;
//
// That is a deep copy of just what the region uses, which each dialect has. It
// is legal because the region stores no pointer of that type, nor any on the
// way to it, and reads the pointer for sure: where no element of its memory is
// known to exist, it does not go to the device at all (Sections.h). The
// sections that the pointers lead to may be the same memory; that is tested
// like it is for others.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_FIXEDPOINTERS_H
#define CONVERSION_OFFLOAD_FIXEDPOINTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <string>
#include <vector>

namespace gpuopt::offload {

/// A pointer that the host reads in front of a region.
struct FixedPointer {
  /// How the program names it.
  std::string text;
  /// What stands for it, which no text declares so far.
  clang::VarDecl *variable = nullptr;
  /// Where the region reads it.
  std::vector<const clang::Expr *> reads;
};

using FixedPointers = std::vector<FixedPointer>;

/// The pointer with that `text` of the program, and the type of `expression`;
/// it is added to `pointers` where it is not there.
FixedPointer &addFixedPointer(FixedPointers &pointers, llvm::StringRef text,
                              const clang::Expr &expression,
                              const clang::ASTContext &context);

/// How the program names `variable`, which may stand for one of `pointers`.
std::string nameOf(const FixedPointers &pointers,
                   const clang::VarDecl &variable);

/// Whether `type` is that of a pointer to objects that can be copied.
bool pointsToObjects(clang::QualType type);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_FIXEDPOINTERS_H
