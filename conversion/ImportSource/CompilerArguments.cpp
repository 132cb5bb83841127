//===- CompilerArguments.cpp - how Clang is asked -------------------------===//

#include "conversion/ImportSource/CompilerArguments.h"

#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/Prelude.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;

std::optional<SourceLanguage> gpuopt::languageFromPath(StringRef path) {
  return StringSwitch<std::optional<SourceLanguage>>(sys::path::extension(path))
      .Cases({".cu", ".cuh"}, SourceLanguage::CUDA)
      .Cases({".hip", ".cpp"}, SourceLanguage::HIP)
      .Cases({".cl", ".ocl"}, SourceLanguage::OpenCL)
      .Default(std::nullopt);
}

StringRef gpuopt::preludeHeaderName(SourceLanguage language) {
  return language == SourceLanguage::OpenCL ? "gpuopt_opencl_prelude.h"
                                            : "gpuopt_prelude.h";
}

/// CUDA and HIP are one language to us: whichever Clang knows for the vendor.
static bool isOpenCL(SourceLanguage language) {
  return language == SourceLanguage::OpenCL;
}

std::string gpuopt::precompiledPreludeName(SourceLanguage language,
                                           Vendor vendor) {
  StringRef languageName = isOpenCL(language)         ? "opencl"
                           : vendor == Vendor::NVIDIA ? "cuda"
                                                      : "hip";
  return (languageName + "-" + stringifyVendor(vendor) + ".pch").str();
}

bool gpuopt::canUseSDK(SourceLanguage language, Vendor vendor) {
  return !isOpenCL(language) && vendor == Vendor::NVIDIA;
}

bool gpuopt::canUsePrecompiledPrelude(const ImportOptions &options) {
  if (options.fastMath || !options.fpContract.empty())
    return false;
  // Include paths and macros of the user's come after the prelude; anything
  // else may change the language.
  return all_of(options.clangArguments, [](StringRef argument) {
    return argument.starts_with("-I") || argument.starts_with("-D") ||
           argument.starts_with("-U") || argument.starts_with("-W") ||
           argument.starts_with("-isystem") || argument == "-include" ||
           argument == "-std=c++17" || !argument.starts_with("-");
  });
}

/// `__CUDA_ARCH__` of an NVIDIA architecture: 900 for `sm_90a`.
static std::string cudaArchMacro(StringRef arch) {
  StringRef digits =
      arch.drop_front(StringRef("sm_").size()).take_while([](char c) {
        return isDigit(c);
      });
  return ("-D__CUDA_ARCH__=" + digits + "0").str();
}

/// Language and triple.
static void addTarget(std::vector<std::string> &arguments,
                      SourceLanguage language, const CompilerTarget &target,
                      PreludeUse use) {
  bool nvidia = target.vendor == Vendor::NVIDIA;
  append_range(arguments,
               std::initializer_list<std::string>{"-triple",
                                                  nvidia ? "nvptx64-nvidia-cuda"
                                                         : "amdgcn-amd-amdhsa",
                                                  "-target-cpu", target.arch});
  if (nvidia)
    append_range(arguments, std::initializer_list<std::string>{
                                "-target-feature", "+ptx83"});
  std::string suffix = use == PreludeUse::Make ? "-header" : "";
  if (isOpenCL(language)) {
    append_range(arguments, std::initializer_list<std::string>{
                                "-x", "cl" + suffix,
                                "-cl-ext=+cl_khr_fp64,+cl_khr_fp16,+cl_khr_"
                                "int64_base_atomics,+cl_khr_int64_extended_"
                                "atomics",
                                "-fdeclare-opencl-builtins"});
    return;
  }
  append_range(arguments,
               std::initializer_list<std::string>{
                   "-x", (nvidia ? "cuda" : "hip") + suffix, "-aux-triple",
                   "x86_64-unknown-linux-gnu", "-fcuda-is-device",
                   "-fcuda-allow-variadic-functions",
                   "-foffload-implicit-host-device-templates", "-fdeclspec",
                   "-fgnuc-version=4.2.1", "-fcxx-exceptions", "-fexceptions",
                   "-fno-threadsafe-statics"});
  // A precompiled prelude serves every architecture of its vendor, so it must
  // not know one.
  if (nvidia && use != PreludeUse::Make)
    arguments.push_back(cudaArchMacro(target.arch));
}

/// How floating point may be changed, and nothing more than asked.
static void addFloatingPoint(std::vector<std::string> &arguments,
                             const ImportOptions &options) {
  if (!options.fpContract.empty())
    arguments.push_back("-ffp-contract=" + options.fpContract);
  if (options.fastMath)
    append_range(arguments,
                 std::initializer_list<std::string>{
                     "-ffast-math", "-menable-no-infs", "-menable-no-nans",
                     "-fno-signed-zeros", "-mreassociate", "-freciprocal-math",
                     "-funsafe-math-optimizations", "-fapprox-func"});
}

