//===- Passes.h - from gpu.module to NVVM and ROCDL -------------*- C++ -*-===//

#ifndef CONVERSION_GPUTOLLVM_PASSES_H
#define CONVERSION_GPUTOLLVM_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Pass/Pass.h"

namespace gpuopt {

/// Marks atomics that were in the LLVM dialect before conversion, whose memory
/// ordering is the source's.
inline constexpr llvm::StringLiteral kSourceOrderAttrName =
    "gpuopt.source_order";

/// Holds the attributes of a kernel's parameters while it is converted.
inline constexpr llvm::StringLiteral kParameterAttrsAttrName =
    "gpuopt.parameter_attributes";

/// Holds `__launch_bounds__` of a kernel as an array of one or two i32: the
/// largest number of threads, the fewest blocks per multiprocessor.
inline constexpr llvm::StringLiteral kLaunchBoundsAttrName =
    "gpuopt.launch_bounds";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "conversion/GPUToLLVM/Passes.h.inc"

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_PASSES_H
