//===- ReachedFunctions.h - what a kernel calls -----------------*- C++ -*-===//

#ifndef TOOLS_LIB_CHECK_REACHEDFUNCTIONS_H
#define TOOLS_LIB_CHECK_REACHEDFUNCTIONS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace gpuopt {

using ReachedFunctions = llvm::SmallSetVector<const llvm::Function *, 8>;

/// What `symbol` of `module` reaches, itself first.
inline ReachedFunctions reachedFrom(const llvm::Module &module,
                                    llvm::StringRef symbol) {
  ReachedFunctions functions;
  if (const llvm::Function *kernel = module.getFunction(symbol))
    functions.insert(kernel);
  for (size_t i = 0; i < functions.size(); ++i)
    for (const llvm::Instruction &instruction : instructions(functions[i]))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction())
          functions.insert(callee);
  return functions;
}

} // namespace gpuopt

#endif // TOOLS_LIB_CHECK_REACHEDFUNCTIONS_H
