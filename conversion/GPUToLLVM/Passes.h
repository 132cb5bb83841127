//===- Passes.h - from gpu.module to NVVM and ROCDL -------------*- C++ -*-===//

#ifndef CONVERSION_GPUTOLLVM_PASSES_H
#define CONVERSION_GPUTOLLVM_PASSES_H

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Pass/Pass.h"

namespace gpuopt {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "conversion/GPUToLLVM/Passes.h.inc"

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_PASSES_H
