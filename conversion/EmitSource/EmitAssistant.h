//===- EmitAssistant.h - the CPU's program beside a kernel ------*- C++ -*-===//
//
// What `gpuopt-slice-accesses` and `gpuopt-split-slices` leave of a kernel, as
// a file of C11, with the `__builtin_prefetch` of GCC and Clang: the CPU
// pre-execution program of Yang 2012, figures 6.3 to 6.9.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_EMITASSISTANT_H
#define CONVERSION_EMITSOURCE_EMITASSISTANT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

struct AssistantOptions {
  /// Lines of the comment at the top.
  std::vector<std::string> notes;
  /// Threads of a block in x, y, z.
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Blocks that the GPU runs at a time.
  int64_t concurrentBlocks = 1;
  /// Threads that are visited one after the other without a loop.
  int64_t unrollFactor = 8;
  /// How often these are visited before the skip factor is looked at.
  int64_t batchSize = 16;
  /// One of so many threads is visited; nothing to let it adapt.
  std::optional<int64_t> skipFactor;
  /// From what the factor adapts, and by how much.
  int64_t firstSkipFactor = 32;
  int64_t skipStep = 32;
  /// More hits of the shared cache in a batch are many.
  int64_t threshold = 10;
  /// Load what is fetched, where there is no instruction to prefetch.
  bool loads = false;
};

/// The program of `host` and the functions that it launches. Says what has no
/// form in C.
mlir::FailureOr<std::string> emitAssistant(mlir::func::FuncOp host,
                                           const AssistantOptions &options);

} // namespace gpuopt

#endif // CONVERSION_EMITSOURCE_EMITASSISTANT_H
