//===- PointerParameters.cpp - which parameters are pointers? -------------===//

#include "conversion/PTX/RecoverPointers.h"

#include "llvm/ADT/PostOrderIterator.h"
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

/// The operands that become part of an address where `instruction` does.
static iterator_range<User::op_iterator> termsIn(Instruction &instruction) {
  unsigned opcode = instruction.getOpcode();
  auto begin = instruction.op_begin(), end = instruction.op_end();
  if (opcode == Instruction::Add || opcode == Instruction::PHI)
    return {begin, end};
  if (opcode == Instruction::Sub || opcode == Instruction::Freeze ||
      isMark(&instruction))
    return {begin, begin + 1};
  if (opcode == Instruction::Select)
    return {begin + 1, end};
  return {begin, begin};
}

namespace {
/// The parameters of 64 bits that each integer is a sum of.
class SumTerms {
public:
  using Terms = SmallSetVector<Argument *, 2>;

  explicit SumTerms(llvm::Function &kernel);

  Terms of(Value *value) const { return terms.lookup(value); }

private:
  DenseMap<Value *, Terms> terms;
};
} // namespace

SumTerms::SumTerms(llvm::Function &kernel) {
  for (Argument &argument : kernel.args())
    if (argument.getType()->isIntegerTy(64))
      terms[&argument].insert(&argument);
  ReversePostOrderTraversal<llvm::Function *> order(&kernel);
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block) {
        Terms found = of(&instruction);
        size_t known = found.size();
        for (Value *term : termsIn(instruction))
          found.insert_range(of(term));
        if (found.size() == known)
          continue;
        terms[&instruction] = std::move(found);
        changed = true;
      }
  }
}

namespace {
class ParameterKinds {
public:
  ParameterKinds(llvm::Function &kernel, const PointerFacts &facts)
      : kernel(kernel), facts(facts), terms(kernel) {}

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
  SumTerms terms;
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
    SumTerms::Terms known = terms.of(instruction.getOperand(0));
    if (known.size() == 1 && mayBePointer(*known.front()))
      pointers.insert(known.front());
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
    SumTerms::Terms found = terms.of(pointer->getOperand(0));
    found.remove_if([&](Argument *term) { return !mayBePointer(*term); });
    if (found.empty() ||
        any_of(found, [&](Argument *term) { return isPointer(*term); }))
      continue;
    if (found.size() > 1)
      return ("it cannot be told whether '" + found[0]->getName() + "' or '" +
              found[1]->getName() +
              "' is a pointer: --signature says what parameters are")
          .str();
    pointers.insert(found.front());
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
