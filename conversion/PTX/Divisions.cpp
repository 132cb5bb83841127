//===- Divisions.cpp - divisions by what may be zero ----------------------===//

#include "conversion/PTX/Divisions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuopt;

static constexpr StringLiteral prefix = "__gpuopt_divide.";

Value *ptx::createDivision(IRBuilderBase &ir, Instruction::BinaryOps opcode,
                           Value *left, Value *right) {
  Type *type = left->getType();
  std::string name;
  raw_string_ostream(name) << prefix << Instruction::getOpcodeName(opcode)
                           << '.' << *type;
  FunctionCallee callee = ir.GetInsertBlock()->getModule()->getOrInsertFunction(
      name, type, type, type);
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addRetAttr(Attribute::NoUndef);
  return ir.CreateCall(callee, {left, right});
}

static std::optional<Instruction::BinaryOps> opcodeOf(const Function &callee) {
  StringRef name = callee.getName();
  if (!name.consume_front(prefix))
    return std::nullopt;
  for (auto opcode : {Instruction::SDiv, Instruction::UDiv, Instruction::SRem,
                      Instruction::URem})
    if (name.split('.').first == Instruction::getOpcodeName(opcode))
      return opcode;
  return std::nullopt;
}

static bool isByZero(const CallInst &call) {
  auto *divisor = dyn_cast<Constant>(call.getArgOperand(1));
  return !divisor || !isa<ConstantInt>(divisor) || divisor->isZeroValue();
}

/// The smallest number by -1 is itself, as in a product; LLVM's division has no
/// result then.
static Value *divide(IRBuilderBase &ir, Instruction::BinaryOps opcode,
                     Value *left, Value *right) {
  if (opcode == Instruction::UDiv || opcode == Instruction::URem)
    return ir.CreateBinOp(opcode, left, right);
  Type *type = left->getType();
  Value *isMinusOne = ir.CreateICmpEQ(right, Constant::getAllOnesValue(type));
  Value *divisor =
      ir.CreateSelect(isMinusOne, ConstantInt::get(type, 1), right);
  Value *result = ir.CreateBinOp(opcode, left, divisor);
  return opcode == Instruction::SRem
             ? result
             : ir.CreateSelect(isMinusOne, ir.CreateNeg(left), result);
}

void ptx::resolveDivisions(Module &module, bool areAllMeant) {
  for (Function &function : make_early_inc_range(module)) {
    std::optional<Instruction::BinaryOps> opcode = opcodeOf(function);
    if (!opcode)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      if (!areAllMeant && isByZero(*call))
        continue;
      IRBuilder<> ir(call);
      call->replaceAllUsesWith(
          divide(ir, *opcode, call->getArgOperand(0), call->getArgOperand(1)));
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}
