//===- Counterpart.cpp - kernels that others are compared with ------------===//

#include "tools/lib/check/Counterpart.h"

#include "conversion/ImportSource/SplitStructures.h"
#include "tools/lib/compile/Diagnostics.h"

#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace gpuopt;
using llvm::Expected;

std::unique_ptr<Counterpart>
Counterpart::ofEmittedPTX(const Compilation &tuned) {
  Expected<std::string> text = tuned.emit(OutputKind::PTX);
  if (!text) {
    printError(tuned.path(), text.takeError());
    return nullptr;
  }
  CompileOptions options;
  options.inputKind = InputKind::PTX;
  options.text = std::move(*text);
  options.target = tuned.options().target;
  std::string name = llvm::sys::path::stem(tuned.path()).str() + ".ptx";
  auto kernels = Compilation::read(name, options);
  return std::unique_ptr<Counterpart>(
      kernels ? new Counterpart(std::move(kernels), /*ofOtherFile=*/false)
              : nullptr);
}

std::unique_ptr<Counterpart> Counterpart::ofFile(llvm::StringRef path,
                                                 CompileOptions options) {
  options.inputKind.reset();
  options.text.reset();
  auto kernels = Compilation::read(path, options);
  if (kernels && !kernels->importedModule()) {
    printError(SourcePosition{path.str(), 0, 0},
               "kernels are compared with those of source or PTX");
    return nullptr;
  }
  return std::unique_ptr<Counterpart>(
      kernels ? new Counterpart(std::move(kernels), /*ofOtherFile=*/true)
              : nullptr);
}

/// PTX does not say what the members of a structure are, the source does.
static void splitAs(const KernelInfo &kernel, llvm::Function &function) {
  if (!kernel.structures.empty() &&
      function.arg_size() == kernel.sourceArguments().size())
    splitStructures(function, kernel);
}

/// `-ffp-contract=off` lets no back end fuse anything.
std::shared_ptr<CheckExecutors>
Counterpart::executors(const Compilation &original,
                       const CheckOptions &options) const {
  std::unique_ptr<llvm::Module> module =
      llvm::CloneModule(*kernels->importedModule());
  for (const KernelInfo &kernel : original.kernels())
    if (Expected<std::string> symbol = symbolFor(kernel))
      splitAs(kernel, *module->getFunction(*symbol));
    else
      llvm::consumeError(symbol.takeError());
  auto made =
      std::make_shared<CheckExecutors>(original, options, std::move(module));
  if (original.options().import.fpContract != "off")
    made->expectFusion();
  return made;
}

static bool areAlike(const KernelParameter &one, const KernelParameter &other) {
  return one.bytes == other.bytes && one.isPointer == other.isPointer;
}

static bool takeEqualArguments(const KernelInfo &one, const KernelInfo &other) {
  auto isLike = [](const SourceArgument &source, const KernelParameter &given) {
    return areAlike(*source.parameter, given);
  };
  return llvm::equal(one.parameters, other.parameters, areAlike) ||
         (other.structures.empty() &&
          llvm::equal(one.sourceArguments(), other.parameters, isLike));
}

Expected<std::string> Counterpart::symbolFor(const KernelInfo &kernel) const {
  const std::vector<KernelInfo> &all = kernels->kernels();
  auto found = llvm::find_if(all, [&](const KernelInfo &other) {
    return other.symbol == kernel.symbol;
  });
  if (found == all.end())
    found = llvm::find_if(all, [&](const KernelInfo &other) {
      return other.name == kernel.name;
    });
  if (found == all.end() && all.size() == 1)
    found = all.begin();
  if (found == all.end())
    return llvm::createStringError("'" + kernels->path() + "' has no kernel '" +
                                   kernel.displayName + "'");
  if (!takeEqualArguments(kernel, *found))
    return llvm::createStringError(
        "kernel '" + found->displayName + "' of '" + kernels->path() +
        "' takes other arguments (--signature says what they are)");
  return found->symbol;
}
