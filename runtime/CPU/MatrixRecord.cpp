//===- MatrixRecord.cpp - a lane's part of a product ----------------------===//

#include "runtime/CPU/MatrixRecord.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt::runtime;

/// All lanes of a subgroup have to be there.
static constexpr uint64_t wholeSubgroup = 0xffffffff;

Value *MatrixRecord::allocate(KernelBuilder &kernel, unsigned words) {
  IRBuilder<> ir(&kernel.function->getEntryBlock().front());
  return ir.CreateAlloca(ArrayType::get(ir.getInt64Ty(), words));
}

Value *MatrixRecord::wordAt(IRBuilderBase &ir, Value *number) {
  return ir.CreateInBoundsGEP(ir.getInt64Ty(), memory, number);
}

static void trust(Instruction *access) {
  access->setMetadata(trustedMetadata, MDNode::get(access->getContext(), {}));
}

void MatrixRecord::store(IRBuilderBase &ir, Value *value, Value *number) {
  trust(ir.CreateStore(kernel.toWord(ir, value), wordAt(ir, number)));
}

void MatrixRecord::multiply(IRBuilderBase &ir, const Instruction &at) {
  kernel.createWait(ir, at, Wait::Multiply, ir.getInt64(wholeSubgroup),
                    ir.CreatePtrToInt(memory, ir.getInt64Ty()),
                    ir.getInt64(unit.encode()));
}

Value *MatrixRecord::loadSum(IRBuilderBase &ir, unsigned number, Type *type) {
  LoadInst *word = ir.CreateLoad(
      ir.getInt64Ty(), wordAt(ir, ir.getInt64(firstSumWord() + number)));
  trust(word);
  return kernel.fromWord(ir, word, type);
}
