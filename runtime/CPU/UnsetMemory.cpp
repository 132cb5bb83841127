//===- UnsetMemory.cpp - unset bits in local memory and in other lanes ----===//

#include "runtime/CPU/MatrixProducts.h"
#include "runtime/CPU/UnsetBits.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

//===----------------------------------------------------------------------===//
// Local memory
//===----------------------------------------------------------------------===//

LocalPlaces gpuopt::runtime::localsOf(Value *pointer) {
  LocalPlaces places;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *object : objects) {
    auto *local = const_cast<AllocaInst *>(dyn_cast<AllocaInst>(object));
    if (local && local->isStaticAlloca())
      places.variables.push_back(local);
    else
      places.mayBeOther = true;
  }
  return places;
}

/// Behind the shadow of a variable there is room for an access that leaves it.
static constexpr uint64_t kLargestAccess = 64;

static uint64_t bytesOf(const AllocaInst &local) {
  const DataLayout &layout = local.getModule()->getDataLayout();
  return local.getAllocationSize(layout)->getFixedValue();
}

/// Of the variables that hold something unset at some time, and, if these are
/// matrices, of all matrices: nothing is unset at first.
void UnsetBits::addShadowMemory() {
  SmallSetVector<const AllocaInst *, 8> variables;
  for (const auto &[local, registers] : held)
    variables.insert(local);
  auto isHeld = [&](CallInst *product) {
    return held.contains(recordOf(*product));
  };
  if (any_of(products, isHeld))
    for (CallInst *product : products)
      variables.insert(recordOf(*product));
  IRBuilder<> entry(&kernel.function->getEntryBlock().front());
  IRBuilder<> begin(kernel.bodyBegin);
  noShadow =
      entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), kLargestAccess));
  begin.CreateMemSet(noShadow, begin.getInt8(0), kLargestAccess, Align(1));
  for (const AllocaInst *local : variables) {
    uint64_t bytes = bytesOf(*local) + kLargestAccess;
    AllocaInst *shadow =
        entry.CreateAlloca(ArrayType::get(entry.getInt8Ty(), bytes));
    shadow->setAlignment(std::max(local->getAlign(), Align(8)));
    begin.CreateMemSet(shadow, begin.getInt8(0), bytes, shadow->getAlign());
    shadowMemory[local] = shadow;
  }
}

static Value *offsetIn(IRBuilderBase &ir, Value *address, AllocaInst &local) {
  return ir.CreateSub(ir.CreatePtrToInt(address, ir.getInt64Ty()),
                      ir.CreatePtrToInt(&local, ir.getInt64Ty()));
}

Value *gpuopt::runtime::isInside(IRBuilderBase &ir, Value *address,
                                 AllocaInst &local) {
  return ir.CreateICmpULT(offsetIn(ir, address, local),
                          ir.getInt64(bytesOf(local)));
}

/// `elsewhere` where that has no shadow.
UnsetBits::Place UnsetBits::findPlace(IRBuilderBase &ir, Value *address,
                                      Value *elsewhere) {
  LocalPlaces places = localsOf(address);
  AllocaInst *only = places.only();
  Place place = {elsewhere, ir.getInt64(-1)};
  for (AllocaInst *local : places.variables) {
    AllocaInst *shadow = shadowMemory.lookup(local);
    if (!shadow)
      continue;
    Value *bytes = ir.getInt64(bytesOf(*local));
    // The access itself is what is found to be out of bounds.
    Value *offset = ir.CreateBinaryIntrinsic(
        Intrinsic::umin, offsetIn(ir, address, *local), bytes);
    Place here = {ir.CreatePtrAdd(shadow, offset), ir.CreateSub(bytes, offset)};
    if (only)
      return here;
    Value *isHere = isInside(ir, address, *local);
    place = {ir.CreateSelect(isHere, here.address, place.address),
             ir.CreateSelect(isHere, here.room, place.room)};
  }
  return place;
}

Value *UnsetBits::placeOf(IRBuilderBase &ir, Value *address) {
  return findPlace(ir, address, noShadow).address;
}

bool UnsetBits::touchesShadow(const Instruction &instruction) const {
  auto isShadowed = [&](const Value *pointer) {
    return any_of(
        localsOf(const_cast<Value *>(pointer)).variables,
        [&](AllocaInst *local) { return shadowMemory.contains(local); });
  };
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isShadowed(store->getPointerOperand());
  if (auto *intrinsic = dyn_cast<MemIntrinsic>(&instruction))
    return isShadowed(intrinsic->getRawDest());
  return waitKind(kernel, instruction) == Wait::Multiply &&
         shadowMemory.contains(recordOf(cast<CallInst>(instruction)));
}

void UnsetBits::storeShadow(StoreInst &store) {
  IRBuilder<> ir(&store);
  StoreInst *shadow =
      ir.CreateAlignedStore(shadowOf(store.getValueOperand()),
                            placeOf(ir, store.getPointerOperand()), Align(1));
  shadow->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
}

