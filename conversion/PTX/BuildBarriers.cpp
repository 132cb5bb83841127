//===- BuildBarriers.cpp - barriers in workgroup memory -------------------===//
//
// `mbarrier.…` are intrinsics of NVVM. Time limits are hints: waiting may take
// as long as it does. Addresses in workgroup memory of a cluster are those of
// the block itself: nothing here makes one of another block's.
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

/// `name` of the scope that is said, with the order where it is none of the
/// usual one.
static std::string scoped(Operation &op, const Twine &name, bool isRelaxed) {
  return (name + (isRelaxed ? ".relaxed" : "") + ".scope." +
          (op.has("cluster") ? "cluster" : "cta") + ".space.cta")
      .str();
}

/// A thread arrives, and says how many bytes are to come.
bool build::arriveExpecting(Operation &op) {
  Value *barrier = readBarrier(op, 1);
  if (!barrier)
    return false;
  StringRef name = op.has("arrive_drop") ? "mbarrier.arrive.drop.expect.tx"
                                         : "mbarrier.arrive.expect.tx";
  return op.write(
      0, op.callNVVM(scoped(op, name, op.has("relaxed")), {barrier, op[0]}),
      kB64);
}

bool build::countBytes(Operation &op) {
  Value *barrier = readBarrier(op, 0);
  StringRef name =
      op.has("expect_tx") ? "mbarrier.expect.tx" : "mbarrier.complete.tx";
  return barrier &&
         op.callNVVM(scoped(op, name, /*isRelaxed=*/false), {barrier, op[0]});
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

bool build::fenceOfBarriers(Operation &op) {
  return op.callNVVM("fence.mbarrier_init.release.cluster", {});
}

//===----------------------------------------------------------------------===//
// Copies of many bytes
//===----------------------------------------------------------------------===//

/// The policy of a cache, operand `index` where there is one, and whether there
/// is.
static bool addPolicy(Operation &op, unsigned index,
                      SmallVectorImpl<Value *> &arguments) {
  bool isThere = op.has("L2::cache_hint");
  if (isThere != (op.operandCount() > index))
    return op.fail("expected a policy of the cache where one is announced");
  Value *policy = isThere ? op.read(index, kB64) : op.ir.getInt64(0);
  arguments.push_back(policy);
  return policy;
}

/// `[to], [from], bytes, [barrier]`: the barrier counts the bytes that are
/// there.
bool build::copyInBulk(Operation &op) {
  Builder &ir = op.ir;
  Value *to = readBarrier(op, 0);
  Value *from = to ? op.function.readAddress(op.operand(1)) : nullptr;
  Value *barrier = from ? readBarrier(op, 3) : nullptr;
  if (!barrier)
    return false;
  SmallVector<Value *, 8> arguments = {
      ir.CreateAddrSpaceCast(to, ir.getPtrTy(7)), barrier,
      ir.CreateAddrSpaceCast(from, ir.getPtrTy(1)), op[0], ir.getInt16(0)};
  if (!addPolicy(op, 4, arguments))
    return false;
  arguments.append({ir.getFalse(), ir.getInt1(op.has("L2::cache_hint"))});
  return op.callNVVM("cp.async.bulk.global.to.shared.cluster", arguments);
}

bool build::storeInBulk(Operation &op) {
  Builder &ir = op.ir;
  Value *to = op.function.readAddress(op.operand(0));
  Value *from = to ? readBarrier(op, 1) : nullptr;
  if (!from)
    return false;
  SmallVector<Value *, 8> arguments = {
      ir.CreateAddrSpaceCast(to, ir.getPtrTy(1)), from, op[0]};
  if (!addPolicy(op, 3, arguments))
    return false;
  arguments.push_back(ir.getInt1(op.has("L2::cache_hint")));
  return op.callNVVM("cp.async.bulk.shared.cta.to.global", arguments);
}

bool build::commitBulk(Operation &op) {
  return op.callNVVM("cp.async.bulk.commit.group", {});
}

bool build::waitForBulk(Operation &op) {
  const Operand &pending = op.operand(0);
  if (pending.kind != Operand::Kind::Integer || pending.number < 0)
    return op.fail("expected a number of groups");
  return op.callNVVM(op.has("read") ? "cp.async.bulk.wait.group.read"
                                    : "cp.async.bulk.wait.group",
                     {op.ir.getInt32(pending.number)});
}
