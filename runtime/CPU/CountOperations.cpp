//===- CountOperations.cpp - what a kernel computes and decides -----------===//
//
// For profiles. Each basic block adds the floating-point operations in it to
// the counts of its thread block; each conditional branch tells the host which
// way it goes. Runs before any check adds branches of its own.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/MatrixProducts.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Operations of 16, 32 and 64 bits.
using Counts = std::array<uint64_t, 3>;

/// What one element of the result takes.
static unsigned operationsPerElement(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return 1;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  auto &call = cast<CallInst>(instruction);
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2;
  case Intrinsic::not_intrinsic: {
    const Function *callee = call.getCalledFunction();
    return callee && callee->isDeclaration() &&
           !callee->getName().starts_with("gpuopt.");
  }
  case Intrinsic::sqrt:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
    return 1;
  default:
    return 0;
  }
}

/// What matrix units do of floating point, by the type of the factors.
static void addMatrixProducts(const Instruction &instruction, Counts &counts) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->getName() != "gpuopt.wait")
    return;
  constexpr unsigned kindOperand = 1, unitOperand = 5;
  auto *kind = dyn_cast<ConstantInt>(call->getArgOperand(kindOperand));
  auto *code = dyn_cast<ConstantInt>(call->getArgOperand(unitOperand));
  if (!kind || !code || Wait(kind->getZExtValue()) != Wait::Multiply)
    return;
  MatrixUnit unit = MatrixUnit::decode(code->getZExtValue());
  if (unit.isFloat())
    counts[unit.isDouble() ? 2 : 0] += unit.operationsPerLane();
}

static void addOperations(const Instruction &instruction, Counts &counts) {
  addMatrixProducts(instruction, counts);
  Type *type = instruction.getType();
  if (!type->isFPOrFPVectorTy())
    return;
  uint64_t elements = 1;
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    elements = vector->getNumElements();
  unsigned bits = type->getScalarSizeInBits();
  size_t width = bits <= 16 ? 0 : bits <= 32 ? 1 : 2;
  counts[width] += elements * operationsPerElement(instruction);
}

static void countInBlock(KernelBuilder &kernel, BasicBlock &block) {
  Counts counts = {};
  for (const Instruction &instruction : block)
    addOperations(instruction, counts);
  IRBuilder<> ir(block.getTerminator());
  for (auto [width, count] : enumerate(counts)) {
    if (!count)
      continue;
    size_t offset =
        offsetof(BlockContext, operations) + width * sizeof(uint64_t);
    LoadInst *before = cast<LoadInst>(kernel.loadField(
        ir, kernel.block, offset, ir.getInt64Ty(), /*invariant=*/false));
    StoreInst *after = ir.CreateStore(ir.CreateAdd(before, ir.getInt64(count)),
                                      before->getPointerOperand());
    after->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
  }
}

static void noteBranch(KernelBuilder &kernel, BranchInst &branch) {
  IRBuilder<> ir(&branch);
  unsigned site = kernel.addSite(Site::Kind::Branch, branch);
  FunctionCallee hook =
      kernel.hostFunction("gpuopt.branch", ir.getVoidTy(),
                          {ir.getPtrTy(), ir.getInt32Ty(), ir.getInt32Ty()});
  ir.CreateCall(hook, {kernel.thread,
                       ir.CreateZExt(branch.getCondition(), ir.getInt32Ty()),
                       ir.getInt32(site)});
}

void gpuopt::runtime::countOperations(KernelBuilder &kernel) {
  for (BasicBlock &block : *kernel.function) {
    countInBlock(kernel, block);
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional() &&
        branch->getSuccessor(0) != branch->getSuccessor(1))
      noteBranch(kernel, *branch);
  }
}
