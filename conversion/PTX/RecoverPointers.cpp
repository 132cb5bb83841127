//===- RecoverPointers.cpp - addresses as places in arrays ----------------===//

#include "conversion/PTX/RecoverPointers.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace gpuopt;
using namespace gpuopt::ptx;

namespace {
/// What an integer is: not known yet (in a cycle), a number, an address in
/// `object`, a number less such an address, or neither. Where it may be an
/// address in one of several objects, `object` is the instruction, an integer,
/// that chooses.
struct Origin {
  enum class Kind { Open, Number, Address, Negated, Neither };

  Kind kind = Kind::Open;
  Value *object = nullptr;

  bool isNumber() const { return kind == Kind::Number || kind == Kind::Open; }
  bool isAddress() const { return kind == Kind::Address; }
  bool isNegated() const { return kind == Kind::Negated; }
  /// Whether the bytes are those of another expression.
  bool hasObject() const { return isAddress() || isNegated(); }
  /// Whether the difference of both is a number: they are in one object.
  bool isInObjectOf(const Origin &other) const {
    return object == other.object && object->getType()->isPointerTy();
  }
  bool operator==(const Origin &) const = default;
};

class PointerRecovery {
public:
  explicit PointerRecovery(llvm::Function &function)
      : function(function), layout(function.getDataLayout()) {}

  void run();

private:
  Origin originOf(Value *value) const;
  Origin compute(Instruction &instruction) const;
  Origin merge(ArrayRef<Value *> values, Instruction *choice = nullptr) const;
  Value *pointerTo(Value *object);
  Origin ofSum(Value *left, Value *right) const;
  Origin ofDifference(Value *left, Value *right) const;
  void settleDifferences();
  Origin ofMask(Instruction &instruction) const;
  void findOrigins();
  Value *bytesOf(Value *value);
  Value *makeBytes(Instruction &instruction);
  void replace(IntToPtrInst &pointer);
  void foldSpaces();
  void settleNarrow();

