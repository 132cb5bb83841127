//===- Passes.h - from the LLVM dialect to gpu.func -------------*- C++ -*-===//
//
// Raising takes kernels from `llvm.func`, as Clang generates them, to
// `gpu.func` over `affine`, `scf`, `memref`, `arith`, `math` and `gpu`. What
// cannot be raised stays as it is, still compiles and still runs.
// docs/Architecture.md describes the raised form.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_PASSES_H
#define PASSES_RAISING_PASSES_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace gpuopt {

#define GEN_PASS_DECL
#include "passes/Raising/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Raising/Passes.h.inc"

/// Adds every raising pass in order to a pipeline over the builtin module.
/// Also right for MLIR input that is raised already: then it changes nothing.
void buildRaisePipeline(mlir::OpPassManager &pm);

/// Adds the passes of raising that find out about indices anew, for kernels in
/// which they have become simpler.
void buildRaiseIndicesPipeline(mlir::OpPassManager &kernelPM);

/// Adds the last of these: subscripts of ids, loops and parameters become
/// affine.
void buildRaiseAccessesPipeline(mlir::OpPassManager &kernelPM);

/// Adds all of them, and the ids before: for kernels whose ids other passes
/// have put together anew, or the block of which is known by now.
void buildRaiseAgainPipeline(mlir::OpPassManager &kernelPM);

/// Makes raised kernels from `linalg` operations on memrefs and from
/// `scf.parallel`, through upstream's lowering to `gpu.launch`.
void buildImportMLIRPipeline(mlir::OpPassManager &pm);

/// Registers the passes and the pipelines `gpuopt-raise`, `gpuopt-import-mlir`.
void registerRaisingPipelines();

} // namespace gpuopt

#endif // PASSES_RAISING_PASSES_H
