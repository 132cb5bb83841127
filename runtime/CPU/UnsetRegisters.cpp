//===- UnsetRegisters.cpp - registers of PTX that nothing has set ---------===//
//
// They hold a pattern that is in no array and is no number, so that results
// tell. Where reads of what nobody has written are looked for, each bit that
// comes from one is followed, as Clang's memory sanitizer does: it is a fault
// where an address or a branch depends on such a bit, or where one is stored to
// memory that others see. What is only moved about, or masked away, is none.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/UnsetRegisters.h"

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {
/// For each value that may hold unset bits another one that tells which: as
/// many bits, or one for all of a vector or a structure.
class UnsetBits {
public:
  UnsetBits(KernelBuilder &kernel, ArrayRef<CallInst *> sources)
      : kernel(kernel), sources(sources) {}

  void reportUses();

private:
  bool hasUnset(const Value *value) const { return names.contains(value); }
  void findReached();
  Type *shadowType(Type *type) const;
  Value *shadowOf(Value *value);
  /// The shadow of `value` as one of another type, all bits of which are unset
  /// where one of its own is.
  Value *anyOf(IRBuilderBase &ir, Value *value, Type *type);
  Value *compute(IRBuilderBase &ir, Instruction &instruction);
  Value *ofBitwise(IRBuilderBase &ir, BinaryOperator &operation);
  Value *ofChoice(IRBuilderBase &ir, SelectInst &choice);
  Value *ofAll(IRBuilderBase &ir, Instruction &instruction);
  void addShadows();
  void report(Instruction &at, ArrayRef<Value *> used);

  KernelBuilder &kernel;
  ArrayRef<CallInst *> sources;
  /// What may hold unset bits, and of which registers.
  DenseMap<const Value *, SmallSetVector<StringRef, 2>> names;
  DenseMap<const Value *, Value *> shadows;
};
} // namespace

/// Whether the result is made of the operands alone.
static bool isComputed(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return call->doesNotAccessMemory() && !call->getType()->isVoidTy();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             PHINode, FreezeInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst,
             GetElementPtrInst>(instruction);
}

void UnsetBits::findReached() {
  SmallVector<Instruction *> pending;
  for (CallInst *source : sources) {
    names[source].insert(*ptx::unsetRegister(*source->getCalledFunction()));
    pending.push_back(source);
  }
  while (!pending.empty()) {
    Instruction *from = pending.pop_back_val();
    for (User *user : from->users()) {
      auto *instruction = cast<Instruction>(user);
      if (!isComputed(*instruction))
        continue;
      auto found = names[from];
      auto &known = names[instruction];
      size_t before = known.size();
      known.insert_range(found);
      if (known.size() != before)
        pending.push_back(instruction);
    }
  }
}

Type *UnsetBits::shadowType(Type *type) const {
  if (type->isPointerTy())
    return Type::getInt64Ty(kernel.context);
  bool isScalar = type->isIntegerTy() || type->isFloatingPointTy();
  return Type::getIntNTy(kernel.context,
                         isScalar ? type->getPrimitiveSizeInBits() : 1);
}

Value *UnsetBits::shadowOf(Value *value) {
  if (Value *known = shadows.lookup(value))
    return known;
  return Constant::getNullValue(shadowType(value->getType()));
}

Value *UnsetBits::anyOf(IRBuilderBase &ir, Value *value, Type *type) {
  return ir.CreateSExt(ir.CreateIsNotNull(shadowOf(value)), type);
}

/// A bit that is zero in one operand of an `and`, or one in one of an `or`, is
/// known whatever the other has.
Value *UnsetBits::ofBitwise(IRBuilderBase &ir, BinaryOperator &operation) {
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  Value *ofLeft = shadowOf(left), *ofRight = shadowOf(right);
  if (operation.getOpcode() == Instruction::Or) {
    left = ir.CreateNot(left);
    right = ir.CreateNot(right);
  }
  if (operation.getOpcode() == Instruction::Xor)
    return ir.CreateOr(ofLeft, ofRight);
  return ir.CreateOr(
      ir.CreateAnd(ofLeft, ofRight),
      ir.CreateOr(ir.CreateAnd(ofLeft, right), ir.CreateAnd(left, ofRight)));
}

Value *UnsetBits::ofChoice(IRBuilderBase &ir, SelectInst &choice) {
  Value *taken =
      ir.CreateSelect(choice.getCondition(), shadowOf(choice.getTrueValue()),
                      shadowOf(choice.getFalseValue()));
  return hasUnset(choice.getCondition())
             ? ir.CreateOr(taken,
                           anyOf(ir, choice.getCondition(), taken->getType()))
             : taken;
}

Value *UnsetBits::ofAll(IRBuilderBase &ir, Instruction &instruction) {
  Type *type = shadowType(instruction.getType());
  Value *all = Constant::getNullValue(type);
  for (Value *operand : instruction.operands())
    if (hasUnset(operand))
      all = ir.CreateOr(all, anyOf(ir, operand, type));
  return all;
}

