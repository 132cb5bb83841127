//===- KernelInfo.h - what the source says about a kernel -------*- C++ -*-===//
//
// Facts that LLVM IR does not carry: names, C types, and the `#pragma gpuopt`
// in front of a kernel. The front end reads them from the AST; for MLIR input
// they come from the function's type and `gpuopt.*` attributes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_KERNELINFO_H
#define CONVERSION_IMPORTSOURCE_KERNELINFO_H

#include "dialects/GPUOpt/ShareHint.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

/// A position in the user's source. Lines and columns count from 1.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// What lies between two positions of a file, the second one excluded.
struct SourceSpan {
  SourcePosition begin;
  SourcePosition end;
};

/// Type of a scalar parameter, or of the elements that a pointer points to.
enum class ElementKind {
  SignedInt,   ///< also `char`
  UnsignedInt, ///< all unsigned integers, `size_t`
  Bool,        ///< a byte that is 0 or 1: no other may be in a `bool`
  Float,       ///< half, float, double
  BFloat,      ///< bfloat16
  Opaque       ///< anything else: structs, `void`
};

struct ElementType {
  ElementKind kind = ElementKind::Opaque;
  /// Size of one scalar in bytes. For `float4` this is 4 and `lanes` is 4.
  unsigned bytes = 0;
  /// Number of scalars in one element: 4 for `float4`, 3 for a struct of three
  /// floats; 1 for a scalar.
  unsigned lanes = 1;
};

/// A member of a structure that is passed by value.
struct StructureMember {
  std::string name;
  /// The type as written, without extents: `const float *`.
  std::string typeName;
  /// In bytes from the start of the structure.
  uint64_t offset = 0;
  /// What it is, what it has several of, or what it points to.
  ElementType element;
  std::vector<int64_t> extents;
  bool isPointer = false;
  bool pointeeIsConst = false;
  /// What a pointer points to, as `gpuopt.pointee` has it.
  std::string pointee;
};

/// One parameter of a kernel.
struct KernelParameter {
  std::string name;
  /// The type as written, for messages: `const float *`.
  std::string typeName;
  bool isPointer = false;
  bool pointeeIsConst = false;
  bool isRestrict = false;
  /// What a pointer points to, as `gpuopt.pointee` has it.
  std::string pointee;
  ElementType element;
  /// Bytes that the argument itself takes (8 for a pointer).
  unsigned bytes = 0;
  /// Of a structure of numbers, of arrays of them and of pointers to them: its
  /// name and members.
  std::string structure;
  std::vector<StructureMember> members;
  /// Of a structure, as the source declares it.
  unsigned alignment = 1;
  /// Of a member of a `SplitStructure`: where it lies in it, in bytes.
  uint64_t offset = 0;
};

/// A structure that the source passes by value, whose numbers and pointers are
/// parameters of their own (`s.width`) wherever a kernel is not launched as the
/// source says.
struct SplitStructure {
  /// As the source has it.
  KernelParameter whole;
  /// The first of its parameters, and how many there are.
  unsigned first = 0;
  unsigned count = 0;
};

/// An argument of the source, and which of the kernel's parameters are made of
/// it: one, or those of a structure.
struct SourceArgument {
  /// As the source has it; lives as long as the kernel's `KernelInfo`.
  const KernelParameter *parameter = nullptr;
  unsigned first = 0;
  unsigned count = 1;
  bool isSplit = false;
};

/// `#pragma gpuopt domain(…) array(…) output(…) share(…) reassociate` before a
/// kernel.
/// All expressions are C integer expressions over the kernel's parameters; see
/// ExtentExpression.h.
struct KernelPragma {
  std::vector<std::string> domain;
  /// Row-major extents of each array that is named.
  std::map<std::string, std::vector<std::string>> arrays;
  /// Output arrays; an extent list restricts the output to the leading part.
  std::map<std::string, std::vector<std::string>> outputs;
  /// `share`: arrays that are wanted in workgroup memory.
  std::vector<ShareHint> share;
  /// `reassociate`: of what stands behind it, which need not be a kernel.
  bool reassociate = false;

  /// Whether it says something that only a kernel has.
  bool isOfKernel() const {
    return !domain.empty() || !arrays.empty() || !outputs.empty() ||
           !share.empty();
  }
};

struct KernelInfo {
  /// Name in the source, without template arguments: `mm`.
  std::string name;
  /// Symbol in the LLVM module; differs from `name` by mangling.
  std::string symbol;
  /// `name` with template arguments, as a user reads it: `scale<float, 4>`.
  std::string displayName;
  SourcePosition position;
  /// As the functions of all modules have them.
  std::vector<KernelParameter> parameters;
  /// Those that the source has as structures, in order.
  std::vector<SplitStructure> structures;
  std::optional<KernelPragma> pragma;
  /// True where the kernel calls `gpuopt_global_sync()`.
  bool usesGlobalSync = false;

  /// The arguments that the source has, where each structure is one.
  std::vector<SourceArgument> sourceArguments() const;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_KERNELINFO_H
