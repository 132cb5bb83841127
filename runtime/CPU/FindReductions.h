//===- FindReductions.h - sums and products of loops ------------*- C++ -*-===//

#ifndef RUNTIME_CPU_FINDREDUCTIONS_H
#define RUNTIME_CPU_FINDREDUCTIONS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"

namespace gpuopt::runtime {

/// The floating-point additions and multiplications in loops that go on with
/// what an earlier iteration has computed: `sum += x`, `a[i] *= x`.
llvm::SmallPtrSet<const llvm::Instruction *, 8>
findReductions(llvm::Function &function);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_FINDREDUCTIONS_H
