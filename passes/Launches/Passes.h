//===- Passes.h - transforms of sequences of launches -----------*- C++ -*-===//
//
// What `gpuopt-split-at-grid-barriers` makes of a kernel with grid-wide
// synchronisation is a host function with launches. These passes look at both:
// which work of several launches one launch can do.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_LAUNCHES_PASSES_H
#define PASSES_LAUNCHES_PASSES_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace gpuopt {

#define GEN_PASS_DECL
#include "passes/Launches/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Launches/Passes.h.inc"

} // namespace gpuopt

#endif // PASSES_LAUNCHES_PASSES_H
