//===- LowerMemoryBarriers.cpp - calls of barriers in memory --------------===//
//
// Also of the copies that they count (BulkCopies.h).
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/MemoryBarriers.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {
class MemoryBarrierLowering {
public:
  MemoryBarrierLowering(KernelBuilder &builder, CallInst &instruction)
      : kernel(builder), call(instruction), ir(&instruction) {}

  bool lower(StringRef name);
  void arriveWithCopies(bool isCounted);
  bool copy(StringRef name);

private:
  Value *callHost(StringRef name, Type *result, ArrayRef<Value *> arguments);
  Value *arrive(Value *threads, uint32_t flags);
  Value *wait(Value *phase, bool isRelaxed);
  void countBytes(Value *bytes);
  void callForThread(StringRef name, ArrayRef<Value *> arguments);
  unsigned addBulkSites();
  void finish(Value *result);

  KernelBuilder &kernel;
  CallInst &call;
  IRBuilder<> ir;
};
} // namespace

Value *MemoryBarrierLowering::callHost(StringRef name, Type *result,
                                       ArrayRef<Value *> arguments) {
  SmallVector<Value *, 6> all = {kernel.thread, call.getArgOperand(0)};
  append_range(all, arguments);
  all.push_back(ir.getInt32(kernel.addSite(Site::Kind::Trap, call)));
  SmallVector<Type *, 6> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  return ir.CreateCall(
      kernel.hostFunction(("gpuopt.mbarrier." + name).str(), result, types),
      all);
}

