//===- SizeExpressions.h - sizes that others give ---------------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_SIZEEXPRESSIONS_H
#define TOOLS_LIB_LAUNCH_SIZEEXPRESSIONS_H

#include "tools/lib/launch/Number.h"

#include "llvm/Support/Error.h"

namespace gpuopt {

/// Texts by name: of `x=rows*cols`, `rows*cols`.
using ExpressionMap = std::map<std::string, std::string>;

/// Adds the values of `expressions` to `sizes`: integer expressions as in a
/// pragma, over names in either map, in any order. The error says of which name
/// nothing is known, or what is wrong with an expression.
llvm::Error evaluateSizes(const ExpressionMap &expressions, NumberMap &sizes);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_SIZEEXPRESSIONS_H
