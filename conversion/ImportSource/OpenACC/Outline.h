//===- Outline.h - a kernel of a part of a function -------------*- C++ -*-===//
//
// Makes a function of a part of another one. What the part uses of variables
// around it becomes parameters:
//
//   double A[n][m], s; int i;          void f_kernel(double *A, int n, int m,
//                                                    double s) {
//   for (i = 0; i < n; i++)       ->     double (*A)[m] = (double (*)[m])A;
//     A[i][0] *= s;                      int i;
//                                        for (i = 0; i < n; i++) …
//
// The part itself is moved, not copied: the function that it is from must not
// be compiled any more.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_OUTLINE_H
#define CONVERSION_IMPORTSOURCE_OPENACC_OUTLINE_H

#include "conversion/ImportSource/KernelInfo.h"
#include "conversion/ImportSource/OpenACC/Constructs.h"
#include "conversion/ImportSource/OpenACC/Structures.h"

#include "clang/Sema/Sema.h"

namespace gpuopt {

/// What the host has for a parameter of a kernel.
struct HostArgument {
  enum class Kind {
    /// The parameter is a copy of the variable.
    Value,
    /// A pointer to the variable, whose value the kernel changes.
    Result,
    /// A pointer to the variable, an array.
    Array,
    /// The pointer that the variable is.
    Pointer
  };
  const clang::VarDecl *variable = nullptr;
  Kind kind = Kind::Value;
  /// What of the variable it is, where that is a structure.
  MemberPath member = {};

  clang::QualType type() const {
    return member.empty() ? variable->getType() : member.back()->getType();
  }
  std::string name() const {
    return variable->getNameAsString() + memberText(member);
  }
};

/// A kernel as Clang sees it.
struct OutlinedKernel {
  clang::FunctionDecl *function = nullptr;
  /// For each parameter.
  std::vector<HostArgument> arguments;
  /// The threads of a block, where the source has a constant.
  std::optional<int64_t> threads;
  /// Extents of arrays as a pragma gives them, as far as they are declared.
  KernelPragma pragma;
};

/// Makes a kernel `name` of `part`; `asWorkItems` where its loops become work
/// items. What cannot be taken is added to `refusals`, or is an error where
/// that is null, and the function is null.
OutlinedKernel outline(const KernelPart &part, llvm::StringRef name,
                       bool asWorkItems, clang::Sema &sema,
                       std::vector<Refusal> *refusals);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_OUTLINE_H