  llvm::Function &function;
  const DataLayout &layout;
  DenseMap<Value *, Origin> origins;
  /// How often an instruction's origin has become a choice.
  DenseMap<Instruction *, unsigned> choices;
  static constexpr unsigned mostChoices = 8;
  /// The pointers that choices have become.
  DenseMap<Value *, Value *> chosen;
  DenseMap<Value *, Value *> bytes;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is an address?
//===----------------------------------------------------------------------===//

Origin PointerRecovery::originOf(Value *value) const {
  if (isa<Constant>(value) || !isa<Instruction>(value))
    return {Origin::Kind::Number};
  return origins.lookup(value);
}

/// Whether a generic pointer to `object` can be chosen.
static bool canBeChosen(const Value *object) {
  return !object->getType()->isPointerTy() || isa<Constant>(object) ||
         !object->getType()->getPointerAddressSpace();
}

/// Of addresses in different objects the one that is chosen is in whichever.
Origin PointerRecovery::merge(ArrayRef<Value *> values,
                              Instruction *choice) const {
  Origin result;
  for (Value *value : values) {
    Origin origin = originOf(value);
    if (origin.kind == Origin::Kind::Open ||
        (choice && origin.object == choice))
      continue;
    if (result.kind == Origin::Kind::Open)
      result = origin;
    else if (choice && result.isAddress() && origin.isAddress() &&
             !(result == origin) && canBeChosen(result.object) &&
             canBeChosen(origin.object))
      result.object = choice;
    else if (!(result == origin))
      return {Origin::Kind::Neither};
  }
  return result;
}

Origin PointerRecovery::ofSum(Value *left, Value *right) const {
  Origin a = originOf(left), b = originOf(right);
  if (a.isAddress() && b.isNumber())
    return a;
  if (b.isAddress() && a.isNumber())
    return b;
  if (a.isNumber() && b.isNumber())
    return a.kind == b.kind ? a : Origin{Origin::Kind::Open};
  if (a.isNegated() && b.isNumber())
    return a;
  if (b.isNegated() && a.isNumber())
    return b;
  bool cancels =
      (a.isNegated() && b.isAddress()) || (a.isAddress() && b.isNegated());
  return {cancels && a.isInObjectOf(b) ? Origin::Kind::Number
                                       : Origin::Kind::Neither};
}

Origin PointerRecovery::ofDifference(Value *left, Value *right) const {
  Origin a = originOf(left), b = originOf(right);
  if (b.isNumber())
    return a;
  if (a.isNumber() && b.hasObject() && b.object->getType()->isPointerTy())
    return {b.isAddress() ? Origin::Kind::Negated : Origin::Kind::Address,
            b.object};
  bool cancels = a.hasObject() && a.kind == b.kind && a.isInObjectOf(b);
  return {cancels ? Origin::Kind::Number : Origin::Kind::Neither};
}

/// Bits below the alignment of an object are the same in the address and in the
/// number of bytes from its start: they may be set, cleared or exchanged.
Origin PointerRecovery::ofMask(Instruction &instruction) const {
  Origin origin = originOf(instruction.getOperand(0));
  const APInt *mask;
  if (!origin.isAddress() || !match(instruction.getOperand(1), m_APInt(mask)))
    return merge({instruction.getOperand(0), instruction.getOperand(1)})
                   .isNumber()
               ? Origin{Origin::Kind::Number}
               : Origin{Origin::Kind::Neither};
  APInt changed = instruction.getOpcode() == Instruction::And ? ~*mask : *mask;
  if (origin.object->getType()->isIntegerTy())
    return {Origin::Kind::Neither};
  uint64_t alignment = origin.object->getPointerAlignment(layout).value();
  return changed.ult(alignment) ? origin : Origin{Origin::Kind::Neither};
}

Origin PointerRecovery::compute(Instruction &instruction) const {
  switch (instruction.getOpcode()) {
  case Instruction::PtrToInt:
    return {Origin::Kind::Address, instruction.getOperand(0)};
  case Instruction::Add:
    return ofSum(instruction.getOperand(0), instruction.getOperand(1));
  case Instruction::Sub:
    return ofDifference(instruction.getOperand(0), instruction.getOperand(1));
  case Instruction::PHI:
    return merge(
        SmallVector<Value *>(cast<PHINode>(instruction).incoming_values()),
        &instruction);
  case Instruction::Select:
    return merge({instruction.getOperand(1), instruction.getOperand(2)},
                 &instruction);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return ofMask(instruction);
  case Instruction::Freeze:
    return originOf(instruction.getOperand(0));
  case Instruction::Trunc:
  case Instruction::ZExt:
    if (Origin origin = originOf(instruction.getOperand(0));
        instruction.getType()->getIntegerBitWidth() >= 32 &&
        !origin.isNegated())
      return origin;
    break;
  case Instruction::Load:
  case Instruction::Call:
    return {Origin::Kind::Number};
  default:
    break;
  }
  bool isNumber = all_of(instruction.operands(), [&](Value *operand) {
    return originOf(operand).isNumber();
  });
  return {isNumber ? Origin::Kind::Number : Origin::Kind::Neither};
}

/// Origins only go from open to number or address, from there a few times to
/// that of a choice, and to neither: it ends.
void PointerRecovery::findOrigins() {
  ReversePostOrderTraversal<llvm::Function *> order(&function);
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block) {
        if (!instruction.getType()->isIntegerTy())
          continue;
        Origin &origin = origins[&instruction];
        if (origin.kind == Origin::Kind::Neither)
          continue;
        Origin next = compute(instruction);
        bool rises = origin.kind != Origin::Kind::Open && !(next == origin);
        bool isChosen = rises && origin.isAddress() && next.isAddress() &&
                        next.object->getType()->isIntegerTy() &&
                        ++choices[&instruction] <= mostChoices;
        if (rises && !isChosen)
          next = {Origin::Kind::Neither};
        changed |= !(next == origin);
        origins[&instruction] = next;
      }
  }
}

