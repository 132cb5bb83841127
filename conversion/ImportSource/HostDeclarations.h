//===- HostDeclarations.h - what kernels can do without ---------*- C++ -*-===//
//
// Programs declare at namespace scope what only host code needs: handles of
// libraries, functions with their types. Where the library's header is not
// there Clang reports errors that are none of a kernel's.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_HOSTDECLARATIONS_H
#define CONVERSION_IMPORTSOURCE_HOSTDECLARATIONS_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace gpuopt {

/// A part of a file's text, in bytes from its start.
struct FileRange {
  std::string file;
  unsigned begin;
  unsigned end;
};

/// True where the source says that `function` runs on the device, or it may be
/// evaluated there because it is constexpr. Clang itself marks every template.
bool runsOnDevice(const clang::FunctionDecl &function);

/// The declarations at namespace scope that hold `errors`. Nothing where one
/// of the errors lies elsewhere, or where device code may depend on a
/// declaration that has an error.
std::vector<FileRange>
findHostDeclarations(clang::ASTContext &context,
                     llvm::ArrayRef<clang::SourceLocation> errors);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTDECLARATIONS_H