/// An SDK comes in through the wrapper that Clang has for it.
static void addSDKHeaders(std::vector<std::string> &arguments,
                          const ImportOptions &options) {
  std::string own = clangResourceDirectory() + "/include";
  append_range(arguments, std::initializer_list<std::string>{
                              "-internal-isystem", own + "/cuda_wrappers"});
  append_range(arguments, hostHeaderArguments());
  append_range(arguments,
               std::initializer_list<std::string>{
                   "-internal-isystem", options.cudaPath + "/include",
                   // Where SDKs keep libcu++, CUB and Thrust from 13 on.
                   "-internal-isystem", options.cudaPath + "/include/cccl",
                   "-include", "__clang_cuda_runtime_wrapper.h", "-include",
                   // The prelude's folder would hide the SDK's headers.
                   (kPreludeDirectory + "/" + kLibdeviceName).str()});
  // Says what a launch in host code calls.
  std::string version = findCUDASDK(options.cudaPath).version;
  if (!version.empty())
    arguments.push_back("-target-sdk-version=" + version);
}

/// The prelude and where headers are looked for.
static void addHeaders(std::vector<std::string> &arguments,
                       SourceLanguage language, const CompilerTarget &target,
                       const ImportOptions &options, PreludeUse use) {
  append_range(arguments, std::initializer_list<std::string>{
                              "-nostdsysteminc", "-D__GPUOPT_DEVICE_SIDE__"});
  append_range(arguments, std::initializer_list<std::string>{
                              "-internal-isystem", kPreludeDirectory.str()});
  if (!isOpenCL(language) && use != PreludeUse::Make)
    append_range(arguments, hostHeaderArguments());
  if (language == SourceLanguage::CUDA && use != PreludeUse::Make)
    append_range(arguments, coreLibraryArguments());
  if (use == PreludeUse::Text)
    append_range(arguments, std::initializer_list<std::string>{
                                "-include", preludeHeaderName(language).str()});
  if (use == PreludeUse::Precompiled)
    append_range(arguments,
                 std::initializer_list<std::string>{
                     "-fno-validate-pch", "-include-pch",
                     (kPreludeDirectory + "/" +
                      precompiledPreludeName(language, target.vendor))
                         .str()});
  if (options.isOfProgram && language == SourceLanguage::CUDA)
    append_range(arguments, std::initializer_list<std::string>{
                                "-include", kProgramsName.str()});
  if (!options.looksLikeNVCC)
    append_range(arguments, std::initializer_list<std::string>{
                                "-include", kWithoutNVCCName.str()});
}

std::vector<std::string>
gpuopt::buildCompilerArguments(StringRef path, SourceLanguage language,
                               const CompilerTarget &target,
                               const ImportOptions &options, PreludeUse use) {
  // -O2 only says what the IR may promise (no optnone, lifetimes, TBAA); the
  // passes are ours. ptxas optimises only where PTX holds `.loc` directives and
  // no other debug information.
  std::vector<std::string> arguments = {"-O2",
                                        "-disable-llvm-passes",
                                        target.vendor == Vendor::NVIDIA
                                            ? "-debug-info-kind="
                                              "line-directives-only"
                                            : "-debug-info-kind="
                                              "line-tables-only",
                                        "-dwarf-version=4",
                                        "-ferror-limit",
                                        "0",
                                        "-resource-dir",
                                        clangResourceDirectory()};
  bool wantsWarnings = any_of(options.clangArguments, [](StringRef argument) {
    return argument.starts_with("-W");
  });
  if (!wantsWarnings)
    arguments.push_back("-w");
  bool choosesStandard = any_of(options.clangArguments, [](StringRef argument) {
    return argument.starts_with("-std=") || argument.starts_with("-cl-std=");
  });
  // What Clang calls an error but the compilers that these sources were written
  // for only warned of.
  append_range(arguments, std::initializer_list<std::string>{
                              "-Wno-register", "-Wno-c++11-narrowing",
                              "-Wno-reserved-user-defined-literal"});
  addTarget(arguments, language, target, use);
  if (!choosesStandard)
    arguments.push_back(isOpenCL(language) ? "-cl-std=CL2.0" : "-std=gnu++17");
  addFloatingPoint(arguments, options);
  append_range(arguments, options.clangArguments);
  if (use == PreludeUse::None)
    addSDKHeaders(arguments, options);
  else
    addHeaders(arguments, language, target, options, use);
  arguments.push_back(path.str());
  return arguments;
}
