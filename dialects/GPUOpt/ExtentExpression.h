//===- ExtentExpression.h - integer expressions as texts --------*- C++ -*-===//
//
// What `#pragma gpuopt` and attributes say about sizes: C integer expressions,
// `(n + 1) / 2`, of numbers, names, unary + - ~ and binary * / % + - << >>, and
// parentheses.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_EXTENTEXPRESSION_H
#define DIALECTS_GPUOPT_EXTENTEXPRESSION_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace gpuopt {

/// What is wrong with a text, and at which byte of it.
struct TextError {
  size_t offset = 0;
  std::string message;
};

/// Value of `expression` with 64-bit arithmetic, names being those in
/// `parameters`. The error says what is wrong and where in the expression:
/// unknown names, division by zero, overflow, bad syntax.
llvm::Expected<int64_t>
evaluateExtent(llvm::StringRef expression,
               const llvm::StringMap<int64_t> &parameters);

/// Names that `expression` mentions. Fails on bad syntax.
llvm::Expected<std::vector<std::string>>
namesInExtent(llvm::StringRef expression);

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_EXTENTEXPRESSION_H
