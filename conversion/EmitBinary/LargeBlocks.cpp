//===- LargeBlocks.cpp - passes that large blocks are too much for --------===//

#include "conversion/EmitBinary/LargeBlocks.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

/// Instructions of a block. Register tiles of the optimiser's own have up to
/// two thousand.
static constexpr size_t kMostInstructions = 4096;

bool gpuopt::comparesAllInstructions(StringRef pass) {
  return StringSwitch<bool>(pass)
      .Case("SLPVectorizerPass", true)
      .Cases({"slsr", "nary-reassociate", "load-store-vectorizer"}, true)
      .Default(false);
}

bool gpuopt::comparesAcrossBlocks(StringRef pass) { return pass == "slsr"; }

bool gpuopt::hasLargeBlock(const Function &function) {
  return any_of(function, [](const BasicBlock &block) {
    return block.size() > kMostInstructions;
  });
}

unsigned gpuopt::countSums(const Function &function) {
  return count_if(instructions(function), [](const Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return true;
    default:
      return false;
    }
  });
}
