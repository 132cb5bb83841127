//===- AssemblyBuilder.cpp - one statement of inline PTX ------------------===//

#include "conversion/ImportSource/InlineAssembly/AssemblyBuilder.h"
#include "conversion/ImportSource/CleanUp.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<PTXType> gpuopt::typeOf(StringRef text) {
  PTXType type;
  if (text == "pred")
    return PTXType{'b', 1};
  if (text.empty() || !StringRef("usbf").contains(text.front()) ||
      text.drop_front().getAsInteger(10, type.bits) ||
      !is_contained({8u, 16u, 32u, 64u}, type.bits))
    return std::nullopt;
  type.kind = text.front();
  if (type.isFloat() && type.bits < 32)
    return std::nullopt;
  return type;
}

std::optional<PTXType> gpuopt::typeOf(const PTXInstruction &instruction) {
  return typeOf(instruction.opcode.back());
}

ArrayRef<StringRef> gpuopt::modifiers(const PTXInstruction &instruction) {
  return ArrayRef(instruction.opcode).drop_front().drop_back();
}

bool gpuopt::hasModifiers(const PTXInstruction &instruction,
                          ArrayRef<StringRef> expected) {
  return modifiers(instruction) == expected;
}

unsigned gpuopt::widthOf(Type *type) {
  return type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value *AssemblyBuilder::asInteger(Value *value, unsigned bits) {
  Type *type = value->getType();
  if (type->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  else if (!type->isIntegerTy())
    value = builder.CreateBitCast(
        value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return value->getType()->isIntegerTy(bits) ? value : nullptr;
}

/// Registers of the device, as far as programs may rely on them.
Value *AssemblyBuilder::readSpecial(StringRef name, PTXType type) {
  static constexpr std::pair<StringLiteral, StringLiteral> ids[] = {
      {"%laneid", "lane_id"},      {"%tid.x", "thread_id_x"},
      {"%tid.y", "thread_id_y"},   {"%tid.z", "thread_id_z"},
      {"%ntid.x", "block_dim_x"},  {"%ntid.y", "block_dim_y"},
      {"%ntid.z", "block_dim_z"},  {"%ctaid.x", "block_id_x"},
      {"%ctaid.y", "block_id_y"},  {"%ctaid.z", "block_id_z"},
      {"%nctaid.x", "grid_dim_x"}, {"%nctaid.y", "grid_dim_y"},
      {"%nctaid.z", "grid_dim_z"}};
  Type *i32 = builder.getInt32Ty();
  if (name == "%clock64" && type.bits == 64)
    return callDevice("clock", builder.getInt64Ty(), {});
  if (type.bits != 32)
    return nullptr;
  for (auto [known, function] : ids)
    if (name == known)
      return callDevice(function, i32, {});
  if (!hasPTXLanes || !name.consume_front("%lanemask_"))
    return nullptr;
  Value *own = builder.CreateShl(builder.getInt32(1), laneId());
  Value *below = builder.CreateSub(own, builder.getInt32(1));
  Value *upTo = builder.CreateOr(own, below);
  return StringSwitch<Value *>(name)
      .Case("eq", own)
      .Case("lt", below)
      .Case("le", upTo)
      .Case("ge", builder.CreateNot(below))
      .Case("gt", builder.CreateNot(upTo))
      .Default(nullptr);
}

/// As an integer of the type's width, or a floating-point number.
Value *AssemblyBuilder::read(PTXOperand operand, PTXType type) {
  StringRef text = operand.text;
  Type *wanted = !type.isFloat()   ? builder.getIntNTy(type.bits)
                 : type.bits == 32 ? builder.getFloatTy()
                                   : builder.getDoubleTy();
  if (Type *held = types.lookup(text)) {
    Value *value = values.lookup(text);
    // What nobody has written is any number, but one.
    return asType(value ? value : builder.CreateFreeze(PoisonValue::get(held)),
                  wanted);
  }
  // Programs may give their own registers such names.
  if (operand.isSpecialRegister()) {
    Value *value = readSpecial(text, type);
    return value ? asType(value, wanted) : nullptr;
  }
  // `0f` and `0d` are the bits of a number.
  bool isDouble = text.starts_with_insensitive("0d");
  bool isBits = isDouble || text.starts_with_insensitive("0f");
  APInt number;
  bool isNegative = text.consume_front("-");
  if (isBits ? text.drop_front(2).getAsInteger(16, number)
             : text.getAsInteger(0, number))
    return nullptr;
  if (type.isFloat() != isBits || number.getActiveBits() > type.bits ||
      (isDouble && type.bits < 64))
    return nullptr;
  number = number.zextOrTrunc(type.bits);
  return asType(builder.getInt(isNegative ? -number : number), wanted);
}

/// One of the parts of `bits` that a word consists of, the lowest first.
Value *AssemblyBuilder::extractPart(Value *word, unsigned index,
                                    unsigned bits) {
  return builder.CreateTrunc(builder.CreateLShr(word, index * bits),
                             builder.getIntNTy(bits));
}

/// `word` with `part` where there are zeros.
Value *AssemblyBuilder::insertPart(Value *word, Value *part, unsigned index) {
  unsigned bits = part->getType()->getIntegerBitWidth();
  return builder.CreateOr(
      word, builder.CreateShl(builder.CreateZExt(part, word->getType()),
                              index * bits));
}

/// `{a, b}` is the word whose lower half is a.
Value *AssemblyBuilder::readParts(PTXOperand operand, PTXType type) {
  if (!operand.isVector())
    return read(operand, type);
  SmallVector<PTXOperand, 4> parts = operand.parts();
  Value *word = builder.getIntN(type.bits, 0);
  unsigned bits = type.bits / parts.size();
  for (auto [index, part] : enumerate(parts)) {
    Value *value = read(part, {'b', bits});
    if (!value)
      return nullptr;
    word = insertPart(word, value, index);
  }
  return word;
}

bool AssemblyBuilder::writeParts(PTXOperand operand, Value *value) {
  SmallVector<PTXOperand, 4> parts = operand.parts();
  unsigned bits = value->getType()->getIntegerBitWidth() / parts.size();
  for (auto [index, part] : enumerate(parts))
    if (!write(part, extractPart(value, index, bits), /*guard=*/nullptr))
      return false;
  return true;
}

/// Of memory that a pointer to all memory reaches.
Value *AssemblyBuilder::readAddress(PTXOperand operand) {
  if (!operand.isAddress() || operand.parts().size() != 1)
    return nullptr;
  StringRef base = operand.parts().front().text;
  int64_t offset = 0;
  if (size_t sign = base.find_first_of("+-"); sign != StringRef::npos) {
    StringRef number = base.substr(sign);
    number.consume_front("+");
    if (number.getAsInteger(0, offset))
      return nullptr;
    base = base.take_front(sign);
  }
  Value *address = values.lookup(base);
  if (!address)
    return nullptr;
  if (!address->getType()->isPointerTy()) {
    if (!address->getType()->isIntegerTy(64))
      return nullptr;
    address = builder.CreateIntToPtr(address, builder.getPtrTy());
  }
  return offset ? builder.CreatePtrAdd(address, builder.getInt64(offset))
                : address;
}

/// The same bits as another type.
Value *AssemblyBuilder::asType(Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  value = asInteger(value, widthOf(type));
  if (!value || type->isIntegerTy())
    return value;
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                             : builder.CreateBitCast(value, type);
}

/// Where the guard does not hold, the register keeps its value.
bool AssemblyBuilder::write(PTXOperand operand, Value *value, Value *guard) {
  auto type = types.find(operand.text);
  if (!value || type == types.end())
    return false;
  Type *wanted = type->second;
  value = asType(value, wanted);
  if (!value)
    return false;
  Value *&held = values[operand.text];
  if (guard)
    value = builder.CreateSelect(
        guard, value,
        held ? held : builder.CreateFreeze(PoisonValue::get(wanted)));
  held = value;
  return true;
}

Value *AssemblyBuilder::callDevice(StringRef name, Type *result,
                                   ArrayRef<Value *> arguments) {
  SmallVector<Type *> parameters;
  for (Value *argument : arguments)
    parameters.push_back(argument->getType());
  FunctionCallee function = call.getModule()->getOrInsertFunction(
      ("__gpuopt_" + name).str(),
      FunctionType::get(result, parameters, /*isVarArg=*/false));
  return builder.CreateCall(function, arguments);
}

/// Gives `$0`, `$1`, … their types and what they hold at first.
bool AssemblyBuilder::bindOperands(const InlineAsm &assembly) {
  SmallVector<Type *> results;
  if (auto *structure = dyn_cast<StructType>(call.getType()))
    results.assign(structure->element_begin(), structure->element_end());
  else if (!call.getType()->isVoidTy())
    results.push_back(call.getType());
  outputs = results.size();
  isVolatile = assembly.hasSideEffects();
  unsigned number = 0, argument = 0;
  for (const InlineAsm::ConstraintInfo &info : assembly.ParseConstraints()) {
    if (info.Type == InlineAsm::isClobber) {
      clobbersMemory |= info.Codes.front() == "{memory}";
      continue;
    }
    if (info.isIndirect || info.Type == InlineAsm::isLabel)
      return false;
    std::string name = "$" + std::to_string(number++);
    if (info.Type == InlineAsm::isOutput) {
      types[name] = results[number - 1];
      continue;
    }
    Value *value = call.getArgOperand(argument++);
    types[name] = value->getType();
    values[name] = value;
    // `+r` is an output and an input that has its number.
    unsigned tied = 0;
    if (StringRef(info.Codes.front()).getAsInteger(10, tied))
      continue;
    std::string output = "$" + std::to_string(tied);
    Value *start = asType(value, types.lookup(output));
    if (!start)
      return false;
    values[output] = start;
  }
  for (const auto &[name, text] : block.registers) {
    std::optional<PTXType> type = typeOf(text);
    if (!type)
      return false;
    types[name] = builder.getIntNTy(type->bits);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool AssemblyBuilder::buildInstruction(const PTXInstruction &instruction) {
  Value *guard = nullptr;
  if (!instruction.guard.empty()) {
    guard = read({instruction.guard}, {'b', 1});
    if (!guard)
      return false;
    if (instruction.isGuardNegated)
      guard = builder.CreateNot(guard);
  }
  StringRef name = instruction.opcode.front();
  if (name == "ld" || name == "st")
    return buildAccess(instruction, guard);
  if (name == "shfl")
    return buildShuffle(instruction, guard);
  if (!guard && buildEffect(instruction))
    return true;
  // Other lanes take part in votes, whatever this one's guard says.
  if (guard && (name == "vote" || name == "activemask"))
    return false;
  if (instruction.operands.empty())
    return false;
  Value *value = buildValue(instruction);
  PTXOperand result = instruction.operands[0];
  if (value && name == "mov" && !guard && result.isVector())
    return value->getType()->isIntegerTy() && writeParts(result, value);
  return write(result, value, guard);
}

bool AssemblyBuilder::build() {
  if (!bindOperands(*cast<InlineAsm>(call.getCalledOperand())))
    return false;
  // What comes before the statement stays before it, and so behind: an empty
  // statement says so for any target.
  auto keepOrder = [&] {
    builder.CreateCall(InlineAsm::get(
        FunctionType::get(builder.getVoidTy(), /*isVarArg=*/false), "",
        "~{memory}", /*hasSideEffects=*/true));
  };
  if (clobbersMemory)
    keepOrder();
  for (const PTXInstruction &instruction : block.instructions)
    if (!buildInstruction(instruction))
      return false;
  if (clobbersMemory)
    keepOrder();
  return true;
}

Value *AssemblyBuilder::results() {
  SmallVector<Value *> results;
  for (unsigned i = 0; i < outputs; ++i) {
    std::string name = "$" + std::to_string(i);
    Value *value = values.lookup(name);
    results.push_back(
        value ? value
              : builder.CreateFreeze(PoisonValue::get(types.lookup(name))));
  }
  if (!call.getType()->isStructTy())
    return results.front();
  Value *all = PoisonValue::get(call.getType());
  for (auto [index, value] : enumerate(results))
    all = builder.CreateInsertValue(all, value, index);
  return all;
}

bool AssemblyBuilder::replace() {
  Instruction *before = call.getPrevNode();
  if (!build()) {
    // What has been built in vain.
    while (call.getPrevNode() != before)
      call.getPrevNode()->eraseFromParent();
    return false;
  }
  if (outputs)
    call.replaceAllUsesWith(results());
  call.eraseFromParent();
  return true;
}

/// `exit;` ends the work item: in a kernel into which everything is inlined, it
/// returns.
static bool replaceExit(CallInst *call, const PTXBlock &block) {
  Function *function = call->getFunction();
  if (block.instructions.size() != 1 ||
      !block.instructions.front().guard.empty() ||
      join(block.instructions.front().opcode, ".") != "exit" ||
      !function->getReturnType()->isVoidTy() || !function->use_empty())
    return false;
  BasicBlock *before = call->getParent();
  before->splitBasicBlock(call);
  Instruction *jump = before->getTerminator();
  ReturnInst::Create(call->getContext(), /*retVal=*/nullptr,
                     jump->getIterator())
      ->setDebugLoc(call->getDebugLoc());
  jump->eraseFromParent();
  return true;
}

void gpuopt::expandInlineAssembly(Module &module) {
  SmallVector<CallInst *> statements;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isInlineAsm())
        statements.push_back(call);
  for (CallInst *call : statements) {
    StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
    // All targets know what an empty statement says; with operands it keeps
    // them from being computed in another way.
    if (text.empty())
      continue;
    std::optional<PTXBlock> block = parsePTX(text);
    if (block && !replaceExit(call, *block))
      AssemblyBuilder(*call, *block).replace();
  }
  if (statements.empty())
    return;
  for (Function &function : module)
    if (!function.isDeclaration())
      EliminateUnreachableBlocks(function);
  annotateDeviceFunctions(module);
}