/// What is copied from other memory is set.
void UnsetBits::fillShadow(MemIntrinsic &intrinsic) {
  IRBuilder<> ir(&intrinsic);
  FunctionCallee hook =
      kernel.hostFunction("gpuopt.unset.copy", ir.getVoidTy(),
                          {ir.getPtrTy(), ir.getPtrTy(), ir.getInt64Ty(),
                           ir.getInt64Ty(), ir.getInt32Ty()});
  // Neither leaves its own variable's shadow.
  Value *null = ConstantPointerNull::get(ir.getPtrTy());
  Place to = findPlace(ir, intrinsic.getRawDest(), null);
  Place from = {null, ir.getInt64(-1)};
  Value *isUnset = ir.getFalse();
  if (auto *transfer = dyn_cast<MemTransferInst>(&intrinsic))
    from = findPlace(ir, transfer->getRawSource(), null);
  else if (Value *value = cast<MemSetInst>(intrinsic).getValue();
           hasUnset(value))
    isUnset = anyOf(ir, value);
  Value *room = ir.CreateBinaryIntrinsic(Intrinsic::umin, to.room, from.room);
  ir.CreateCall(hook,
                {to.address, from.address,
                 ir.CreateZExtOrTrunc(intrinsic.getLength(), ir.getInt64Ty()),
                 room, ir.CreateSExt(isUnset, ir.getInt32Ty())});
}

//===----------------------------------------------------------------------===//
// Other lanes
//===----------------------------------------------------------------------===//

std::optional<Wait> gpuopt::runtime::waitKind(const KernelBuilder &kernel,
                                              const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call || call->getCalledFunction() != kernel.waitFunction)
    return std::nullopt;
  return Wait(cast<ConstantInt>(call->getArgOperand(1))->getZExtValue());
}

/// Whether nothing says what a lane gets from one that takes no part.
bool UnsetBits::isOpen(const CallInst &exchange) const {
  return kernel.isFromPTX && waitKind(kernel, exchange) == Wait::Exchange;
}

/// The same exchange of shadows. It comes first: what is known of the last one,
/// such as who took part, is the kernel's own.
void UnsetBits::exchange(CallInst &wait) {
  IRBuilder<> ir(&wait);
  Wait kind = *waitKind(kernel, wait);
  Value *value = wait.getArgOperand(4), *operand = wait.getArgOperand(5);
  Value *sent = shadowOf(value);
  // Of these every bit depends on every lane's.
  bool isOfAll = kind == Wait::MatchAny || kind == Wait::Reduce;
  if (isOpen(wait)) {
    // Zeros come from a lane that is not there: all bits are unset then.
    sent = ir.CreateNot(sent);
    kind = Wait::ExchangeOrZero;
  } else if (isOfAll || kind == Wait::Ballot)
    sent = ir.CreateZExt(ir.CreateIsNotNull(sent), ir.getInt64Ty());
  Value *received = kernel.createWait(
      ir, wait, isOfAll ? Wait::Reduce : kind, wait.getArgOperand(3), sent,
      isOfAll ? ir.getInt64(uint32_t(ReduceKind::Or)) : operand);
  if (isOfAll)
    received = ir.CreateNeg(received);
  if (isOpen(wait))
    received = ir.CreateNot(received);
  if (hasUnset(operand))
    received = ir.CreateOr(
        received, ir.CreateSExt(anyOf(ir, operand), received->getType()));
  shadows[&wait] = received;
}

/// The lane's part of matrices that are multiplied.
const AllocaInst *UnsetBits::recordOf(const CallInst &wait) const {
  auto *address = cast<PtrToIntInst>(wait.getArgOperand(4));
  return cast<AllocaInst>(address->getPointerOperand());
}

void UnsetBits::multiply(CallInst &wait) {
  IRBuilder<> ir(&wait);
  AllocaInst *shadow = shadowMemory.lookup(recordOf(wait));
  AllocaInst *factors = IRBuilder<>(&kernel.function->getEntryBlock().front())
                            .CreateAlloca(shadow->getAllocatedType());
  factors->setAlignment(shadow->getAlign());
  Value *unit = wait.getArgOperand(5);
  auto call = [&](StringRef name, unsigned isOfColumns) {
    FunctionCallee hook = kernel.hostFunction(
        name, ir.getVoidTy(),
        {ir.getPtrTy(), ir.getPtrTy(), ir.getInt64Ty(), ir.getInt32Ty()});
    ir.CreateCall(hook, {shadow, factors, unit, ir.getInt32(isOfColumns)});
  };
  for (unsigned isOfColumns : {0u, 1u}) {
    call("gpuopt.unset.factors", isOfColumns);
    kernel.createWait(ir, wait, Wait::Multiply, wait.getArgOperand(3),
                      ir.CreatePtrToInt(factors, ir.getInt64Ty()), unit);
  }
  call("gpuopt.unset.sums", 0);
}
