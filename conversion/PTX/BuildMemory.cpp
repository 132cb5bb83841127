//===- BuildMemory.cpp - loads, stores, atomics, copies -------------------===//

#include "conversion/PTX/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// What is accessed, and how.
struct Access {
  llvm::Type *scalar = nullptr;
  /// A vector where several elements are accessed at once.
  llvm::Type *whole = nullptr;
  /// An integer as wide, where they are accessed in an order of memory.
  llvm::Type *asNumber = nullptr;
  SmallVector<Operand, 4> registers;
  Align alignment;
  bool isVolatile = false;
  AtomicOrdering ordering = AtomicOrdering::NotAtomic;
  SyncScope::ID scope = SyncScope::System;
};
} // namespace

static SyncScope::ID scopeOf(Operation &op, StringRef byDefault) {
  StringRef name = op.has("cta")                        ? "block"
                   : op.has("gpu") || op.has("cluster") ? "device"
                   : op.has("sys")                      ? ""
                                                        : byDefault;
  return op.ir.getContext().getOrInsertSyncScopeID(name);
}

/// The address that operand `index` names.
static Value *readPlace(Operation &op, unsigned index) {
  bool isShared = op.has("shared") || op.has("shared::cta");
  unsigned space = isShared          ? FunctionBuilder::kSharedSpace
                   : op.has("local") ? FunctionBuilder::kLocalSpace
                   : op.has("const") ? FunctionBuilder::kConstantSpace
                                     : 0;
  return op.function.readAddress(op.operand(index), space);
}

static AtomicOrdering orderingOf(Operation &op) {
  return op.has("relaxed") || op.has("mmio") ? AtomicOrdering::Monotonic
         : op.has("acquire")                 ? AtomicOrdering::Acquire
         : op.has("release")                 ? AtomicOrdering::Release
         : op.has("acq_rel")                 ? AtomicOrdering::AcquireRelease
                                             : AtomicOrdering::NotAtomic;
}

/// Loads do not release, and stores do not acquire.
static bool hasWrongOrder(Operation &op) {
  return op.has(op.match.rule->name == "st" ? "acquire" : "release");
}

/// What `registers` hold are numbers where they all are used as such.
static std::optional<Access> describe(Operation &op, const Operand &registers) {
  Access access;
  RegisterType type = op.type();
  unsigned count = op.match.vectorLength();
  if (registers.kind == Operand::Kind::Vector)
    access.registers.append(registers.parts.begin(), registers.parts.end());
  else
    access.registers.push_back(registers);
  if (access.registers.size() != count) {
    op.fail("expected " + Twine(count) + " elements");
    return std::nullopt;
  }
  if (hasWrongOrder(op)) {
    op.fail("there is no such order of memory here");
    return std::nullopt;
  }
  bool isBits = type.kind == RegisterType::Kind::Bits && type.bits >= 32 &&
                type.bits <= 64;
  if (isBits && all_of(access.registers, [&](const Operand &element) {
        return element.name == "_" || op.function.holdsFloat(element);
      }))
    type.kind = RegisterType::Kind::Float;
  access.scalar = op.function.typeOf(type);
  access.whole =
      count == 1 ? access.scalar : FixedVectorType::get(access.scalar, count);
  access.alignment = Align(std::max(1u, count * type.bits / 8));
  access.isVolatile = op.has("volatile") || op.has("cv") || op.has("mmio");
  access.ordering = orderingOf(op);
  access.scope = scopeOf(op, "");
  if (access.ordering == AtomicOrdering::NotAtomic || count == 1)
    return access;
  // At once: PTX asks no more than that each element is. What is volatile is
  // relaxed, and stays one access, whatever its bits.
  if (count * type.bits <= 64) {
    access.asNumber = op.ir.getIntNTy(count * type.bits);
  } else if (access.ordering == AtomicOrdering::Monotonic) {
    access.ordering = AtomicOrdering::NotAtomic;
    access.isVolatile = true;
  } else {
    op.fail("vectors of more than 64 bits have no order of memory here");
    return std::nullopt;
  }
  return access;
}

