//===- BuildMatrices.cpp - products of matrices ---------------------------===//
//
// Matrices are spread over the lanes of a subgroup. NVVM has intrinsics of the
// same names, which take one register after the other.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportPTX/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

/// How a register of an intrinsic's parameter or result is read and written.
static RegisterType registerOf(llvm::Type *type) {
  using Kind = RegisterType::Kind;
  if (type->isVectorTy())
    return {Kind::Float, 32, /*lanes=*/2};
  return {type->isIntegerTy() ? Kind::Bits : Kind::Float,
          unsigned(type->getPrimitiveSizeInBits())};
}

/// The registers of a matrix: `{a, b}`, or `a` alone.
static ArrayRef<Operand> registersOf(const Operand &operand) {
  return operand.kind == Operand::Kind::Vector ? ArrayRef(operand.parts)
                                               : ArrayRef(operand);
}

/// Writes what a call gives, one value or a structure of them.
static bool writeRegisters(Operation &op, const Operand &target,
                           Value *result) {
  ArrayRef<Operand> registers = registersOf(target);
  auto *types = dyn_cast<StructType>(result->getType());
  if (registers.size() != (types ? types->getNumElements() : 1))
    return op.fail("the first operand has another number of registers");
  for (auto [index, written] : enumerate(registers)) {
    Value *element = types ? op.ir.CreateExtractValue(result, index) : result;
    if (!op.function.write(written, element, registerOf(element->getType())))
      return false;
  }
  return true;
}

/// `mma.sync.aligned.SHAPE.row.col.D.A.B.C`: intrinsics name both sums, or the
/// factors, whatever leaves nothing open.
static std::string nameOfProduct(const SourceInstruction &instruction) {
  constexpr unsigned typeCount = 4;
  ArrayRef<StringRef> words = ArrayRef(instruction.words).drop_front(3);
  auto types = words.take_back(typeCount);
  SmallVector<StringRef, 8> name(words.drop_back(typeCount));
  StringRef sum = types[0], left = types[1], right = types[2];
  if (left == "f16")
    name.append({sum, types[3]});
  else if (left.starts_with("e"))
    name.append(types.begin(), types.end());
  else if (left == right)
    name.push_back(left);
  else
    name.append({left, right});
  return "llvm.nvvm.mma." + join(name, ".");
}

bool build::multiplyMatrices(Operation &op) {
  std::string name = nameOfProduct(op.instruction);
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id == Intrinsic::not_intrinsic)
    return op.fail("there is no such product");
  FunctionType *type = Intrinsic::getType(op.ir.getContext(), id);
  SmallVector<Value *, 16> arguments;
  for (unsigned matrix = 1; matrix < 4; ++matrix)
    for (const Operand &source : registersOf(op.operand(matrix))) {
      if (arguments.size() == type->getNumParams())
        return op.fail("it has too many registers");
      llvm::Type *wanted = type->getParamType(arguments.size());
      Value *value = op.function.read(source, registerOf(wanted));
      if (!value)
        return false;
      arguments.push_back(op.ir.CreateBitCast(value, wanted));
    }
  if (arguments.size() != type->getNumParams())
    return op.fail("registers are missing");
  return writeRegisters(op, op.operand(0),
                        op.function.callIntrinsic(name, arguments));
}

/// The intrinsic of a load or store of matrices of 8 rows, without its prefix.
static std::string nameOfAccess(Operation &op) {
  StringRef count = op.has("x1") ? "x1" : op.has("x2") ? "x2" : "x4";
  return (op.match.rule->name + ".sync.aligned.m8n8." + count +
          (op.has("trans") ? ".trans" : "") + ".b16")
      .str();
}

/// The place in workgroup memory that `operand` names.
static Value *readSharedAddress(Operation &op, const Operand &operand) {
  Value *address = op.function.readAddress(operand);
  return address ? op.ir.CreateAddrSpaceCast(
                       address, PointerType::get(op.ir.getContext(), 3))
                 : nullptr;
}

bool build::loadMatrices(Operation &op) {
  Value *address = readSharedAddress(op, op.operand(1));
  if (!address)
    return false;
  return writeRegisters(
      op, op.operand(0),
      op.callNVVM(nameOfAccess(op), {address}, {address->getType()}));
}

bool build::storeMatrices(Operation &op) {
  ArrayRef<Operand> registers = registersOf(op.operand(1));
  if (registers.size() != (op.has("x1") ? 1 : op.has("x2") ? 2 : 4))
    return op.fail("the last operand has another number of registers");
  SmallVector<Value *, 5> arguments = {readSharedAddress(op, op.operand(0))};
  for (const Operand &source : registers)
    arguments.push_back(op.function.read(source, kB32));
  if (is_contained(arguments, nullptr))
    return false;
  op.callNVVM(nameOfAccess(op), arguments, {arguments.front()->getType()});
  return true;
}