Value *UnsetBits::compute(IRBuilderBase &ir, Instruction &instruction) {
  Type *type = shadowType(instruction.getType());
  Value *first =
      instruction.getNumOperands() ? instruction.getOperand(0) : nullptr;
  bool isScalar = instruction.getType()->isIntegerTy();
  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (isScalar)
      return ofBitwise(ir, cast<BinaryOperator>(instruction));
    break;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    if (isScalar && isa<ConstantInt>(instruction.getOperand(1)))
      return ir.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()),
                            shadowOf(first), instruction.getOperand(1));
    break;
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    if (isScalar)
      return ir.CreateCast(Instruction::CastOps(instruction.getOpcode()),
                           shadowOf(first), type);
    break;
  case Instruction::BitCast:
  case Instruction::Freeze:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
    if (shadowOf(first)->getType() == type)
      return shadowOf(first);
    break;
  case Instruction::Select:
    if (!instruction.getOperand(0)->getType()->isVectorTy())
      return ofChoice(ir, cast<SelectInst>(instruction));
    break;
  default:
    break;
  }
  return ofAll(ir, instruction);
}

void UnsetBits::addShadows() {
  for (CallInst *source : sources)
    shadows[source] = Constant::getAllOnesValue(shadowType(source->getType()));
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> others;
  ReversePostOrderTraversal<Function *> order(kernel.function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      if (!hasUnset(&instruction) || shadows.contains(&instruction))
        continue;
      if (auto *phi = dyn_cast<PHINode>(&instruction))
        phis.push_back(phi);
      else
        others.push_back(&instruction);
    }
  for (PHINode *phi : phis)
    shadows[phi] =
        PHINode::Create(shadowType(phi->getType()), phi->getNumIncomingValues(),
                        "", phi->getIterator());
  for (Instruction *instruction : others) {
    IRBuilder<> ir(instruction);
    shadows[instruction] = compute(ir, *instruction);
  }
  for (PHINode *phi : phis)
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
      cast<PHINode>(shadows[phi])->addIncoming(shadowOf(value), block);
}

/// `%r1`, `%r1 or %r2`: what may be unset of `used`.
static std::string listNames(const SmallSetVector<StringRef, 4> &registers) {
  static constexpr size_t most = 4;
  std::string list = registers.size() > 1 ? "registers " : "register ";
  ArrayRef<StringRef> shown = registers.getArrayRef().take_front(most);
  list += "'" + join(shown, "' or '") + "'";
  return registers.size() > most ? list + " or others" : list;
}

void UnsetBits::report(Instruction &at, ArrayRef<Value *> used) {
  IRBuilder<> ir(&at);
  Value *isBad = ir.getFalse();
  SmallSetVector<StringRef, 4> registers;
  for (Value *value : used) {
    if (!hasUnset(value))
      continue;
    isBad = ir.CreateOr(isBad, anyOf(ir, value, ir.getInt1Ty()));
    registers.insert_range(names[value]);
  }
  if (registers.empty())
    return;
  unsigned site = kernel.addSite(Site::Kind::Trap, at);
  kernel.facts.sites[site].text =
      "uses " + listNames(registers) + ", which nothing has set";
  IRBuilder<> slow(SplitBlockAndInsertIfThen(isBad, at.getIterator(),
                                             /*Unreachable=*/false));
  FunctionCallee hook =
      kernel.hostFunction("gpuopt.unset.use", slow.getVoidTy(),
                          {slow.getPtrTy(), slow.getInt32Ty()});
  slow.CreateCall(hook, {kernel.thread, slow.getInt32(site)});
}

/// Whether others see what is stored there.
static bool isShared(const Value *address) {
  return !isa<AllocaInst>(getUnderlyingObject(address));
}

void UnsetBits::reportUses() {
  findReached();
  addShadows();
  SmallVector<Instruction *> body(
      make_pointer_range(instructions(*kernel.function)));
  for (Instruction *at : body) {
    if (auto *load = dyn_cast<LoadInst>(at))
      report(*at, load->getPointerOperand());
    else if (auto *store = dyn_cast<StoreInst>(at))
      report(*at, isShared(store->getPointerOperand())
                      ? ArrayRef<Value *>{store->getPointerOperand(),
                                          store->getValueOperand()}
                      : ArrayRef<Value *>(store->getPointerOperand()));
    else if (isa<AtomicRMWInst, AtomicCmpXchgInst, MemIntrinsic, SwitchInst>(
                 at))
      report(*at, SmallVector<Value *>(at->operand_values()));
    else if (auto *branch = dyn_cast<BranchInst>(at);
             branch && branch->isConditional())
      report(*at, branch->getCondition());
  }
}

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
    if (bits > 64) {
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
  if (calls.empty())
    return;
  if (kernel.options.checkUninitialised)
    UnsetBits(kernel, calls).reportUses();
  takePattern(kernel, calls);
}
