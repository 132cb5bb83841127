//===- UniformReach.h - bring all threads to one place ----------*- C++ -*-===//
//
// A barrier must be reached by all threads of a block, but a naive kernel does
// everything under a guard. Here guards that differ among the threads are sunk
// below an operation:
//
//   scf.if %g {                        %p = scf.if %g { prepare; yield } else
//     prepare                                { yield 0 }
//     for … { body }            →      for … { … body under %g … }
//     finish                           scf.if %g { finish }
//   }
//
// so that all threads reach the operation (and barriers can be put beside it or
// into it), while its parts still run for the same threads as before.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_UTILS_UNIFORMREACH_H
#define PASSES_TRANSFORMS_UTILS_UNIFORMREACH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace gpuopt {

/// Returns why not all threads of a block can be brought to `op` equally often,
/// or nothing where they can.
std::string whyNotReachable(mlir::Operation *op);

/// Brings all threads of a block to `op`, for which `whyNotReachable` has no
/// reason. Returns the condition under which a thread would have reached it
/// before, or null where all did. `op` itself is then unguarded: the caller
/// guards what it does.
mlir::Value bringAllThreads(mlir::Operation *op);

/// A zero of any integer, float, index or vector type; null for others.
mlir::Value createZero(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_UTILS_UNIFORMREACH_H
