//===- Steps.h - what the passes said ---------------------------*- C++ -*-===//
//
// Passes report through MLIR's remark engine. A `Step` is one remark as data;
// the report and --explain are made from the list of them.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_STEPS_H
#define TOOLS_LIB_COMPILE_STEPS_H

#include "conversion/ImportSource/KernelInfo.h"
#include "passes/Analysis/Remarks.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

#include <string>
#include <utility>
#include <vector>

namespace gpuopt {

/// One remark of a pass.
struct Step {
  enum class Outcome { Passed, Missed, Failed, Analysis };
  RemarkCode code = RemarkCode::PassFailed;
  /// The pass that said it, by its name: `MergeThreads`.
  std::string pass;
  Outcome outcome = Outcome::Passed;
  /// Symbol of the kernel; empty where the remark does not say.
  std::string kernel;
  SourcePosition location;
  /// The remark's sentence.
  std::string reason;
  /// What stands in the sentence, by name: {"factor", "8"}.
  std::vector<std::pair<std::string, std::string>> values;
  /// Further facts, in the remark's order: {"tile", "16x17"}.
  std::vector<std::pair<std::string, std::string>> metrics;
  /// Floating-point sums in loops of the kernel have another order since.
  bool reordersSums = false;

  /// The value `name` of the sentence; empty where it has none.
  llvm::StringRef value(llvm::StringRef name) const;

  /// True where the step concerns `kernel`, or says nothing of any kernel.
  bool isAbout(const KernelInfo &info) const {
    return kernel.empty() || kernel == info.symbol || kernel == info.name;
  }
};

/// `passed`, `missed`, `failed`, `analysis`.
llvm::StringRef toString(Step::Outcome outcome);

/// The first source position inside `location` (fused, named and inlined
/// locations are looked through); line 0 where there is none.
SourcePosition sourcePosition(mlir::Location location);

/// From now on appends every remark of category `gpuopt` to `steps`, which
/// must outlive `context`. Repeated remarks are recorded once.
void recordSteps(mlir::MLIRContext &context, std::vector<Step> &steps);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_STEPS_H
