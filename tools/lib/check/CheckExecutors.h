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
class Counterpart;

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
    /// Finds uses of what nothing has set.
    OriginalWithUnset,
    Tuned,
    /// The same of what runs in the place of the tuned kernels.
    TunedWithRaceEffects,
    /// The tuned kernels as the PTX has them that is written for them. Their
    /// races are the tuned kernels', and those of atomic operations that the
    /// back end makes loops of.
    Text,
    /// The same where the back end is not let fuse products and sums.
    TextWithoutFusing
  };
  static constexpr unsigned kKinds = TextWithoutFusing + 1;
  static bool isTuned(Kernels which) { return which >= Tuned; }
  static bool isText(Kernels which) { return which >= Text; }

  /// Both, and the context of `emitted`, must outlive the executors. The
  /// kernels of `emitted`, if it is given, run in the place of the tuned ones.
  CheckExecutors(const Compilation &compilation, const CheckOptions &options,
                 std::unique_ptr<llvm::Module> emitted = nullptr);
  ~CheckExecutors();

  /// The only kernels, by symbol, that have to be read of the text.
  void selectText(std::vector<std::string> symbols) {
    textKernels = std::move(symbols);
  }

  /// From now on, what stands for `symbol` in `emitted` may have fused products
  /// and sums that the original does not, or the other way round.
  void expectFusion(llvm::StringRef symbol) { fusers.insert(symbol); }
  /// Whether `which` may have such; the text, where it has `fma`, once it has
  /// been made.
  bool mayBeFused(llvm::StringRef symbol, Kernels which) const;
  /// From now on, one of the two kernels has operations that need not be
  /// rounded as those of the other are.
  void expectOtherRounding(llvm::StringRef symbol) {
    openKernels.insert(symbol);
  }
  bool mayBeRoundedOtherwise(llvm::StringRef symbol) const {
    return openKernels.contains(symbol);
  }
  /// Whether data races are looked for in `which`.
  bool findsRaces(Kernels which) const;
  /// From now on, functions such as `expf` may be another library's in
  /// `emitted`.
  void expectOtherFunctions() { expectsOtherFunctions = true; }
  /// Whether what stands for `symbol` in `which` calls such. Known once the
  /// original has run.
  bool mayCallOtherFunctions(llvm::StringRef symbol, Kernels which) const {
    return (expectsOtherFunctions || isText(which)) &&
           functionUsers.contains(symbol);
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
  /// Whether a kernel from PTX, or what it calls, has registers that may be
  /// read before they are set. Known once it has run.
  bool mayUseUnset(llvm::StringRef symbol) const {
    return unsetUsers.contains(symbol);
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
  llvm::Expected<std::unique_ptr<CPUExecutor>> make(Kernels which);
  llvm::Expected<std::unique_ptr<CPUExecutor>> makeForText(Kernels which);

  const Compilation &compilation;
  const CheckOptions &options;
  std::unique_ptr<llvm::Module> emitted;
  std::array<std::unique_ptr<CPUExecutor>, kKinds> executors;
  std::unique_ptr<ErrorShadow> shadow;
  std::unique_ptr<RaceEffects> effects = std::make_unique<RaceEffects>();
  llvm::StringSet<> atomicSums;
  /// Kernels that call functions of libraries.
  llvm::StringSet<> functionUsers;
  llvm::StringSet<> unsetUsers;
  bool usesAtomicResults = false;
  std::vector<std::string> textKernels;
  /// What the executors of text run; their contexts have to stay.
  std::vector<std::unique_ptr<Counterpart>> texts;
  llvm::StringMap<ElementType> variableElements;
  std::vector<HostVariable> hostVariables;
  bool areVariablesSet = false;
  llvm::StringSet<> fusers;
  llvm::StringSet<> openKernels;
  bool expectsOtherFunctions = false;
  /// Of the text that may be.
  bool isFused = true;
};

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_CHECKEXECUTORS_H
