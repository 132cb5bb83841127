//===- Passes.h - programs of the CPU beside the GPU ------------*- C++ -*-===//
//
// What a CPU that shares a cache with the GPU can do for a kernel: load what
// the kernel is about to (Yang, "Performance Optimization for GPGPU", 2012,
// chapter 6). One pass leaves a kernel's accesses alone, the next makes of them
// what goes through the threads together.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_ASSIST_PASSES_H
#define PASSES_ASSIST_PASSES_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"

namespace gpuopt {

#define GEN_PASS_DECL
#include "passes/Assist/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Assist/Passes.h.inc"

} // namespace gpuopt

#endif // PASSES_ASSIST_PASSES_H
