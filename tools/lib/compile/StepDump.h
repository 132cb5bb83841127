//===- StepDump.h - a kernel after each transform ---------------*- C++ -*-===//
//
// What `gpuopt compile --dump-steps DIR` writes: for each pass that changed
// something the kernels as source and as MLIR, numbered, and a page that shows
// what each changed beside what it said.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_STEPDUMP_H
#define TOOLS_LIB_COMPILE_STEPDUMP_H

#include "conversion/EmitSource/EmitSource.h"
#include "tools/lib/compile/Steps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/Error.h"

namespace gpuopt {

/// The kernels behind one pass and the clean-up that follows it.
struct StepSnapshot {
  /// The pass as the command line calls it, without `gpuopt-`: `coalesce`.
  std::string pass;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// What it said: from `begin` to below `end` of the recorded steps.
  size_t firstRemark = 0, endOfRemarks = 0;
};

/// Takes a snapshot after each pass that changed something. Clean-up between
/// transforms belongs to the transform before it.
class SnapshotTaker : public mlir::PassInstrumentation {
public:
  SnapshotTaker(std::vector<StepSnapshot> &snapshots,
                const std::vector<Step> &remarks)
      : snapshots(snapshots), remarks(remarks) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;

private:
  std::vector<StepSnapshot> &snapshots;
  const std::vector<Step> &remarks;
  /// What there was when a pass began: text, remarks and snapshots.
  struct RunningPass {
    std::string text;
    size_t remarks, snapshots;
  };
  llvm::SmallVector<RunningPass> running;
};

/// A file and what is to be in it.
struct DumpedFile {
  std::string name, text;
};

/// The files for `snapshots`, `index.html` the last. A step without a source
/// form has only MLIR, and the page says why.
std::vector<DumpedFile> dumpSteps(const std::vector<StepSnapshot> &snapshots,
                                  const std::vector<Step> &remarks,
                                  const EmitSourceOptions &options);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_STEPDUMP_H
