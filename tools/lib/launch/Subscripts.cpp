//===- Subscripts.cpp - arrays whose elements are subscripts --------------===//

#include "tools/lib/launch/Subscripts.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace gpuopt;

namespace {

/// A value that an element of an array has been made into.
struct Derived {
  Value *value;
  /// By what the element has been multiplied.
  uint64_t factor = 1;
  std::vector<unsigned> parameters;
  bool startsLoop = false;
};

/// Follows the elements that one load takes from an array.
class SubscriptFinder {
public:
  SubscriptFinder(const DataLayout &dataLayout, std::vector<SubscriptUse> &uses)
      : layout(dataLayout), found(uses) {}

  void follow(LoadInst &load, unsigned array);

private:
  void visit(const Derived &from, Use &use, unsigned array);
  void visitAddress(const Derived &from, Use &use, unsigned array);
  void visitProduct(Derived from, BinaryOperator &product, Use &use);
  void push(Derived derived) {
    if (visited.insert(derived.value).second)
      pending.push_back(std::move(derived));
  }

  const DataLayout &layout;
  std::vector<SubscriptUse> &found;
  SmallVector<Derived> pending;
  SmallPtrSet<Value *, 16> visited;
};

} // namespace

/// The parameter whose array an address lies in.
static std::optional<unsigned> arrayOf(Value *address) {
  auto *argument = dyn_cast<Argument>(getUnderlyingObject(address, 0));
  if (!argument || !argument->getType()->isPointerTy())
    return std::nullopt;
  return argument->getArgNo();
}

/// The loop's own step, `phi + step`, or what is made of it.
static bool isStepOf(Value *value, PHINode &phi) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  return sum &&
         (sum->getOpcode() == Instruction::Add ||
          sum->getOpcode() == Instruction::Sub) &&
         is_contained(sum->operands(), &phi);
}

void SubscriptFinder::visitAddress(const Derived &from, Use &use,
                                   unsigned array) {
  auto *address = cast<GEPOperator>(use.getUser());
  std::optional<unsigned> indexed = arrayOf(address->getPointerOperand());
  if (!indexed || use.getOperandNo() == 0)
    return;
  auto index = gep_type_begin(address);
  std::advance(index, use.getOperandNo() - 1);
  if (index.isStruct())
    return;
  SubscriptUse subscript;
  subscript.array = array;
  subscript.indexed = *indexed;
  subscript.strideBytes =
      from.factor * index.getSequentialElementStride(layout).getFixedValue();
  subscript.strideParameters = from.parameters;
  subscript.startsLoop = from.startsLoop;
  found.push_back(std::move(subscript));
}

/// `element * factor`, where the factor is a constant or a parameter.
void SubscriptFinder::visitProduct(Derived from, BinaryOperator &product,
                                   Use &use) {
  Value *factor = product.getOperand(1 - use.getOperandNo());
  while (auto *cast = dyn_cast<CastInst>(factor))
    factor = cast->getOperand(0);
  bool isShift = product.getOpcode() == Instruction::Shl;
  if (isShift && use.getOperandNo() != 0)
    return;
  if (auto *constant = dyn_cast<ConstantInt>(factor)) {
    if (constant->getValue().getActiveBits() > 31 ||
        (isShift && constant->getZExtValue() > 31))
      return;
    uint64_t number = constant->getZExtValue();
    from.factor *= isShift ? uint64_t(1) << number : number;
    // Products of products are no strides that an array has.
    if (from.factor == 0 || from.factor >> 32)
      return;
  } else if (auto *parameter = dyn_cast<Argument>(factor);
             parameter && !isShift)
    from.parameters.push_back(parameter->getArgNo());
  else
    return;
  from.value = &product;
  push(std::move(from));
}

void SubscriptFinder::visit(const Derived &from, Use &use, unsigned array) {
  auto *user = dyn_cast<Instruction>(use.getUser());
  if (!user)
    return;
  Derived next = from;
  next.value = user;
  if (isa<GetElementPtrInst>(user))
    return visitAddress(from, use, array);
  if (auto *phi = dyn_cast<PHINode>(user)) {
    next.startsLoop |= any_of(phi->incoming_values(), [&](Value *incoming) {
      return isStepOf(incoming, *phi);
    });
    return push(std::move(next));
  }
  auto *select = dyn_cast<SelectInst>(user);
  if (isa<CastInst, FreezeInst, MinMaxIntrinsic, ExtractElementInst,
          ExtractValueInst, InsertElementInst, ShuffleVectorInst>(user) ||
      (select && select->getCondition() != from.value))
    return push(std::move(next));
  auto *arithmetic = dyn_cast<BinaryOperator>(user);
  if (!arithmetic)
    return;
  if (is_contained({Instruction::Add, Instruction::Sub},
                   arithmetic->getOpcode()))
    push(std::move(next));
  else if (is_contained({Instruction::Mul, Instruction::Shl},
                        arithmetic->getOpcode()))
    visitProduct(from, *arithmetic, use);
}

void SubscriptFinder::follow(LoadInst &load, unsigned array) {
  visited.clear();
  push({&load, 1, {}, false});
  while (!pending.empty()) {
    Derived next = pending.pop_back_val();
    for (Use &use : next.value->uses())
      visit(next, use, array);
  }
}

std::vector<SubscriptUse> gpuopt::findSubscripts(const Module &module,
                                                 StringRef symbol) {
  std::vector<SubscriptUse> uses;
  Function *kernel = module.getFunction(symbol);
  if (!kernel)
    return uses;
  SubscriptFinder finder(module.getDataLayout(), uses);
  for (Instruction &instruction : instructions(*kernel))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (auto array = arrayOf(load->getPointerOperand());
          array && load->getType()->isIntOrIntVectorTy())
        finder.follow(*load, *array);
  return uses;
}
