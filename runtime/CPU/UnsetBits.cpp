//===- UnsetBits.cpp - where bits that nothing has set go -----------------===//

#include "runtime/CPU/UnsetBits.h"

#include "conversion/PTX/UnsetRegisters.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

UnsetBits::UnsetBits(KernelBuilder &kernel, ArrayRef<CallInst *> sources)
    : kernel(kernel), sources(sources) {}

//===----------------------------------------------------------------------===//
// What is reached
//===----------------------------------------------------------------------===//

/// Whether the result is made of the operands alone.
static bool isComputed(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return call->doesNotAccessMemory() && !call->getType()->isVoidTy();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             PHINode, FreezeInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst,
             GetElementPtrInst>(instruction);
}

static bool isExchange(std::optional<Wait> kind) {
  return kind && *kind >= Wait::Exchange && *kind <= Wait::ReadFirst;
}

void UnsetBits::findLocals() {
  for (Instruction &instruction : instructions(*kernel.function)) {
    std::optional<Wait> kind = waitKind(kernel, instruction);
    if (isExchange(kind))
      exchanges.push_back(cast<CallInst>(&instruction));
    else if (kind == Wait::Multiply)
      products.push_back(cast<CallInst>(&instruction));
    Value *source = nullptr;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      source = load->getPointerOperand();
    else if (auto *transfer = dyn_cast<MemTransferInst>(&instruction))
      source = transfer->getRawSource();
    if (source)
      for (const AllocaInst *local : localsOf(source).variables)
        reads[local].push_back(&instruction);
  }
}

void UnsetBits::give(const Names &found, Names &known, const Value *to) {
  size_t before = known.size();
  known.insert_range(found);
  if (known.size() != before)
    pending.push_back(to);
}

void UnsetBits::hold(const Names &found, Value *at) {
  for (const AllocaInst *local : localsOf(at).variables)
    give(found, held[local], local);
}

/// What nothing has stored to. Where its address is known to others they may
/// have done that.
void UnsetBits::fill(const Names &found, const MemSetInst &by) {
  for (const AllocaInst *local : localsOf(by.getRawDest()).variables)
    if (!PointerMayBeCaptured(local, /*ReturnCaptures=*/true))
      give(found, held[local], local);
}

void UnsetBits::spreadFromValue(const Value &from) {
  Names found = names[&from];
  for (const Use &use : from.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (isComputed(*user) || isExchange(waitKind(kernel, *user))) {
      give(found, names[user], user);
      continue;
    }
    if (auto *set = dyn_cast<MemSetInst>(user); set && set->getValue() == &from)
      fill(found, *set);
    auto *store = dyn_cast<StoreInst>(user);
    if (store && store->getValueOperand() == &from)
      hold(found, store->getPointerOperand());
  }
}

void UnsetBits::spreadFromMemory(const AllocaInst &from) {
  Names found = held[&from];
  for (const Instruction *read : reads[&from]) {
    if (isa<LoadInst>(read)) {
      give(found, names[read], read);
      continue;
    }
    hold(found, cast<MemTransferInst>(read)->getRawDest());
  }
}

void UnsetBits::findReached() {
  for (CallInst *source : sources) {
    Names name;
    name.insert(*ptx::unsetRegister(*source->getCalledFunction()));
    give(name, names[source], source);
  }
  for (CallInst *wait : exchanges) {
    Names name;
    name.insert("[what a lane gives that takes no part in a shuffle]");
    if (isOpen(*wait))
      give(name, names[wait], wait);
  }
  while (!pending.empty()) {
    const Value *from = pending.pop_back_val();
    if (auto *local = dyn_cast<AllocaInst>(from))
      spreadFromMemory(*local);
    else
      spreadFromValue(*from);
  }
}

//===----------------------------------------------------------------------===//
// Shadows
//===----------------------------------------------------------------------===//

