//===- Registers.cpp - what operands stand for ----------------------------===//

#include "conversion/PTX/FunctionBuilder.h"
#include "conversion/PTX/Operation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

llvm::Type *FunctionBuilder::typeOf(RegisterType type) {
  if (!type.isFloat())
    return ir.getIntNTy(type.bits);
  llvm::Type *scalar = type.kind == RegisterType::Kind::BFloat
                           ? ir.getBFloatTy()
                       : type.bits / type.lanes == 16 ? ir.getHalfTy()
                       : type.bits / type.lanes == 32 ? ir.getFloatTy()
                                                      : ir.getDoubleTy();
  return type.lanes == 1 ? scalar : FixedVectorType::get(scalar, type.lanes);
}

Value *FunctionBuilder::asBits(Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return ir.CreatePtrToInt(value, ir.getInt64Ty());
  if (type->isIntegerTy())
    return value;
  return ir.CreateBitCast(value, ir.getIntNTy(type->getPrimitiveSizeInBits()));
}

Value *FunctionBuilder::fromBits(Value *bits, RegisterType type) {
  llvm::Type *wanted = typeOf(type);
  return bits->getType() == wanted ? bits : ir.CreateBitCast(bits, wanted);
}

Value *FunctionBuilder::callIntrinsic(StringRef name,
                                      ArrayRef<Value *> arguments,
                                      ArrayRef<llvm::Type *> overloads) {
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  assert(id != Intrinsic::not_intrinsic && "no such intrinsic");
  llvm::Function *callee =
      Intrinsic::getOrInsertDeclaration(&module.target, id, overloads);
  return ir.CreateCall(callee, arguments);
}

