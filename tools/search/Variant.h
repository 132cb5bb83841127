//===- Variant.h - a design, made and judged --------------------*- C++ -*-===//
//
// From a design to code, counts and a verdict. Making runs the pipeline and
// counts; assembling asks ptxas, or for AMD LLVM, for registers and spills.
// Targets that ptxas does not know get an estimate of the registers instead:
//
//   24 (ids, bounds, the loop's counter and what the assembler needs)
//   + what the loop carries for each work item of a thread
//   + what is loaded from tiles for them, of the largest group one at a time
//
// (`estimateFewestRegisters`, passes/Transforms/Merge/MergePlan.h). For 8 x 4
// items of a matrix product: 24 + 32 + 4 + 1 = 61.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_SEARCH_VARIANT_H
#define TOOLS_SEARCH_VARIANT_H

#include "passes/Analysis/PerformanceModel.h"
#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// What became of a design.
enum class VariantVerdict {
  Chosen,  ///< legal, and the best of them
  Legal,   ///< could be launched
  Slower,  ///< not assembled: slower than a legal one however it turns out
  Dropped, ///< cannot be made, or spills, or exceeds a limit of the target
};

/// `chosen`, `legal`, `slower`, `dropped`.
llvm::StringRef stringify(VariantVerdict verdict);

/// One design of a kernel and what is known of it.
struct Variant {
  Design design;
  VariantVerdict verdict = VariantVerdict::Legal;
  /// Why it was dropped or not assembled; a note on legal ones.
  std::string reason;

  // What the passes made of it.
  Dim3 block = {0, 0, 0};
  Dim3 itemsPerThread = {0, 0, 0};
  Dim3 itemsPerBlock = {0, 0, 0};
  /// Along which dimensions blocks are not work items that nothing counts.
  std::array<bool, 3> isMergeable = {false, false, false};
  /// Tiles in flight; 1 without prefetching into tiles.
  int64_t stages = 1;
  /// By how many iterations loads run ahead.
  int64_t prefetchDistance = 0;
  /// Rows of blocks that are worked on together; 1: the launch's order, 0: none
  /// of these.
  int64_t group = 1;
  /// Bytes of the widest access of a thread.
  int64_t widestAccess = 0;
  int64_t workgroupBytes = 0;
  /// Global memory sectors per original work item.
  double sectorsPerItem = 0;
  /// The worst of all accesses to workgroup memory; 0 without any.
  int64_t bankConflictDegree = 0;
  KernelProfile profile;
  /// Whether warpgroups multiply its tiles.
  bool ofWarpgroups = false;
  /// The kernel as text: variants with the same are the same.
  std::string code;

  // What the assembler says, else estimates.
  int64_t registers = 0;
  /// Of them, what the loop carries for one work item.
  int64_t carriedRegisters = 0;
  int64_t spillBytes = 0;
  int64_t blocksPerMultiprocessor = 0;
  double occupancy = 0;
  /// `ptxas`, `llvm` or `estimate`; empty where nothing is known.
  std::string measuredBy;
  /// Multiply-adds among the instructions of the main loop, where counted.
  std::optional<double> multiplyAddShare;
  /// Instructions of the main loop for each arithmetic operation and access;
  /// 1, the least, before they are counted.
  double instructionsPerOperation = 1;

  Prediction prediction;
  /// By measurement, where there was one.
  std::optional<double> measuredSeconds;

  bool isDropped() const { return verdict == VariantVerdict::Dropped; }
  void drop(std::string why) {
    verdict = VariantVerdict::Dropped;
    reason = std::move(why);
  }
  /// What variants are ranked by.
  double seconds() const {
    return measuredSeconds.value_or(prediction.seconds);
  }
};

/// Why kernels that synchronise the grid have no designs.
inline constexpr llvm::StringLiteral kNoDesignsOfSequences =
    "it synchronises the grid: its launches, and how many steps each of them "
    "does, follow from the sizes and the machine description";

/// Why the passes did not make of `kernel` what `design` asks for; empty where
/// they did.
std::string whyNotMade(const Compilation &compilation, const KernelInfo &kernel,
                       const Design &design);

/// Makes and judges variants of one kernel for one launch. Its functions may be
/// called from several threads at once.
class VariantMaker {
public:
  /// `items`: work items of the launch in x, y, z.
  VariantMaker(RaisedKernel kernel, const Dim3 &items)
      : raised(std::move(kernel)), launchItems(items) {}

  /// Runs the pipeline for `design` and counts. What cannot be made as asked is
  /// dropped. The prediction is for the fewest registers and instructions that
  /// can do: the assembler's figures will not make the variant faster.
  Variant make(const Design &design) const;

  /// What the model says of `variant` in groups of `group` rows of blocks.
  Prediction predict(const Variant &variant, int64_t group,
                     TargetAttr target) const;

  /// Assembles `variant` and renews its verdict and prediction.
  void assemble(Variant &variant) const;

  /// The variant's code.
  std::unique_ptr<Compilation> compile(const Design &design) const {
    return Compilation::create(raised, design);
  }

  const RaisedKernel &kernel() const { return raised; }
  const Dim3 &items() const { return launchItems; }

private:
  void judge(Variant &variant, TargetAttr target) const;

  RaisedKernel raised;
  Dim3 launchItems;
};

} // namespace gpuopt

#endif // TOOLS_SEARCH_VARIANT_H
