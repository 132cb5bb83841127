//===- Assist.h - gpuopt assist ---------------------------------*- C++ -*-===//

#ifndef TOOLS_LIB_ASSIST_ASSIST_H
#define TOOLS_LIB_ASSIST_ASSIST_H

#include "conversion/EmitSource/EmitAssistant.h"
#include "tools/lib/compile/Compiler.h"

namespace gpuopt {

/// How the CPU is to assist a kernel.
struct AssistOptions {
  /// What the program does; its notes and first factors are found here.
  AssistantOptions program;
  /// Threads of a block, where the kernel leaves that open.
  std::optional<Dim3> block;
  int64_t dynamicSharedBytes = 0;
  /// Blocks that the GPU runs at a time; nothing for what its resources hold.
  std::optional<int64_t> concurrentBlocks;
  /// Of a line of the cache that CPU and GPU share.
  int64_t lineBytes = 64;
};

/// The program, in C, by which a CPU that shares a cache with the GPU fetches
/// what `kernel` accesses. The kernel is the tuned one, or as it is written
/// where `compilation` does not optimise. The error has been said where
/// something in the kernel stands in the way.
llvm::Expected<std::string> makeAssistant(const Compilation &compilation,
                                          const KernelInfo &kernel,
                                          const AssistOptions &options);

} // namespace gpuopt

#endif // TOOLS_LIB_ASSIST_ASSIST_H
