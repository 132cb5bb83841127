//===- Structures.h - structures that a kernel reads ------------*- C++ -*-===//
//
// A structure of the function around is no parameter: how one is passed is the
// host's convention, and analyses know numbers and arrays. The members that a
// part reads are parameters instead, of which the kernel makes the structure
// again:
//
//   struct grid g = …;
//   #pragma acc parallel loop        void f_kernel(float *a, int g.n, float
//   g.h) for (int i = 0; i < g.n; ++i)    {
//     a[i] = i * g.h;            →     struct grid g;
//                                      g.n = g.n; g.h = g.h;
//                                      …
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_STRUCTURES_H
#define CONVERSION_IMPORTSOURCE_OPENACC_STRUCTURES_H

#include "clang/AST/Decl.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// A number or pointer in a structure, from the outside inwards.
using MemberPath = std::vector<clang::FieldDecl *>;

/// `.origin.x`.
std::string memberText(const MemberPath &path);

/// The members of the structure `variable` that `statement` reads; all of them
/// where it is copied as a whole, and each once. Nothing where it may be
/// changed, or what is read is more than numbers and pointers.
std::optional<std::vector<MemberPath>>
findReadMembers(clang::Stmt *statement, const clang::VarDecl &variable);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_STRUCTURES_H
