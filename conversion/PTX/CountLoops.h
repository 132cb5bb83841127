//===- CountLoops.h - loops over numbers and addresses, counted -*- C++ -*-===//
//
// nvcc's loops step addresses, and count the iterations down that are left:
//
//   do {                                 i = 0;
//     a' = a + 16;   left -= 4;          do {
//   } while (left != 0);                   a = start + 16 * i;
//                                        } while (++i < n / 4);
//
// Raising knows loops that count up, and subscripts that depend on that.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_PTX_COUNTLOOPS_H
#define CONVERSION_PTX_COUNTLOOPS_H

#include "llvm/IR/PassManager.h"

namespace gpuopt::ptx {

/// Gives loops whose number of iterations is known a variable that counts them
/// from zero, of which the other variables that step are a multiple. Loops have
/// to be simplified.
struct CountLoops : llvm::PassInfoMixin<CountLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_COUNTLOOPS_H