CallInst *FunctionBuilder::callDevice(StringRef name, llvm::Type *result,
                                      ArrayRef<Value *> arguments) {
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = module.target.getOrInsertFunction(
      ("__gpuopt_" + name).str(), FunctionType::get(result, types, false));
  return ir.CreateCall(callee, arguments);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

FunctionBuilder::Register *FunctionBuilder::declareRegister(Scope &scope,
                                                            StringRef name,
                                                            RegisterType type) {
  Register &entry = scope.registers[name];
  entry.type = type;
  llvm::Type *held = typeOf(type);
  // Which of both it is does not matter, but for how the code reads.
  if (type.kind == RegisterType::Kind::Bits && floatUses.lookup(name) > 0) {
    if (type.bits == 32)
      held = ir.getFloatTy();
    else if (type.bits == 64)
      held = ir.getDoubleTy();
  }
  entry.slot = createLocal(held, "");
  slots.emplace_back(entry.slot, name);
  return &entry;
}

FunctionBuilder::Register *FunctionBuilder::findRegister(StringRef name) {
  StringRef prefix = name.rtrim("0123456789");
  StringRef digits = name.drop_front(prefix.size());
  unsigned number = 0;
  bool isNumbered = !digits.empty() && !digits.getAsInteger(10, number) &&
                    (digits == "0" || !digits.starts_with("0"));
  for (Scope *scope : reverse(openScopes)) {
    auto known = scope->registers.find(name);
    if (known != scope->registers.end())
      return &known->second;
    auto range = scope->ranges.find(prefix);
    if (isNumbered && range != scope->ranges.end() &&
        number < range->second.count)
      return declareRegister(*scope, name, range->second.type);
  }
  return nullptr;
}

Value *FunctionBuilder::findVariable(const Operand &operand) {
  if (operand.kind != Operand::Kind::Name)
    return nullptr;
  for (Scope *scope : reverse(openScopes))
    if (Value *variable = scope->variables.lookup(operand.name))
      return variable;
  if (operand.name == "%reserved_smem_offset_1")
    return module.reservedShared();
  return module.findVariable(operand.name);
}

unsigned FunctionBuilder::registerBits(const Operand &operand) {
  if (operand.kind != Operand::Kind::Name)
    return 0;
  Register *found = findRegister(operand.name);
  return found ? found->type.bits : 0;
}

bool FunctionBuilder::holdsFloat(const Operand &operand) {
  if (operand.kind != Operand::Kind::Name)
    return operand.kind == Operand::Kind::Float;
  Register *found = findRegister(operand.name);
  return found && found->slot->getAllocatedType()->isFloatingPointTy();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Registers of the machine that an intrinsic of LLVM's reads.
static constexpr std::pair<StringLiteral, StringLiteral> specialRegisters[] = {
    {"%tid.x", "tid.x"},
    {"%tid.y", "tid.y"},
    {"%tid.z", "tid.z"},
    {"%ntid.x", "ntid.x"},
    {"%ntid.y", "ntid.y"},
    {"%ntid.z", "ntid.z"},
    {"%ctaid.x", "ctaid.x"},
    {"%ctaid.y", "ctaid.y"},
    {"%ctaid.z", "ctaid.z"},
    {"%nctaid.x", "nctaid.x"},
    {"%nctaid.y", "nctaid.y"},
    {"%nctaid.z", "nctaid.z"},
    {"%laneid", "laneid"},
    {"%lanemask_eq", "lanemask.eq"},
    {"%lanemask_le", "lanemask.le"},
    {"%lanemask_lt", "lanemask.lt"},
    {"%lanemask_ge", "lanemask.ge"},
    {"%lanemask_gt", "lanemask.gt"},
    {"%clock", "clock"},
    {"%clock64", "clock64"},
    {"%globaltimer", "globaltimer"},
    {"%globaltimer_lo", "globaltimer.lo"},
    {"%pm0", "pm0"},
    {"%pm1", "pm1"},
    {"%pm2", "pm2"},
    {"%pm3", "pm3"},
    // Where the blocks of a grid meet (GridBarriers.h).
    {"%envreg1", "envreg1"},
    {"%envreg2", "envreg2"},
};

/// What has a value of its own where each block is a cluster.
static std::optional<unsigned> numberOfCluster(StringRef name) {
  if (name == "%is_explicit_cluster" || name == "%cluster_ctarank")
    return 0;
  if (name == "%cluster_nctarank")
    return 1;
  bool isDimension = name.consume_back(".x") || name.consume_back(".y") ||
                     name.consume_back(".z");
  if (isDimension && name == "%cluster_ctaid")
    return 0;
  if (isDimension && name == "%cluster_nctaid")
    return 1;
  return std::nullopt;
}

/// Subgroups are numbered as their threads are, as far as anybody can tell.
Value *FunctionBuilder::subgroupNumber(bool isCount) {
  auto read = [&](StringRef name) {
    return callIntrinsic(("llvm.nvvm.read.ptx.sreg." + name).str(), {});
  };
  Value *x = read("ntid.x"), *y = read("ntid.y");
  if (isCount) {
    Value *threads = ir.CreateMul(ir.CreateMul(x, y), read("ntid.z"));
    return ir.CreateLShr(ir.CreateAdd(threads, ir.getInt32(31)), 5);
  }
  Value *rows = ir.CreateAdd(ir.CreateMul(read("tid.z"), y), read("tid.y"));
  return ir.CreateLShr(ir.CreateAdd(ir.CreateMul(rows, x), read("tid.x")), 5);
}

Value *FunctionBuilder::readSpecial(const Operand &operand, RegisterType type) {
  bool isInteger = !type.isFloat() && !type.isPredicate();
  if (isInteger && !operand.number) {
    if (std::optional<unsigned> number = numberOfCluster(operand.name))
      return ir.getIntN(type.bits, *number);
    bool isCount = operand.name == "%nwarpid";
    if (isCount || operand.name == "%warpid")
      return ir.CreateZExtOrTrunc(subgroupNumber(isCount),
                                  ir.getIntNTy(type.bits));
  }
  if (operand.name == "WARP_SZ" && !operand.number && isInteger)
    return ir.getIntN(type.bits, 32);
  for (auto [name, intrinsic] : specialRegisters)
    if (operand.name == name && !operand.number && isInteger) {
      Value *value =
          callIntrinsic(("llvm.nvvm.read.ptx.sreg." + intrinsic).str(), {});
      return ir.CreateZExtOrTrunc(value, ir.getIntNTy(type.bits));
    }
  // It may be one of the machine's that is not in the table, or a function.
  bool isDeclared = any_of(openScopes, [&](const Scope *scope) {
    return any_of(scope->ranges, [&](const auto &range) {
      return operand.name.starts_with(range.first());
    });
  });
  bool isRegister = operand.name.starts_with("%");
  std::string message = (isRegister ? "register '" : "'") + operand.name.str() +
                        "' is not known here";
  if ((isRegister && !isDeclared) || module.findFunction(operand.name))
    problems.addUnsupported(operand.at, message);
  else
    problems.add(operand.at, message);
  return nullptr;
}

Value *FunctionBuilder::readRegister(const Operand &operand, Register &found,
                                     RegisterType type) {
  Value *value = ir.CreateLoad(found.slot->getAllocatedType(), found.slot);
  if (operand.isNegated && found.type.isPredicate())
    value = ir.CreateNot(value);
  if ((operand.isNegated && !found.type.isPredicate()) || operand.number ||
      found.type.isPredicate() != type.isPredicate() ||
      found.type.bits < type.bits) {
    problems.add(operand.at, "register '" + operand.name + "' has " +
                                 Twine(found.type.bits) +
                                 " bits, which do not fit here");
    return nullptr;
  }
  value = found.type.bits == type.bits && value->getType() == typeOf(type)
              ? value
              : asBits(value);
  // Only loads, stores and conversions may name a part.
  if (found.type.bits > type.bits)
    value = ir.CreateTrunc(asBits(value), ir.getIntNTy(type.bits));
  return fromBits(value, type);
}

Value *FunctionBuilder::constant(const Operand &operand, RegisterType type) {
  if (operand.kind == Operand::Kind::Integer) {
    if (!type.isFloat())
      return type.isPredicate()
                 ? ir.getInt1(operand.number != 0)
                 : ir.getInt(APInt(64, operand.number).sextOrTrunc(type.bits));
    problems.add(operand.at, "expected a floating-point number");
    return nullptr;
  }
  APFloat number(operand.isSingle
                     ? APFloat(APFloat::IEEEsingle(), APInt(32, operand.bits))
                     : APFloat(APFloat::IEEEdouble(), APInt(64, operand.bits)));
  unsigned bits = operand.isSingle ? 32 : 64;
  if (bits == 64 && type.isFloat() && type.bits == 32) {
    bool isInexact;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &isInexact);
    bits = 32;
  }
  if (bits != type.bits || type.lanes != 1) {
    problems.add(operand.at,
                 "a number of " + Twine(bits) + " bits does not fit here");
    return nullptr;
  }
  return fromBits(ir.getInt(number.bitcastToAPInt()), type);
}

Value *FunctionBuilder::read(const Operand &operand, RegisterType type) {
  switch (operand.kind) {
  case Operand::Kind::Integer:
  case Operand::Kind::Float:
    return constant(operand, type);
  case Operand::Kind::Name:
    if (Register *found = findRegister(operand.name))
      return readRegister(operand, *found, type);
    if (Value *variable = findVariable(operand);
        variable && !type.isFloat() && type.bits >= 32) {
      Value *address = ir.CreatePtrToInt(variable, ir.getIntNTy(type.bits));
      return operand.number
                 ? ir.CreateAdd(
                       address,
                       ir.getInt(
                           APInt(64, operand.number).sextOrTrunc(type.bits)))
                 : address;
    }
    if (const SourceFunction *function = module.findFunction(operand.name);
        function && !operand.number && !type.isFloat() && type.bits == 64)
      return ir.getInt64(module.addressOf(*function));
    return readSpecial(operand, type);
  default:
    problems.add(operand.at, "expected a register or a number");
    return nullptr;
  }
}

Value *FunctionBuilder::readAddress(const Operand &operand,
                                    unsigned narrowSpace) {
  if (operand.kind != Operand::Kind::Address || operand.parts.size() != 1 ||
      operand.parts[0].kind == Operand::Kind::Float) {
    problems.add(operand.at, "expected an address");
    return nullptr;
  }
  const Operand &base = operand.parts[0];
  if (base.kind == Operand::Kind::Integer)
    return ir.CreateIntToPtr(ir.getInt64(base.number), ir.getPtrTy());
  if (Value *variable = findVariable(base))
    return base.number ? ir.CreatePtrAdd(variable, ir.getInt64(base.number))
                       : variable;
  Operand plain = base;
  plain.number = 0;
  Value *address = read(plain, registerBits(base) == 32 ? kB32 : kB64);
  if (!address)
    return nullptr;
  if (base.number)
    address = ir.CreateAdd(
        address,
        ir.getInt(APInt(64, base.number)
                      .trunc(address->getType()->getIntegerBitWidth())));
  bool isNarrow = address->getType()->isIntegerTy(32);
  Value *pointer =
      ir.CreateIntToPtr(address, ir.getPtrTy(isNarrow ? narrowSpace : 0));
  return ir.CreateAddrSpaceCast(pointer, ir.getPtrTy());
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

bool FunctionBuilder::write(const Operand &operand, Value *value,
                            RegisterType type) {
  if (operand.kind == Operand::Kind::Name && operand.name == "_")
    return true;
  Register *found = operand.kind == Operand::Kind::Name
                        ? findRegister(operand.name)
                        : nullptr;
  if (!found)
    return problems.add(operand.at,
                        operand.kind == Operand::Kind::Name
                            ? "register '" + operand.name + "' is not declared"
                            : Twine("expected a register"));
  if (found->type.isPredicate() != type.isPredicate() ||
      found->type.bits < type.bits)
    return problems.add(operand.at, "register '" + operand.name + "' has " +
                                        Twine(found->type.bits) +
                                        " bits, which do not fit here");
  llvm::Type *held = found->slot->getAllocatedType();
  if (value->getType() != held) {
    value = asBits(value);
    llvm::Type *whole = ir.getIntNTy(found->type.bits);
    value = type.isSigned() ? ir.CreateSExt(value, whole)
                            : ir.CreateZExt(value, whole);
    if (!held->isIntegerTy())
      value = ir.CreateBitCast(value, held);
  }
  ir.CreateStore(value, found->slot);
  return true;
}
