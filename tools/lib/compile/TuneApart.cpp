//===- TuneApart.cpp - each kernel of a file by itself --------------------===//

#include "tools/lib/compile/Compiler.h"

#include "conversion/ImportSource/LargeStack.h"
#include "tools/lib/compile/AlikeCode.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include <mutex>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// One module of several
//===----------------------------------------------------------------------===//

/// Gives what passes have made of `kernel` of `file` names that neither another
/// kernel of the file has nor what has been made of these, `others`: passes
/// that see one kernel only know its own.
static void keepNamesApart(ModuleOp made, StringRef kernel, ModuleOp file,
                           ModuleOp others) {
  for (auto kernels : made.getOps<gpu::GPUModuleOp>()) {
    auto ofFile = file.lookupSymbol<gpu::GPUModuleOp>(kernels.getName());
    auto ofOthers = others.lookupSymbol<gpu::GPUModuleOp>(kernels.getName());
    if (!ofFile || !ofOthers)
      continue;
    SymbolTable table(kernels), fileTable(ofFile), otherTable(ofOthers);
    for (auto symbol : kernels.getOps<SymbolOpInterface>()) {
      StringAttr name = symbol.getNameAttr();
      Operation *source = fileTable.lookup(name);
      bool isOfSource =
          source && (kernelOf(source).empty() || kernelOf(source) == kernel);
      // Declarations are the same whoever has made them.
      auto function = dyn_cast<FunctionOpInterface>(symbol.getOperation());
      if (isOfSource || (function && function.isExternal()) ||
          !(source || otherTable.lookup(name)))
        continue;
      unsigned count = 0;
      SmallString<32> unique = SymbolTable::generateSymbolName<32>(
          name.getValue(),
          [&](StringRef candidate) {
            return table.lookup(candidate) || fileTable.lookup(candidate) ||
                   otherTable.lookup(candidate);
          },
          count);
      auto renamed = StringAttr::get(made.getContext(), unique);
      // Its uses in host functions, too.
      if (succeeded(SymbolTable::replaceAllSymbolUses(symbol, renamed, made)))
        table.setSymbolName(symbol, renamed);
    }
  }
}

/// Moves what `from` has and `to` lacks into `to`, module by module.
static void addMissing(ModuleOp from, ModuleOp to) {
  for (auto host : llvm::make_early_inc_range(from.getOps<func::FuncOp>()))
    if (!to.lookupSymbol(host.getSymNameAttr()))
      host->moveBefore(to.getBody(), to.getBody()->begin());
  for (auto source :
       llvm::make_early_inc_range(from.getOps<gpu::GPUModuleOp>()))
    for (auto target : to.getOps<gpu::GPUModuleOp>()) {
      if (target.getName() != source.getName())
        continue;
      SymbolTable symbols(target);
      for (Operation &op : llvm::make_early_inc_range(*source.getBody())) {
        auto symbol = dyn_cast<SymbolOpInterface>(op);
        if (!symbol || symbols.lookup(symbol.getNameAttr()))
          continue;
        op.remove();
        symbols.insert(&op, target.getBody()->end());
      }
    }
}

namespace {
/// What has become of a kernel in a context of its own.
struct TunedKernel {
  /// MLIR bytecode; empty where there is none.
  std::string module;
  std::vector<Step> steps;
};

/// A kernel that is alike to one before it.
struct AlikeKernel {
  size_t first;
  AlikeCode code;
};

/// Contexts of kernels that are done, for the next ones: to load all dialects
/// takes as long as to tune a small kernel.
class IdleContexts {
public:
  std::unique_ptr<MLIRContext> take() {
    {
      std::scoped_lock lock(mutex);
      if (!contexts.empty())
        return contexts.pop_back_val();
    }
    return createCompilerContext();
  }
  void add(std::unique_ptr<MLIRContext> context) {
    std::scoped_lock lock(mutex);
    contexts.push_back(std::move(context));
  }

private:
  std::mutex mutex;
  SmallVector<std::unique_ptr<MLIRContext>> contexts;
};
} // namespace

