//===- Counterpart.cpp - kernels that others are compared with ------------===//

#include "tools/lib/check/Counterpart.h"

#include "conversion/ImportSource/DiagnosticStream.h"
#include "conversion/ImportSource/SplitStructures.h"
#include "runtime/BlockBounds.h"
#include "tools/lib/check/Fusing.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/EmbeddedPTX.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace gpuopt;
using llvm::Expected;

/// What is shipped has all kernels. One of them that cannot be written takes
/// the text from itself alone, and those that wait for the whole grid are
/// written once more.
static Expected<std::string> writeText(const Compilation &tuned,
                                       llvm::ArrayRef<std::string> symbols,
                                       bool mayFuse) {
  Expected<std::string> all =
      mayFuse ? tuned.emit(OutputKind::PTX) : tuned.emitWithoutFusing();
  auto isCooperative = [&](const std::string &symbol) {
    return all && llvm::StringRef(*all).contains(symbol + "__grid_barrier");
  };
  bool isAlone = llvm::any_of(symbols, isCooperative) ||
                 (!all && !symbols.empty() && tuned.kernels().size() > 1);
  if (!isAlone)
    return all;
  llvm::consumeError(all.takeError());
  return tuned.emitAlone(symbols, mayFuse);
}

static Expected<std::string> readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read '" + path +
                                       "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<std::unique_ptr<Counterpart>>
Counterpart::ofEmittedPTX(const Compilation &tuned,
                          llvm::ArrayRef<std::string> symbols, bool mayFuse,
                          llvm::StringRef path) {
  Expected<std::string> text =
      path.empty() ? writeText(tuned, symbols, mayFuse) : readText(path);
  if (!text)
    return text.takeError();
  CompileOptions options;
  options.inputKind = InputKind::PTX;
  options.text = std::move(*text);
  options.target = tuned.options().target;
  options.kernels = symbols;
  std::string name = llvm::sys::path::stem(tuned.path()).str() + ".ptx";
  // What cannot be read is no fault of the user's.
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  std::unique_ptr<Compilation> kernels;
  {
    OwnDiagnostics diagnostics(stream);
    kernels = Compilation::read(name, options);
  }
  if (!kernels) {
    // The position is in a file that nobody has.
    llvm::StringRef first = llvm::StringRef(complaint).trim().split('\n').first;
    auto [position, message] = first.split("error: ");
    return llvm::createStringError("it cannot be read again: " +
                                   (message.empty() ? position : message));
  }
  return std::unique_ptr<Counterpart>(
      new Counterpart(std::move(kernels), /*ofOtherFile=*/false));
}

/// Null, and nothing said, where it cannot be read.
static std::unique_ptr<Compilation> readQuietly(llvm::StringRef path,
                                                const CompileOptions &options) {
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  OwnDiagnostics diagnostics(stream);
  return Compilation::read(path, options);
}

