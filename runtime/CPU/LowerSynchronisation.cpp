//===- LowerSynchronisation.cpp - what threads do together ----------------===//
//
// Every barrier, shuffle, vote and reduction of either target becomes a call
//
//   %result = call i64 @gpuopt.wait(ptr thread, i32 kind, i32 site, i64 mask,
//                                   i64 value, i64 operand)
//
// (see Wait in Layout.h) with the target's peculiarities, such as how a shuffle
// names its source lane, computed around it.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/AccessInfo.h"
#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/MemoryBarriers.h"
#include "runtime/CPU/WaitingLoops.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

/// Lowers one call; knows where it is and what it stands for.
class Synchroniser {
public:
  Synchroniser(KernelBuilder &kernel, CallInst &call)
      : kernel(kernel), call(call), ir(&call), i64(ir.getInt64Ty()) {}

  /// Waits; the result is an i64.
  Value *wait(Wait kind, Value *mask, Value *value, Value *operand) {
    return kernel.createWait(ir, call, kind, mask, value, operand);
  }
  /// Waits at a barrier of `threads` (all where null); the result is for how
  /// many of them `holds`.
  Value *waitCounting(Value *identifier, Value *holds, Value *threads);
  void finish(Value *result);

  // The families of operations.
  void blockBarrier(Value *identifier, Value *count);
  void blockArrival(Value *identifier, Value *count);
  void countBarrier(Value *identifier, Value *predicate, Value *threads);
  void foldBarrier(Value *identifier, Value *predicate, Value *threads,
                   bool wantAll);
  void subgroupBarrier();
  void gridBarrier();
  void shuffle(StringRef mode);
  void nvvmShuffle(StringRef mode);
  void ballot();
  void nvvmVote(StringRef mode);
  void nvvmMatch(bool all);
  void nvvmReduce(ReduceKind kind);
  void activeMask();
  void elect();
  void bpermute();
  void readLane();
  void readFirstLane();
  void amdBallot();
  void amdReduce(ReduceKind kind);
  void swizzle();

private:
  Value *argument(unsigned index) { return call.getArgOperand(index); }
  Value *asInt64(Value *value) { return kernel.toWord(ir, value); }
  Value *fromInt64(Value *bits, Type *type) {
    return kernel.fromWord(ir, bits, type);
  }
  Value *extend(Value *value) { return ir.CreateZExtOrTrunc(value, i64); }
  /// AMD's subgroups run in lockstep: a mask says nothing there.
  Value *maskArgument(unsigned index) {
    return kernel.isAMD ? all() : extend(argument(index));
  }
  Value *all() { return ir.getInt64(everyLane); }
  Value *zero() { return ir.getInt64(0); }
  Value *laneId() { return kernel.laneId(ir); }
  Value *participants();

  KernelBuilder &kernel;
  CallInst &call;
  IRBuilder<> ir;
  Type *i64;
};

} // namespace

