//===- DeviceLibrary.cpp - find and link mathematics for a GPU ------------===//

#include "conversion/EmitBinary/DeviceLibrary.h"
#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/FallbackLibrary.h"
#include "conversion/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <array>

using namespace llvm;

namespace gpuopt {

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static bool useFallbackOnly() {
  return sys::Process::GetEnv("GPUOPT_NO_DEVICE_LIBRARY").has_value();
}

std::vector<std::string> cudaRoots() {
  std::vector<std::string> roots;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> value = sys::Process::GetEnv(variable))
      roots.push_back(*value);
  const std::string &prefix = installationPrefix();
  if (!prefix.empty()) {
    // Where utils/setup.sh puts the wheel of a machine without the toolkit.
    roots.push_back(prefix + "/cuda");
    // Where cmake/Install.cmake puts the same.
    roots.push_back(prefix + "/lib/gpuopt/cuda");
  }
  roots.push_back("/usr/local/cuda");
  roots.push_back("/opt/cuda");

  // The PyPI wheels of the compiler unpack below Python's site-packages.
  std::vector<std::string> libraryDirs = {"/usr/local/lib", "/usr/lib"};
  // In a virtual environment that is not active, too.
  if (!prefix.empty())
    libraryDirs.insert(libraryDirs.begin(), prefix + "/lib");
  if (std::optional<std::string> venv = sys::Process::GetEnv("VIRTUAL_ENV"))
    libraryDirs.insert(libraryDirs.begin(), *venv + "/lib");
  if (std::optional<std::string> home = sys::Process::GetEnv("HOME"))
    libraryDirs.push_back(*home + "/.local/lib");
  for (const std::string &dir : libraryDirs) {
    std::error_code error;
    for (sys::fs::directory_iterator it(dir, error), end; !error && it != end;
         it.increment(error)) {
      if (!sys::path::filename(it->path()).starts_with("python"))
        continue;
      for (const char *packages : {"site-packages", "dist-packages"})
        for (const char *wheel : {"cu13", "cu12", "cuda_nvcc"})
          roots.push_back(it->path() + "/" + packages + "/nvidia/" + wheel);
    }
  }
  return roots;
}

std::string findLibdevice() {
  if (useFallbackOnly())
    return "";
  for (const std::string &root : cudaRoots())
    for (const char *dir : {"/nvvm/libdevice", "/libdevice"}) {
      std::string path = root + dir + "/libdevice.10.bc";
      if (sys::fs::exists(path))
        return path;
    }
  return "";
}