//===----------------------------------------------------------------------===//
// Where in its object?
//===----------------------------------------------------------------------===//

Value *PointerRecovery::bytesOf(Value *value) {
  if (!originOf(value).hasObject())
    return value;
  if (Value *known = bytes.lookup(value))
    return known;
  auto &instruction = *cast<Instruction>(value);
  if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    PHINode *made = PHINode::Create(phi->getType(), phi->getNumIncomingValues(),
                                    "", phi->getIterator());
    made->setDebugLoc(phi->getDebugLoc());
    bytes[value] = made;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      made->addIncoming(bytesOf(phi->getIncomingValue(i)),
                        phi->getIncomingBlock(i));
    return made;
  }
  return bytes[value] = makeBytes(instruction);
}

/// Addresses of 32 bits are of workgroup memory and of a thread's own: objects
/// are smaller than 2^31 bytes there.
Value *PointerRecovery::makeBytes(Instruction &instruction) {
  IRBuilder<> ir(&instruction);
  llvm::Type *type = instruction.getType();
  auto operand = [&](unsigned index) {
    return bytesOf(instruction.getOperand(index));
  };
  switch (instruction.getOpcode()) {
  case Instruction::PtrToInt:
    return Constant::getNullValue(type);
  case Instruction::Select:
    return ir.CreateSelect(instruction.getOperand(0), operand(1), operand(2));
  case Instruction::Freeze:
    return ir.CreateFreeze(operand(0));
  case Instruction::Trunc:
    return ir.CreateTrunc(operand(0), type);
  case Instruction::ZExt:
    return ir.CreateSExt(operand(0), type);
  default:
    return ir.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()),
                          operand(0), operand(1));
  }
}

/// Differences of addresses in one object are those of their bytes.
void PointerRecovery::settleDifferences() {
  SmallVector<Instruction *> differences;
  for (Instruction &instruction : instructions(function)) {
    unsigned opcode = instruction.getOpcode();
    if ((opcode == Instruction::Add || opcode == Instruction::Sub) &&
        originOf(&instruction).kind == Origin::Kind::Number &&
        originOf(instruction.getOperand(0)).hasObject())
      differences.push_back(&instruction);
  }
  // They stay, unused: `origins` knows instructions by their addresses.
  for (Instruction *difference : differences)
    difference->replaceAllUsesWith(makeBytes(*difference));
}

/// An object, or the pointer to the one that is chosen.
Value *PointerRecovery::pointerTo(Value *object) {
  if (object->getType()->isPointerTy())
    return object;
  if (Value *known = chosen.lookup(object))
    return known;
  auto *generic = PointerType::get(object->getContext(), 0);
  auto pointerOf = [&](Value *address) -> Value * {
    Value *pointer = pointerTo(originOf(address).object);
    if (pointer->getType() == generic)
      return pointer;
    return ConstantExpr::getAddrSpaceCast(cast<Constant>(pointer), generic);
  };
  if (auto *choice = dyn_cast<SelectInst>(object)) {
    Value *left = pointerOf(choice->getTrueValue());
    Value *right = pointerOf(choice->getFalseValue());
    return chosen[object] = IRBuilder<>(choice).CreateSelect(
               choice->getCondition(), left, right);
  }
  auto *phi = cast<PHINode>(object);
  PHINode *made = PHINode::Create(generic, phi->getNumIncomingValues(), "",
                                  phi->getIterator());
  made->setDebugLoc(phi->getDebugLoc());
  chosen[object] = made;
  for (auto [address, block] : zip(phi->incoming_values(), phi->blocks()))
    made->addIncoming(pointerOf(address), block);
  return made;
}

