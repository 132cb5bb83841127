//===- Passes.h - transforms of raised kernels ------------------*- C++ -*-===//
//
// One pass, one file. Each works alone on textual IR from gpuopt-opt, checks
// legality first, changes nothing where it does not apply and says why in a
// remark, and keeps `gpuopt.geometry` true.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_TRANSFORMS_PASSES_H
#define PASSES_TRANSFORMS_PASSES_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace gpuopt {

#define GEN_PASS_DECL
#include "passes/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Transforms/Passes.h.inc"

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_PASSES_H
