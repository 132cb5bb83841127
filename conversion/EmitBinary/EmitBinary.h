//===- EmitBinary.h - LLVM IR to PTX, cubin and HSACO -----------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_EMITBINARY_H
#define CONVERSION_EMITBINARY_EMITBINARY_H

#include "conversion/EmitBinary/InstructionMix.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace gpuopt {

struct EmitOptions {
  /// 0 to 3: LLVM's pipeline with the target's own scalar passes.
  unsigned optLevel = 3;
  /// Path of libdevice.10.bc; empty to look for one.
  std::string libdevicePath;
  /// NVIDIA's library may approximate square roots and quotients of `float`, as
  /// `nvcc -use_fast_math` lets it; else they are rounded correctly.
  bool fastMath = false;
};

/// Registers NVPTX and AMDGPU with LLVM; cheap when done already.
void initializeTargets();

/// Links the device library (libdevice or ROCm's) that `module` needs, or our
/// fallback for the common functions where none is found, and runs the
/// target's -O pipeline.
llvm::Error optimizeForTarget(llvm::Module &module, TargetAttr target,
                              const EmitOptions &options);

/// Assembly of an optimised module: PTX or AMDGCN.
llvm::Expected<std::string> emitAssembly(llvm::Module &module,
                                         TargetAttr target);

/// A loadable code object (HSACO): object emission and LLD, both in process.
llvm::Expected<std::string> emitHSACO(llvm::Module &module, TargetAttr target);

/// What the assembler or LLVM says that a kernel uses.
struct KernelResources {
  std::string symbol;
  unsigned registers = 0;
  unsigned spillBytes = 0;
  unsigned sharedBytes = 0;
  /// `ptxas`, `llvm` or `estimate`.
  std::string measuredBy;
  /// The main loop's instructions, where they can be read.
  std::optional<InstructionMix> instructionMix = std::nullopt;
};

struct Cubin {
  std::string bytes;
  std::vector<KernelResources> resources;
};

/// Path of `ptxas`: $GPUOPT_PTXAS, beside this program, PATH, the toolkit's
/// usual place, or the PyPI wheel of the CUDA compiler. Empty where not found.
std::string findPtxas();

/// Assembles `ptx` with `ptxas -v` for `target`.
llvm::Expected<Cubin> assemblePTX(llvm::StringRef ptx, TargetAttr target);

/// Resource use that LLVM itself records in an AMDGPU code object.
llvm::Expected<std::vector<KernelResources>>
readHSACOResources(llvm::StringRef hsaco);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_EMITBINARY_H
