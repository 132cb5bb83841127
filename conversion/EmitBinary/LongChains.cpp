//===- LongChains.cpp - integers that come from one another ---------------===//

#include "conversion/EmitBinary/LongChains.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

/// Chains up to this length stay: sums of unrolled loops and the subscripts
/// that they step through have some hundred links.
static constexpr unsigned kLongestChain = 512;
/// The length of the pieces of longer ones. What is asked of a piece takes time
/// with its square.
static constexpr unsigned kPiece = 64;

/// Links that a value counts for which a loop computes from its last one: what
/// it is after the loop before is part of each of its terms.
static constexpr unsigned kLinksOfLoop = 8;

/// Whether scalar evolution looks through `instruction` to its operands.
static bool isLink(const Instruction &instruction) {
  return instruction.getType()->isIntegerTy() &&
         (instruction.isBinaryOp() ||
          isa<PHINode, CastInst, SelectInst>(instruction));
}

/// The most links behind one another that end in an operand of `instruction`.
static unsigned lengthBefore(const Instruction &instruction,
                             const DenseMap<const Value *, unsigned> &lengths) {
  unsigned length = 0;
  for (const Value *operand : instruction.operand_values())
    length = std::max(length, lengths.lookup(operand));
  return length;
}

/// The values that end a piece; none where no chain is too long.
static SmallVector<Instruction *> findEnds(Function &function) {
  DenseMap<const Value *, unsigned> lengths;
  SmallVector<Instruction *> ends;
  unsigned longest = 0;
  // Operands first, but for values that come around a loop: what counts is how
  // many there are, not how often they are computed.
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : *block) {
      if (!isLink(instruction))
        continue;
      unsigned before = lengthBefore(instruction, lengths);
      unsigned length = before + (isa<PHINode>(instruction) ? kLinksOfLoop : 1);
      longest = std::max(longest, length);
      if (length / kPiece != before / kPiece)
        ends.push_back(&instruction);
      lengths[&instruction] = length;
    }
  if (longest <= kLongestChain)
    ends.clear();
  return ends;
}

bool gpuopt::cutLongChains(Function &function) {
  if (function.isDeclaration())
    return false;
  SmallVector<Instruction *> ends = findEnds(function);
  for (Instruction *end : ends) {
    BasicBlock::iterator behind = isa<PHINode>(end)
                                      ? end->getParent()->getFirstInsertionPt()
                                      : std::next(end->getIterator());
    IRBuilder<> builder(end->getParent(), behind);
    Value *cut = builder.CreateFreeze(end);
    end->replaceUsesWithIf(
        cut, [&](const Use &use) { return use.getUser() != cut; });
  }
  return !ends.empty();
}