std::unique_ptr<Counterpart> Counterpart::ofFile(llvm::StringRef path,
                                                 CompileOptions options,
                                                 llvm::StringRef kernel) {
  options.inputKind.reset();
  options.text.reset();
  std::unique_ptr<Compilation> named;
  // Names choose a module of a binary; else one kernel may have another name.
  if (!kernel.empty())
    options.kernels = {kernel.str()};
  else if (!isBinaryInput(path)) {
    // A signature is of one kernel: the one of the same name, if there is one.
    if (!options.signature.empty() && options.kernels.size() == 1)
      named = readQuietly(path, options);
    options.kernels.clear();
  }
  auto kernels = named ? std::move(named) : Compilation::read(path, options);
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

std::unique_ptr<llvm::Module>
Counterpart::moduleFor(const Compilation &original) const {
  std::unique_ptr<llvm::Module> module =
      llvm::CloneModule(*kernels->importedModule());
  for (const KernelInfo &kernel : original.kernels()) {
    // The only kernel that was read of text stands for no other.
    if (!ofOtherFile && !module->getFunction(kernel.symbol))
      continue;
    if (Expected<const KernelInfo &> other = find(kernel))
      splitAs(kernel, *module->getFunction(other->symbol));
    else
      llvm::consumeError(other.takeError());
  }
  return module;
}

/// `-ffp-contract=off` lets no back end fuse anything. Of source nobody knows
/// what its compiler has fused; two texts say it, unless they are to be taken
/// for what compilers have made of one source (`-ffp-contract=fast`).
void Counterpart::expectRoundings(const Compilation &original,
                                  CheckExecutors &made) const {
  llvm::StringRef contract = original.options().import.fpContract;
  if (contract == "off")
    return;
  bool areTexts = original.isFromPTX() && kernels->isFromPTX();
  for (const KernelInfo &kernel : original.kernels()) {
    Expected<const KernelInfo &> other = find(kernel);
    if (!areTexts || contract == "fast" || !other) {
      made.expectFusion(kernel.symbol);
      llvm::consumeError(other.takeError());
      continue;
    }
    RoundingFacts one =
        roundingFactsOf(*original.importedModule(), kernel.symbol);
    RoundingFacts second =
        roundingFactsOf(*kernels->importedModule(), other->symbol);
    if (mayDifferByFusing(one, second))
      made.expectFusion(kernel.symbol);
    if (one.isOpen || second.isOpen)
      made.expectOtherRounding(kernel.symbol);
  }
}

std::shared_ptr<CheckExecutors>
Counterpart::executors(const Compilation &original,
                       const CheckOptions &options) const {
  auto made =
      std::make_shared<CheckExecutors>(original, options, moduleFor(original));
  expectRoundings(original, *made);
  made->expectOtherFunctions();
  return made;
}

static bool areAlike(const KernelParameter &one, const KernelParameter &other) {
  return one.bytes == other.bytes && one.isPointer == other.isPointer;
}

/// Whether `other` takes the arguments of `one`, and how many that are.
static std::optional<size_t> countShared(const KernelInfo &one,
                                         const KernelInfo &other) {
  size_t count = one.parameters.size();
  llvm::ArrayRef<KernelParameter> parameters = other.parameters;
  if (parameters.size() >= count &&
      llvm::equal(one.parameters, parameters.take_front(count), areAlike))
    return count;
  auto isLike = [](const SourceArgument &source, const KernelParameter &given) {
    return areAlike(*source.parameter, given);
  };
  count = one.sourceArguments().size();
  if (other.structures.empty() && parameters.size() >= count &&
      llvm::equal(one.sourceArguments(), parameters.take_front(count), isLike))
    return count;
  return std::nullopt;
}

Expected<const KernelInfo &> Counterpart::find(const KernelInfo &kernel) const {
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
                                   kernel.displayName +
                                   "' (--second-kernel says which one it is)");
  return *found;
}

Expected<ComparedKernel> Counterpart::compared(const KernelInfo &kernel) const {
  Expected<const KernelInfo &> other = find(kernel);
  if (!other)
    return other.takeError();
  const llvm::Function &function =
      *kernels->importedModule()->getFunction(other->symbol);
  std::optional<size_t> shared = countShared(kernel, *other);
  auto isUnused = [](const llvm::Argument &argument) {
    return argument.use_empty();
  };
  if (!shared ||
      !llvm::all_of(llvm::drop_begin(function.args(), *shared), isUnused))
    return llvm::createStringError(
        "kernel '" + other->displayName + "' of '" + kernels->path() +
        "' takes other arguments (--signature says what they are)");
  ComparedKernel result;
  result.symbol = other->symbol;
  result.name = "second";
  result.isOfSecondFile = true;
  result.requiredBlock = blockBoundsOf(function).shape;
  if (*shared == other->parameters.size())
    return result;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters))
    result.arguments.push_back({parameter.name, unsigned(index), {}});
  for (const KernelParameter &rest :
       llvm::ArrayRef(other->parameters).drop_front(*shared))
    result.arguments.push_back(
        {rest.name, std::nullopt, std::vector<uint8_t>(rest.bytes)});
  return result;
}
