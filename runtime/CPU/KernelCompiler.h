//===- KernelCompiler.h - GPU kernels to host machine code ------*- C++ -*-===//
//
// Owns the JIT, the storage of a module's variables, and the kernels compiled
// so far. A kernel is compiled when it is first asked for.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_KERNELCOMPILER_H
#define RUNTIME_CPU_KERNELCOMPILER_H

#include "runtime/CPU/LaunchRun.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuopt::runtime {

struct KernelBuilder;

class KernelCompiler {
public:
  static llvm::Expected<std::unique_ptr<KernelCompiler>>
  create(std::unique_ptr<llvm::Module> module,
         std::unique_ptr<llvm::LLVMContext> context,
         const CPUExecutorOptions &options);
  /// A copy of `module` in `context`.
  static llvm::Expected<std::unique_ptr<llvm::Module>>
  copyInto(llvm::LLVMContext &context, const llvm::Module &module);

  /// The kernel, compiled.
  llvm::Expected<const CompiledKernel *> find(llvm::StringRef symbol);

  /// Variables in global and constant memory.
  llvm::ArrayRef<MemoryRange> globals() const { return variables; }
  /// Whether one of them begins with the address of a variable.
  bool holdsAddress(llvm::StringRef variable) const {
    return addressHolders.contains(variable);
  }

  CPUExecutorOptions options;

private:
  KernelCompiler(std::unique_ptr<llvm::Module> module,
                 std::unique_ptr<llvm::LLVMContext> own,
                 const CPUExecutorOptions &options)
      : options(options), context(std::move(own)),
        kernelModule(std::move(module)) {}

  llvm::Error createJIT();
  llvm::Error defineGlobals();
  /// Takes the storage of a variable from another executor, if it has it.
  llvm::Error shareStorage(llvm::GlobalVariable &variable, llvm::StringRef name,
                           uint64_t bytes);
  llvm::Expected<std::unique_ptr<CompiledKernel>>
  compile(llvm::StringRef symbol);
  /// The function of one thread of `symbol`, named `entry`, and its `facts`.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  build(llvm::StringRef symbol, llvm::StringRef entry, KernelFacts &facts);
  void simplify(KernelBuilder &kernel);
  void optimise(llvm::Module &module);

  /// That of all modules here; only the JIT shares it.
  llvm::orc::ThreadSafeContext context;
  /// The module, with its variables renamed by `defineGlobals`.
  std::unique_ptr<llvm::Module> kernelModule;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<MemoryRange> variables;
  llvm::StringSet<> addressHolders;
  llvm::StringMap<std::unique_ptr<CompiledKernel>> kernels;
  /// Attempts at compiling; makes names of functions unique.
  unsigned compiledKernels = 0;
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_KERNELCOMPILER_H