void MemoryBarrierLowering::finish(Value *result) {
  if (result && !call.getType()->isVoidTy())
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

Value *MemoryBarrierLowering::arrive(Value *threads, uint32_t flags) {
  return callHost("arrive", ir.getInt64Ty(), {threads, ir.getInt32(flags)});
}

/// `phase` is an i64 or an i32, of which the lowest bit counts.
Value *MemoryBarrierLowering::wait(Value *phase, bool isRelaxed) {
  kernel.facts.looksAtOthers = true;
  phase = ir.CreateAnd(ir.CreateZExtOrTrunc(phase, ir.getInt64Ty()), 1);
  Value *operand = ir.CreateOr(phase, isRelaxed ? PhaseWait::isRelaxed : 0);
  Value *isOver = kernel.createWait(
      ir, call, Wait::Phase, ir.getInt64(0),
      ir.CreatePtrToInt(call.getArgOperand(0), ir.getInt64Ty()), operand);
  return ir.CreateIsNotNull(isOver);
}

void MemoryBarrierLowering::countBytes(Value *bytes) {
  callHost("count", ir.getVoidTy(),
           ir.CreateZExtOrTrunc(bytes, ir.getInt64Ty()));
}

void MemoryBarrierLowering::callForThread(StringRef name,
                                          ArrayRef<Value *> arguments) {
  SmallVector<Value *, 6> all = {kernel.thread};
  append_range(all, arguments);
  SmallVector<Type *, 6> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  ir.CreateCall(kernel.hostFunction(name, ir.getVoidTy(), types), all);
}

/// Where a copy reads and, behind that, where it writes.
unsigned MemoryBarrierLowering::addBulkSites() {
  static constexpr uint64_t unit = 16;
  unsigned first = 0;
  for (Site::Kind kind : {Site::Kind::Read, Site::Kind::Write}) {
    first = kernel.addSite(kind, call) - (kind == Site::Kind::Write);
    Site &site = kernel.facts.sites.back();
    site.bytes = site.alignment = unit;
    site.elementBytes = sizeof(uint32_t);
  }
  kernel.facts.smallestAccess = std::min(kernel.facts.smallestAccess, unit);
  return first;
}

/// `name` is what stands behind `llvm.nvvm.cp.async.bulk.`
bool MemoryBarrierLowering::copy(StringRef name) {
  auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  auto bytesAt = [&](unsigned index) {
    return ir.CreateZExt(operand(index), ir.getInt64Ty());
  };
  if (name == "global.to.shared.cta" || name == "global.to.shared.cluster") {
    // That of several blocks has a flag that it is.
    auto *isMulticast = dyn_cast<ConstantInt>(operand(call.arg_size() - 2));
    if (name.ends_with("cluster") && (!isMulticast || !isMulticast->isZero()))
      return false;
    Value *bytes = bytesAt(3);
    callForThread("gpuopt.bulk.load",
                  {operand(0), operand(2), bytes, operand(1),
                   ir.getInt32(addBulkSites())});
  } else if (name == "shared.cta.to.global") {
    Value *bytes = bytesAt(2);
    callForThread("gpuopt.bulk.store",
                  {operand(0), operand(1), bytes, ir.getInt32(addBulkSites())});
  } else if (name == "commit.group") {
    callForThread("gpuopt.bulk.commit", {});
  } else if (name == "wait.group" || name == "wait.group.read") {
    callForThread("gpuopt.bulk.wait", bytesAt(0));
  } else if (!name.starts_with("prefetch.L2")) {
    return false;
  }
  finish(nullptr);
  return true;
}

/// Data that was on its way gets there at once.
void MemoryBarrierLowering::arriveWithCopies(bool isCounted) {
  FunctionCallee commit = kernel.hostFunction("gpuopt.async.commit",
                                              ir.getVoidTy(), {ir.getPtrTy()});
  ir.CreateCall(commit, kernel.thread);
  FunctionCallee arrived = kernel.hostFunction(
      "gpuopt.async.wait", ir.getVoidTy(), {ir.getPtrTy(), ir.getInt64Ty()});
  ir.CreateCall(arrived, {kernel.thread, ir.getInt64(0)});
  // Otherwise the barrier has been for one thread more in the meantime.
  if (isCounted)
    arrive(ir.getInt32(1), 0);
  finish(nullptr);
}

/// `name` is what stands behind `llvm.nvvm.mbarrier.`
bool MemoryBarrierLowering::lower(StringRef name) {
  auto operand = [&](unsigned index) { return call.getArgOperand(index); };
  if (name == "pending.count") {
    Value *pending = ir.CreateAnd(operand(0), MemoryBarrier::mostThreads);
    finish(ir.CreateTrunc(pending, ir.getInt32Ty()));
  } else if (name.starts_with("init")) {
    callHost("init", ir.getVoidTy(), operand(1));
    finish(nullptr);
  } else if (name.starts_with("inval")) {
    callHost("inval", ir.getVoidTy(), {});
    finish(nullptr);
  } else if (name.starts_with("expect.tx")) {
    countBytes(operand(1));
    finish(nullptr);
  } else if (name.starts_with("complete.tx")) {
    countBytes(ir.CreateNeg(ir.CreateZExt(operand(1), ir.getInt64Ty())));
    finish(nullptr);
  } else if (name.consume_front("arrive")) {
    bool isExpecting = name.contains("expect.tx");
    if (isExpecting)
      countBytes(operand(1));
    uint32_t flags =
        (name.starts_with(".drop") ? Arrival::isLast : 0) |
        (name.contains(".noComplete") ? Arrival::mayNotComplete : 0) |
        (name.contains(".relaxed") ? Arrival::isRelaxed : 0);
    bool isOfSeveral = call.arg_size() > 1 && !isExpecting;
    finish(arrive(isOfSeveral ? operand(1) : ir.getInt32(1), flags));
  } else if (name.contains(".wait")) {
    Value *phase = operand(1);
    if (!name.contains("parity"))
      phase = ir.CreateLShr(phase, MemoryBarrier::phaseBit);
    finish(wait(phase, name.contains(".relaxed")));
  } else {
    return false;
  }
  return true;
}

bool gpuopt::runtime::lowerMemoryBarrier(KernelBuilder &kernel,
                                         CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.mbarrier."))
    return MemoryBarrierLowering(kernel, call).lower(name);
  if (name.consume_front("llvm.nvvm.cp.async.bulk."))
    return MemoryBarrierLowering(kernel, call).copy(name);
  if (!name.consume_front("llvm.nvvm.cp.async.mbarrier.arrive."))
    return false;
  MemoryBarrierLowering(kernel, call)
      .arriveWithCopies(name.starts_with("noinc"));
  return true;
}
