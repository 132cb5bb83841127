//===- LowerInput.h - what MLIR input may hold that no pass takes *- C++ -*-==//

#ifndef PASSES_RAISING_LOWERINPUT_H
#define PASSES_RAISING_LOWERINPUT_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace gpuopt {

/// Writes what other compilers leave in kernels in terms of what raised kernels
/// consist of, by upstream's patterns where there are any:
///
///     vector.transfer_read, create_mask, contract, transpose, …
///         vector.load and store, masked ones where they may reach over an end,
///         and operations on vectors that LLVM has
///     cf.assert %c, "text"
///         scf.if (not %c) { a trap }, which is what `assert` is in CUDA
///
/// Extents of arrays must be known to masks, so that it runs before arrays
/// become pointers.
std::unique_ptr<mlir::Pass> createLowerInput();

} // namespace gpuopt

#endif // PASSES_RAISING_LOWERINPUT_H
