//===- BuildProgram.h - a random program as a kernel ------------*- C++ -*-===//

#ifndef TEST_UNIT_PROPERTY_BUILDPROGRAM_H
#define TEST_UNIT_PROPERTY_BUILDPROGRAM_H

#include "Program.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gpuopt::property {

/// A program in MLIR: the only function of `module`, whose last argument is the
/// array that the innermost point stores to.
struct BuiltKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::gpu::GPUFuncOp kernel;
  /// The store.
  mlir::Operation *store = nullptr;
  /// By instruction: its value; null where it has none.
  std::vector<mlir::Value> values;
};

/// Builds `program`. Where affine operations do not take a value, which is left
/// of instructions that were made simpler, 0 takes its place.
BuiltKernel build(const Program &program);

/// The kernel in MLIR's text form.
std::string toString(const Program &program);

} // namespace gpuopt::property

#endif // TEST_UNIT_PROPERTY_BUILDPROGRAM_H
