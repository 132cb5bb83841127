//===- CheckExecutors.h - what checked kernels run in -----------*- C++ -*-===//

#ifndef TOOLS_LIB_CHECK_CHECKEXECUTORS_H
#define TOOLS_LIB_CHECK_CHECKEXECUTORS_H

#include "runtime/CPUExecutor.h"
#include "runtime/ErrorShadow.h"
#include "runtime/RaceEffects.h"
#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/HostVariables.h"

#include "llvm/ADT/StringSet.h"

#include <array>

namespace gpuopt {

struct CheckOptions;

/// The executors of all kernels of a compilation, each made when first needed:
/// lowering and the JIT are set up once, however many kernels there are.
/// Variables of the module keep their contents from one launch to the next.
class CheckExecutors {
public:
  enum Kernels {
    Original,
    OriginalWithRaces,
    OriginalWithErrors,
    OriginalWithStores,
    /// Finds, and disturbs, what races leave open.
    OriginalWithRaceEffects,
    Tuned,
    /// The same of what runs in the place of the tuned kernels.
    TunedWithRaceEffects
  };
  static bool isTuned(Kernels which) { return which >= Tuned; }

  /// Both, and the context of `emitted`, must outlive the executors. The
  /// kernels of `emitted`, if it is given, run in the place of the tuned ones.
  CheckExecutors(const Compilation &compilation, const CheckOptions &options,
                 std::unique_ptr<llvm::Module> emitted = nullptr)
      : compilation(compilation), options(options),
        emitted(std::move(emitted)) {}

  /// From now on, the back end may have fused products and sums in `emitted`
  /// that the original does not.
  void expectFusion() { expectsFusion = true; }
  bool mayBeFused() const { return expectsFusion; }
  /// From now on, functions such as `expf` may be another library's in
  /// `emitted`.
  void expectOtherFunctions() { expectsOtherFunctions = true; }
  /// Whether `symbol` calls one then. Known once it has run.
  bool mayCallOtherFunctions(llvm::StringRef symbol) const {
    return expectsOtherFunctions && functionUsers.contains(symbol);
  }

  llvm::Expected<CPUExecutor *> get(Kernels which);
  /// `OriginalWithErrors`, which writes the rounding errors of its launches to
  /// a shadow of their own, empty now. Only those of `loose` operations count.
  llvm::Expected<CPUExecutor *> getWithNewErrors(LooseOperations loose);
  const ErrorShadow &errors() const { return *shadow; }
  /// Of the executors with race effects.
  RaceEffects &raceEffects() { return *effects; }
  /// Whether a kernel, or what it calls, adds floating-point numbers
  /// atomically: nothing says in which order. Known once it has run.
  bool addsFloatsAtomically(llvm::StringRef symbol) const {
    return atomicSums.contains(symbol);
  }
  /// What a variable of the original module is an array of. Known once it has
  /// run.
  ElementType elementOf(llvm::StringRef variable) const {
    return variableElements.lookup(variable);
  }
  /// Those of the original module. Known once it has run.
  llvm::ArrayRef<HostVariable> variablesOfHost() const { return hostVariables; }
  /// Writes the files that `run` names to the original's variables, and makes
  /// up others; ordinary values once, as variables keep their contents.
  llvm::Error setVariables(const RunOptions &run);

private:
  CPUExecutorOptions settings(Kernels which) const;
  void findLooseKernels(const llvm::Module &module);
  void findVariables(const llvm::Module &module);

  const Compilation &compilation;
  const CheckOptions &options;
  std::unique_ptr<llvm::Module> emitted;
  std::array<std::unique_ptr<CPUExecutor>, TunedWithRaceEffects + 1> executors;
  std::unique_ptr<ErrorShadow> shadow;
  std::unique_ptr<RaceEffects> effects = std::make_unique<RaceEffects>();
  llvm::StringSet<> atomicSums;
  /// Kernels that call functions of libraries.
  llvm::StringSet<> functionUsers;
  bool usesAtomicResults = false;
  llvm::StringMap<ElementType> variableElements;
  std::vector<HostVariable> hostVariables;
  bool areVariablesSet = false;
  bool expectsFusion = false;
  bool expectsOtherFunctions = false;
};

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_CHECKEXECUTORS_H