bool build::load(Operation &op) {
  std::optional<Access> access = describe(op, op.operand(0));
  Value *address = access ? readPlace(op, 1) : nullptr;
  if (!address)
    return false;
  LoadInst *load = op.ir.CreateAlignedLoad(
      access->asNumber ? access->asNumber : access->whole, address,
      access->alignment, access->isVolatile);
  if (access->ordering != AtomicOrdering::NotAtomic)
    load->setAtomic(access->ordering, access->scope);
  Value *whole =
      access->asNumber ? op.ir.CreateBitCast(load, access->whole) : load;
  for (auto [index, target] : enumerate(access->registers)) {
    Value *element = access->registers.size() == 1
                         ? whole
                         : op.ir.CreateExtractElement(whole, index);
    if (!op.function.write(target, element, op.type()))
      return false;
  }
  return true;
}

bool build::store(Operation &op) {
  std::optional<Access> access = describe(op, op.operand(1));
  Value *address = access ? readPlace(op, 0) : nullptr;
  if (!address)
    return false;
  Value *whole = PoisonValue::get(access->whole);
  for (auto [index, source] : enumerate(access->registers)) {
    Value *element = op.function.read(source, op.type());
    if (!element)
      return false;
    if (element->getType() != access->scalar)
      element = op.ir.CreateBitCast(element, access->scalar);
    whole = access->registers.size() == 1
                ? element
                : op.ir.CreateInsertElement(whole, element, index);
  }
  if (access->asNumber)
    whole = op.ir.CreateBitCast(whole, access->asNumber);
  StoreInst *store = op.ir.CreateAlignedStore(whole, address, access->alignment,
                                              access->isVolatile);
  if (access->ordering != AtomicOrdering::NotAtomic)
    store->setAtomic(access->ordering, access->scope);
  return true;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Relaxed, and for the whole device, where nothing is said.
static AtomicOrdering atomicOrderingOf(Operation &op) {
  AtomicOrdering ordering = orderingOf(op);
  return ordering == AtomicOrdering::NotAtomic ? AtomicOrdering::Monotonic
                                               : ordering;
}

/// What `op` does to numbers of its type; nothing where PTX has none.
static std::optional<AtomicRMWInst::BinOp> updateOf(Operation &op) {
  using Op = AtomicRMWInst;
  RegisterType type = op.type();
  bool isBits = type.kind == RegisterType::Kind::Bits && type.bits >= 32;
  bool isInteger = !type.isFloat() && type.kind != RegisterType::Kind::Bits &&
                   type.bits >= 32;
  bool isSigned = type.isSigned(), isFloat = type.isFloat();
  if (op.has("add"))
    return isFloat     ? std::optional(Op::FAdd)
           : isInteger ? std::optional(Op::Add)
                       : std::nullopt;
  // Of numbers only those of 16 bits in vectors.
  if (isFloat && type.bits / type.lanes == 16 && op.match.vectorLength() > 1)
    return op.has("min") ? Op::FMin : Op::FMax;
  if (op.has("min") && isInteger)
    return isSigned ? Op::Min : Op::UMin;
  if (op.has("max") && isInteger)
    return isSigned ? Op::Max : Op::UMax;
  if ((op.has("inc") || op.has("dec")) && type == kU32)
    return op.has("inc") ? Op::UIncWrap : Op::UDecWrap;
  if (!isBits)
    return std::nullopt;
  return op.has("and")    ? std::optional(Op::And)
         : op.has("or")   ? std::optional(Op::Or)
         : op.has("xor")  ? std::optional(Op::Xor)
         : op.has("exch") ? std::optional(Op::Xchg)
                          : std::nullopt;
}

using Elements = SmallVector<Operand, 4>;

/// The elements of operand `index`, of which there have to be `count`.
static std::optional<Elements> elementsOf(Operation &op, unsigned index,
                                          unsigned count) {
  const Operand &operand = op.operand(index);
  Elements elements = {operand};
  if (operand.kind == Operand::Kind::Vector)
    elements.assign(operand.parts.begin(), operand.parts.end());
  if (elements.size() == count)
    return elements;
  op.fail("expected " + Twine(count) + " elements");
  return std::nullopt;
}

bool build::update(Operation &op) {
  bool hasResult = op.match.rule->name == "atom";
  std::optional<AtomicRMWInst::BinOp> kind = updateOf(op);
  if (!kind)
    return op.fail("there is no such update of this type");
  Value *address = readPlace(op, hasResult);
  if (!address)
    return false;
  unsigned count = op.match.vectorLength(), bytes = op.type().bits / 8;
  std::optional<Elements> values = elementsOf(op, hasResult + 1, count);
  std::optional<Elements> results =
      hasResult ? elementsOf(op, 0, count) : Elements();
  if (!values || !results)
    return false;
  // Of several each is updated by itself.
  for (unsigned element = 0; element < count; ++element) {
    Value *value = op.function.read((*values)[element], op.type());
    if (!value)
      return false;
    Value *place =
        element ? op.ir.CreatePtrAdd(address, op.ir.getInt64(element * bytes))
                : address;
    Value *old =
        op.ir.CreateAtomicRMW(*kind, place, value, Align(bytes),
                              atomicOrderingOf(op), scopeOf(op, "device"));
    if (hasResult && !op.function.write((*results)[element], old, op.type()))
      return false;
  }
  return true;
}

bool build::compareAndSwap(Operation &op) {
  Value *address = readPlace(op, 1);
  Value *expected = address ? op.read(2, op.type()) : nullptr;
  Value *wanted = expected ? op.read(3, op.type()) : nullptr;
  if (!wanted)
    return false;
  AtomicOrdering ordering = atomicOrderingOf(op);
  Value *pair = op.ir.CreateAtomicCmpXchg(
      address, expected, wanted, Align(op.type().bits / 8), ordering,
      AtomicCmpXchgInst::getStrongestFailureOrdering(ordering),
      scopeOf(op, "device"));
  return op.write(0, op.ir.CreateExtractValue(pair, 0), op.type());
}

bool build::fence(Operation &op) {
  unsigned scope = op.has("cta") ? 0 : op.has("sys") ? 2 : 1;
  op.function.callDevice("fence", op.ir.getVoidTy(), {op.ir.getInt32(scope)});
  return true;
}

/// LLVM has no intrinsic for it.
bool build::fenceOfProxies(Operation &op) {
  auto *type = FunctionType::get(op.ir.getVoidTy(), /*isVarArg=*/false);
  op.ir.CreateCall(InlineAsm::get(type, op.instruction.opcode.str() + ";",
                                  "~{memory}", /*hasSideEffects=*/true));
  return true;
}

/// What accesses with a hint name, which change no result.
Value *build::cachePolicy(Operation &op) { return op.ir.getInt64(0); }

/// Hints, which change no result.
bool build::nothing(Operation &) { return true; }

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// `cp.async.cg.shared.global [to], [from], 16, count`: what is behind `count`
/// bytes becomes zero.
bool build::copyAsync(Operation &op) {
  Builder &ir = op.ir;
  Value *to = op.function.readAddress(op.operand(0));
  Value *from = to ? op.function.readAddress(op.operand(1)) : nullptr;
  if (!from)
    return false;
  const Operand &bytes = op.operand(2);
  bool isPossible =
      bytes.kind == Operand::Kind::Integer &&
      (bytes.number == 16 ||
       (op.has("ca") && (bytes.number == 4 || bytes.number == 8)));
  if (!isPossible)
    return op.fail("expected 4, 8 or 16 bytes");
  std::string name = (StringRef(op.has("ca") ? "ca" : "cg") +
                      ".shared.global." + Twine(bytes.number))
                         .str();
  LLVMContext &context = ir.getContext();
  SmallVector<Value *, 3> arguments = {
      ir.CreateAddrSpaceCast(to, PointerType::get(context, 3)),
      ir.CreateAddrSpaceCast(from, PointerType::get(context, 1))};
  if (op.operandCount() == 4) {
    arguments.push_back(op.read(3, kU32));
    if (!arguments.back())
      return false;
    name += ".s";
  }
  op.callNVVM("cp.async." + name, arguments);
  return true;
}

bool build::commitCopies(Operation &op) {
  op.callNVVM("cp.async.commit.group", {});
  return true;
}

bool build::waitForCopies(Operation &op) {
  const Operand &pending = op.operand(0);
  if (pending.kind != Operand::Kind::Integer)
    return op.fail("expected a number of groups");
  op.callNVVM("cp.async.wait.group", {op.ir.getInt32(pending.number)});
  return true;
}

bool build::waitForAllCopies(Operation &op) {
  op.callNVVM("cp.async.wait.all", {});
  return true;
}
