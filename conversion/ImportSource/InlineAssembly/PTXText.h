//===- PTXText.h - statements of inline PTX ---------------------*- C++ -*-===//
//
// Reads the text of an `asm` statement for NVIDIA's targets: a straight line of
// instructions, with registers of its own. See the PTX ISA, chapters 4 and 9.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_PTXTEXT_H
#define CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_PTXTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace gpuopt {

/// `r0`, `$1` (an operand of the statement), `-5`, `0x1f`, `0f3F800000`,
/// `%laneid`, `{a, b}`, `[p+4]` or `r0|p`, by its first character. Texts have
/// no spaces.
struct PTXOperand {
  llvm::StringRef text;

  bool isVector() const { return text.starts_with("{"); }
  bool isAddress() const { return text.starts_with("["); }
  bool isSpecialRegister() const { return text.starts_with("%"); }
  /// What stands between the brackets, or the two parts of `r0|p`.
  llvm::SmallVector<PTXOperand, 4> parts() const;
};

/// `@!p add.s32 r0, r1, 5;`
struct PTXInstruction {
  /// The predicate that it needs; empty where there is none.
  llvm::StringRef guard;
  bool isGuardNegated = false;
  /// `add` and `s32`.
  llvm::SmallVector<llvm::StringRef, 4> opcode;
  llvm::SmallVector<PTXOperand, 4> operands;
};

struct PTXBlock {
  /// The texts without spaces and comments, which everything refers to.
  std::vector<std::string> storage;
  /// Names of registers that are declared, with their types, such as `pred`.
  llvm::StringMap<llvm::StringRef> registers;
  std::vector<PTXInstruction> instructions;
};

/// Nothing for what is no straight line: labels, branches, directives besides
/// `.reg`, and blocks in blocks, in which names may mean something else.
std::optional<PTXBlock> parsePTX(llvm::StringRef text);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_INLINEASSEMBLY_PTXTEXT_H