Type *UnsetBits::shadowType(Type *type) const {
  if (auto *structure = dyn_cast<StructType>(type)) {
    SmallVector<Type *> members;
    for (Type *member : structure->elements())
      members.push_back(shadowType(member));
    return StructType::get(kernel.context, members, structure->isPacked());
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(shadowType(array->getElementType()),
                          array->getNumElements());
  return Type::getIntNTy(kernel.context,
                         kernel.module.getDataLayout().getTypeSizeInBits(type));
}

Value *UnsetBits::shadowOf(Value *value) {
  if (Value *known = shadows.lookup(value))
    return known;
  return Constant::getNullValue(shadowType(value->getType()));
}

static bool isAggregate(const Type *type) {
  return isa<StructType, ArrayType>(type);
}

/// As many members as `type` has.
static unsigned membersOf(const Type *type) {
  if (auto *structure = dyn_cast<StructType>(type))
    return structure->getNumElements();
  return cast<ArrayType>(type)->getNumElements();
}

/// Whether a bit of a shadow is set.
static Value *isAnySet(IRBuilderBase &ir, Value *shadow) {
  if (!isAggregate(shadow->getType()))
    return ir.CreateIsNotNull(shadow);
  Value *any = ir.getFalse();
  for (unsigned member = 0; member < membersOf(shadow->getType()); ++member)
    any = ir.CreateOr(any, isAnySet(ir, ir.CreateExtractValue(shadow, member)));
  return any;
}

Value *UnsetBits::anyOf(IRBuilderBase &ir, Value *value) {
  return isAnySet(ir, shadowOf(value));
}

/// A shadow that has all bits where `any` holds.
Value *UnsetBits::spread(IRBuilderBase &ir, Value *any, Type *shadow) {
  if (!isAggregate(shadow))
    return ir.CreateSExt(any, shadow);
  Value *all = PoisonValue::get(shadow);
  for (unsigned member = 0; member < membersOf(shadow); ++member)
    all = ir.CreateInsertValue(
        all, spread(ir, any, GetElementPtrInst::getTypeAtIndex(shadow, member)),
        member);
  return all;
}

/// A bit that is zero in one operand of an `and`, or one in one of an `or`, is
/// known whatever the other has.
Value *UnsetBits::ofBitwise(IRBuilderBase &ir, BinaryOperator &operation) {
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  Value *ofLeft = shadowOf(left), *ofRight = shadowOf(right);
  if (operation.getOpcode() == Instruction::Or) {
    left = ir.CreateNot(left);
    right = ir.CreateNot(right);
  }
  if (operation.getOpcode() == Instruction::Xor)
    return ir.CreateOr(ofLeft, ofRight);
  return ir.CreateOr(
      ir.CreateAnd(ofLeft, ofRight),
      ir.CreateOr(ir.CreateAnd(ofLeft, right), ir.CreateAnd(left, ofRight)));
}

/// Two numbers that differ in a bit that is set differ whatever others are.
Value *UnsetBits::ofEquality(IRBuilderBase &ir, ICmpInst &comparison) {
  Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  Value *unset = ir.CreateOr(shadowOf(left), shadowOf(right));
  Value *differs = ir.CreateIsNotNull(
      ir.CreateAnd(ir.CreateXor(left, right), ir.CreateNot(unset)));
  return ir.CreateAnd(ir.CreateIsNotNull(unset), ir.CreateNot(differs));
}

Value *UnsetBits::ofChoice(IRBuilderBase &ir, SelectInst &choice) {
  Value *condition = choice.getCondition();
  Value *taken = ir.CreateSelect(condition, shadowOf(choice.getTrueValue()),
                                 shadowOf(choice.getFalseValue()));
  if (!hasUnset(condition))
    return taken;
  return ir.CreateSelect(anyOf(ir, condition),
                         spread(ir, ir.getTrue(), taken->getType()), taken);
}

/// Members of structures, and elements of vectors at places that are known.
/// Null for other instructions.
Value *UnsetBits::ofMember(IRBuilderBase &ir, Instruction &instruction) {
  if (auto *get = dyn_cast<ExtractValueInst>(&instruction))
    return ir.CreateExtractValue(shadowOf(get->getAggregateOperand()),
                                 get->getIndices());
  if (auto *put = dyn_cast<InsertValueInst>(&instruction))
    return ir.CreateInsertValue(shadowOf(put->getAggregateOperand()),
                                shadowOf(put->getInsertedValueOperand()),
                                put->getIndices());
  bool isPut = isa<InsertElementInst>(instruction);
  if (!isPut && !isa<ExtractElementInst>(instruction))
    return nullptr;
  auto *index = dyn_cast<ConstantInt>(instruction.getOperand(isPut ? 2 : 1));
  if (!index)
    return nullptr;
  Value *whole = shadowOf(instruction.getOperand(0));
  Type *element = shadowType(isPut ? instruction.getOperand(1)->getType()
                                   : instruction.getType());
  uint64_t bits = element->getIntegerBitWidth();
  uint64_t bit = index->getZExtValue() * bits;
  uint64_t all = whole->getType()->getIntegerBitWidth();
  if (bit + bits > all)
    return nullptr;
  if (!isPut)
    return ir.CreateTrunc(ir.CreateLShr(whole, bit), element);
  Value *part =
      ir.CreateZExt(shadowOf(instruction.getOperand(1)), whole->getType());
  Value *others = ir.getInt(~APInt::getBitsSet(all, bit, bit + bits));
  return ir.CreateOr(ir.CreateAnd(whole, others), ir.CreateShl(part, bit));
}

Value *UnsetBits::ofAll(IRBuilderBase &ir, Instruction &instruction) {
  Value *any = ir.getFalse();
  for (Value *operand : instruction.operands())
    if (hasUnset(operand))
      any = ir.CreateOr(any, anyOf(ir, operand));
  return spread(ir, any, shadowType(instruction.getType()));
}

/// Null for those that it does not follow bit by bit.
Value *UnsetBits::ofInteger(IRBuilderBase &ir, Instruction &instruction) {
  Value *first = instruction.getOperand(0);
  Type *type = shadowType(instruction.getType());
  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return ofBitwise(ir, cast<BinaryOperator>(instruction));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    if (!isa<ConstantInt>(instruction.getOperand(1)))
      return nullptr;
    return ir.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()),
                          shadowOf(first), instruction.getOperand(1));
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return ir.CreateCast(Instruction::CastOps(instruction.getOpcode()),
                         shadowOf(first), type);
  case Instruction::ICmp: {
    auto &comparison = cast<ICmpInst>(instruction);
    if (comparison.isEquality() && first->getType()->isIntegerTy())
      return ofEquality(ir, comparison);
    return nullptr;
  }
  default:
    return nullptr;
  }
}

