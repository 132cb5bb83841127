//===- BuildMatrices.cpp - products of matrices ---------------------------===//
//
// Matrices are spread over the lanes of a subgroup. NVVM has intrinsics of the
// same names, which take one register after the other, but for `wgmma`, which
// is inline PTX in all compilers (runtime/CPU/WarpgroupProduct.h reads it).
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"
#include "conversion/PTX/MatrixRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
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

bool ptx::writeRegisters(Operation &op, const Operand &target, Value *result) {
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

bool ptx::readRegisters(Operation &op, ArrayRef<Operand> matrices,
                        FunctionType *type, unsigned count,
                        SmallVectorImpl<Value *> &arguments) {
  for (const Operand &matrix : matrices)
    for (const Operand &source : registersOf(matrix)) {
      if (arguments.size() == count)
        return op.fail("it has too many registers");
      llvm::Type *wanted = type->getParamType(arguments.size());
      Value *value = op.function.read(source, registerOf(wanted));
      if (!value)
        return false;
      arguments.push_back(op.ir.CreateBitCast(value, wanted));
    }
  return arguments.size() == count || op.fail("registers are missing");
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
  if (!readRegisters(op, ArrayRef(op.instruction.operands).drop_front(), type,
                     type->getNumParams(), arguments))
    return false;
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

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

/// How many registers have the sums of `m64n128k16`; nothing for shapes that
/// there are not: rows of a factor have 32 bytes.
static std::optional<unsigned> countSums(const Operation &op) {
  StringRef shape = op.match.startingWith("m64n");
  unsigned columns, depth;
  bool isShape = shape.consume_front("m64n") &&
                 !shape.consumeInteger(10, columns) &&
                 shape.consume_front("k") && !shape.getAsInteger(10, depth);
  bool isOfBytes = op.has("e4m3") || op.has("e5m2");
  bool isInteger = op.type().isSigned();
  unsigned bits = isOfBytes ? 8 : op.type(1).bits;
  if (!isShape || columns % (isInteger && columns > 32 ? 16 : 8) ||
      columns < 8 || columns > 256 || depth * bits != 256)
    return std::nullopt;
  return columns / (op.type().bits == 16 ? 4 : 2);
}

namespace {
/// The statement of one `wgmma.mma_async`.
class WarpgroupStatement {
public:
  explicit WarpgroupStatement(Operation &op)
      : op(op), sums(registersOf(op.operand(0))),
        sumType(op.type() == kF32 ? kF32 : kB32) {}

  /// The new sums; null after a problem.
  Value *build();

private:
  bool add(const Operand &operand, RegisterType type, StringRef constraint);
  bool addMatrices();
  bool addSums();
  std::string text();

  Operation &op;
  ArrayRef<Operand> sums;
  RegisterType sumType;
  SmallVector<std::string, 0> constraints;
  SmallVector<Value *, 0> arguments;
};
} // namespace

bool WarpgroupStatement::add(const Operand &operand, RegisterType type,
                             StringRef constraint) {
  arguments.push_back(op.function.read(operand, type));
  constraints.push_back(constraint.str());
  return arguments.back();
}

bool WarpgroupStatement::addMatrices() {
  const Operand &rows = op.operand(1);
  if (rows.kind == Operand::Kind::Vector) {
    if (rows.parts.size() != 4)
      return op.fail("the second operand has another number of registers");
    for (const Operand &part : rows.parts)
      if (!add(part, kB32, "r"))
        return false;
  } else if (!add(rows, kB64, "l")) {
    return false;
  }
  return add(op.operand(2), kB64, "l");
}

bool WarpgroupStatement::addSums() {
  for (auto [index, sum] : enumerate(sums))
    if (!add(sum, sumType, std::to_string(index)))
      return false;
  return true;
}

/// Inputs follow the sums: those of the rows, the columns and the predicate.
std::string WarpgroupStatement::text() {
  unsigned next = 0;
  auto list = [&](unsigned count) {
    SmallVector<std::string, 0> names;
    for (unsigned i = 0; i < count; ++i)
      names.push_back("$" + std::to_string(next++));
    return "{" + join(names, ", ") + "}";
  };
  auto name = [&] { return "$" + std::to_string(next++); };
  const Operand &left = op.operand(1);
  std::string results = list(sums.size());
  std::string rows =
      left.kind == Operand::Kind::Vector ? list(left.parts.size()) : name();
  std::string columns = name(), predicate = name();
  std::string immediates;
  for (const Operand &operand : drop_begin(op.instruction.operands, 4))
    immediates += ", " + std::to_string(operand.number);
  return "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, " + predicate + ", 0;\n\t" +
         op.instruction.opcode.str() + " " + results + ", " + rows + ", " +
         columns + ", p" + immediates + ";\n\t}";
}

Value *WarpgroupStatement::build() {
  std::optional<unsigned> count = countSums(op);
  if (!count)
    return op.fail("there is no such product");
  if (sums.size() != *count)
    return op.fail("the first operand has another number of registers");
  for (auto [index, operand] :
       enumerate(drop_begin(op.instruction.operands, 4))) {
    // Scales of both factors, then whether they are transposed.
    bool isKnown =
        operand.kind == Operand::Kind::Integer &&
        (operand.number == 1 || operand.number == (index < 2 ? -1 : 0));
    if (!isKnown)
      return op.fail("scales are 1 or -1, and what is transposed 0 or 1");
  }
  constraints.assign(*count, sumType == kF32 ? "=f" : "=r");
  if (!addMatrices())
    return nullptr;
  arguments.push_back(op.ir.CreateZExt(op[0], op.ir.getInt32Ty()));
  constraints.push_back("r");
  if (!addSums())
    return nullptr;
  constraints.push_back("~{memory}");
  SmallVector<Type *, 0> types(*count, op.function.typeOf(sumType));
  SmallVector<Type *, 0> inputs;
  for (Value *argument : arguments)
    inputs.push_back(argument->getType());
  auto *type = FunctionType::get(StructType::get(op.ir.getContext(), types),
                                 inputs, /*isVarArg=*/false);
  CallInst *call =
      op.ir.CreateCall(InlineAsm::get(type, text(), join(constraints, ","),
                                      /*hasSideEffects=*/true),
                       arguments);
  call->setConvergent();
  return call;
}

bool build::multiplyByWarpgroup(Operation &op) {
  Value *result = WarpgroupStatement(op).build();
  return result && writeRegisters(op, op.operand(0), result);
}

/// An instruction that the registers of products in flight may not be moved
/// over, neither what is done with sums nor what prepares them: it takes and
/// gives all of them, which nothing else says to LLVM.
static bool orderRegisters(Operation &op, const Twine &instruction) {
  SmallVector<Operand, 0> registers;
  SmallVector<std::string, 0> constraints;
  SmallVector<Value *, 0> values;
  for (const Operand &operand : op.function.warpgroupRegisters())
    if (op.function.isDeclared(operand)) {
      registers.push_back(operand);
      values.push_back(op.function.read(operand, kB32));
      if (!values.back())
        return false;
    }
  constraints.assign(registers.size(), "=r");
  for (size_t index = 0; index < registers.size(); ++index)
    constraints.push_back(std::to_string(index));
  constraints.push_back("~{memory}");
  llvm::Type *word = op.ir.getInt32Ty();
  SmallVector<llvm::Type *, 0> types(registers.size(), word);
  llvm::Type *result =
      registers.empty() ? op.ir.getVoidTy()
      : registers.size() == 1
          ? word
          : (llvm::Type *)StructType::get(op.ir.getContext(), types);
  CallInst *call = op.ir.CreateCall(
      InlineAsm::get(FunctionType::get(result, types, /*isVarArg=*/false),
                     (instruction + ";").str(), join(constraints, ","),
                     /*hasSideEffects=*/true),
      values);
  call->setConvergent();
  for (auto [index, written] : enumerate(registers)) {
    Value *value = registers.size() == 1
                       ? (Value *)call
                       : op.ir.CreateExtractValue(call, index);
    if (!op.function.write(written, value, kB32))
      return false;
  }
  return true;
}

bool build::orderWarpgroup(Operation &op) {
  return orderRegisters(op, op.instruction.opcode);
}

bool build::waitForWarpgroup(Operation &op) {
  if (op.operand(0).kind != Operand::Kind::Integer)
    return op.fail("the operand is no number");
  return orderRegisters(op, op.instruction.opcode + " " +
                                Twine(op.operand(0).number));
}