void PointerRecovery::replace(IntToPtrInst &pointer) {
  Value *address = pointer.getOperand(0);
  Origin origin = originOf(address);
  if (!origin.isAddress())
    return;
  Value *offset = bytesOf(address);
  IRBuilder<> ir(&pointer);
  offset = ir.CreateSExtOrTrunc(offset, ir.getInt64Ty());
  Value *object = pointerTo(origin.object);
  Value *place =
      match(offset, m_Zero()) ? object : ir.CreatePtrAdd(object, offset);
  if (pointer.getAddressSpace())
    place = ir.CreateAddrSpaceCast(place, pointer.getType());
  for (User *user : make_early_inc_range(pointer.users()))
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(user);
        cast && cast->getType() == object->getType()) {
      cast->replaceAllUsesWith(
          isa<AddrSpaceCastInst>(place)
              ? llvm::cast<AddrSpaceCastInst>(place)->getPointerOperand()
              : place);
      cast->eraseFromParent();
    }
  pointer.replaceAllUsesWith(place);
  pointer.eraseFromParent();
}

/// The address space that an object is in: parameters point to global memory.
static std::optional<unsigned> spaceOf(const Value *object) {
  if (auto *variable = dyn_cast<GlobalVariable>(object))
    return variable->getAddressSpace();
  if (auto *argument = dyn_cast<Argument>(object))
    return argument->hasByValAttr() ? std::nullopt : std::optional(1u);
  if (isa<AllocaInst>(object))
    return 5;
  return std::nullopt;
}

/// What is left of addresses of 32 bits: they are the ones in the space that
/// the object is in, which the generic address does not end with on a device.
void PointerRecovery::settleNarrow() {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (!instruction.getType()->isIntegerTy(32) || instruction.use_empty())
      continue;
    auto *address = dyn_cast<PtrToIntInst>(
        isa<TruncInst>(instruction) ? instruction.getOperand(0) : &instruction);
    if (!address)
      continue;
    Value *pointer = address->getPointerOperand();
    std::optional<unsigned> space = spaceOf(getUnderlyingObject(pointer));
    if (!space || *space < 3 || pointer->getType()->getPointerAddressSpace())
      continue;
    IRBuilder<> ir(&instruction);
    Value *own = ir.CreateAddrSpaceCast(pointer, ir.getPtrTy(*space));
    instruction.replaceAllUsesWith(
        ir.CreatePtrToInt(own, instruction.getType()));
  }
}

//===----------------------------------------------------------------------===//
// isspacep
//===----------------------------------------------------------------------===//

static std::optional<unsigned> spaceAskedFor(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_isspacep_global:
    return 1;
  case Intrinsic::nvvm_isspacep_shared:
  case Intrinsic::nvvm_isspacep_shared_cluster:
    return 3;
  case Intrinsic::nvvm_isspacep_const:
    return 4;
  case Intrinsic::nvvm_isspacep_local:
    return 5;
  default:
    return std::nullopt;
  }
}

void PointerRecovery::foldSpaces() {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    std::optional<unsigned> asked = call ? spaceAskedFor(*call) : std::nullopt;
    if (!asked)
      continue;
    std::optional<unsigned> space =
        spaceOf(getUnderlyingObject(call->getArgOperand(0)));
    if (!space)
      continue;
    call->replaceAllUsesWith(
        ConstantInt::getBool(call->getType(), *space == *asked));
    call->eraseFromParent();
  }
}

void PointerRecovery::run() {
  findOrigins();
  settleDifferences();
  SmallVector<IntToPtrInst *> pointers;
  for (Instruction &instruction : instructions(function))
    if (auto *pointer = dyn_cast<IntToPtrInst>(&instruction))
      pointers.push_back(pointer);
  for (IntToPtrInst *pointer : pointers)
    replace(*pointer);
  settleNarrow();
  foldSpaces();
}

void ptx::recoverPointers(llvm::Function &function) {
  PointerRecovery(function).run();
}
