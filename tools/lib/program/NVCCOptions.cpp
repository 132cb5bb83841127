//===- NVCCOptions.cpp - nvcc's command line as Clang's -------------------===//

#include "tools/lib/program/NVCCOptions.h"

#include "dialects/GPUOpt/KnownTargets.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::opt;
using namespace gpuopt;

namespace {
enum OptionID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "tools/lib/program/NVCCOptions.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "tools/lib/program/NVCCOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "tools/lib/program/NVCCOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr opt::OptTable::Info kOptionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "tools/lib/program/NVCCOptions.inc"
#undef OPTION
};

class NVCCOptionTable : public opt::GenericOptTable {
public:
  NVCCOptionTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, kOptionInfos) {}
};

/// Goes through a command line once.
class Translator {
public:
  Error add(const opt::Arg &argument);
  /// Says of files by the name of .hip what they are, which Clang would take
  /// for another language. Only Clang knows which arguments are files.
  void nameLanguages();

  DriverOptions options;

private:
  Error addArch(StringRef arch, bool isAssembled = false);
  std::string replaceOld(std::string arch);
  Error addArchs(StringRef names);
  Error addGencode(StringRef value);
  void pass(const Twine &argument) {
    options.clangArguments.push_back(argument.str());
  }
  /// `-Xcompiler -fPIC,-Wall`, or with a blank between the two, are two
  /// arguments, each behind `prefix`.
  void passList(StringRef values, StringRef prefix);
  void passLibrary(StringRef name);
  void passLanguage(StringRef name);
  void defineHIP();

  bool isHIPDefined = false;
};
} // namespace

void Translator::passList(StringRef values, StringRef prefix) {
  BumpPtrAllocator memory;
  StringSaver saver(memory);
  SmallVector<const char *> words;
  for (StringRef value : split(values, ','))
    cl::TokenizeGNUCommandLine(value, saver, words);
  for (const char *word : words) {
    if (!prefix.empty())
      pass(prefix);
    pass(word);
  }
}

/// The number of `sm_90`; 0 for other names.
static unsigned generationOf(StringRef arch) {
  unsigned generation = 0;
  return arch.consume_front("sm_") && !arch.getAsInteger(10, generation)
             ? generation
             : 0;
}

/// Builds of old programs name architectures that no compiler has any more:
/// the oldest one that there is a description of stands for them.
std::string Translator::replaceOld(std::string arch) {
  unsigned generation = generationOf(arch);
  unsigned oldest = UINT_MAX;
  for (StringRef known : knownTargetNames())
    if (unsigned other = generationOf(known))
      oldest = std::min(oldest, other);
  if (generation == 0 || generation >= oldest)
    return arch;
  std::string replacement = ("sm_" + Twine(oldest)).str();
  if (!is_contained(options.archs, replacement))
    WithColor::warning(errs(), "gpuopt cc")
        << arch << " is too old: compiling for " << replacement << '\n';
  return replacement;
}

Error Translator::addArch(StringRef arch, bool isAssembled) {
  if (arch == "native" || arch == "all" || arch == "all-major")
    return createStringError("-arch=%s is not supported: name architectures, "
                             "such as sm_90",
                             arch.str().c_str());
  if (arch.starts_with("gfx"))
    return createStringError("-arch=%s is not supported: programs run on "
                             "NVIDIA's GPUs and on the CPU",
                             arch.str().c_str());
  // `compute_90` is the PTX that all objects carry.
  std::string name = replaceOld(
      arch.consume_front("compute_") ? ("sm_" + arch).str() : arch.str());
  if (!is_contained(options.archs, name))
    options.archs.push_back(name);
  if (isAssembled)
    options.assembledArchs.push_back(name);
  return Error::success();
}

/// `arch=compute_90,code=sm_90` or `code=[sm_80,sm_90]`.
Error Translator::addArchs(StringRef names) {
  for (StringRef name : split(names, ','))
    if (Error error = addArch(name))
      return error;
  return Error::success();
}

Error Translator::addGencode(StringRef value) {
  size_t code = value.find("code=");
  if (code == StringRef::npos)
    return addArch(value.split("arch=").second);
  StringRef names = value.substr(code + StringRef("code=").size()).trim("[]\"");
  for (StringRef name : split(names, ',')) {
    name = name.trim("[]\"");
    if (Error error = addArch(name, /*isAssembled=*/name.starts_with("sm_")))
      return error;
  }
  return Error::success();
}

/// HIP is CUDA with other names of the runtime's functions, as on its platform
/// for NVIDIA's GPUs.
void Translator::defineHIP() {
  if (std::exchange(isHIPDefined, true))
    return;
  pass("-D__HIPCC__=1");
  pass("-D__HIP_PLATFORM_NVIDIA__=1");
  pass("-D__HIP_PLATFORM_NVCC__=1");
}

void Translator::passLanguage(StringRef name) {
  if (name == "hip")
    defineHIP();
  pass("-x");
  pass(name == "cu" || name == "hip" ? "cuda" : name);
}

