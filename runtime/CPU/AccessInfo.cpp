//===- AccessInfo.cpp - what a memory access does -------------------------===//

#include "runtime/CPU/AccessInfo.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

bool gpuopt::runtime::isAsyncCopy(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName() == "gpuopt.async.copy";
}

bool gpuopt::runtime::isBulkCopy(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && (callee->getName() == "gpuopt.bulk.load" ||
                    callee->getName() == "gpuopt.bulk.store");
}

std::optional<Access>
gpuopt::runtime::describeAccess(const DataLayout &layout,
                                Instruction &instruction) {
  Access access;
  Type *type;
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    type = load->getType();
    access.addressOperand = load->getPointerOperandIndex();
    access.alignment = load->getAlign();
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    access.kind = Site::Kind::Write;
    type = store->getValueOperand()->getType();
    access.addressOperand = store->getPointerOperandIndex();
    access.alignment = store->getAlign();
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    access.kind = Site::Kind::Atomic;
    type = update->getValOperand()->getType();
    access.addressOperand = update->getPointerOperandIndex();
    access.alignment = Align(layout.getTypeStoreSize(type));
    update->setAlignment(access.alignment);
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    access.kind = Site::Kind::Atomic;
    type = exchange->getNewValOperand()->getType();
    access.addressOperand = exchange->getPointerOperandIndex();
    access.alignment = Align(layout.getTypeStoreSize(type));
    exchange->setAlignment(access.alignment);
  } else if (auto *call = dyn_cast<CallInst>(&instruction);
             call && isAsyncCopy(*call)) {
    access.kind = Site::Kind::Write;
    access.addressOperand = 1;
    access.address = call->getArgOperand(1);
    access.bytes = cast<ConstantInt>(call->getArgOperand(4))->getZExtValue();
    access.elementBytes = std::min<uint64_t>(access.bytes, 4);
    access.alignment = Align(access.bytes);
    return access;
  } else {
    return std::nullopt;
  }
  access.address = instruction.getOperand(access.addressOperand);
  access.bytes = layout.getTypeStoreSize(type);
  access.elementBytes = layout.getTypeStoreSize(type->getScalarType());
  if (instruction.isAtomic())
    access.kind = Site::Kind::Atomic;
  if (!access.bytes)
    return std::nullopt;
  return access;
}

Value *gpuopt::runtime::findBase(const MapVector<Value *, ObjectBase> &bases,
                                 Value *address) {
  SmallPtrSet<Value *, 8> visited;
  SmallVector<Value *> pending = {address};
  Value *base = nullptr;
  while (!pending.empty()) {
    Value *value = pending.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    if (bases.contains(value)) {
      if (base && base != value)
        return nullptr;
      base = value;
    } else if (auto *gep = dyn_cast<GEPOperator>(value)) {
      pending.push_back(gep->getPointerOperand());
    } else if (auto *phi = dyn_cast<PHINode>(value)) {
      append_range(pending, phi->incoming_values());
    } else if (auto *select = dyn_cast<SelectInst>(value)) {
      pending.push_back(select->getTrueValue());
      pending.push_back(select->getFalseValue());
    } else if (auto *freeze = dyn_cast<FreezeInst>(value)) {
      pending.push_back(freeze->getOperand(0));
    } else if (!isa<UndefValue>(value)) {
      return nullptr;
    }
  }
  return base;
}

/// The largest power of two that surely divides what `gep` adds.
static Align addedAlignment(const DataLayout &layout, GEPOperator &gep) {
  unsigned zeros = 63;
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end;
       ++it) {
    auto *constant = dyn_cast<ConstantInt>(it.getOperand());
    if (StructType *structure = it.getStructTypeOrNull()) {
      uint64_t offset = layout.getStructLayout(structure)->getElementOffset(
          constant->getZExtValue());
      if (offset)
        zeros = std::min<unsigned>(zeros, countr_zero(offset));
      continue;
    }
    uint64_t stride = it.getSequentialElementStride(layout);
    if (!stride || (constant && constant->isZero()))
      continue;
    unsigned indexZeros =
        computeKnownBits(it.getOperand(), layout).countMinTrailingZeros();
    zeros = std::min<unsigned>(zeros, countr_zero(stride) + indexZeros);
  }
  return Align(uint64_t(1) << std::min(zeros, 32u));
}

bool gpuopt::runtime::isAligned(const DataLayout &layout, Value *address,
                                Value *base, Align alignment) {
  while (address != base) {
    auto *gep = dyn_cast<GEPOperator>(address);
    if (!gep)
      return alignment == Align(1);
    if (addedAlignment(layout, *gep) < alignment)
      return false;
    address = gep->getPointerOperand();
  }
  return true;
}

bool gpuopt::runtime::isSurelyInside(const DataLayout &layout, Value *address,
                                     Value *base, uint64_t objectBytes,
                                     uint64_t accessBytes) {
  APInt offset(64, 0);
  while (address != base) {
    auto *gep = dyn_cast<GEPOperator>(address);
    if (!gep || !gep->accumulateConstantOffset(layout, offset))
      return false;
    address = gep->getPointerOperand();
  }
  return !offset.isNegative() && accessBytes <= objectBytes &&
         offset.getZExtValue() <= objectBytes - accessBytes;
}
