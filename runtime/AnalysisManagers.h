//===- AnalysisManagers.h - what LLVM's pass managers need ------*- C++ -*-===//

#ifndef RUNTIME_ANALYSISMANAGERS_H
#define RUNTIME_ANALYSISMANAGERS_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace gpuopt {

/// The analyses of one run of passes, in the order in which they may be
/// destroyed.
struct AnalysisManagers {
  /// Adds the analyses of `builder`, but for those that are there already.
  void registerWith(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace gpuopt

#endif // RUNTIME_ANALYSISMANAGERS_H