void Translator::nameLanguages() {
  SmallVector<const char *> given;
  for (const std::string &argument : options.clangArguments)
    given.push_back(argument.c_str());
  unsigned missingIndex, missingCount;
  opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      given, missingIndex, missingCount,
      // Others take a path from the root for an option.
      opt::Visibility(clang::options::ClangOption));
  // By the place of a file, what it and those behind it are.
  std::map<unsigned, const char *> languages;
  bool isLanguageGiven = false, isInHIP = false;
  for (const opt::Arg *argument : parsed) {
    const opt::Option &option = argument->getOption();
    if (option.matches(clang::options::OPT_x)) {
      isLanguageGiven = StringRef(argument->getValue()) != "none";
      isInHIP = false;
    } else if (option.getKind() == opt::Option::InputClass &&
               !isLanguageGiven) {
      bool isHIP = StringRef(argument->getValue()).ends_with(".hip");
      if (isHIP != std::exchange(isInHIP, isHIP))
        languages[argument->getIndex()] = isHIP ? "cuda" : "none";
    }
  }
  std::vector<std::string> named;
  for (auto [index, argument] : enumerate(options.clangArguments)) {
    if (auto language = languages.find(index); language != languages.end())
      named.insert(named.end(), {"-x", language->second});
    named.push_back(argument);
  }
  options.clangArguments = std::move(named);
  if (!languages.empty())
    defineHIP();
}

/// A library of an SDK, or what stands for it.
void Translator::passLibrary(StringRef name) {
  StringRef plain = name;
  plain.consume_back("_static");
  if (plain == "cublas" || plain == "cublasLt" || plain == "hipblas")
    pass("-lgpuopt_cublas");
  // Of the driver's functions each that is missing is missed by its name.
  else if (plain != "cudart" && plain != "cudadevrt" && plain != "cuda" &&
           plain != "amdhip64")
    pass("-l" + name);
}

/// Whether nvcc does not have an option, but Clang does.
static bool isClangs(const opt::Arg &argument) {
  const opt::Arg &given = argument.getAlias() ? *argument.getAlias() : argument;
  switch (given.getOption().getID()) {
  case OPT_cuda_gpu_arch:
  case OPT_cuda_gpu_arch_eq:
  case OPT_offload_arch:
  case OPT_offload_arch_eq:
  case OPT_cuda_path:
  case OPT_cuda_path_eq:
    return true;
  default:
    return false;
  }
}

static Error refuseRelocatableCode() {
  return createStringError("relocatable device code is not supported: each "
                           "file's kernels must find what they call in the "
                           "file");
}

Error Translator::add(const opt::Arg &argument) {
  StringRef value = argument.getNumValues() ? argument.getValue() : "";
  const opt::Option &option = argument.getOption();
  options.isClangs |= isClangs(argument);
  if (option.getGroup().isValid() && option.getGroup().getID() == OPT_ignored)
    return Error::success();
  switch (option.getID()) {
  case OPT_arch:
    return addArchs(value);
  case OPT_gencode:
    return addGencode(value);
  case OPT_ffast_math:
    pass("-ffast-math");
    [[fallthrough]];
  case OPT_use_fast_math:
    options.fastMath = true;
    break;
  case OPT_fmad:
    options.fpContract = value == "false" ? "off" : "";
    break;
  case OPT_Xcompiler:
  case OPT_Xlinker:
    passList(value, option.matches(OPT_Xlinker) ? "-Xlinker" : "");
    break;
  case OPT_x:
    passLanguage(value);
    break;
  case OPT_isystem:
    pass("-isystem");
    pass(value);
    break;
  case OPT_V:
  case OPT_cuda:
    pass(option.matches(OPT_V) ? "--version" : "-fsyntax-only");
    break;
  case OPT_l:
    passLibrary(value);
    break;
  case OPT_std:
    pass("-std=" + value);
    break;
  case OPT_cuda_path:
    options.cudaPath = value.str();
    break;
  case OPT_rdc:
    if (value == "false")
      break;
    [[fallthrough]];
  case OPT_dc:
  case OPT_dlink:
    return refuseRelocatableCode();
  default:
    pass(argument.getSpelling().empty() ? value : argument.getSpelling());
    break;
  }
  return Error::success();
}

Expected<DriverOptions>
gpuopt::translateOptions(ArrayRef<const char *> arguments) {
  NVCCOptionTable table;
  unsigned missingIndex, missingCount;
  opt::InputArgList parsed =
      table.ParseArgs(arguments, missingIndex, missingCount);
  if (missingCount)
    return createStringError("argument to '%s' is missing",
                             parsed.getArgString(missingIndex));
  Translator translator;
  for (const opt::Arg *argument : parsed)
    if (Error error = translator.add(*argument))
      return std::move(error);
  translator.nameLanguages();
  return std::move(translator.options);
}
