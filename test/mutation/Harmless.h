//===- Harmless.h - mutations that have no effect ---------------*- C++ -*-===//
//
// A check cannot find a mutation that changes nothing anybody sees. For some
// kinds it can be told from the kernel that this is so; for others by running
// the mutant once more, with what it does too much made visible. What neither
// shows is for people (equivalent.txt).
//
//===----------------------------------------------------------------------===//

#ifndef TEST_MUTATION_HARMLESS_H
#define TEST_MUTATION_HARMLESS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>
#include <string>

namespace gpuopt {

/// Why nobody misses `barrier`; empty where somebody may.
std::string reasonToDrop(mlir::gpu::BarrierOp barrier);

/// Why nobody sees another value of `op`'s only result; empty where somebody
/// may.
std::string reasonToChange(mlir::Operation *op);

/// Why nobody sees the opposite of `op`'s only result; empty where somebody
/// may.
std::string reasonToNegate(mlir::Operation *op);

/// What a mutant that is exposed and passes all the same has been shown to be.
extern const char *const kExposedReason;

/// Makes what the iterations of `loop` at `bound` (a result of its upper bound,
/// as it was) and behind it do visible: they trap where they access global or
/// private memory or change a value that the loop returns, and leave garbage in
/// workgroup memory. False where that cannot be done.
bool exposeIterationsFrom(mlir::affine::AffineForOp loop,
                          mlir::AffineMap bound);

/// The same for `guard` where `condition`, which was its condition, is false.
bool exposeUnguarded(mlir::scf::IfOp guard, mlir::Value condition);

} // namespace gpuopt

#endif // TEST_MUTATION_HARMLESS_H
