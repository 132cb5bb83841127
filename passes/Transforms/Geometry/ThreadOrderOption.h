//===- ThreadOrderOption.h - the option `fastest` of passes -----*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_GEOMETRY_THREADORDEROPTION_H
#define PASSES_TRANSFORMS_GEOMETRY_THREADORDEROPTION_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace gpuopt {

/// The dimension that `text` ("x", "y", "z") names as the one whose neighbours
/// shall be neighbouring lanes; nothing for "auto", which asks the model.
/// Failure has been reported at `op`.
inline mlir::FailureOr<std::optional<unsigned>>
readFastest(llvm::StringRef text, mlir::Operation *op) {
  if (text == "auto")
    return std::optional<unsigned>();
  if (text.size() == 1 && text[0] >= 'x' && text[0] <= 'z')
    return std::optional<unsigned>(text[0] - 'x');
  return op->emitError("expected 'fastest' to be x, y, z or auto, found '")
         << text << "'";
}

inline std::string nameOfDimension(unsigned dimension) {
  return std::string(1, static_cast<char>('x' + dimension));
}

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_GEOMETRY_THREADORDEROPTION_H