void Compilation::addSteps(const std::vector<Step> &steps) {
  // What is said of no kernel is said for each.
  for (const Step &step : steps)
    if (!step.kernel.empty() || llvm::none_of(recordedSteps, [&](auto &known) {
          return known.kernel.empty() && known.code == step.code &&
                 known.reason == step.reason;
        }))
      recordedSteps.push_back(step);
}

std::unique_ptr<MLIRContext>
Compilation::takeContext(std::unique_ptr<Compilation> done) {
  std::unique_ptr<MLIRContext> context = std::move(done->context);
  done.reset();
  return context;
}

/// For each of `kernels` of `module` the first one before it that is alike, so
/// that the passes do the same for both. What they know of a kernel beside its
/// code, its pragma and its design, is not compared.
static std::vector<std::optional<AlikeKernel>>
findAlike(ModuleOp module, ArrayRef<KernelInfo> kernels,
          const llvm::StringMap<Design> &designs) {
  std::vector<std::optional<AlikeKernel>> alike(kernels.size());
  llvm::DenseMap<uint64_t, SmallVector<size_t, 2>> known;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    Operation *code = findKernel(module, kernel.symbol);
    if (!code || kernel.pragma || designs.contains(kernel.symbol))
      continue;
    SmallVector<size_t, 2> &others = known[fingerprintOf(code)];
    for (size_t first : others) {
      Operation *other = findKernel(module, kernels[first].symbol);
      std::optional<AlikeCode> found = AlikeCode::find(other, code);
      if (!found)
        continue;
      alike[index] = AlikeKernel{first, std::move(*found)};
      break;
    }
    if (!alike[index])
      others.push_back(index);
  }
  return alike;
}

/// Whether `text` may hold a position, as `12:3`.
static bool holdsPosition(StringRef text) {
  for (size_t at = text.find(':'); at != StringRef::npos;
       at = text.find(':', at + 1))
    if (at > 0 && llvm::isDigit(text[at - 1]) && at + 1 < text.size() &&
        llvm::isDigit(text[at + 1]))
      return true;
  return false;
}

static constexpr StringLiteral kLines = "(lines ";

/// `sentence` with other numbers where it has `(lines 12, 14)`.
static std::optional<std::string> renameLinesIn(StringRef sentence,
                                                const AlikeCode &alike) {
  std::string result;
  while (true) {
    auto [before, behind] = sentence.split(kLines);
    result += before;
    if (before.size() == sentence.size())
      return result;
    auto [numbers, rest] = behind.split(')');
    std::optional<std::string> others = alike.renameLines(numbers);
    if (!others)
      return std::nullopt;
    result += kLines.str() + *others + ')';
    sentence = rest;
  }
}

/// Makes of what is said of one kernel what is said of one that is `alike`;
/// false where a sentence has a name or a position that cannot be found.
static bool renameStep(Step &step, const AlikeCode &alike,
                       const KernelInfo &first, const KernelInfo &kernel) {
  auto isPlain = [&](StringRef text) {
    return !holdsPosition(text) && !alike.isNamedIn(text);
  };
  bool isSame = isPlain(step.reason);
  for (auto &[name, text] : step.values) {
    isSame &= isPlain(text);
    if (!StringRef(step.reason).contains((kLines + text + ")").str()))
      continue;
    std::optional<std::string> lines = alike.renameLines(text);
    if (!lines)
      return false;
    text = *lines;
  }
  for (const auto &[name, text] : step.metrics)
    isSame &= isPlain(text);
  std::optional<std::string> reason = renameLinesIn(step.reason, alike);
  std::optional<SourcePosition> position = alike.rename(step.location);
  if (!isSame || !reason || !position)
    return false;
  step.reason = *reason;
  step.location = *position;
  if (step.kernel == first.symbol)
    step.kernel = kernel.symbol;
  else if (step.kernel == first.name)
    step.kernel = kernel.name;
  else if (!step.kernel.empty())
    return false;
  return true;
}

