//===- DeviceCompilation.h - Clang on the device side of a file -*- C++ -*-===//
//
// One run of Clang: parse the file, skip host function bodies, generate LLVM IR
// for what runs on the device, and note what the source says about kernels.
//
// A kernel template needs its instantiations, and those are mostly launches in
// host bodies. So there are three ways to run: `Skip` is the fast one; `Parse`
// parses the user's host bodies too and overlooks errors inside them;
// `ParseAll` parses those of libraries as well, which launch kernels of their
// own. Errors in other declarations of the host's are overlooked in a second
// run, once the first has shown that no kernel needs them.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_DEVICECOMPILATION_H
#define CONVERSION_IMPORTSOURCE_DEVICECOMPILATION_H

#include "conversion/ImportSource/HostDeclarations.h"
#include "conversion/ImportSource/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <array>
#include <map>
#include <memory>

namespace gpuopt {

/// Each parses more than the one before.
enum class HostBodyUse { Skip, Parse, ParseAll };

/// How a file is compiled.
struct DeviceCompilationOptions {
  /// What Clang finds at the input's path; nothing where it reads the file.
  std::optional<std::string> text;
  HostBodyUse hostBodies = HostBodyUse::Skip;
  /// Hide the headers of CUDA SDKs: the prelude stands in for them.
  bool hidesSDK = true;
  /// Declarations in which errors are overlooked.
  std::vector<FileRange> hostDeclarations;
  /// Masks of lanes must have 64 bits; see NarrowMasks.h.
  bool refusesNarrowMasks = false;
};

struct DeviceCompilation {
  /// Null where Clang reported an error.
  std::unique_ptr<llvm::Module> module;
  std::vector<KernelInfo> kernels;
  /// Kernel templates of which there is no instantiation.
  std::vector<KernelInfo> uninstantiated;
  /// There are kernel templates, with instantiations or without.
  bool hasKernelTemplates = false;
  /// A library's headers, such as CUB's, hold kernel templates.
  bool hasLibraryKernels = false;
  /// Blocks that host code launches kernels with most often, by symbol, as far
  /// as it was read and tells; see HostLaunches.h.
  std::map<std::string, std::array<int64_t, 3>> launchBlocks;
  /// Host bodies were parsed.
  bool hasReadLaunches = false;
  /// The loops and functions behind `#pragma gpuopt reassociate`.
  std::vector<SourceSpan> reassociable;
  /// Symbols of variables whose elements are unsigned.
  std::vector<std::string> unsignedVariables;
  /// The files that Clang has read, also those of an SDK.
  std::vector<std::string> files;
  /// What Clang and we have to say: warnings, and the first error.
  std::string diagnostics;
  /// The precompiled prelude did not fit; there are no diagnostics.
  bool precompiledPreludeRejected = false;
  /// Where there are errors, but only in declarations that no kernel needs:
  /// those declarations.
  std::vector<FileRange> hostDeclarations;
  /// A kernel calls what the prelude declares, but has no body for.
  bool lacksBodies = false;
  /// A name may not be declared, or a header was not found.
  bool mayMissNames = false;
};

/// What an unsigned variable is marked with in an LLVM module.
inline constexpr llvm::StringLiteral kUnsignedVariable = "gpuopt-unsigned";

/// Runs Clang with `arguments` (see CompilerArguments.h), of which the last is
/// the input's path.
DeviceCompilation compileDeviceSide(llvm::ArrayRef<std::string> arguments,
                                    const DeviceCompilationOptions &options,
                                    llvm::LLVMContext &context);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_DEVICECOMPILATION_H
