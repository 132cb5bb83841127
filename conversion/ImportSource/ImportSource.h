//===- ImportSource.h - CUDA, HIP and OpenCL C to LLVM IR and MLIR -*- C++ -*-//
//
// Runs Clang's own code generation in process on the device side of a file, so
// that device code is whatever Clang compiles for a GPU, but for what
// CheckKernels.cpp refuses, and brings the result into MLIR's LLVM dialect.
// Host function bodies are skipped and a prelude of ours stands in for the SDK,
// so real mixed host/device files are the input.
//
// Built-in variables and synchronisation are calls to target-independent
// functions; see DeviceFunctions.def.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_IMPORTSOURCE_H
#define CONVERSION_IMPORTSOURCE_IMPORTSOURCE_H

#include "conversion/ImportSource/KernelInfo.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace gpuopt {

/// Language of an input file; `fromPath` decides by the file's ending.
enum class SourceLanguage { CUDA, HIP, OpenCL };

struct ImportOptions {
  /// Nothing where the ending of the file's name tells.
  std::optional<SourceLanguage> language;
  /// The source itself, instead of a file. Its path is only a name then.
  std::optional<std::string> text;
  /// Clang arguments that pass through: -I, -D, -U, -std=…, -include, -W….
  std::vector<std::string> clangArguments;
  /// An SDK to take headers from in place of the prelude; empty for none.
  std::string cudaPath;
  /// `off`, `on`, `fast`; empty for Clang's default (fast for CUDA and HIP).
  std::string fpContract;
  bool fastMath = false;
  /// Whether the prelude defines `__NVCC__`, as nvcc does and Clang does not.
  bool looksLikeNVCC = true;
  /// The kernels to import, by their names in the source; empty for all. What
  /// is wrong with others then does not matter, once Clang has accepted it.
  std::vector<std::string> kernels;
  /// Leave out a kernel that cannot be taken (recursion, indirect calls, …)
  /// with a warning, as long as another is left; else it is an error.
  bool leaveOutUnsupported = false;
  /// The file is part of a program: it may have no kernel, and those of
  /// libraries that its host code launches are wanted, too.
  bool isOfProgram = false;
};

/// The device side of a file, as Clang generates it (cleaned up, everything
/// inlined, line info kept), with what the source says about each kernel.
/// The context outlives the module.
struct ImportedSource {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<KernelInfo> kernels;
  /// See `ImportOptions::leaveOutUnsupported`.
  std::vector<KernelInfo> leftOut;
  /// The loops and functions behind `#pragma gpuopt reassociate`.
  std::vector<SourceSpan> reassociable;
  /// What was read for it: the file itself and all that it includes. Some have
  /// no file, as they are built in.
  std::vector<std::string> files;
  /// Of OpenACC: the same kernels as the program has them without directives,
  /// to be run by one work item. Null for other sources.
  std::unique_ptr<llvm::LLVMContext> sequentialContext;
  std::unique_ptr<llvm::Module> sequential;
  /// Of a program with OpenACC: what the host does, see HostRewriter.h.
  std::string hostText;
};

/// Compiles the device side of `path` for `target`. Errors are Clang's
/// diagnostics or ours, on standard error, at the source position; the
/// function then returns failure and nothing else is printed.
mlir::FailureOr<ImportedSource> importSource(llvm::StringRef path,
                                             TargetAttr target,
                                             const ImportOptions &options);

/// Brings `source.module` into `context` as
/// `module { gpu.module @kernels { llvm.func … } }`, kernels marked with
/// `gpu.kernel`, source facts attached as `gpuopt.source_name` and
/// `gpuopt.name`. `source` itself is left untouched.
mlir::OwningOpRef<mlir::ModuleOp> importToMLIR(const ImportedSource &source,
                                               TargetAttr target,
                                               mlir::MLIRContext *context);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_IMPORTSOURCE_H
