//===- Pragma.h - '#pragma gpuopt' ------------------------------*- C++ -*-===//
//
//   #pragma gpuopt domain(n, m) array(a: m, k) array(c: m, n) output(c)
//
// domain(X[, Y[, Z]])              the extent of the work items
// array(NAME: EXTENT[, EXTENT]…)   the row-major shape of an array
// output(NAME[, NAME: EXTENT]…)    the arrays that the kernel is run for
// share(NAME[LENGTH]…[:coalesce], …) the part of arrays that a block works on
//                                  (ShareHint.h)
// reassociate                      sums may be reordered: of the kernel, or of
//                                  a loop that stands behind (Reassociable.h)
//
// Several lines before one kernel add up. Extents are C integer expressions
// over the kernel's parameters; evaluateExtent gives their value.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_PRAGMA_H
#define CONVERSION_IMPORTSOURCE_PRAGMA_H

#include "conversion/ImportSource/KernelInfo.h"
#include "dialects/GPUOpt/ExtentExpression.h"

namespace gpuopt {

/// Parses the clauses of one pragma, without `#pragma gpuopt`, and adds them to
/// `pragma`. Returns what is wrong, if anything is.
std::optional<TextError> parsePragmaClauses(llvm::StringRef text,
                                            KernelPragma &pragma);

/// Checks `pragma` against the parameters of the kernel that it stands before:
/// arrays and outputs are pointers, expressions mention integer parameters.
/// Returns what is wrong, if anything is.
std::optional<std::string>
checkPragma(const KernelPragma &pragma,
            const std::vector<KernelParameter> &parameters);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_PRAGMA_H
