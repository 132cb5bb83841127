//===- SizeSettings.h - sizes as options of passes --------------*- C++ -*-===//

#ifndef PASSES_ANALYSIS_SIZESETTINGS_H
#define PASSES_ANALYSIS_SIZESETTINGS_H

#include "passes/Analysis/AccessFunction.h"

#include "mlir/IR/Location.h"

namespace gpuopt {

/// Reads `name=value` settings; reports the first that is none at `loc`.
mlir::FailureOr<SizeMap> parseSizes(llvm::ArrayRef<std::string> settings,
                                    mlir::Location loc);

} // namespace gpuopt

#endif // PASSES_ANALYSIS_SIZESETTINGS_H
