//===- PointerParameters.cpp - which parameters are pointers? -------------===//

#include "conversion/ImportPTX/RecoverPointers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

static constexpr StringLiteral markName = "gpuopt.ptx.address";

Value *ptx::markAddress(Builder &ir, Value *address) {
  llvm::Type *type = address->getType();
  FunctionCallee mark = ir.GetInsertBlock()->getModule()->getOrInsertFunction(
      markName, type, type);
  auto *function = cast<llvm::Function>(mark.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return ir.CreateCall(mark, address);
}

static bool isMark(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == markName;
}

void ptx::dropAddressMarks(llvm::Module &module) {
  llvm::Function *mark = module.getFunction(markName);
  if (!mark)
    return;
  for (User *user : make_early_inc_range(mark->users())) {
    auto *call = cast<CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  mark->eraseFromParent();
}

/// The parameters of 64 bits that `address` is a sum of.
static SetVector<Argument *> termsOf(Value *address) {
  SetVector<Argument *> parameters;
  SetVector<Value *> values;
  values.insert(address);
  for (size_t i = 0; i < values.size(); ++i) {
    Value *value = values[i];
    if (auto *argument = dyn_cast<Argument>(value)) {
      if (argument->getType()->isIntegerTy(64))
        parameters.insert(argument);
      continue;
    }
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      continue;
    unsigned opcode = instruction->getOpcode();
    if (opcode == Instruction::Add || opcode == Instruction::PHI)
      values.insert(instruction->op_begin(), instruction->op_end());
    else if (opcode == Instruction::Sub || isMark(instruction))
      values.insert(instruction->getOperand(0));
    else if (opcode == Instruction::Select)
      values.insert(instruction->op_begin() + 1, instruction->op_end());
  }
  return parameters;
}

namespace {
class ParameterKinds {
public:
  ParameterKinds(llvm::Function &kernel, const PointerFacts &facts)
      : kernel(kernel), facts(facts) {}

  /// Empty where all can be told.
  std::string find();
  bool isPointer(const Argument &argument) const {
    return pointers.contains(&argument);
  }

private:
  bool mayBePointer(const Argument &argument) const {
    return facts[argument.getArgNo()].value_or(true);
  }
  void findMarked();

  llvm::Function &kernel;
  const PointerFacts &facts;
  SmallPtrSet<const Argument *, 8> pointers;
};
} // namespace

/// What becomes an address of global memory is one.
void ParameterKinds::findMarked() {
  for (Argument &argument : kernel.args())
    if (facts[argument.getArgNo()] == true &&
        argument.getType()->isIntegerTy(64))
      pointers.insert(&argument);
  for (Instruction &instruction : instructions(kernel)) {
    if (!isMark(&instruction))
      continue;
    SetVector<Argument *> terms = termsOf(instruction.getOperand(0));
    if (terms.size() == 1 && mayBePointer(*terms.front()))
      pointers.insert(terms.front());
  }
}

/// A sum has one address. Where none of its terms is known to be it, the only
/// one is.
std::string ParameterKinds::find() {
  findMarked();
  for (Instruction &instruction : instructions(kernel)) {
    auto *pointer = dyn_cast<IntToPtrInst>(&instruction);
    if (!pointer)
      continue;
    SetVector<Argument *> terms = termsOf(pointer->getOperand(0));
    terms.remove_if([&](Argument *term) { return !mayBePointer(*term); });
    if (terms.empty() ||
        any_of(terms, [&](Argument *term) { return isPointer(*term); }))
      continue;
    if (terms.size() > 1)
      return ("it cannot be told whether '" + terms[0]->getName() + "' or '" +
              terms[1]->getName() +
              "' is a pointer: --signature says what parameters are")
          .str();
    pointers.insert(terms.front());
  }
  return "";
}

llvm::Function *ptx::makePointerParameters(llvm::Function &kernel,
                                           const PointerFacts &facts,
                                           std::string &problem) {
  ParameterKinds kinds(kernel, facts);
  problem = kinds.find();
  if (!problem.empty() || none_of(kernel.args(), [&](Argument &argument) {
        return kinds.isPointer(argument);
      }))
    return &kernel;
  llvm::Type *pointer = PointerType::get(kernel.getContext(), 0);
  SmallVector<llvm::Type *> types;
  for (Argument &argument : kernel.args())
    types.push_back(kinds.isPointer(argument) ? pointer : argument.getType());
  llvm::Function *made = llvm::Function::Create(
      FunctionType::get(kernel.getReturnType(), types, false),
      kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), made);
  made->copyAttributesFrom(&kernel);
  made->copyMetadata(&kernel, 0);
  made->takeName(&kernel);
  made->splice(made->begin(), &kernel);
  BasicBlock &entry = made->getEntryBlock();
  for (auto [from, to] : zip(kernel.args(), made->args())) {
    to.takeName(&from);
    Value *value = &to;
    if (to.getType() != from.getType())
      value = new PtrToIntInst(&to, from.getType(), "",
                               entry.getFirstInsertionPt());
    from.replaceAllUsesWith(value);
  }
  kernel.eraseFromParent();
  return made;
}
