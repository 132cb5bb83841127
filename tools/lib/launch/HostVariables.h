//===- HostVariables.h - variables that the host sets -----------*- C++ -*-===//
//
// `__device__` and `__constant__` variables that are not constants may be
// written by the host before a launch (`cudaMemcpyToSymbol`). What is in the
// source is not what a kernel finds there, least of all zeros.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_HOSTVARIABLES_H
#define TOOLS_LIB_LAUNCH_HOSTVARIABLES_H

#include "runtime/CPUExecutor.h"
#include "tools/lib/launch/Problem.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace gpuopt {

/// Scalars of one type, one behind the other, in a variable. In bytes.
struct VariableMember {
  ElementType element;
  uint64_t offset = 0, size = 0;
};

struct HostVariable {
  std::string symbol;
  /// As a person would write it: `filters::row`.
  std::string name;
  /// What it has as many of as the shape says: one of no dimension.
  ElementType element;
  std::vector<int64_t> shape;
  /// Numbers only: pointers stay what they are.
  std::vector<VariableMember> members;
  /// Whether the source gives it no other value than zero.
  bool isZero = false;
};

/// What a scalar is; opaque where it is no number. Signs are unknown: unsigned.
ElementType elementTypeOf(llvm::Type *scalar);

std::vector<HostVariable> findHostVariables(const llvm::Module &module);
/// Those of the untouched source.
std::vector<HostVariable> findHostVariables(const Compilation &compilation);

/// What the file at `path` has for `variable`.
llvm::Expected<std::vector<uint8_t>> readVariable(const HostVariable &variable,
                                                  llvm::StringRef path);

/// Writes the files that `run` names to the variables of `executor`, and makes
/// up the others: of ordinary values only the floating-point numbers that the
/// source does not set (an integer may well be a counter that starts at zero),
/// else all of them.
llvm::Error fillVariables(CPUExecutor &executor,
                          llvm::ArrayRef<HostVariable> variables,
                          const RunOptions &run);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_HOSTVARIABLES_H