Value *UnsetBits::compute(IRBuilderBase &ir, Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    LoadInst *shadow =
        ir.CreateAlignedLoad(shadowType(load->getType()),
                             placeOf(ir, load->getPointerOperand()), Align(1));
    shadow->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
    return shadow;
  }
  if (instruction.getType()->isIntegerTy())
    if (Value *shadow = ofInteger(ir, instruction))
      return shadow;
  if (Value *shadow = ofMember(ir, instruction))
    return shadow;
  Type *type = shadowType(instruction.getType());
  if (isa<BitCastInst, FreezeInst, IntToPtrInst, PtrToIntInst>(instruction))
    if (Value *shadow = shadowOf(instruction.getOperand(0));
        shadow->getType() == type)
      return shadow;
  if (auto *choice = dyn_cast<SelectInst>(&instruction))
    if (!choice->getCondition()->getType()->isVectorTy())
      return ofChoice(ir, *choice);
  return ofAll(ir, instruction);
}

void UnsetBits::addShadow(Instruction &instruction) {
  std::optional<Wait> kind = waitKind(kernel, instruction);
  if (isExchange(kind))
    return exchange(cast<CallInst>(instruction));
  if (kind == Wait::Multiply)
    return multiply(cast<CallInst>(instruction));
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return storeShadow(*store);
  if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
    return fillShadow(*intrinsic);
  IRBuilder<> ir(&instruction);
  shadows[&instruction] = compute(ir, instruction);
}

