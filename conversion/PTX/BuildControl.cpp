//===- BuildControl.cpp - branches and calls ------------------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

bool build::branch(Operation &op) {
  BasicBlock *block = op.function.findLabel(op.operand(0));
  if (!block)
    return false;
  op.ir.CreateBr(block);
  op.function.endBlock();
  return true;
}

/// An index behind the last label has no meaning: it traps, so that it does not
/// pass for one that nobody can have.
bool build::branchByIndex(Operation &op) {
  const Label *targets = op.function.findTargets(op.operand(1).name);
  if (!targets || targets->targets.empty())
    return op.fail("expected a label of '.branchtargets'");
  SmallVector<BasicBlock *> blocks;
  for (StringRef name : targets->targets) {
    Operand label;
    label.at = op.operand(1).at;
    label.name = name;
    blocks.push_back(op.function.findLabel(label));
    if (!blocks.back())
      return false;
  }
  BasicBlock *none =
      BasicBlock::Create(op.ir.getContext(), "", &op.function.target);
  SwitchInst *choice = op.ir.CreateSwitch(op[0], none, blocks.size());
  for (auto [index, block] : enumerate(blocks))
    choice->addCase(op.ir.getInt32(index), block);
  op.ir.SetInsertPoint(none);
  op.function.callDevice("trap", op.ir.getVoidTy(), {});
  op.ir.CreateUnreachable();
  op.function.endBlock();
  return true;
}

bool build::returnToCaller(Operation &op) { return op.function.returnFrom(); }

bool build::exitThread(Operation &op) {
  if (op.function.source.isKernel)
    return op.function.returnFrom();
  op.callNVVM("exit", {});
  op.ir.CreateUnreachable();
  op.function.endBlock();
  return true;
}

bool build::trap(Operation &op) {
  op.function.callDevice("trap", op.ir.getVoidTy(), {});
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// A function of the system, with the types that the front end gives it: p for
/// a pointer, i and l for integers of 32 and 64 bits.
struct SystemFunction {
  StringLiteral name;
  StringLiteral result;
  StringLiteral parameters;
};
} // namespace

static constexpr SystemFunction systemFunctions[] = {
    {"vprintf", "i", "pp"},
    {"malloc", "p", "l"},
    {"free", "", "p"},
    {"__assertfail", "", "ppipl"},
    // In the text that a check reads (tools/lib/check/Counterpart.cpp).
    {"__gpuopt_global_sync", "", ""},
};

static llvm::Type *typeOfLetter(Builder &ir, char letter) {
  return letter == 'p'   ? (llvm::Type *)ir.getPtrTy()
         : letter == 'i' ? ir.getInt32Ty()
                         : ir.getInt64Ty();
}

namespace {
/// `(results), f, (arguments), prototype`
struct CallOperands {
  ArrayRef<Operand> results;
  const Operand *callee = nullptr;
  ArrayRef<Operand> arguments;
  /// Of a call through a pointer.
  const Operand *prototype = nullptr;
};
} // namespace

static std::optional<CallOperands> splitOperands(Operation &op) {
  CallOperands call;
  ArrayRef<Operand> operands = op.instruction.operands;
  auto fail = [&](const Twine &message) {
    op.fail(message);
    return std::nullopt;
  };
  if (operands.front().kind == Operand::Kind::List) {
    call.results = operands.front().parts;
    operands = operands.drop_front();
  }
  if (operands.empty() || operands.front().kind != Operand::Kind::Name)
    return fail("expected the name of a function");
  call.callee = &operands.front();
  operands = operands.drop_front();
  if (!operands.empty() && operands.front().kind == Operand::Kind::List) {
    call.arguments = operands.front().parts;
    operands = operands.drop_front();
  }
  if (!operands.empty() && operands.front().kind == Operand::Kind::Name) {
    call.prototype = &operands.front();
    operands = operands.drop_front();
  }
  if (!operands.empty())
    return fail("expected no more operands");
  return call;
}

/// The value of an argument: a variable of `.param` is read.
static Value *readArgument(Operation &op, const Operand &argument,
                           llvm::Type *type, RegisterType as) {
  if (Value *variable = op.function.findVariable(argument))
    return op.ir.CreateLoad(type, variable);
  Value *value = op.function.read(argument, as);
  if (!value)
    return nullptr;
  value = op.function.asBits(value);
  return type->isPointerTy() ? op.ir.CreateIntToPtr(value, type)
                             : op.ir.CreateBitCast(value, type);
}

static bool writeResult(Operation &op, const Operand &result, Value *value,
                        RegisterType as) {
  if (Value *variable = op.function.findVariable(result)) {
    op.ir.CreateStore(value, variable);
    return true;
  }
  return op.function.write(result, op.function.asBits(value), as);
}

static bool callSystem(Operation &op, const SystemFunction &known,
                       ArrayRef<Operand> results, ArrayRef<Operand> arguments) {
  if (arguments.size() != known.parameters.size() ||
      results.size() > known.result.size())
    return op.fail("'" + known.name + "' takes " +
                   Twine(known.parameters.size()) + " arguments");
  SmallVector<llvm::Type *> types;
  SmallVector<Value *> values;
  for (auto [letter, argument] : zip(known.parameters, arguments)) {
    types.push_back(typeOfLetter(op.ir, letter));
    values.push_back(
        readArgument(op, argument, types.back(), letter == 'i' ? kB32 : kB64));
    if (!values.back())
      return false;
  }
  llvm::Type *result = known.result.empty()
                           ? op.ir.getVoidTy()
                           : typeOfLetter(op.ir, known.result.front());
  FunctionCallee callee = op.function.module.target.getOrInsertFunction(
      known.name, FunctionType::get(result, types, false));
  Value *value = op.ir.CreateCall(callee, values);
  return results.empty() || writeResult(op, results.front(), value,
                                        known.result == "i" ? kB32 : kB64);
}

