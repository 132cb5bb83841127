//===- GPUOptDialect.cpp - the gpuopt dialect -----------------------------===//

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "dialects/GPUOpt/ContextCache.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "dialects/GPUOpt/GPUOptDialect.cpp.inc"

using namespace mlir;
using namespace gpuopt;

void GPUOptDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/GPUOpt/GPUOptOps.cpp.inc"
      >();
  addInterfaces<ContextCache>();
}