void UnsetBits::addShadows() {
  for (CallInst *source : sources)
    shadows[source] = Constant::getAllOnesValue(shadowType(source->getType()));
  addShadowMemory();
  // What lanes exchange has to meet at all places where they may.
  SmallPtrSet<const Instruction *, 8> meetings;
  if (any_of(exchanges, [&](CallInst *wait) { return hasUnset(wait); }))
    meetings.insert_range(exchanges);
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> others;
  ReversePostOrderTraversal<Function *> order(kernel.function);
  for (BasicBlock *block : order)
    for (Instruction &instruction : *block) {
      if (shadows.contains(&instruction))
        continue;
      if (!hasUnset(&instruction) && !meetings.contains(&instruction) &&
          !touchesShadow(instruction))
        continue;
      if (auto *phi = dyn_cast<PHINode>(&instruction))
        phis.push_back(phi);
      else
        others.push_back(&instruction);
    }
  for (PHINode *phi : phis)
    shadows[phi] =
        PHINode::Create(shadowType(phi->getType()), phi->getNumIncomingValues(),
                        "", phi->getIterator());
  for (Instruction *instruction : others)
    addShadow(*instruction);
  for (PHINode *phi : phis)
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
      cast<PHINode>(shadows[phi])->addIncoming(shadowOf(value), block);
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

using NameList = SmallSetVector<StringRef, 4>;

/// `register '%r1' or '%r2'`, or `local memory 'a'`: what may be unset of what
/// is used. Memory is named only where no register may be, which may have been
/// stored there.
static std::string listNames(const NameList &used) {
  static constexpr size_t most = 4;
  SmallVector<std::string> registers, memory;
  for (StringRef name : used)
    if (ptx::isOfMemory(name))
      memory.push_back(name.drop_front().drop_back().str());
    else
      registers.push_back("'" + name.str() + "'");
  auto &named = registers.empty() ? memory : registers;
  bool areMore = named.size() > most;
  named.truncate(std::min(named.size(), most));
  std::string list = join(named, " or ") + (areMore ? " or others" : "");
  if (registers.empty())
    return list;
  return (registers.size() > 1 ? "registers " : "register ") + list;
}

void UnsetBits::report(Instruction &at, Value *isBad, const NameList &of) {
  if (of.empty())
    return;
  unsigned site = kernel.addSite(Site::Kind::Trap, at);
  kernel.facts.sites[site].text =
      "uses " + listNames(of) + ", which nothing has set";
  IRBuilder<> slow(SplitBlockAndInsertIfThen(isBad, at.getIterator(),
                                             /*Unreachable=*/false));
  FunctionCallee hook =
      kernel.hostFunction("gpuopt.unset.use", slow.getVoidTy(),
                          {slow.getPtrTy(), slow.getInt32Ty()});
  slow.CreateCall(hook, {kernel.thread, slow.getInt32(site)});
}

void UnsetBits::report(Instruction &at, ArrayRef<Value *> used) {
  IRBuilder<> ir(&at);
  Value *isBad = ir.getFalse();
  NameList of;
  for (Value *value : used) {
    if (!hasUnset(value))
      continue;
    isBad = ir.CreateOr(isBad, anyOf(ir, value));
    of.insert_range(names[value]);
  }
  report(at, isBad, of);
}

/// Local memory may hold what is unset.
void UnsetBits::reportStore(StoreInst &store) {
  Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  report(store, pointer);
  LocalPlaces places = localsOf(pointer);
  if (!hasUnset(value) || (!places.mayBeOther && !places.variables.empty()))
    return;
  IRBuilder<> ir(&store);
  const Names &of = names[value];
  Value *shadow = shadowOf(value);
  Value *isBad = all_of(of, ptx::isOfMemory) && !isAggregate(shadow->getType())
                     ? ir.CreateICmpEQ(
                           shadow, Constant::getAllOnesValue(shadow->getType()))
                     : anyOf(ir, value);
  for (AllocaInst *local : places.variables)
    isBad = ir.CreateAnd(isBad, ir.CreateNot(isInside(ir, pointer, *local)));
  report(store, isBad, NameList(of.begin(), of.end()));
}

/// Who takes part in an exchange, and all of what a barrier is given.
void UnsetBits::reportWait(CallInst &wait) {
  if (isExchange(waitKind(kernel, wait)))
    report(wait, wait.getArgOperand(3));
  else
    report(wait, SmallVector<Value *>(wait.args()));
}

void UnsetBits::reportUses() {
  findLocals();
  findReached();
  addShadows();
  SmallVector<Instruction *> body(
      make_pointer_range(instructions(*kernel.function)));
  for (Instruction *at : body) {
    if (auto *load = dyn_cast<LoadInst>(at))
      report(*at, load->getPointerOperand());
    else if (auto *store = dyn_cast<StoreInst>(at))
      reportStore(*store);
    else if (waitKind(kernel, *at))
      reportWait(*cast<CallInst>(at));
    else if (auto *set = dyn_cast<MemSetInst>(at);
             set && !localsOf(set->getRawDest()).mayBeOther)
      report(*at, {set->getRawDest(), set->getLength()});
    else if (auto *call = dyn_cast<CallInst>(at)) {
      if (!isComputed(*call))
        report(*at, SmallVector<Value *>(call->args()));
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst, SwitchInst>(at))
      report(*at, SmallVector<Value *>(at->operand_values()));
    else if (auto *branch = dyn_cast<BranchInst>(at);
             branch && branch->isConditional())
      report(*at, branch->getCondition());
  }
}
