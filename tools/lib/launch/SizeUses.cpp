//===- SizeUses.cpp - what a kernel does with its sizes -------------------===//

#include "tools/lib/launch/SizeUses.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;

namespace {

/// Follows one parameter to where it is used.
class RoleFinder {
public:
  SizeRole find(const Argument &parameter);

private:
  /// A value that the parameter has been made into.
  struct Derived {
    const Value *value = nullptr;
    /// On the way it was multiplied or divided by, or divided.
    bool isScaled = false;
    /// On the way it was what a loop starts with.
    bool isCarried = false;
  };

  void visit(const Derived &from, const Use &use);
  void push(Derived derived) {
    if (visited.insert(derived.value).second)
      pending.push_back(derived);
  }
  void raiseTo(SizeRole found) { role = std::max(role, found); }

  SizeRole role = SizeRole::Other;
  SmallVector<Derived> pending;
  SmallPtrSet<const Value *, 16> visited;
};

} // namespace

void RoleFinder::visit(const Derived &from, const Use &use) {
  auto *user = dyn_cast<Instruction>(use.getUser());
  if (!user)
    return;
  Derived next = from;
  next.value = user;
  if (auto *compare = dyn_cast<ICmpInst>(user)) {
    // `if (transposed)` and `if (n > 0)` bound nothing.
    if (from.isCarried ||
        !isa<Constant>(compare->getOperand(1 - use.getOperandNo())))
      raiseTo(SizeRole::Bound);
    return;
  }
  if (isa<GetElementPtrInst>(user)) {
    if (from.isScaled)
      raiseTo(SizeRole::Stride);
    return;
  }
  if (auto *arithmetic = dyn_cast<BinaryOperator>(user)) {
    if (!arithmetic->getType()->isIntegerTy())
      return;
    next.isScaled |=
        is_contained({Instruction::Mul, Instruction::Shl, Instruction::SDiv,
                      Instruction::UDiv, Instruction::SRem, Instruction::URem},
                     arithmetic->getOpcode());
    return push(next);
  }
  if (isa<PHINode>(user)) {
    next.isCarried = true;
    return push(next);
  }
  if (isa<TruncInst, SExtInst, ZExtInst, FreezeInst, SelectInst,
          MinMaxIntrinsic>(user))
    push(next);
}

SizeRole RoleFinder::find(const Argument &parameter) {
  push({&parameter});
  while (!pending.empty()) {
    Derived next = pending.pop_back_val();
    for (const Use &use : next.value->uses())
      visit(next, use);
  }
  return role;
}

/// Whether `name` asks for the number of the block along `dim`, as the prelude
/// and the targets' intrinsics spell it.
static bool isBlockId(StringRef name, unsigned dim) {
  char letter = static_cast<char>('x' + dim);
  return any_of(ArrayRef<StringRef>{"__gpuopt_block_id_",
                                    "llvm.nvvm.read.ptx.sreg.ctaid.",
                                    "llvm.amdgcn.workgroup.id."},
                [&](StringRef spelling) {
                  return name.size() == spelling.size() + 1 &&
                         name.starts_with(spelling) && name.back() == letter;
                });
}

/// Whether `kernel` uses `value`, through constants as well.
static bool isUsedIn(const Value &value, const Function &kernel) {
  return any_of(value.users(), [&](const User *user) {
    if (auto *instruction = dyn_cast<Instruction>(user))
      return instruction->getFunction() == &kernel;
    return isa<ConstantExpr>(user) && isUsedIn(*user, kernel);
  });
}

static void findWorkgroupArrays(const Function &kernel, SizeUses &uses) {
  constexpr unsigned workgroupSpace = 3;
  for (const GlobalVariable &variable : kernel.getParent()->globals()) {
    if (variable.getAddressSpace() != workgroupSpace ||
        !isUsedIn(variable, kernel))
      continue;
    std::vector<uint64_t> extents;
    Type *type = variable.getValueType();
    while (auto *array = dyn_cast<ArrayType>(type)) {
      extents.push_back(array->getNumElements());
      type = array->getElementType();
    }
    if (is_contained(extents, 0u))
      uses.usesDynamicMemory = true;
    else if (!extents.empty())
      uses.workgroupArrays.push_back(std::move(extents));
  }
}

SizeUses gpuopt::findSizeUses(const Module &module, StringRef symbol) {
  SizeUses uses;
  const Function *kernel = module.getFunction(symbol);
  if (!kernel)
    return uses;
  for (const Argument &parameter : kernel->args())
    uses.roles.push_back(parameter.getType()->isIntegerTy()
                             ? RoleFinder().find(parameter)
                             : SizeRole::Other);
  for (const Instruction &instruction : instructions(*kernel))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction())
        for (unsigned dim = 0; dim < 3; ++dim)
          uses.readsBlockId[dim] |= isBlockId(callee->getName(), dim);
  findWorkgroupArrays(*kernel, uses);
  return uses;
}