static bool callDefined(Operation &op, const SourceFunction &callee,
                        ArrayRef<Operand> results,
                        ArrayRef<Operand> arguments) {
  if (callee.isKernel)
    return op.fail("'" + callee.name + "' is a kernel");
  if (arguments.size() != callee.parameters.size() ||
      results.size() != callee.results.size())
    return op.fail("'" + callee.name + "' takes " +
                   Twine(callee.parameters.size()) + " arguments and has " +
                   Twine(callee.results.size()) + " results");
  llvm::Function *target = op.function.module.declare(callee);
  SmallVector<Value *> values;
  for (auto [parameter, argument] : zip(callee.parameters, arguments)) {
    llvm::Type *type = target->getArg(values.size())->getType();
    Value *value = parameter.isArray()
                       ? op.function.findVariable(argument)
                       : readArgument(op, argument, type, parameter.type);
    if (!value)
      return op.fail("expected a variable as an argument");
    values.push_back(value);
  }
  bool returnsValue = ModuleBuilder::returnsValue(callee);
  bool returnsRegisters = ModuleBuilder::returnsRegisters(callee);
  if (!returnsValue && !returnsRegisters)
    for (const Operand &result : results) {
      Value *variable = op.function.findVariable(result);
      if (!variable)
        return op.fail("expected a variable as a result");
      values.push_back(variable);
    }
  op.function.module.noteCall(callee);
  Value *value = op.ir.CreateCall(target, values);
  for (auto [index, result] :
       enumerate(returnsRegisters ? results : ArrayRef<Operand>()))
    if (!writeResult(op, result, op.ir.CreateExtractValue(value, index),
                     callee.results[index].type))
      return false;
  return !returnsValue ||
         writeResult(op, results.front(), value, callee.results[0].type);
}

static bool areAlike(ArrayRef<Variable> variables, ArrayRef<Variable> others) {
  return equal(variables, others, [](const Variable &a, const Variable &b) {
    return a.isArray() == b.isArray() && a.bytes() == b.bytes();
  });
}

/// The functions that a call through a pointer may be of.
static std::optional<SmallVector<const SourceFunction *>>
findCallees(Operation &op, const Operand &prototype) {
  SmallVector<const SourceFunction *> callees;
  const Label *label = op.function.findTargets(prototype.name);
  if (!label || !label->targets.empty()) {
    op.fail("expected a label of '.callprototype' or '.calltargets'");
    return std::nullopt;
  }
  ModuleBuilder &module = op.function.module;
  for (StringRef name : label->callees) {
    callees.push_back(module.findFunction(name));
    if (callees.back() && callees.back()->isDefined)
      continue;
    op.fail("'" + name + "' has no body in this file");
    return std::nullopt;
  }
  if (label->prototype)
    for (const SourceFunction *function : module.addressedFunctions())
      if (areAlike(function->results, label->prototype->results) &&
          areAlike(function->parameters, label->prototype->parameters))
        callees.push_back(function);
  return callees;
}

/// A call through a pointer is a choice among the functions of that kind whose
/// addresses somebody takes; of another file's there is none.
static bool callThroughPointer(Operation &op, const CallOperands &call) {
  Value *address = op.function.read(*call.callee, kB64);
  auto callees = address ? findCallees(op, *call.prototype) : std::nullopt;
  if (!callees)
    return false;
  if (callees->empty())
    return op.fail("no function of this file can be called through this "
                   "pointer");
  LLVMContext &context = op.ir.getContext();
  auto createBlock = [&] {
    return BasicBlock::Create(context, "", &op.function.target);
  };
  BasicBlock *none = createBlock(), *behind = createBlock();
  SwitchInst *choice = op.ir.CreateSwitch(address, none, callees->size());
  for (const SourceFunction *callee : *callees) {
    BasicBlock *block = createBlock();
    choice->addCase(op.ir.getInt64(op.function.module.addressOf(*callee)),
                    block);
    op.ir.SetInsertPoint(block);
    if (!callDefined(op, *callee, call.results, call.arguments))
      return false;
    op.ir.CreateBr(behind);
  }
  op.ir.SetInsertPoint(none);
  op.function.callDevice("trap", op.ir.getVoidTy(), {});
  op.ir.CreateUnreachable();
  op.ir.SetInsertPoint(behind);
  return true;
}

bool build::call(Operation &op) {
  std::optional<CallOperands> call = splitOperands(op);
  if (!call)
    return false;
  if (call->prototype)
    return callThroughPointer(op, *call);
  StringRef name = call->callee->name;
  const SourceFunction *known = op.function.module.findFunction(name);
  if (known && known->isDefined)
    return callDefined(op, *known, call->results, call->arguments);
  for (const SystemFunction &function : systemFunctions)
    if (name == function.name)
      return callSystem(op, function, call->results, call->arguments);
  return op.fail(known ? "'" + name + "' has no body in this file"
                       : "'" + name + "' is no function of this file");
}
