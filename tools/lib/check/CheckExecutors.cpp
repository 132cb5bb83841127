//===- CheckExecutors.cpp - what checked kernels run in -------------------===//

#include "tools/lib/check/CheckExecutors.h"

#include "conversion/PTX/UnsetRegisters.h"
#include "runtime/MathFunctions.h"
#include "tools/lib/check/Counterpart.h"
#include "tools/lib/check/ReachedFunctions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace gpuopt;
using llvm::Expected;

/// For a run that finds what races change.
static constexpr double kDisturbedSeconds = 20;

CheckExecutors::CheckExecutors(const Compilation &compilation,
                               const CheckOptions &options,
                               std::unique_ptr<llvm::Module> emitted)
    : compilation(compilation), options(options), emitted(std::move(emitted)) {}

CheckExecutors::~CheckExecutors() = default;

bool CheckExecutors::mayBeFused(llvm::StringRef symbol, Kernels which) const {
  return fusers.contains(symbol) ||
         (which == Text && isFused &&
          compilation.options().import.fpContract != "off");
}

/// Those of text are the tuned kernel's, unless it runs alone.
bool CheckExecutors::findsRaces(Kernels which) const {
  bool isAlone = isText(which) && options.text == CheckText::Only;
  return (which == Tuned || isAlone) && options.detectRaces;
}

CPUExecutorOptions CheckExecutors::settings(Kernels which) const {
  TargetAttr target = compilation.target();
  CPUExecutorOptions settings;
  settings.subgroupSize = target.getSubgroupSize();
  bool isSecondRun = isText(which) && options.text != CheckText::Only;
  if (options.countTraffic && !isSecondRun) {
    settings.countSectorBytes = target.getSectorBytes();
    settings.coalescedThreads = target.getCoalescedThreads();
    settings.cacheBytes = target.getL2Bytes();
    settings.cacheLineBytes = target.getLineBytes();
  }
  // What looks at each access takes most of a run, and no less in better code.
  settings.compileQuickly = true;
  settings.stop = options.stop;
  // Atomic sums, and what atomic operations return, need one block after the
  // other, so that two runs of one kernel are equal.
  bool isOrdered = !atomicSums.empty() || usesAtomicResults;
  settings.workers = isOrdered ? 1 : options.workers;
  if (ProgressLine *line = options.progress)
    settings.progress = [line](int64_t started, int64_t blocks) {
      line->update(started, blocks);
    };
  bool followsEffects =
      which == OriginalWithRaceEffects || which == TunedWithRaceEffects;
  settings.checkRaces =
      which == OriginalWithRaces || followsEffects || findsRaces(which);
  settings.noteStores = which == OriginalWithStores;
  settings.checkUninitialised = findsRaces(which) || which == OriginalWithUnset;
  // A race must not be lost behind others that are the program's own.
  settings.maxFaultPlaces = std::numeric_limits<unsigned>::max();
  settings.maxSeconds = options.maxSeconds;
  settings.maxSteps = options.maxSteps;
  if (which == OriginalWithErrors)
    settings.errors = shadow.get();
  if (followsEffects) {
    settings.raceEffects = effects.get();
    settings.workers = 1;
    // What reads other numbers than the source's may never end; the tuned
    // kernels' are not disturbed.
    if (which == OriginalWithRaceEffects)
      settings.maxSeconds = std::min(settings.maxSeconds, kDisturbedSeconds);
  }
  return settings;
}

/// Whether one of `functions` adds floating-point numbers atomically: nothing
/// says in which order.
static bool addsFloats(const ReachedFunctions &functions) {
  return llvm::any_of(functions, [](const llvm::Function *function) {
    return llvm::any_of(
        instructions(function), [](const llvm::Instruction &instruction) {
          auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
          return atomic &&
                 (atomic->getOperation() == llvm::AtomicRMWInst::FAdd ||
                  atomic->getOperation() == llvm::AtomicRMWInst::FSub);
        });
  });
}

