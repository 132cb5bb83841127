//===- GPUToLLVM.h - from gpu.module to target LLVM IR ----------*- C++ -*-===//
//
// Lowers a module with `gpu.module`s to LLVM IR for a target: NVVM or AMDGPU
// flavoured, exactly what the back end and the CPU executor get. A module may
// hold raised kernels (`gpu.func`), un-raised ones (`llvm.func`) and both.
//
// Kernel ABI: every kernel keeps the parameters of its source. A rank-1
// `memref<?xT>` with identity layout in the default space becomes a bare
// pointer; scalars stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_GPUTOLLVM_GPUTOLLVM_H
#define CONVERSION_GPUTOLLVM_GPUTOLLVM_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace gpuopt {

/// Adds the passes that take `gpu.module`s to the NVVM or ROCDL dialect.
void buildLowerToTargetPipeline(mlir::OpPassManager &pm, TargetAttr target);

/// Lowers a clone of `module` and translates it to LLVM IR in `llvmContext`,
/// with the target's triple and data layout, kernel calling conventions, the
/// required block size from `gpuopt.geometry`, and debug locations. Emits an
/// error on `module`'s context and returns null where it cannot.
std::unique_ptr<llvm::Module> lowerToLLVMIR(mlir::ModuleOp module,
                                            TargetAttr target,
                                            llvm::LLVMContext &llvmContext);

/// Expands `__gpuopt_global_sync` in lowered kernels to a barrier in global
/// memory, which takes cooperative launches: all blocks resident at once, and
/// no other launch of the same kernel at the same time. The CPU executor takes
/// the call as it is.
void expandGridBarriers(llvm::Module &module, TargetAttr target);

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_GPUTOLLVM_H
