//===- BuildBarriers.cpp - barriers in workgroup memory -------------------===//
//
// `mbarrier.…` are intrinsics of NVVM. Time limits are hints: waiting may take
// as long as it does.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

/// The barrier that operand `index` names, in workgroup memory; null after a
/// problem.
static Value *readBarrier(Operation &op, unsigned index) {
  Value *address = op.function.readAddress(op.operand(index));
  return address ? op.ir.CreateAddrSpaceCast(
                       address, PointerType::get(op.ir.getContext(), 3))
                 : nullptr;
}

bool build::initialiseBarrier(Operation &op) {
  Value *barrier = readBarrier(op, 0);
  return barrier && op.callNVVM("mbarrier.init.shared", {barrier, op[0]});
}

bool build::invalidateBarrier(Operation &op) {
  Value *barrier = readBarrier(op, 0);
  return barrier && op.callNVVM("mbarrier.inval.shared", {barrier});
}

/// Of several threads at once, which sm_90 can, a scope has to be said.
bool build::arriveAtBarrier(Operation &op) {
  Value *barrier = readBarrier(op, 1);
  if (!barrier)
    return false;
  bool isOfSeveral = !op.in.empty();
  std::string name =
      op.has("arrive_drop") ? "mbarrier.arrive.drop" : "mbarrier.arrive";
  if (op.has("noComplete") != isOfSeveral && op.has("noComplete"))
    return op.fail("expected how many threads arrive");
  name += op.has("noComplete") ? ".noComplete.shared"
          : op.has("relaxed")  ? ".relaxed.scope.cta.space.cta"
          : isOfSeveral        ? ".scope.cta.space.cta"
                               : ".shared";
  SmallVector<Value *, 2> arguments = {barrier};
  append_range(arguments, op.in);
  if (op.has("relaxed") && !isOfSeveral)
    arguments.push_back(op.ir.getInt32(1));
  return op.write(0, op.callNVVM(name, arguments), kB64);
}

bool build::waitForPhase(Operation &op) {
  Value *barrier = readBarrier(op, 1);
  if (!barrier)
    return false;
  std::string name =
      op.has("try_wait") ? "mbarrier.try.wait" : "mbarrier.test.wait";
  if (op.has("parity"))
    name += ".parity";
  if (op.has("relaxed"))
    name += ".relaxed";
  bool hasScope = op.has("parity") || op.has("relaxed") || op.has("try_wait");
  name += hasScope ? ".scope.cta.space.cta" : ".shared";
  return op.write(0, op.callNVVM(name, {barrier, op[0]}), kPredicate);
}

Value *build::pendingCount(Operation &op) {
  return op.callNVVM("mbarrier.pending.count", {op[0]});
}

bool build::arriveWithCopies(Operation &op) {
  Value *barrier = readBarrier(op, 0);
  return barrier &&
         op.callNVVM(op.has("noinc") ? "cp.async.mbarrier.arrive.noinc.shared"
                                     : "cp.async.mbarrier.arrive.shared",
                     {barrier});
}
