//===- InlineStatements.cpp - inline PTX as LLVM IR -----------------------===//

#include "conversion/PTX/InlineStatements.h"

#include "conversion/PTX/ModuleBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

namespace {
/// What `$0`, `$1`, … of a statement are.
struct StatementOperand {
  /// Of the register that it becomes; 0 for an immediate.
  unsigned bits = 0;
  bool isResult = false;
  /// What it holds at first; null for a result that holds nothing.
  Value *value = nullptr;
  /// The result whose register it shares, by its number.
  std::optional<unsigned> tiedTo;
};

/// One statement, and the function that it becomes.
class InlineStatement {
public:
  explicit InlineStatement(CallInst &call)
      : call(call), assembly(*cast<InlineAsm>(call.getCalledOperand())) {}

  /// False where it is not known what it does.
  bool replace(StringRef name);

private:
  bool describeOperands();
  std::optional<std::string> body() const;
  std::optional<std::string> function(StringRef name) const;
  std::unique_ptr<Module> build(StringRef name) const;
  void replaceBy(Function &made);

  CallInst &call;
  const InlineAsm &assembly;
  SmallVector<StatementOperand, 0> operands;
};
} // namespace

/// Bits of a register for `type`; 0 for what is none.
static unsigned bitsOf(Type *type, const DataLayout &layout) {
  bool isScalar =
      type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
  unsigned bits = isScalar ? layout.getTypeSizeInBits(type).getFixedValue() : 0;
  return is_contained({16u, 32u, 64u}, bits) ? bits : 0;
}

bool InlineStatement::describeOperands() {
  const DataLayout &layout = call.getModule()->getDataLayout();
  SmallVector<Type *, 0> results;
  if (auto *structure = dyn_cast<StructType>(call.getType()))
    append_range(results, structure->elements());
  else if (!call.getType()->isVoidTy())
    results.push_back(call.getType());
  unsigned argument = 0;
  for (const InlineAsm::ConstraintInfo &info : assembly.ParseConstraints()) {
    if (info.Type == InlineAsm::isClobber)
      continue;
    if (info.isIndirect || info.Type == InlineAsm::isLabel)
      return false;
    StatementOperand &operand = operands.emplace_back();
    operand.isResult = info.Type == InlineAsm::isOutput;
    if (operand.isResult) {
      operand.bits = bitsOf(results[operands.size() - 1], layout);
    } else {
      operand.value = call.getArgOperand(argument++);
      operand.bits = bitsOf(operand.value->getType(), layout);
      StringRef code = info.Codes.front();
      unsigned tied;
      if (!code.getAsInteger(10, tied))
        operand.tiedTo = tied;
      else if ((code == "n" || code == "i") && isa<ConstantInt>(operand.value))
        operand.bits = 0;
      else if (code == "n" || code == "i")
        return false;
    }
    if (!operand.bits && (operand.isResult || operand.tiedTo))
      return false;
  }
  return true;
}

static std::string nameOf(unsigned number) {
  return "%operand" + std::to_string(number);
}

/// The text, with registers and numbers for its operands. Nothing where one is
/// named in a way that is not known.
std::optional<std::string> InlineStatement::body() const {
  std::string text;
  StringRef rest = assembly.getAsmString();
  while (true) {
    auto [before, behind] = rest.split('$');
    text += before;
    if (before.size() == rest.size())
      return text;
    rest = behind;
    if (rest.consume_front("$")) {
      text += '$';
      continue;
    }
    bool hasBraces = rest.consume_front("{");
    // A number of its own for each statement, in names of labels: the function
    // has them to itself.
    if (hasBraces && rest.consume_front(":uid}"))
      continue;
    unsigned number;
    if (rest.consumeInteger(10, number) || number >= operands.size() ||
        (hasBraces && !rest.consume_front("}")))
      return std::nullopt;
    const StatementOperand &operand = operands[number];
    if (!operand.bits)
      text += std::to_string(cast<ConstantInt>(operand.value)->getSExtValue());
    else
      text += nameOf(number);
  }
}