std::string findROCmDeviceLibraries() {
  if (useFallbackOnly())
    return "";
  std::vector<std::string> dirs;
  if (std::optional<std::string> rocm = sys::Process::GetEnv("ROCM_PATH"))
    dirs.push_back(*rocm + "/amdgcn/bitcode");
  dirs.push_back("/opt/rocm/amdgcn/bitcode");
  dirs.push_back("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
  dirs.push_back("/usr/lib/amdgcn/bitcode");
  for (const std::string &dir : dirs)
    if (sys::fs::exists(dir + "/ocml.bc"))
      return dir;
  return "";
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// The functions of the vendor's libraries that `module` still lacks.
static std::vector<std::string> missingLibraryFunctions(const Module &module) {
  std::vector<std::string> names;
  for (const Function &function : module) {
    StringRef name = function.getName();
    if (function.isDeclaration() && !function.use_empty() &&
        (name.starts_with("__nv_") || name.starts_with("__ocml_") ||
         name.starts_with("__ockl_")))
      names.push_back(name.str());
  }
  return names;
}

/// Links what `module` needs from the bitcode `library`, as internal symbols.
static Error linkNeeded(Module &module, MemoryBufferRef library) {
  Expected<std::unique_ptr<Module>> parsed =
      getLazyBitcodeModule(library, module.getContext());
  if (!parsed)
    return parsed.takeError();
  // Libraries are built for the architecture in general.
  (*parsed)->setDataLayout(module.getDataLayout());
  (*parsed)->setTargetTriple(module.getTargetTriple());
  if (NamedMDNode *ident = (*parsed)->getNamedMetadata("llvm.ident"))
    ident->eraseFromParent();
  if (NamedMDNode *flags = (*parsed)->getModuleFlagsMetadata())
    flags->eraseFromParent();
  bool failed = Linker::linkModules(
      module, std::move(*parsed), Linker::Flags::LinkOnlyNeeded,
      [](Module &linked, const StringSet<> &names) {
        internalizeModule(linked, [&](const GlobalValue &value) {
          return !value.hasName() || !names.count(value.getName());
        });
      });
  if (failed)
    return createStringError("cannot link the device library '" +
                             library.getBufferIdentifier() + "'");
  return Error::success();
}

static Error linkFile(Module &module, const std::string &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, false, false);
  if (!buffer)
    return createStringError("cannot read the device library '" + path +
                             "': " + buffer.getError().message());
  // Materialised functions refer to the buffer only while linking.
  return linkNeeded(module, (*buffer)->getMemBufferRef());
}

/// `gfx90a` is version 9010: major, minor and stepping in decimal.
static unsigned getISAVersion(StringRef arch) {
  arch.consume_front("gfx");
  if (arch.size() < 3)
    return 0;
  unsigned major = 0, minor = 0, stepping = 0;
  arch.drop_back(2).getAsInteger(10, major);
  arch.drop_back(1).take_back(1).getAsInteger(16, minor);
  arch.take_back(1).getAsInteger(16, stepping);
  return major * 1000 + minor * 100 + stepping;
}

/// The constants that ROCm's library reads to adapt itself. ROCm ships each as
/// a file; defining them here covers chips newer than the files.
static void defineROCmControls(Module &module, TargetAttr target) {
  struct Control {
    const char *name;
    unsigned bits;
    uint64_t value;
  };
  const Control controls[] = {
      {"__oclc_ISA_version", 32, getISAVersion(target.getArch())},
      {"__oclc_ABI_version", 32, 500},
      {"__oclc_wavefrontsize64", 8, target.getSubgroupSize() == 64},
      {"__oclc_daz_opt", 8, 0},
      {"__oclc_finite_only_opt", 8, 0},
      {"__oclc_unsafe_math_opt", 8, 0},
      {"__oclc_correctly_rounded_sqrt32", 8, 1},
  };
  for (const Control &control : controls) {
    GlobalVariable *global = module.getNamedGlobal(control.name);
    if (!global || !global->isDeclaration())
      continue;
    global->setInitializer(
        ConstantInt::get(global->getValueType(), control.value));
    global->setConstant(true);
    global->setLinkage(GlobalValue::InternalLinkage);
    global->setVisibility(GlobalValue::DefaultVisibility);
  }
}

static Error linkVendorLibrary(Module &module, TargetAttr target,
                               const EmitOptions &options) {
  if (target.getVendor() == Vendor::NVIDIA) {
    std::string path =
        options.libdevicePath.empty() ? findLibdevice() : options.libdevicePath;
    return path.empty() ? Error::success() : linkFile(module, path);
  }
  std::string dir = findROCmDeviceLibraries();
  if (dir.empty())
    return Error::success();
  for (const char *file : {"/ocml.bc", "/ockl.bc"})
    if (Error error = linkFile(module, dir + file))
      return error;
  return Error::success();
}

/// libdevice asks how exact it has to be. LLVM answers about subnormals and the
/// architecture; to all else it says 0, which is the fast way.
static void answerReflection(Module &module, bool fastMath) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<CallInst>(user);
    StringRef question;
    if (!call || !getConstantStringInfo(call->getArgOperand(0), question) ||
        (question != "__CUDA_PREC_SQRT" && question != "__CUDA_PREC_DIV"))
      continue;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), !fastMath));
    call->eraseFromParent();
  }
}

static bool isKernel(const GlobalValue &value) {
  auto *function = dyn_cast<Function>(&value);
  return function && (function->getCallingConv() == CallingConv::PTX_Kernel ||
                      function->getCallingConv() == CallingConv::AMDGPU_KERNEL);
}

Error linkDeviceLibrary(Module &module, TargetAttr target,
                        const EmitOptions &options) {
  if (!missingLibraryFunctions(module).empty())
    if (Error error = linkVendorLibrary(module, target, options))
      return error;
  if (!missingLibraryFunctions(module).empty())
    if (Error error = linkNeeded(module, getFallbackLibrary(target)))
      return error;
  if (target.getVendor() == Vendor::AMD)
    defineROCmControls(module, target);
  else
    answerReflection(module, options.fastMath);

  std::vector<std::string> missing = missingLibraryFunctions(module);
  if (!missing.empty())
    return createStringError("no device library defines " +
                             llvm::join(missing, ", "));
  // Variables stay visible: the host sets and reads them by name.
  internalizeModule(module, [](const GlobalValue &value) {
    return isKernel(value) || isa<GlobalVariable>(value);
  });
  return Error::success();
}

} // namespace gpuopt
