//===- FlattenPointers.cpp - one form of global pointers ------------------===//
//
// With opaque pointers the address space is the only thing that a pointer's
// type says, so it can be changed in place: of the kernels' parameters, and of
// every instruction whose pointer comes from one.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportSource/CleanUp.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;

/// Number of the address space of global memory in NVPTX, AMDGPU, and of
/// constant memory, to which OpenCL kernels get pointers too.
static constexpr unsigned globalSpace = 1, constantSpace = 4;

/// A pointer parameter to flatten. A `byref` struct stays where it is.
static bool isGlobalParameter(const Argument &argument) {
  auto *type = dyn_cast<PointerType>(argument.getType());
  if (!type || argument.hasByRefAttr() || argument.hasByValAttr())
    return false;
  return type->getAddressSpace() == globalSpace ||
         type->getAddressSpace() == constantSpace;
}

/// A copy of `function` with plain pointer parameters, in its place. The
/// arguments' uses still see the old type until their users are changed.
static Function *flattenSignature(Function &function) {
  PointerType *plain = PointerType::get(function.getContext(), 0);
  SmallVector<Type *> types;
  for (Argument &argument : function.args())
    types.push_back(isGlobalParameter(argument) ? plain : argument.getType());
  auto *type =
      FunctionType::get(function.getReturnType(), types, function.isVarArg());
  Function *flat =
      Function::Create(type, function.getLinkage(), function.getAddressSpace());
  // Kernels stay in the order of the source.
  function.getParent()->getFunctionList().insert(function.getIterator(), flat);
  flat->copyAttributesFrom(&function);
  flat->copyMetadata(&function, 0);
  flat->takeName(&function);
  flat->splice(flat->begin(), &function);
  return flat;
}

namespace {
/// Changes the type of everything that is computed from a set of pointers.
class PointerFlattener {
public:
  explicit PointerFlattener(Function &function) : function(function) {}

  /// `to` is the plain pointer that takes the place of `from`.
  void replace(Value *from, Value *to) {
    SmallVector<Use *> uses(make_pointer_range(from->uses()));
    for (Use *use : uses) {
      use->set(to);
      worklist.insert(cast<Instruction>(use->getUser()));
    }
  }

  void run() {
    while (!worklist.empty())
      visit(worklist.pop_back_val());
  }

private:
  void flattenResult(Instruction *instruction) {
    auto *type = dyn_cast<PointerType>(instruction->getType());
    if (!type || type->getAddressSpace() == 0)
      return;
    instruction->mutateType(PointerType::get(function.getContext(), 0));
    for (User *user : instruction->users())
      worklist.insert(cast<Instruction>(user));
  }

  void visit(Instruction *instruction) {
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(instruction)) {
      // From plain to plain.
      if (cast->getType() == cast->getOperand(0)->getType())
        forward(cast, cast->getOperand(0));
      return;
    }
    if (auto *call = dyn_cast<CallBase>(instruction))
      return visitCall(call);
    if (isa<GetElementPtrInst, FreezeInst>(instruction))
      return flattenResult(instruction);
    if (isa<PHINode, SelectInst, ICmpInst>(instruction)) {
      matchOperands(instruction);
      flattenResult(instruction);
    }
  }

  void forward(Instruction *from, Value *to) {
    from->replaceAllUsesWith(to);
    worklist.remove(from);
    from->eraseFromParent();
  }

  /// The other operands of a phi, select or comparison: null becomes the plain
  /// null, another pointer is cast.
  void matchOperands(Instruction *instruction) {
    PointerType *plain = PointerType::get(function.getContext(), 0);
    for (Use &operand : instruction->operands()) {
      auto *type = dyn_cast<PointerType>(operand->getType());
      if (!type || type == plain || worklistWillFlatten(operand.get()))
        continue;
      if (isa<ConstantPointerNull>(operand)) {
        operand.set(ConstantPointerNull::get(plain));
        continue;
      }
      if (auto *constant = dyn_cast<Constant>(operand)) {
        operand.set(
            ConstantExpr::getPointerBitCastOrAddrSpaceCast(constant, plain));
        continue;
      }
      flattenResult(cast<Instruction>(operand.get()));
    }
  }

  /// A global pointer that an instruction computes is flattened together with
  /// this one.
  bool worklistWillFlatten(Value *value) { return isa<Argument>(value); }

  /// An intrinsic is declared anew for its new operands; any other call keeps
  /// the type that it was declared with.
  void visitCall(CallBase *call) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    IRBuilder<> builder(call);
    if (!intrinsic) {
      for (Use &argument : call->args()) {
        Type *expected = call->getFunctionType()->getParamType(
            call->getArgOperandNo(&argument));
        if (expected != argument->getType())
          argument.set(builder.CreateAddrSpaceCast(argument.get(), expected));
      }
      return;
    }
    SmallVector<Type *> types;
    if (!Intrinsic::getIntrinsicSignature(
            intrinsic->getIntrinsicID(),
            FunctionType::get(call->getType(), operandTypes(*call), false),
            types))
      return;
    Function *declaration = Intrinsic::getOrInsertDeclaration(
        function.getParent(), intrinsic->getIntrinsicID(), types);
    call->setCalledFunction(declaration);
  }

  static SmallVector<Type *> operandTypes(const CallBase &call) {
    SmallVector<Type *> types;
    for (const Use &argument : call.args())
      types.push_back(argument->getType());
    return types;
  }

  Function &function;
  SmallSetVector<Instruction *, 32> worklist;
};
} // namespace

void gpuopt::flattenGlobalPointers(Module &module) {
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() && any_of(function.args(), isGlobalParameter))
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    Function *flat = flattenSignature(*kernel);
    PointerFlattener flattener(*flat);
    for (auto [from, to] : zip(kernel->args(), flat->args())) {
      to.takeName(&from);
      if (from.getType() == to.getType())
        from.replaceAllUsesWith(&to);
      else
        flattener.replace(&from, &to);
    }
    flattener.run();
    kernel->eraseFromParent();
  }
}
