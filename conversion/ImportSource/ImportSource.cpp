//===- ImportSource.cpp - CUDA, HIP and OpenCL C to LLVM IR ---------------===//

#include "conversion/ImportSource/ImportSource.h"

#include "conversion/ImportSource/BlockUse.h"
#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/CompilerArguments.h"
#include "conversion/ImportSource/DeviceCompilation.h"
#include "conversion/ImportSource/DiagnosticStream.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/HostHeaders.h"
#include "conversion/ImportSource/OpenACC/ImportOpenACC.h"
#include "conversion/ImportSource/Prelude.h"
#include "conversion/ImportSource/ReadSource.h"
#include "conversion/ImportSource/SelectKernels.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace gpuopt;

/// True where the file itself may hold kernel templates, whose instantiations
/// are then to be found in host bodies.
static bool mentionsTemplates(StringRef text) {
  return text.contains("template") && text.contains("__global__");
}

/// Runs Clang as often as it takes: again without errors that are none of a
/// kernel's, and with host bodies where there are kernel templates, of the
/// file's or of a library whose kernels a program may launch.
static DeviceCompilation compile(StringRef path, SourceLanguage language,
                                 const CompilerTarget &target,
                                 const ImportOptions &options, PreludeUse use,
                                 HostBodyUse hostBodies, LLVMContext &context) {
  DeviceCompilationOptions how;
  how.text = options.text;
  how.hostBodies = hostBodies;
  how.hidesSDK = use != PreludeUse::None;
  how.refusesNarrowMasks =
      language == SourceLanguage::HIP && target.vendor == Vendor::AMD;
  auto run = [&] {
    return compileDeviceSide(
        buildCompilerArguments(path, language, target, options, use), how,
        context);
  };
  DeviceCompilation result = run();
  if (result.precompiledPreludeRejected) {
    use = PreludeUse::Text;
    result = run();
  }
  auto overlookHost = [&] {
    if (result.hostDeclarations.empty())
      return;
    how.hostDeclarations = std::move(result.hostDeclarations);
    result = run();
  };
  overlookHost();
  // Host code may instantiate a template for other types than what has been
  // seen.
  HostBodyUse wanted = result.hasLibraryKernels && options.isOfProgram
                           ? HostBodyUse::ParseAll
                       : result.hasKernelTemplates ? HostBodyUse::Parse
                                                   : HostBodyUse::Skip;
  if (result.module && wanted > hostBodies) {
    DeviceCompilation before = std::move(result);
    how.hostBodies = wanted;
    // What is instantiated now may use what nothing has used before.
    how.hostDeclarations.clear();
    result = run();
    overlookHost();
    // Host code that is not understood takes no kernel away that there is.
    if (!result.module && wanted == HostBodyUse::Parse &&
        before.uninstantiated.empty())
      result = std::move(before);
  }
  return result;
}

/// With the prelude, which is quick. Where something is missing then, with the
/// host's headers that the SDK's include; at last with an SDK in place of the
/// prelude, if one is installed.
static DeviceCompilation compile(StringRef path, SourceLanguage language,
                                 const CompilerTarget &target,
                                 ImportOptions options, HostBodyUse hostBodies,
                                 LLVMContext &context) {
  bool canUse = canUseSDK(language, target.vendor);
  PreludeUse use =
      canUse && !options.cudaPath.empty() ? PreludeUse::None
      : !precompiledPreludes().empty() && canUsePrecompiledPrelude(options)
          ? PreludeUse::Precompiled
          : PreludeUse::Text;
  DeviceCompilation result =
      compile(path, language, target, options, use, hostBodies, context);
  auto mayHelp = [&](PreludeUse use) {
    if (!result.module)
      return result.mayMissNames;
    // Host code that was not understood may have instantiated kernels.
    return use == PreludeUse::None
               ? result.lacksBodies
               : result.mayMissNames && !result.uninstantiated.empty();
  };
  auto tryAgain = [&](PreludeUse use) {
    if (!mayHelp(use))
      return;
    DeviceCompilation next =
        compile(path, language, target, options, use, hostBodies, context);
    if (next.module)
      result = std::move(next);
  };
  if (use != PreludeUse::None && language != SourceLanguage::OpenCL) {
    ImportOptions given = options;
    append_range(options.clangArguments,
                 ArrayRef<std::string>{"-include", kHostHeadersName.str()});
    tryAgain(use);
    options = std::move(given);
  }
  if (use != PreludeUse::None && canUse) {
    options.cudaPath = findCUDASDK("").directory;
    if (!options.cudaPath.empty())
      tryAgain(PreludeUse::None);
  }
  return result;
}

