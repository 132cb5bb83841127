//===- Passes.h - passes that write down what analyses find -----*- C++ -*-===//

#ifndef PASSES_ANALYSIS_PASSES_H
#define PASSES_ANALYSIS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace gpuopt {

#define GEN_PASS_DECL
#include "passes/Analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Analysis/Passes.h.inc"

} // namespace gpuopt

#endif // PASSES_ANALYSIS_PASSES_H
