//===- GPUOptDialect.h - the gpuopt dialect ---------------------*- C++ -*-===//

#ifndef DIALECTS_GPUOPT_GPUOPTDIALECT_H
#define DIALECTS_GPUOPT_GPUOPTDIALECT_H

#include "mlir/IR/Dialect.h"

#include "dialects/GPUOpt/GPUOptDialect.h.inc"

#endif // DIALECTS_GPUOPT_GPUOPTDIALECT_H