std::optional<std::string> InlineStatement::function(StringRef name) const {
  std::optional<std::string> statements = body();
  if (!statements)
    return std::nullopt;
  std::string text, start;
  raw_string_ostream stream(text);
  SmallVector<std::string, 0> results, parameters;
  for (auto [number, operand] : enumerate(operands)) {
    std::string declared =
        ".reg .b" + std::to_string(operand.bits) + " " + nameOf(number);
    if (operand.isResult)
      results.push_back(declared);
    else if (operand.bits)
      parameters.push_back(declared);
    if (operand.tiedTo)
      start += "mov.b" + std::to_string(operand.bits) + " " +
               nameOf(*operand.tiedTo) + ", " + nameOf(number) + ";\n";
  }
  stream << ".version 8.0\n.target sm_90a\n.address_size 64\n.func ";
  if (!results.empty())
    stream << "(" << join(results, ", ") << ") ";
  stream << name << "(" << join(parameters, ", ") << ")\n{\n"
         << start << *statements << "\nret;\n}\n";
  return text;
}

/// A module with the function; null where the statement is not understood.
std::unique_ptr<Module> InlineStatement::build(StringRef name) const {
  std::optional<std::string> text = function(name);
  if (!text)
    return nullptr;
  SourceModule source;
  Problems problems;
  if (!parseModule(*text, source, problems) || source.functions.size() != 1)
    return nullptr;
  auto module = std::make_unique<Module>(name, call.getContext());
  ModuleBuilder builder(source, name, *module);
  if (builder.define(source.functions.front()))
    return nullptr;
  builder.finish();
  // The lines are those of the statement.
  StripDebugInfo(*module);
  module->setTargetTriple(call.getModule()->getTargetTriple());
  module->setDataLayout(call.getModule()->getDataLayout());
  return module;
}

void InlineStatement::replaceBy(Function &made) {
  IRBuilder<> ir(&call);
  SmallVector<Value *, 0> arguments;
  for (const StatementOperand &operand : operands)
    if (!operand.isResult && operand.bits) {
      Value *value = operand.value;
      if (value->getType()->isPointerTy())
        value = ir.CreatePtrToInt(value, ir.getIntNTy(operand.bits));
      arguments.push_back(
          ir.CreateBitCast(value, made.getArg(arguments.size())->getType()));
    }
  Value *result = ir.CreateCall(&made, arguments);
  auto convert = [&](Value *value, Type *type) {
    return type->isPointerTy() ? ir.CreateIntToPtr(value, type)
                               : ir.CreateBitCast(value, type);
  };
  if (auto *types = dyn_cast<StructType>(call.getType())) {
    Value *all = PoisonValue::get(types);
    for (auto [index, type] : enumerate(types->elements()))
      all = ir.CreateInsertValue(
          all, convert(ir.CreateExtractValue(result, index), type), index);
    result = all;
  } else if (!call.getType()->isVoidTy()) {
    result = convert(result, call.getType());
  }
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

bool InlineStatement::replace(StringRef name) {
  if (!describeOperands())
    return false;
  std::unique_ptr<Module> made = build(name);
  Module &module = *call.getModule();
  if (!made || Linker::linkModules(module, std::move(made)))
    return false;
  replaceBy(*module.getFunction(name));
  return true;
}

bool gpuopt::ptx::replaceInlineStatements(Module &module) {
  if (!Triple(module.getTargetTriple()).isNVPTX())
    return false;
  SmallVector<CallInst *> statements;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isInlineAsm() &&
          !cast<InlineAsm>(call->getCalledOperand())->getAsmString().empty())
        statements.push_back(call);
  bool hasReplaced = false;
  for (auto [index, call] : enumerate(statements))
    hasReplaced |= InlineStatement(*call).replace(
        ("inline_statement" + Twine(index)).str());
  return hasReplaced;
}