void Synchroniser::finish(Value *result) {
  if (!call.getType()->isVoidTy()) {
    if (call.getType()->isIntegerTy())
      result = ir.CreateZExtOrTrunc(result, call.getType());
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

Value *Synchroniser::participants() {
  return kernel.loadField(ir, kernel.thread,
                          offsetof(ThreadContext, participants), i64,
                          /*invariant=*/false);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Synchroniser::blockBarrier(Value *identifier, Value *count) {
  Value *operand = extend(identifier);
  if (count)
    operand = ir.CreateOr(operand, ir.CreateShl(extend(count), 32));
  finish(wait(Wait::Barrier, zero(), zero(), operand));
}

/// The thread is there, and goes on.
void Synchroniser::blockArrival(Value *identifier, Value *count) {
  Value *barrier =
      ir.CreateOr(extend(identifier), ir.CreateShl(extend(count), 32));
  FunctionCallee arrive = kernel.hostFunction(
      "gpuopt.barrier.arrive", ir.getVoidTy(), {ir.getPtrTy(), i64});
  ir.CreateCall(arrive, {kernel.thread, barrier});
  finish(nullptr);
}

Value *Synchroniser::waitCounting(Value *identifier, Value *holds,
                                  Value *threads) {
  Value *operand = extend(identifier);
  if (threads)
    operand = ir.CreateOr(operand, ir.CreateShl(extend(threads), 32));
  return wait(Wait::Barrier, zero(), extend(holds), operand);
}

void Synchroniser::countBarrier(Value *identifier, Value *predicate,
                                Value *threads) {
  finish(waitCounting(identifier, ir.CreateIsNotNull(predicate), threads));
}

void Synchroniser::foldBarrier(Value *identifier, Value *predicate,
                               Value *threads, bool wantAll) {
  // "All" is "none has the opposite".
  Value *holds = ir.CreateIsNotNull(predicate);
  Value *count =
      waitCounting(identifier, wantAll ? ir.CreateNot(holds) : holds, threads);
  finish(wantAll ? ir.CreateIsNull(count) : ir.CreateIsNotNull(count));
}

void Synchroniser::subgroupBarrier() {
  Value *mask = call.arg_empty() ? all() : maskArgument(0);
  finish(wait(Wait::SubgroupBarrier, mask, zero(), zero()));
}

void Synchroniser::gridBarrier() {
  kernel.facts.usesGridBarrier = true;
  finish(wait(Wait::GridBarrier, zero(), zero(), zero()));
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// `__gpuopt_shuffle_MODE(mask, value, x, width)`.
void Synchroniser::shuffle(StringRef mode) {
  Value *lane = laneId();
  Value *x = ir.CreateZExtOrTrunc(argument(2), ir.getInt32Ty());
  Value *last = ir.CreateSub(ir.CreateZExtOrTrunc(argument(3), ir.getInt32Ty()),
                             ir.getInt32(1));
  Value *first = ir.CreateAnd(lane, ir.CreateNot(last));
  Value *end = ir.CreateOr(first, last);
  Value *source;
  if (mode == "idx")
    source = ir.CreateOr(first, ir.CreateAnd(x, last));
  else if (mode == "up")
    source = ir.CreateSub(lane, x);
  else if (mode == "down")
    source = ir.CreateAdd(lane, x);
  else
    source = ir.CreateXor(lane, x);
  Value *outside = ir.CreateOr(ir.CreateICmpSLT(source, first),
                               ir.CreateICmpSGT(source, end));
  // `xor` may reach back over the start of the segment, but not past its end.
  if (mode == "xor")
    outside = ir.CreateICmpSGT(source, end);
  source = ir.CreateSelect(outside, lane, source);
  finish(fromInt64(wait(Wait::Exchange, maskArgument(0), asInt64(argument(1)),
                        extend(source)),
                   call.getType()));
}

/// `llvm.nvvm.shfl.sync.MODE.TYPE[p](mask, value, b, c)`, as PTX defines it.
void Synchroniser::nvvmShuffle(StringRef mode) {
  Value *lane = laneId(), *b = argument(2), *c = argument(3);
  Value *clamp = ir.CreateAnd(c, 31);
  Value *segment = ir.CreateAnd(ir.CreateLShr(c, 8), 31);
  Value *inSegment = ir.CreateAnd(lane, segment);
  Value *outOfSegment = ir.CreateNot(segment);
  Value *last = ir.CreateOr(inSegment, ir.CreateAnd(clamp, outOfSegment));
  b = ir.CreateAnd(b, 31);
  Value *source, *valid;
  if (mode == "up") {
    source = ir.CreateSub(lane, b);
    valid = ir.CreateICmpSGE(source, last);
  } else {
    if (mode == "down")
      source = ir.CreateAdd(lane, b);
    else if (mode == "bfly")
      source = ir.CreateXor(lane, b);
    else
      source = ir.CreateOr(inSegment, ir.CreateAnd(b, outOfSegment));
    valid = ir.CreateICmpSLE(source, last);
  }
  source = ir.CreateSelect(valid, source, lane);
  Type *type = argument(1)->getType();
  Value *result = fromInt64(wait(Wait::Exchange, maskArgument(0),
                                 asInt64(argument(1)), extend(source)),
                            type);
  if (call.getType()->isStructTy()) {
    Value *pair =
        ir.CreateInsertValue(PoisonValue::get(call.getType()), result, 0);
    result = ir.CreateInsertValue(pair, valid, 1);
  }
  finish(result);
}

/// `llvm.amdgcn.ds.bpermute(byte address, value)`.
void Synchroniser::bpermute() {
  Value *source = ir.CreateAnd(ir.CreateLShr(argument(0), 2),
                               kernel.options.subgroupSize - 1);
  finish(
      wait(Wait::ExchangeOrZero, all(), asInt64(argument(1)), extend(source)));
}

void Synchroniser::readLane() {
  Value *source =
      ir.CreateAnd(ir.CreateZExtOrTrunc(argument(1), ir.getInt32Ty()),
                   kernel.options.subgroupSize - 1);
  finish(fromInt64(
      wait(Wait::Exchange, all(), asInt64(argument(0)), extend(source)),
      call.getType()));
}

void Synchroniser::readFirstLane() {
  finish(fromInt64(wait(Wait::ReadFirst, all(), asInt64(argument(0)), zero()),
                   call.getType()));
}

/// `llvm.amdgcn.ds.swizzle(value, pattern)`.
void Synchroniser::swizzle() {
  Value *lane = laneId();
  unsigned pattern = cast<ConstantInt>(argument(1))->getZExtValue();
  Value *source;
  if (pattern & 0x8000) {
    // Quad permutation: two bits name the source of each of four lanes.
    Value *shift = ir.CreateMul(ir.CreateAnd(lane, 3), ir.getInt32(2));
    Value *inQuad =
        ir.CreateAnd(ir.CreateLShr(ir.getInt32(pattern & 0xff), shift), 3);
    source = ir.CreateOr(ir.CreateAnd(lane, ~3u), inQuad);
  } else {
    Value *kept = ir.CreateAnd(lane, (pattern & 31) | ~31u);
    Value *with = ir.CreateOr(kept, (pattern >> 5) & 31);
    source = ir.CreateXor(with, (pattern >> 10) & 31);
  }
  finish(
      wait(Wait::ExchangeOrZero, all(), asInt64(argument(0)), extend(source)));
}

//===----------------------------------------------------------------------===//
// Votes and reductions
//===----------------------------------------------------------------------===//

void Synchroniser::ballot() {
  Value *predicate = extend(ir.CreateIsNotNull(argument(1)));
  finish(wait(Wait::Ballot, maskArgument(0), predicate, zero()));
}

void Synchroniser::amdBallot() {
  finish(wait(Wait::Ballot, all(), extend(argument(0)), zero()));
}

void Synchroniser::nvvmVote(StringRef mode) {
  Value *votes =
      wait(Wait::Ballot, maskArgument(0), extend(argument(1)), zero());
  Value *isAll = ir.CreateICmpEQ(votes, participants());
  if (mode == "all")
    votes = isAll;
  else if (mode == "any")
    votes = ir.CreateIsNotNull(votes);
  else if (mode == "uni")
    votes = ir.CreateOr(isAll, ir.CreateIsNull(votes));
  finish(votes);
}

void Synchroniser::nvvmMatch(bool wantAll) {
  Value *same =
      wait(Wait::MatchAny, maskArgument(0), asInt64(argument(1)), zero());
  if (!wantAll)
    return finish(same);
  Value *isAll = ir.CreateICmpEQ(same, participants());
  Value *mask =
      ir.CreateTrunc(ir.CreateSelect(isAll, same, zero()), ir.getInt32Ty());
  Value *pair = ir.CreateInsertValue(PoisonValue::get(call.getType()), mask, 0);
  finish(ir.CreateInsertValue(pair, isAll, 1));
}

static bool isSigned(ReduceKind kind) {
  return kind == ReduceKind::SMin || kind == ReduceKind::SMax;
}

void Synchroniser::nvvmReduce(ReduceKind kind) {
  Value *value =
      isSigned(kind) ? ir.CreateSExt(argument(0), i64) : extend(argument(0));
  finish(
      wait(Wait::Reduce, maskArgument(1), value, ir.getInt64(uint32_t(kind))));
}

void Synchroniser::amdReduce(ReduceKind kind) {
  Value *value = isSigned(kind) ? ir.CreateSExtOrTrunc(argument(0), i64)
                                : extend(argument(0));
  finish(wait(Wait::Reduce, all(), value, ir.getInt64(uint32_t(kind))));
}

void Synchroniser::activeMask() {
  finish(wait(Wait::Ballot, all(), ir.getInt64(1), zero()));
}

void Synchroniser::elect() {
  Value *present = wait(Wait::Ballot, maskArgument(0), ir.getInt64(1), zero());
  Value *first =
      ir.CreateBinaryIntrinsic(Intrinsic::cttz, present, ir.getFalse());
  first = ir.CreateTrunc(first, ir.getInt32Ty());
  Value *isFirst = ir.CreateICmpEQ(first, laneId());
  Value *pair =
      ir.CreateInsertValue(PoisonValue::get(call.getType()), first, 0);
  finish(ir.CreateInsertValue(pair, isFirst, 1));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static std::optional<ReduceKind> parseReduceKind(StringRef name) {
  return StringSwitch<std::optional<ReduceKind>>(name)
      .Case("add", ReduceKind::Add)
      .Case("umin", ReduceKind::UMin)
      .Case("umax", ReduceKind::UMax)
      .Case("min", ReduceKind::SMin)
      .Case("max", ReduceKind::SMax)
      .Case("and", ReduceKind::And)
      .Case("or", ReduceKind::Or)
      .Case("xor", ReduceKind::Xor)
      .Default(std::nullopt);
}

/// Lowers a call of one of our own functions; see DeviceFunctions.def.
static bool lowerOwn(Synchroniser &lower, CallInst &call, StringRef name) {
  IRBuilder<> ir(&call);
  if (!name.consume_front("__gpuopt_"))
    return false;
  if (name == "barrier")
    lower.blockBarrier(ir.getInt32(0), nullptr);
  else if (name == "barrier_count")
    lower.countBarrier(ir.getInt32(0), call.getArgOperand(0), nullptr);
  else if (name == "subgroup_barrier")
    lower.subgroupBarrier();
  else if (name == "global_sync")
    lower.gridBarrier();
  else if (name.consume_front("shuffle_"))
    lower.shuffle(name);
  else if (name == "ballot")
    lower.ballot();
  else if (name == "active_mask")
    lower.activeMask();
  else
    return false;
  return true;
}

static bool lowerNVVMBarrier(Synchroniser &lower, CallInst &call,
                             StringRef name) {
  IRBuilder<> ir(&call);
  auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  if (name == "llvm.nvvm.bar.warp.sync")
    lower.subgroupBarrier();
  else if (name == "llvm.nvvm.barrier0")
    lower.blockBarrier(ir.getInt32(0), nullptr);
  else if (name == "llvm.nvvm.barrier0.popc")
    lower.countBarrier(ir.getInt32(0), argument(0), nullptr);
  else if (name == "llvm.nvvm.barrier0.and" || name == "llvm.nvvm.barrier0.or")
    lower.foldBarrier(ir.getInt32(0), argument(0), nullptr,
                      name.ends_with("and"));
  else if (name.consume_front("llvm.nvvm.barrier.cta.")) {
    bool counted = name.ends_with(".count");
    Value *threads = counted ? argument(1) : nullptr;
    Value *last = argument(call.arg_size() - 1);
    if (name.starts_with("sync."))
      lower.blockBarrier(argument(0), threads);
    else if (name.starts_with("arrive."))
      lower.blockArrival(argument(0), threads);
    else if (name.starts_with("red.popc."))
      lower.countBarrier(argument(0), last, threads);
    else if (name.starts_with("red."))
      lower.foldBarrier(argument(0), last, threads,
                        name.starts_with("red.and"));
    else
      return false;
  } else
    return false;
  return true;
}

static bool lowerNVVM(Synchroniser &lower, CallInst &call, StringRef name) {
  if (lowerNVVMBarrier(lower, call, name))
    return true;
  if (!name.consume_front("llvm.nvvm."))
    return false;
  if (name.consume_front("shfl.sync."))
    lower.nvvmShuffle(name.take_until([](char c) { return c == '.'; }));
  else if (name.consume_front("vote."))
    lower.nvvmVote(name.take_until([](char c) { return c == '.'; }));
  else if (name.starts_with("match.any.sync"))
    lower.nvvmMatch(false);
  else if (name.starts_with("match.all.sync"))
    lower.nvvmMatch(true);
  else if (name == "activemask")
    lower.activeMask();
  else if (name == "elect.sync")
    lower.elect();
  else if (name.consume_front("redux.sync.")) {
    std::optional<ReduceKind> kind = parseReduceKind(name);
    if (!kind)
      return false;
    lower.nvvmReduce(*kind);
  } else
    return false;
  return true;
}

static bool lowerAMDGCN(Synchroniser &lower, CallInst &call, StringRef name) {
  IRBuilder<> ir(&call);
  if (!name.consume_front("llvm.amdgcn."))
    return false;
  if (name == "s.barrier" || name == "s.barrier.wait")
    lower.blockBarrier(ir.getInt32(0), nullptr);
  else if (name == "wave.barrier")
    lower.subgroupBarrier();
  else if (name == "ds.bpermute")
    lower.bpermute();
  else if (name == "ds.swizzle")
    lower.swizzle();
  else if (name.starts_with("readlane"))
    lower.readLane();
  else if (name.starts_with("readfirstlane"))
    lower.readFirstLane();
  else if (name.starts_with("ballot"))
    lower.amdBallot();
  else if (name.consume_front("wave.reduce.")) {
    std::optional<ReduceKind> kind =
        parseReduceKind(name.take_until([](char c) { return c == '.'; }));
    if (!kind)
      return false;
    lower.amdReduce(*kind);
  } else
    return false;
  return true;
}

/// Code from before subgroup barriers relies on lockstep: it declares workgroup
/// memory volatile and lets the lanes of a subgroup exchange values through it.
/// Lanes meet before each such access.
static void keepInStep(KernelBuilder &kernel, Instruction &access) {
  if (!access.isVolatile())
    return;
  Value *base = findBase(kernel.bases, getPointerOperand(&access));
  if (!base)
    return;
  MemoryObject::Kind kind =
      kernel.facts.objects[kernel.bases[base].object].kind;
  if (kind != MemoryObject::Kind::Workgroup &&
      kind != MemoryObject::Kind::DynamicWorkgroup)
    return;
  IRBuilder<> ir(&access);
  Value *zero = ir.getInt64(0);
  kernel.createWait(ir, access, Wait::SubgroupBarrier, ir.getInt64(everyLane),
                    zero, zero);
}

/// A thread that looks again and again for what others do has to let them; the
/// first time it may find it, as an update by compare and swap does.
static void letOthersGo(KernelBuilder &kernel, const AwaitedRead &awaited) {
  Instruction &read = *awaited.read;
  const DataLayout &layout = kernel.module.getDataLayout();
  std::optional<Access> access = describeAccess(layout, read);
  if (!access)
    return;
  kernel.facts.looksAtOthers = true;
  IRBuilder<> ir(kernel.bodyBegin);
  AllocaInst *hasLooked = ir.CreateAlloca(ir.getInt1Ty());
  auto trust = [](auto *own) {
    own->setMetadata(trustedMetadata, MDNode::get(own->getContext(), {}));
    return own;
  };
  trust(ir.CreateStore(ir.getFalse(), hasLooked));
  for (BasicBlock *exit : awaited.exits) {
    ir.SetInsertPoint(exit, exit->getFirstInsertionPt());
    trust(ir.CreateStore(ir.getFalse(), hasLooked));
  }
  ir.SetInsertPoint(&read);
  Value *lets =
      kernel.loadField(ir, kernel.block, offsetof(BlockContext, letsOthersGo),
                       ir.getInt32Ty(), /*invariant=*/false);
  Value *waits = ir.CreateAnd(ir.CreateIsNotNull(lets),
                              trust(ir.CreateLoad(ir.getInt1Ty(), hasLooked)));
  trust(ir.CreateStore(ir.getTrue(), hasLooked));
  ir.SetInsertPoint(
      SplitBlockAndInsertIfThen(waits, read.getIterator(), false));
  kernel.createWait(ir, read, Wait::Phase,
                    ir.CreatePtrToInt(access->address, ir.getInt64Ty()),
                    ir.getInt64(0),
                    ir.getInt64(access->bytes << PhaseWait::bytesBit));
}

/// Whether some threads may meet without the others of their block, which is
/// more than counting barriers tells.
static bool meetsSome(const CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("llvm.nvvm.mbarrier."))
    return true;
  if (name.starts_with("llvm.nvvm.barrier.cta."))
    return name.contains(".count");
  bool isOfSubgroup =
      name == "llvm.nvvm.bar.warp.sync" || name == "__gpuopt_subgroup_barrier";
  if (!isOfSubgroup || call.arg_empty())
    return false;
  auto *mask = dyn_cast<ConstantInt>(call.getArgOperand(0));
  return !mask || !mask->getValue().trunc(32).isAllOnes();
}

Error gpuopt::runtime::lowerSynchronisation(KernelBuilder &kernel) {
  Type *i32 = Type::getInt32Ty(kernel.context);
  Type *i64 = Type::getInt64Ty(kernel.context);
  FunctionCallee callee = kernel.hostFunction(
      "gpuopt.wait", i64, {kernel.thread->getType(), i32, i32, i64, i64, i64});
  kernel.waitFunction = cast<Function>(callee.getCallee());
  for (const AwaitedRead &read : findAwaitedReads(*kernel.function))
    letOthersGo(kernel, read);
  noteOrder(kernel);
  for (Instruction &instruction :
       make_early_inc_range(instructions(*kernel.function))) {
    if (isa<LoadInst, StoreInst>(instruction))
      keepInStep(kernel, instruction);
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    StringRef name = call->getCalledFunction()->getName();
    kernel.facts.ordersThreads |= meetsSome(*call);
    Synchroniser lower(kernel, *call);
    if (!lowerOwn(lower, *call, name) && !lowerNVVM(lower, *call, name) &&
        !lowerMatrixProduct(kernel, *call) &&
        !lowerWarpMatrices(kernel, *call) && !lowerMemoryBarrier(kernel, *call))
      lowerAMDGCN(lower, *call, name);
  }
  lowerWarpgroupProducts(kernel);
  return Error::success();
}
