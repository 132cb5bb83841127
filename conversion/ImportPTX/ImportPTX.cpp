//===- ImportPTX.cpp - PTX to LLVM IR -------------------------------------===//

#include "conversion/ImportPTX/ImportPTX.h"

#include "conversion/ImportPTX/Signature.h"
#include "conversion/ImportPTX/Textures.h"
#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/ReadSource.h"
#include "conversion/PTX/CountLoops.h"
#include "conversion/PTX/Divisions.h"
#include "conversion/PTX/GridBarriers.h"
#include "conversion/PTX/ModuleBuilder.h"
#include "conversion/PTX/RecoverPointers.h"
#include "conversion/PTX/UnsetRegisters.h"
#include "runtime/AnalysisManagers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

namespace {
/// One file on its way.
class PTXImport {
public:
  PTXImport(StringRef path, const PTXImportOptions &options)
      : path(path.str()), options(options) {}

  mlir::FailureOr<ImportedSource> run(StringRef text);

private:
  struct Kernel {
    const SourceFunction *source = nullptr;
    KernelInfo info;
    PointerFacts facts;
  };

  bool fail(Position at, const Twine &message);
  bool selectKernels();
  void warnOfTextures(const Kernel &kernel) const;
  bool defineKernels(ModuleBuilder &builder);
  /// Drops `kernel` with a warning where that may be; false after an error.
  bool leaveOut(Kernel &kernel, const Problem &problem);
  bool dropUnsupported();
  bool makePointers();

  std::string path;
  const PTXImportOptions &options;
  SourceModule source;
  ImportedSource result;
  std::vector<Kernel> kernels;
  std::vector<std::pair<size_t, Problem>> unsupported;
};
} // namespace

bool PTXImport::fail(Position at, const Twine &message) {
  reportError({path, at.line, at.column}, message);
  return false;
}

bool PTXImport::selectKernels() {
  for (const SourceFunction &function : source.functions) {
    if (!function.isKernel || !function.isDefined)
      continue;
    Kernel kernel;
    kernel.source = &function;
    kernel.info = describeKernel(function, path, {});
    kernels.push_back(std::move(kernel));
  }
  if (kernels.empty())
    return fail({}, "no kernel found in this file");
  for (const std::string &name : options.kernels)
    if (none_of(kernels, [&](const Kernel &kernel) {
          return isCalled(kernel.info, name);
        }))
      return fail({}, "no kernel '" + name + "' in this file; it has '" +
                          kernels.front().info.displayName + "'" +
                          (kernels.size() > 1 ? " and others" : ""));
  if (!options.kernels.empty())
    erase_if(kernels, [&](const Kernel &kernel) {
      return none_of(options.kernels, [&](const std::string &name) {
        return isCalled(kernel.info, name);
      });
    });
  if (kernels.size() > 1 && !options.signature.empty())
    return fail(kernels[1].source->at,
                "a signature is for one kernel (--kernel NAME)");
  StringSet<> seen;
  for (Kernel &kernel : kernels) {
    if (!seen.insert(kernel.source->name).second)
      return fail(kernel.source->at,
                  "kernel '" + kernel.source->name + "' is there twice");
    Expected<Signature> signature =
        signatureOf(*kernel.source, options.signature);
    if (!signature)
      return fail(kernel.source->at, toString(signature.takeError()));
    kernel.facts = signature->isPointer;
    kernel.info = describeKernel(*kernel.source, path, std::move(*signature));
  }
  return true;
}

/// Whoever launches it has to pass them.
void PTXImport::warnOfTextures(const Kernel &kernel) const {
  for (const Variable &parameter : kernel.source->parameters)
    if (parameter.isTexture)
      reportWarning(
          {path, parameter.at.line, parameter.at.column},
          "texture '" + parameter.name + "' is a parameter of '" +
              kernel.info.displayName +
              "' here, behind the others: the array that it is "
              "bound to, with " +
              Twine(parameter.channels) +
              " channel(s) of 32 bits, as many as are used" +
              (parameter.textureExtents.empty()
                   ? ""
                   : ", and its extents, " +
                         join(parameter.textureExtents, ", ") +
                         "; each fetch gives the "
                         "element in which its coordinates lie, or the "
                         "nearest one (the host may say otherwise)"));
}

static void forbidFusing(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
}

bool PTXImport::defineKernels(ModuleBuilder &builder) {
  for (auto [index, kernel] : enumerate(kernels))
    if (std::optional<Problem> problem = builder.define(*kernel.source))
      unsupported.emplace_back(index, *problem);
  return dropUnsupported();
}

