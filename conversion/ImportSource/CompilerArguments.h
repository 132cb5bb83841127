//===- CompilerArguments.h - how Clang is asked -----------------*- C++ -*-===//
//
// The arguments of Clang's own front end (`clang -cc1`) for the device side of
// a file: language and triple by the target's vendor, the prelude, the host's
// headers.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_COMPILERARGUMENTS_H
#define CONVERSION_IMPORTSOURCE_COMPILERARGUMENTS_H

#include "conversion/ImportSource/ImportSource.h"

#include "llvm/Support/VirtualFileSystem.h"

namespace gpuopt {

/// What Clang is asked to do with the prelude.
enum class PreludeUse {
  Precompiled, ///< load the precompiled prelude
  Text,        ///< parse the prelude's headers
  Make,        ///< the input is the prelude itself, to be precompiled
  None         ///< take the headers of an SDK in its place
};

/// CUDA, HIP or OpenCL by the ending of `path`; nothing for other endings.
std::optional<SourceLanguage> languageFromPath(llvm::StringRef path);

/// Name of the prelude header of `language`.
llvm::StringRef preludeHeaderName(SourceLanguage language);

/// Name of the prelude's header that includes the host's.
inline constexpr llvm::StringLiteral kHostHeadersName = "gpuopt/host_headers.h";
/// Name of the prelude's header with what only programs have.
inline constexpr llvm::StringLiteral kProgramsName = "gpuopt/programs.h";
/// Included behind the prelude where a program is to see Clang, not nvcc.
inline constexpr llvm::StringLiteral kWithoutNVCCName = "gpuopt/without_nvcc.h";

/// Included behind an SDK's headers: what libdevice's functions compute.
inline constexpr llvm::StringLiteral kLibdeviceName = "gpuopt/libdevice.h";

/// Name of the precompiled prelude for `language` on `vendor`:
/// `cuda-nvidia.pch`.
std::string precompiledPreludeName(SourceLanguage language, Vendor vendor);

/// What `buildCompilerArguments` needs to know about a target.
struct CompilerTarget {
  Vendor vendor;
  std::string arch;
};

/// Arguments for CompilerInvocation::CreateFromArgs.
std::vector<std::string> buildCompilerArguments(llvm::StringRef path,
                                                SourceLanguage language,
                                                const CompilerTarget &target,
                                                const ImportOptions &options,
                                                PreludeUse use);

/// True where the headers of CUDA's SDK may take the place of the prelude.
bool canUseSDK(SourceLanguage language, Vendor vendor);

/// True where `options` hold nothing that a precompiled prelude depends on.
bool canUsePrecompiledPrelude(const ImportOptions &options);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_COMPILERARGUMENTS_H
