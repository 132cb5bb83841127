//===- ParseProgram.h - Clang on a program with OpenMP ----------*- C++ -*-===//

#ifndef CONVERSION_OFFLOAD_PARSEPROGRAM_H
#define CONVERSION_OFFLOAD_PARSEPROGRAM_H

#include "mlir/Support/LLVM.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace gpuopt::offload {

/// `#pragma gpuopt conditional-offload`: offload what follows where it pays.
struct ConditionalOffload {
  /// Of the whole directive.
  clang::SourceLocation begin, end;
  /// The directive of the dialect that it stands for.
  std::string directive;
};

struct ParsedProgram {
  const clang::ASTContext &context;
  std::vector<ConditionalOffload> conditional;
  /// The first directive by which the program uses a device itself, or nothing.
  clang::SourceLocation forDevice;
  /// Where it defines a macro of that name; nothing where it does not.
  llvm::function_ref<clang::SourceLocation(llvm::StringRef)> macroOf;
};

/// Parses the file `path` with OpenMP's directives and calls `use` with its
/// syntax tree. Prints Clang's first error where there is one, and fails.
mlir::LogicalResult
parseProgram(llvm::StringRef path, llvm::ArrayRef<std::string> clangArguments,
             llvm::function_ref<void(const ParsedProgram &)> use);

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_PARSEPROGRAM_H