/// `steps`, which are said of `first`, as they are said of `kernel`.
static std::optional<std::vector<Step>> stepsOfAlike(std::vector<Step> steps,
                                                     const AlikeCode &alike,
                                                     const KernelInfo &first,
                                                     const KernelInfo &kernel) {
  for (Step &step : steps)
    if (!renameStep(step, alike, first, kernel))
      return std::nullopt;
  return steps;
}

/// Gives what is alike to something else what has become of that. Returns what
/// cannot be had so.
static std::vector<size_t>
shareResults(ArrayRef<KernelInfo> kernels,
             std::vector<std::optional<AlikeKernel>> &alike,
             std::vector<TunedKernel> &results) {
  std::vector<size_t> others;
  for (size_t index = 0; index < kernels.size(); ++index) {
    if (!alike[index])
      continue;
    const auto &[first, code] = *alike[index];
    std::optional<std::vector<Step>> steps = stepsOfAlike(
        results[first].steps, code, kernels[first], kernels[index]);
    if (steps && !results[first].module.empty()) {
      results[index] = {results[first].module, std::move(*steps)};
      continue;
    }
    alike[index].reset();
    others.push_back(index);
  }
  return others;
}

/// The kernels of `compilation`, each alone, as they are before optimisation.
static std::vector<RaisedKernel> raisedApart(const Compilation &compilation) {
  std::vector<RaisedKernel> raised;
  for (const KernelInfo &kernel : compilation.kernels()) {
    std::string bytecode =
        bytecodeOf(*cloneKernel(compilation.tuned(), kernel.symbol));
    raised.push_back({kernel, compilation.path().str(), compilation.options(),
                      std::move(bytecode), ""});
    // It has been split.
    raised.back().kernel.usesGlobalSync = false;
  }
  return raised;
}

/// Each kernel by itself and by its own design, several at once: alone in its
/// context, so that nothing depends on which is done first. Where the passes
/// fail for one, it stays as it is.
OwningOpRef<ModuleOp> Compilation::optimizedApart() {
  std::vector<RaisedKernel> raised = raisedApart(*this);
  std::vector<TunedKernel> results(kernelInfos.size());
  IdleContexts idle;
  auto tune = [&](size_t index) {
    const KernelInfo &kernel = kernelInfos[index];
    auto own = compileOptions.designs.find(kernel.symbol);
    const Design &design = own == compileOptions.designs.end()
                               ? compileOptions.design
                               : own->second;
    std::unique_ptr<Compilation> alone =
        createIn(idle.take(), raised[index], design, /*verifiesInput=*/false);
    if (!alone)
      return;
    results[index] = {bytecodeOf(alone->tuned()),
                      std::move(alone->recordedSteps)};
    idle.add(takeContext(std::move(alone)));
  };
  auto tuneAll = [&](ArrayRef<size_t> indices) {
    runOnLargeStacks(
        indices.size(), [&](size_t number) { tune(indices[number]); },
        sourcePath + ": error: nested too deeply\n");
  };
  std::vector<std::optional<AlikeKernel>> alike =
      findAlike(tuned(), kernelInfos, compileOptions.designs);
  std::vector<size_t> different;
  for (size_t index = 0; index < kernelInfos.size(); ++index)
    // What Clang made of it stays so.
    if (!alike[index] && !unraisable.contains(kernelInfos[index].symbol))
      different.push_back(index);
  tuneAll(different);
  tuneAll(shareResults(kernelInfos, alike, results));

  OwningOpRef<ModuleOp> all = cloneKernel(tuned(), "");
  ParserConfig config(context.get(), /*verifyAfterParse=*/false);
  for (auto [kernel, result, same] :
       llvm::zip_equal(kernelInfos, results, alike)) {
    OwningOpRef<ModuleOp> alone;
    if (!result.module.empty())
      alone = parseSourceString<ModuleOp>(result.module, config);
    if (alone && same)
      same->code.rename(*alone);
    if (alone) {
      addSteps(result.steps);
      keepNamesApart(*alone, kernel.symbol, tuned(), *all);
    } else {
      recordFailure(kernel, {"", "its code cannot be copied"});
      alone = cloneKernel(tuned(), kernel.symbol);
    }
    addMissing(*alone, *all);
  }
  return all;
}