/// Whether `module` uses what an atomic operation returns.
static bool usesResultsOfAtomics(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return llvm::any_of(
        instructions(function), [](const llvm::Instruction &instruction) {
          return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
                     instruction) &&
                 !instruction.use_empty();
        });
  });
}

void CheckExecutors::findLooseKernels(const llvm::Module &module) {
  usesAtomicResults = usesResultsOfAtomics(module);
  for (const llvm::Function &function : module) {
    auto reached = reachedFrom(module, function.getName());
    if (addsFloats(reached))
      atomicSums.insert(function.getName());
    if (llvm::any_of(reached, [](const llvm::Function *callee) {
          return isMathFunction(*callee);
        }))
      functionUsers.insert(function.getName());
    if (llvm::any_of(reached, [](const llvm::Function *callee) {
          return ptx::unsetRegister(*callee).has_value();
        }))
      unsetUsers.insert(function.getName());
  }
}

/// What an array of any rank is of.
static llvm::Type *innermostElement(llvm::Type *type) {
  while (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    type = array->getElementType();
  return type;
}

void CheckExecutors::findVariables(const llvm::Module &module) {
  for (const llvm::GlobalVariable &variable : module.globals())
    variableElements[variable.getName()] =
        elementTypeOf(innermostElement(variable.getValueType()));
  hostVariables = findHostVariables(module);
}

Expected<CPUExecutor *> CheckExecutors::get(Kernels which) {
  std::unique_ptr<CPUExecutor> &executor = executors[which];
  if (executor)
    return executor.get();
  auto made = isText(which) ? makeForText(which) : make(which);
  if (!made)
    return made.takeError();
  executor = std::move(*made);
  return executor.get();
}

/// Whether a product and a sum are done as one anywhere.
static bool fusesAny(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.getIntrinsicID() == llvm::Intrinsic::fma ||
           function.getName().starts_with("llvm.nvvm.fma.");
  });
}

Expected<std::unique_ptr<CPUExecutor>>
CheckExecutors::makeForText(Kernels which) {
  auto text =
      Counterpart::ofEmittedPTX(compilation, textKernels,
                                /*mayFuse=*/which == Text, options.textFile);
  if (!text)
    return text.takeError();
  std::unique_ptr<llvm::Module> module = (*text)->moduleFor(compilation);
  if (which == Text)
    isFused = fusesAny(*module);
  texts.push_back(std::move(*text));
  return CPUExecutor::create(*module, settings(which));
}

Expected<std::unique_ptr<CPUExecutor>> CheckExecutors::make(Kernels which) {
  auto context = std::make_unique<llvm::LLVMContext>();
  const llvm::Module *sequential = compilation.sequentialModule();
  const llvm::Module *module =
      isTuned(which) ? emitted.get()
                     : (sequential ? sequential : compilation.importedModule());
  std::unique_ptr<llvm::Module> owned;
  if (!module) {
    auto lowered = isTuned(which) ? compilation.lowered(*context)
                                  : compilation.untouched(*context);
    if (!lowered)
      return lowered.takeError();
    owned = std::move(*lowered);
    module = owned.get();
  }
  if (which == Original) {
    findLooseKernels(*module);
    findVariables(*module);
  }
  return owned ? CPUExecutor::create(std::move(owned), std::move(context),
                                     settings(which))
               : CPUExecutor::create(*module, settings(which));
}

llvm::Error CheckExecutors::setVariables(const RunOptions &run) {
  bool isKept = run.keepVariables || (run.values == InputValues::Ordinary &&
                                      std::exchange(areVariablesSet, true));
  if (isKept)
    return llvm::Error::success();
  Expected<CPUExecutor *> original = get(Original);
  if (!original)
    return original.takeError();
  return fillVariables(**original, hostVariables, run);
}

Expected<CPUExecutor *>
CheckExecutors::getWithNewErrors(LooseOperations loose) {
  executors[OriginalWithErrors].reset();
  shadow = std::make_unique<ErrorShadow>(loose);
  return get(OriginalWithErrors);
}