/// Notes the blocks that the kernels of `module` are launched with. Host code
/// is read for that, once more where it was skipped, as far as a kernel depends
/// on its block.
static void noteLaunchBlocks(llvm::Module &module, ArrayRef<KernelInfo> of,
                             const DeviceCompilation &compilation,
                             function_ref<DeviceCompilation()> readHostCode) {
  std::vector<Function *> kernels;
  for (const KernelInfo &kernel : of)
    if (Function *function = module.getFunction(kernel.symbol);
        function && dependsOnBlock(*function))
      kernels.push_back(function);
  if (kernels.empty())
    return;
  auto blocks = compilation.hasReadLaunches ? compilation.launchBlocks
                                            : readHostCode().launchBlocks;
  for (Function *kernel : kernels) {
    auto launched = blocks.find(kernel->getName().str());
    std::optional<std::array<int64_t, 3>> block =
        launched == blocks.end() ? boundingBlock(*kernel)
                                 : std::optional(launched->second);
    if (block)
      setLaunchBlock(*kernel, *block);
  }
}

/// Whether there is an SDK where the user says; reported where not.
static bool hasSDK(const std::string &cudaPath) {
  if (cudaPath.empty() || sys::fs::exists(cudaPath + "/include/cuda_runtime.h"))
    return true;
  reportError({cudaPath, 0, 0},
              "no CUDA SDK: it has no include/cuda_runtime.h");
  return false;
}

static void reportUninstantiated(ArrayRef<KernelInfo> templates) {
  for (const KernelInfo &kernel : templates)
    reportWarning(kernel.position, "kernel template '" + kernel.name +
                                       "' is left out: nothing instantiates "
                                       "it");
}

static UnsupportedKernels unsupportedKernels(const ImportOptions &options) {
  if (!options.leaveOutUnsupported)
    return UnsupportedKernels::AreErrors;
  return options.isOfProgram ? UnsupportedKernels::AreLeftOut
                             : UnsupportedKernels::AreLeftOutBesideOthers;
}

mlir::FailureOr<ImportedSource>
gpuopt::importSource(StringRef path, TargetAttr target,
                     const ImportOptions &options) {
  std::optional<SourceLanguage> language =
      options.language ? options.language : languageFromPath(path);
  // To see what it holds: Clang reads it again, from the cache.
  auto buffer = readSource(path, options.text);
  if (failed(buffer))
    return mlir::failure();
  StringRef text = (*buffer)->getBuffer();
  if (isOpenACC(path, text, options))
    return importOpenACC(path, target, options);
  SourcePosition file = {path.str(), 0, 0};
  if (!language) {
    reportError(file, "unknown kind of source file; expected '.cu', '.hip', "
                      "'.cpp', '.cl', '.mlir' or '.c'");
    return mlir::failure();
  }
  if (!hasSDK(options.cudaPath))
    return mlir::failure();
  HostBodyUse hostBodies =
      mentionsTemplates(text) ? HostBodyUse::Parse : HostBodyUse::Skip;

  ImportedSource result;
  result.context = std::make_unique<LLVMContext>();
  DeviceCompilation compilation =
      compile(path, *language, {target.getVendor(), target.getArch().str()},
              options, hostBodies, *result.context);
  diagnosticStream() << compilation.diagnostics;
  if (!compilation.module)
    return mlir::failure();
  reportUninstantiated(compilation.uninstantiated);
  if (compilation.kernels.empty() && !options.isOfProgram) {
    reportError(file, "no kernel found in this file");
    return mlir::failure();
  }
  result.module = std::move(compilation.module);
  result.kernels = std::move(compilation.kernels);
  result.reassociable = std::move(compilation.reassociable);
  result.files = std::move(compilation.files);
  if (failed(selectKernels(path, options.kernels, result.kernels)) ||
      failed(cleanUp(*result.module, result.kernels,
                     unsupportedKernels(options), result.leftOut)))
    return mlir::failure();
  noteLaunchBlocks(*result.module, result.kernels, compilation, [&] {
    if (*language == SourceLanguage::OpenCL)
      return DeviceCompilation();
    LLVMContext context;
    DeviceCompilation again =
        compile(path, *language, {target.getVendor(), target.getArch().str()},
                options, HostBodyUse::Parse, context);
    // It does not outlive the context.
    again.module.reset();
    return again;
  });
  return std::move(result);
}
