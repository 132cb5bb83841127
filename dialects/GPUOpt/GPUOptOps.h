//===- GPUOptOps.h - operations of the gpuopt dialect -----------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_GPUOPTOPS_H
#define DIALECTS_GPUOPT_GPUOPTOPS_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/GPUOpt/GPUOptOps.h.inc"

#endif // DIALECTS_GPUOPT_GPUOPTOPS_H
