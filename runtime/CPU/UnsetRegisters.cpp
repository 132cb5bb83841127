//===- UnsetRegisters.cpp - registers of PTX that nothing has set ---------===//
//
// They hold a pattern that is in no array and is no number, so that results
// tell. Where reads of what nobody has written are looked for, each bit that
// comes from one is followed (UnsetBits.h).
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/UnsetRegisters.h"

#include "runtime/CPU/UnsetBits.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// The pattern is a NaN as a number of any width, and too large for a subscript
/// as an integer.
static void takePattern(KernelBuilder &kernel, ArrayRef<CallInst *> calls) {
  IRBuilder<> entry(kernel.bodyBegin);
  FunctionCallee hook = kernel.hostFunction("gpuopt.unset", entry.getInt64Ty(),
                                            {entry.getPtrTy()});
  auto *function = cast<Function>(hook.getCallee());
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  Value *word = entry.CreateCall(hook, kernel.thread);
  for (CallInst *call : calls) {
    unsigned bits = call->getType()->getPrimitiveSizeInBits();
    Value *value = word;
    bool isByteOfMemory =
        bits == 8 &&
        ptx::isOfMemory(*ptx::unsetRegister(*call->getCalledFunction()));
    if (isByteOfMemory) {
      // Of bytes that are all the same only these are no number.
      Value *low = entry.CreateTrunc(word, entry.getInt8Ty());
      Value *next =
          entry.CreateTrunc(entry.CreateLShr(word, 8), low->getType());
      value = entry.CreateSelect(entry.CreateICmpEQ(low, next), low,
                                 entry.getInt8(0xff));
    } else if (bits > 64) {
      Type *wide = entry.getIntNTy(bits);
      value = entry.CreateZExt(word, wide);
      value = entry.CreateOr(value, entry.CreateShl(value, 64));
      value = entry.CreateBitCast(value, call->getType());
    } else {
      value = KernelBuilder::fromWord(entry, word, call->getType());
    }
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

void gpuopt::runtime::lowerUnsetRegisters(KernelBuilder &kernel) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(*kernel.function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() &&
        ptx::unsetRegister(*call->getCalledFunction()))
      calls.push_back(call);
  // What lanes get from others may be open, too.
  if (calls.empty() && !kernel.isFromPTX)
    return;
  if (kernel.options.checkUninitialised)
    UnsetBits(kernel, calls).reportUses();
  if (calls.empty())
    return;
  takePattern(kernel, calls);
}
