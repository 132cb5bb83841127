//===- GPUOptDialect.cpp - the gpuopt dialect -----------------------------===//

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "dialects/GPUOpt/GPUOptDialect.cpp.inc"

void gpuopt::GPUOptDialect::initialize() { registerAttributes(); }
