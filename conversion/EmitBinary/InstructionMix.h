//===- InstructionMix.h - what a kernel's main loop consists of -*- C++ -*-===//
//
// Of the instructions that a thread issues in the loop where it spends its
// time, how many are multiply-adds? A matrix product whose main loop has fewer
// than 85 % of them leaves arithmetic units idle, however good its memory
// accesses are. Counted in the disassembly of the binary, or in the assembly
// that it is made of.
//
// The main loop is the loop with the most multiply-adds of its own (outside the
// loops in it), of those with equally many the one with the most instructions.
// A kernel without a loop counts as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_INSTRUCTIONMIX_H
#define CONVERSION_EMITBINARY_INSTRUCTIONMIX_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace gpuopt {

/// Instructions of one kernel's main loop.
struct InstructionMix {
  /// `sass`, `ptx` or `amdgcn`.
  std::string measuredBy;
  /// False where the kernel has no loop: all its instructions are counted.
  bool isLoop = false;
  unsigned instructions = 0;
  /// Multiply-adds of floating point numbers, of any type.
  unsigned multiplyAdds = 0;
  /// Of these, the instructions that multiply matrices.
  unsigned matrixProducts = 0;
  /// How often each opcode occurs; modifiers are kept for memory accesses only:
  /// {"FFMA", 512}, {"LDS.128", 32}.
  std::map<std::string, unsigned> opcodes;

  double multiplyAddShare() const {
    return instructions ? static_cast<double>(multiplyAdds) / instructions : 0;
  }
};

/// Languages that the mix can be read from: what `nvdisasm -c` prints, PTX, and
/// LLVM's assembly for AMD.
enum class AssemblySyntax { SASS, PTX, AMDGCN };

/// The mix of each kernel in `assembly`, by symbol.
llvm::StringMap<InstructionMix>
computeInstructionMixes(llvm::StringRef assembly, AssemblySyntax syntax);

/// Path of `nvdisasm`: $GPUOPT_NVDISASM, else as `findPtxas`. Empty where not
/// found.
std::string findDisassembler();

/// What `nvdisasm -c` prints for `cubin`.
llvm::Expected<std::string> disassembleCubin(llvm::StringRef cubin);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_INSTRUCTIONMIX_H
