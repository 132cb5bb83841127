//===- Remarks.h - what passes say ------------------------------*- C++ -*-===//
//
// Passes report through MLIR's remark engine. Each remark has a code, which
// Remarks.def lists with the pass and the sentence; what differs from one to
// the next are values, which have names in the sentence:
//
//   GPUOPT_REMARK(ThreadsMerged, MergeThreads,
//                 "a thread does the work of {factor} along {dimension}")
//
//   sayPassed(RemarkCode::ThreadsMerged, kernel, loc,
//             {{"factor", 8}, {"dimension", "y"}})
//       << remark::metric("grown_arrays", 1);
//
// People read "a thread does the work of 8 along y (grown_arrays = 1)";
// programs read the code, the values and the metrics, and never the sentence.
// For MLIR the code is the remark's name, the pass its subcategory, and the
// category of all is `gpuopt`.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ANALYSIS_REMARKS_H
#define PASSES_ANALYSIS_REMARKS_H

#include "mlir/IR/Remarks.h"

#include <string>
#include <type_traits>

namespace gpuopt {

enum class RemarkCode {
#define GPUOPT_REMARK(code, pass, sentence) code,
#include "passes/Analysis/Remarks.def"
};

/// `ThreadsMerged`.
llvm::StringRef toString(RemarkCode code);
/// The code called `name`; nothing where there is none.
std::optional<RemarkCode> parseRemarkCode(llvm::StringRef name);
/// The pass that says it: `MergeThreads`.
llvm::StringRef passOf(RemarkCode code);

/// A value in a remark's sentence.
struct RemarkValue {
  llvm::StringRef name;
  std::string text;

  RemarkValue(llvm::StringRef name, const llvm::Twine &text)
      : name(name), text(text.str()) {}
  template <typename Integer,
            typename = std::enable_if_t<std::is_integral_v<Integer>>>
  RemarkValue(llvm::StringRef name, Integer number)
      : name(name), text(std::to_string(number)) {}
};

/// `sentence` with the values in the place of their names in braces.
std::string fillIn(llvm::StringRef sentence,
                   llvm::ArrayRef<RemarkValue> values);

/// Says at `loc` what was done to `kernel`. Metrics may follow.
mlir::remark::detail::InFlightRemark
sayPassed(RemarkCode code, mlir::Operation *kernel, mlir::Location loc,
          llvm::ArrayRef<RemarkValue> values = {});
/// Says at `loc` what was not done, and why.
mlir::remark::detail::InFlightRemark
sayMissed(RemarkCode code, mlir::Operation *kernel, mlir::Location loc,
          llvm::ArrayRef<RemarkValue> values = {});
/// Says at `loc` what was found.
mlir::remark::detail::InFlightRemark
sayFound(RemarkCode code, mlir::Operation *kernel, mlir::Location loc,
         llvm::ArrayRef<RemarkValue> values = {});

/// Why something is left as it is, and where.
struct Refusal {
  mlir::Location location;
  std::string reason;
};

/// Says `refusal` as the remark `code`, whose sentence has a `{reason}`.
void sayMissed(RemarkCode code, mlir::Operation *kernel,
               const Refusal &refusal);

/// The name of the value in the sentence whose remark has an argument with
/// `key`; nothing for other arguments: metrics, and the sentence itself.
std::optional<llvm::StringRef> nameOfValue(llvm::StringRef key);

/// Metric of a remark on a step by which floating-point sums in a loop have
/// another order than in the source. Every such step has it: checks compare bit
/// for bit without.
inline constexpr llvm::StringLiteral kReordersSumsKey = "reorders_sums";

} // namespace gpuopt

#endif // PASSES_ANALYSIS_REMARKS_H