/// One that is asked for by name cannot be left out, nor can the last.
bool PTXImport::dropUnsupported() {
  bool isError = !options.leaveOutUnsupported || !options.kernels.empty() ||
                 unsupported.size() == kernels.size();
  for (const auto &[index, problem] : unsupported) {
    if (isError)
      return fail(problem.at, problem.message);
    const KernelInfo &info = kernels[index].info;
    reportWarning({path, problem.at.line, problem.at.column},
                  "kernel '" + info.displayName +
                      "' is left out: " + problem.message);
    result.leftOut.push_back(info);
  }
  for (const auto &[index, problem] : reverse(unsupported)) {
    if (llvm::Function *made =
            result.module->getFunction(kernels[index].info.symbol)) {
      made->deleteBody();
      made->replaceAllUsesWith(PoisonValue::get(made->getType()));
      made->eraseFromParent();
    }
    kernels.erase(kernels.begin() + index);
  }
  unsupported.clear();
  return true;
}

/// Calls go and registers become values, which is all that finding out about
/// addresses needs.
static void promoteRegisters(llvm::Module &module,
                             ArrayRef<StringRef> kernels) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || is_contained(kernels, function.getName()))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.addPass(
      createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
  passes.run(module, analyses.modules);
}

/// Behind finding out about addresses: those that step become places in arrays.
static void countLoops(llvm::Module &module) {
  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  passes.addPass(CountLoops());
  ModulePassManager ofModule;
  ofModule.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  ofModule.run(module, analyses.modules);
}

bool PTXImport::makePointers() {
  SmallVector<StringRef> symbols;
  for (const Kernel &kernel : kernels)
    symbols.push_back(kernel.source->name);
  markLoadsBeyond(*result.module);
  freezeLoads(*result.module);
  promoteRegisters(*result.module, symbols);
  resolveDivisions(*result.module, /*areAllMeant=*/false);
  for (auto [index, kernel] : enumerate(kernels)) {
    llvm::Function *function = result.module->getFunction(kernel.source->name);
    std::string problem;
    if (!recoverGridBarriers(*function))
      problem = "it uses what the driver has for the blocks of a cooperative "
                "launch ('%envreg1', '%envreg2') in a way that is not known";
    else
      makePointerParameters(*function, kernel.facts, problem);
    if (!problem.empty())
      unsupported.emplace_back(index, Problem{kernel.source->at, problem});
  }
  if (!dropUnsupported())
    return false;
  dropAddressMarks(*result.module);
  for (llvm::Function &function : *result.module)
    if (!function.isDeclaration())
      recoverPointers(function);
  markLoadsBeyond(*result.module);
  freezeLoads(*result.module);
  countLoops(*result.module);
  return true;
}

mlir::FailureOr<ImportedSource> PTXImport::run(StringRef text) {
  Problems problems;
  if (!parseModule(text, source, problems)) {
    fail(problems.get().at, problems.get().message);
    return mlir::failure();
  }
  makeTextureParameters(source);
  if (!selectKernels())
    return mlir::failure();
  for (const Kernel &kernel : kernels)
    warnOfTextures(kernel);
  result.context = std::make_unique<LLVMContext>();
  result.module = std::make_unique<llvm::Module>(path, *result.context);
  result.files = {path};
  ModuleBuilder builder(source, path, *result.module);
  if (!builder.declareVariables(problems)) {
    fail(problems.get().at, problems.get().message);
    return mlir::failure();
  }
  if (!defineKernels(builder))
    return mlir::failure();
  builder.finish();
  if (!options.mayFuse)
    forbidFusing(*result.module);
  if (verifyModule(*result.module, &diagnosticStream())) {
    fail({}, "it was read, but not understood");
    return mlir::failure();
  }
  if (!makePointers())
    return mlir::failure();
  for (Kernel &kernel : kernels)
    result.kernels.push_back(kernel.info);
  if (mlir::failed(cleanUp(*result.module, result.kernels,
                           options.leaveOutUnsupported
                               ? UnsupportedKernels::AreLeftOutBesideOthers
                               : UnsupportedKernels::AreErrors,
                           result.leftOut)))
    return mlir::failure();
  for (KernelInfo &kernel : result.kernels)
    completeParameters(kernel, *result.module->getFunction(kernel.symbol));
  return std::move(result);
}

mlir::FailureOr<ImportedSource>
gpuopt::importPTX(StringRef path, TargetAttr target,
                  const PTXImportOptions &options) {
  if (target.getVendor() != Vendor::NVIDIA) {
    reportError({path.str(), 0, 0}, "PTX is for NVIDIA's GPUs, not for " +
                                        target.getTargetName().str());
    return mlir::failure();
  }
  auto buffer = readSource(path, options.text);
  if (failed(buffer))
    return mlir::failure();
  return PTXImport(path, options).run((*buffer)->getBuffer());
}
