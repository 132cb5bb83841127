//===- InstrumentKernel.cpp - a kernel that cannot harm the host ----------===//
//
// Every access is compared with the bounds of the object that it addresses:
//
//   %offset = sub i64 (ptrtoint %address), (ptrtoint %base)
//   %bad    = icmp uge i64 %offset, %limit   ; limit = bytes - size + 1
//
// `limit` is computed once, so a check costs a subtraction and a branch that
// is never taken. A bad access is reported and goes to memory set aside for it.
// Where the object is not known here, the host looks the address up, and where
// its memory begins and ends is kept for the next access.
//
// Also made safe: misaligned vectors, division by zero, loops that never end,
// code that cannot be reached.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/AccessInfo.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

class Instrumenter {
public:
  explicit Instrumenter(KernelBuilder &kernel)
      : kernel(kernel), layout(kernel.module.getDataLayout()),
        unlikely(MDBuilder(kernel.context).createUnlikelyBranchWeights()),
        i32(Type::getInt32Ty(kernel.context)),
        i64(Type::getInt64Ty(kernel.context)),
        pointer(PointerType::get(kernel.context, 0)) {}

  void run();

private:
  void checkAccess(Instruction &access);
  void checkRange(MemIntrinsic &intrinsic);
  void checkDivision(BinaryOperator &division);
  void guardLoops();
  void guardLoop(BasicBlock &header, Value *steps);
  void reportUnreachable();

  Value *offsetFrom(IRBuilderBase &ir, Value *address, Value *base);
  Value *limitOf(Value *base, uint64_t bytes);
  AllocaInst *lastBoundsOf(Value *address);
  Value *foundAddress(Instruction &access, const Access &what, unsigned site);
  Value *safeAddress(Instruction &access, Value *address, Value *bad,
                     function_ref<Value *(IRBuilderBase &)> instead,
                     bool mayMove = false);
  Value *checkedAddress(Instruction &access, const Access &what, unsigned site);
  Value *notedAddress(Instruction &access, const Access &what, Value *base,
                      unsigned site);
  unsigned addAccessSite(Instruction &at, const Access &what, Value *base);
  bool wantsAccessHook() const {
    return kernel.options.countSectorBytes || kernel.options.checkRaces ||
           kernel.options.checkUninitialised || kernel.options.profile ||
           kernel.options.noteStores;
  }

  KernelBuilder &kernel;
  const DataLayout &layout;
  MDNode *unlikely;
  Type *i32, *i64, *pointer;
  /// (base, access size) → first offset that is out of bounds.
  DenseMap<std::pair<Value *, uint64_t>, Value *> limits;
  /// What a pointer of an unknown object is derived from → a BufferBounds.
  DenseMap<Value *, AllocaInst *> lastBounds;
};

} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value *Instrumenter::offsetFrom(IRBuilderBase &ir, Value *address,
                                Value *base) {
  return ir.CreateSub(ir.CreatePtrToInt(address, i64),
                      ir.CreatePtrToInt(base, i64));
}

Value *Instrumenter::limitOf(Value *base, uint64_t bytes) {
  Value *&limit = limits[{base, bytes}];
  if (limit)
    return limit;
  IRBuilder<> ir(kernel.bodyBegin);
  Value *size = kernel.bases[base].bytes;
  limit = ir.CreateSelect(ir.CreateICmpUGE(size, ir.getInt64(bytes)),
                          ir.CreateSub(size, ir.getInt64(bytes - 1)),
                          ir.getInt64(0));
  return limit;
}

unsigned Instrumenter::addAccessSite(Instruction &at, const Access &what,
                                     Value *base) {
  unsigned index = kernel.addSite(what.kind, at);
  Site &site = kernel.facts.sites[index];
  site.object = base ? kernel.bases[base].object : 0;
  site.bytes = what.bytes;
  site.elementBytes = what.elementBytes;
  site.alignment = what.alignment.value();
  return index;
}

/// `address`, or what `instead` makes of it where it is `bad`. A program's
/// thread that would need another leaves the kernel, unless it `mayMove`: then
/// null makes it leave.
Value *Instrumenter::safeAddress(Instruction &access, Value *address,
                                 Value *bad,
                                 function_ref<Value *(IRBuilderBase &)> instead,
                                 bool mayMove) {
  BasicBlock *before = access.getParent();
  Instruction *then =
      SplitBlockAndInsertIfThen(bad, access.getIterator(), false, unlikely);
  IRBuilder<> slow(then);
  Value *other = instead(slow);
  if (kernel.options.reachable) {
    Value *leaves =
        mayMove ? slow.CreateIsNull(other) : slow.CreateICmpNE(other, address);
    Instruction *leave =
        SplitBlockAndInsertIfThen(leaves, then->getIterator(), true, unlikely);
    ReplaceInstWithInst(leave, ReturnInst::Create(kernel.context));
    if (!mayMove)
      return address;
  }
  PHINode *safe =
      PHINode::Create(pointer, 2, "safe", access.getParent()->begin());
  safe->addIncoming(address, before);
  safe->addIncoming(other, then->getParent());
  return safe;
}

/// Where accesses through pointers that are derived from the same one keep the
/// bounds of the memory that they were last found in; none at first.
AllocaInst *Instrumenter::lastBoundsOf(Value *address) {
  AllocaInst *&last = lastBounds[getUnderlyingObject(address)];
  if (last)
    return last;
  IRBuilder<> ir(kernel.bodyBegin);
  last = ir.CreateAlloca(ir.getInt8Ty(), ir.getInt64(sizeof(BufferBounds)));
  last->setAlignment(Align(alignof(BufferBounds)));
  ir.CreateMemSet(last, ir.getInt8(0), sizeof(BufferBounds), last->getAlign());
  return last;
}

Value *Instrumenter::foundAddress(Instruction &access, const Access &what,
                                  unsigned site) {
  AllocaInst *last = lastBoundsOf(what.address);
  IRBuilder<> ir(&access);
  auto load = [&](Type *type, size_t offset) {
    return ir.CreateLoad(
        type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), last, offset));
  };
  Value *begin = load(pointer, offsetof(BufferBounds, begin));
  Value *bytes = load(i64, offsetof(BufferBounds, bytes));
  Value *limit = ir.CreateBinaryIntrinsic(Intrinsic::usub_sat, bytes,
                                          ir.getInt64(what.bytes - 1));
  Value *bad = ir.CreateICmpUGE(offsetFrom(ir, what.address, begin), limit);
  return safeAddress(access, what.address, bad, [&](IRBuilderBase &slow) {
    FunctionCallee find = kernel.hostFunction(
        "gpuopt.find", pointer, {pointer, pointer, i64, i32, pointer});
    return slow.CreateCall(find, {kernel.thread, what.address,
                                  slow.getInt64(what.bytes),
                                  slow.getInt32(site), last});
  });
}

/// The address, or one that is safe to use where it is out of bounds.
Value *Instrumenter::checkedAddress(Instruction &access, const Access &what,
                                    unsigned site) {
  Value *base = findBase(kernel.bases, what.address);
  if (!base)
    return foundAddress(access, what, site);
  IRBuilder<> ir(&access);
  Value *offset = offsetFrom(ir, what.address, base);
  Value *bad = ir.CreateICmpUGE(offset, limitOf(base, what.bytes));
  if (!isAligned(layout, what.address, base, what.alignment)) {
    Value *low = ir.CreateAnd(offset, what.alignment.value() - 1);
    bad = ir.CreateOr(bad, ir.CreateIsNotNull(low));
  }
  // Beside a variable (BlockRun::readsBesideVariable).
  bool mayMove = kernel.facts.readsVariable(kernel.facts.sites[site]);
  return safeAddress(
      access, what.address, bad,
      [&](IRBuilderBase &slow) {
        FunctionCallee fault = kernel.hostFunction(
            "gpuopt.fault", pointer, {pointer, pointer, pointer, i64, i32});
        return slow.CreateCall(fault, {kernel.thread, what.address, base,
                                       slow.getInt64(what.bytes),
                                       slow.getInt32(site)});
      },
      mayMove);
}

/// The same, and the access is noted: the host does both in one call. That is
/// less code, where compiling takes longer than running.
Value *Instrumenter::notedAddress(Instruction &access, const Access &what,
                                  Value *base, unsigned site) {
  IRBuilder<> ir(&access);
  FunctionCallee check = kernel.hostFunction(
      "gpuopt.checked.access", pointer, {pointer, pointer, pointer, i64, i32});
  Value *begin = base ? base : ConstantPointerNull::get(ir.getPtrTy());
  Value *bytes = base ? kernel.bases[base].bytes : ir.getInt64(0);
  return ir.CreateCall(
      check, {kernel.thread, what.address, begin, bytes, ir.getInt32(site)});
}

void Instrumenter::checkAccess(Instruction &access) {
  std::optional<Access> what = describeAccess(layout, access);
  if (!what || access.hasMetadata(trustedMetadata))
    return;
  // What the source promised may not hold; nothing may be built on it.
  access.dropUnknownNonDebugMetadata();
  // The host would fault on misaligned vectors, and call a library for
  // misaligned atomics.
  if (!access.isAtomic()) {
    if (auto *load = dyn_cast<LoadInst>(&access))
      load->setAlignment(Align(1));
    else if (auto *store = dyn_cast<StoreInst>(&access))
      store->setAlignment(Align(1));
  }
  Value *base = findBase(kernel.bases, what->address);
  if (base) {
    const MemoryObject &object =
        kernel.facts.objects[kernel.bases[base].object];
    if (object.kind == MemoryObject::Kind::Trusted ||
        isSurelyInside(layout, what->address, base, object.bytes, what->bytes))
      if (object.kind == MemoryObject::Kind::Private ||
          object.kind == MemoryObject::Kind::Trusted || !wantsAccessHook())
        return;
  }
  unsigned site = addAccessSite(access, *what, base);
  if (auto *copy = dyn_cast<CallInst>(&access))
    copy->setArgOperand(5, ConstantInt::get(i32, site));
  kernel.facts.smallestAccess =
      std::min(kernel.facts.smallestAccess, what->bytes);
  Value *address = what->address;
  bool isPrivate =
      base && kernel.facts.objects[kernel.bases[base].object].kind ==
                  MemoryObject::Kind::Private;
  bool isNoted = wantsAccessHook() && !isPrivate;
  if (isNoted && kernel.options.compileQuickly && kernel.options.checkBounds &&
      !kernel.options.reachable) {
    access.setOperand(what->addressOperand,
                      notedAddress(access, *what, base, site));
    return;
  }
  if (kernel.options.checkBounds) {
    address = checkedAddress(access, *what, site);
    access.setOperand(what->addressOperand, address);
  }
  if (!isNoted)
    return;
  IRBuilder<> ir(&access);
  FunctionCallee hook = kernel.hostFunction("gpuopt.access", ir.getVoidTy(),
                                            {pointer, pointer, i64, i32});
  ir.CreateCall(hook, {kernel.thread, address, ir.getInt64(what->bytes),
                       ir.getInt32(site)});
}

/// A copy or fill of many bytes: one that leaves its object is not done.
void Instrumenter::checkRange(MemIntrinsic &intrinsic) {
  IRBuilder<> ir(&intrinsic);
  FunctionCallee check = kernel.hostFunction(
      "gpuopt.range", i64, {pointer, pointer, i64, pointer, i64, i32});
  auto checkEnd = [&](Value *address, Site::Kind kind) {
    Value *base = findBase(kernel.bases, address);
    Access what;
    what.kind = kind;
    what.address = address;
    auto *constant = dyn_cast<ConstantInt>(intrinsic.getLength());
    if (base && constant) {
      const MemoryObject &object =
          kernel.facts.objects[kernel.bases[base].object];
      if (isSurelyInside(layout, address, base, object.bytes,
                         constant->getZExtValue()) &&
          (object.kind == MemoryObject::Kind::Private || !wantsAccessHook()))
        return;
    }
    kernel.facts.smallestAccess = 1;
    unsigned site = addAccessSite(intrinsic, what, base);
    Value *start = base ? base : ConstantPointerNull::get(ir.getPtrTy());
    Value *bytes = base ? kernel.bases[base].bytes : ir.getInt64(0);
    intrinsic.setLength(ir.CreateZExtOrTrunc(
        ir.CreateCall(check, {kernel.thread, address,
                              ir.CreateZExtOrTrunc(intrinsic.getLength(), i64),
                              start, bytes, ir.getInt32(site)}),
        intrinsic.getLength()->getType()));
  };
  intrinsic.setDestAlignment(Align(1));
  checkEnd(intrinsic.getRawDest(), Site::Kind::Write);
  if (auto *transfer = dyn_cast<MemTransferInst>(&intrinsic)) {
    transfer->setSourceAlignment(Align(1));
    checkEnd(transfer->getRawSource(), Site::Kind::Read);
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Division by zero is reported and gives all ones, as on a GPU; the one
/// quotient that overflows does not trap.
void Instrumenter::checkDivision(BinaryOperator &division) {
  Type *type = division.getType();
  Value *divisor = division.getOperand(1);
  auto *constant = dyn_cast<Constant>(divisor);
  if (constant && !constant->isZeroValue() && !constant->isAllOnesValue() &&
      !type->isVectorTy())
    return;
  IRBuilder<> ir(&division);
  Value *one = ConstantInt::get(type, 1);
  Value *isZero = ir.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value *safe = ir.CreateSelect(isZero, one, divisor);
  unsigned opcode = division.getOpcode();
  if (opcode == Instruction::SDiv || opcode == Instruction::SRem) {
    // x / -1 is -x; done by 0 - x, which wraps.
    Value *isMinus = ir.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
    safe = ir.CreateSelect(isMinus, one, safe);
    Value *dividend = division.getOperand(0);
    if (opcode == Instruction::SDiv)
      dividend = ir.CreateSelect(isMinus, ir.CreateNeg(dividend), dividend);
    division.setOperand(0, dividend);
  }
  division.setOperand(1, safe);
  division.dropPoisonGeneratingFlags();
  // To a program it is no error, as on a device.
  if (type->isVectorTy() || !kernel.options.checkBounds ||
      kernel.options.reachable)
    return;
  unsigned site = kernel.addSite(Site::Kind::Divide, division);
  kernel.facts.sites[site].text = "divides by zero";
  Instruction *then = SplitBlockAndInsertIfThen(isZero, division.getIterator(),
                                                false, unlikely);
  IRBuilder<> slow(then);
  FunctionCallee report =
      kernel.hostFunction("gpuopt.trap", slow.getVoidTy(), {pointer, i32});
  slow.CreateCall(report, {kernel.thread, slow.getInt32(site)});
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The thread takes a step: where it has none left, the host gives it more or
/// it leaves the kernel. The count is a local variable, which ends in a
/// register, or the thread's own.
void Instrumenter::guardLoop(BasicBlock &header, Value *steps) {
  unsigned site = kernel.addSite(Site::Kind::Loop, *header.getTerminator());
  Instruction *begin = &*header.getFirstInsertionPt();
  IRBuilder<> ir(begin);
  Value *left = ir.CreateLoad(i32, steps);
  Instruction *then = SplitBlockAndInsertIfThen(
      ir.CreateIsNull(left), begin->getIterator(), false, unlikely);
  IRBuilder<> slow(then);
  FunctionCallee ask = kernel.hostFunction("gpuopt.steps", i32, {pointer, i32});
  Value *more = slow.CreateCall(ask, {kernel.thread, slow.getInt32(site)});
  Instruction *leave = SplitBlockAndInsertIfThen(
      slow.CreateIsNull(more), then->getIterator(), true, unlikely);
  ReplaceInstWithInst(leave, ReturnInst::Create(kernel.context));
  ir.SetInsertPoint(begin->getParent(), begin->getParent()->begin());
  PHINode *now = ir.CreatePHI(i32, 2);
  now->addIncoming(left, &header);
  now->addIncoming(more, then->getParent());
  ir.SetInsertPoint(begin);
  ir.CreateStore(ir.CreateSub(now, ir.getInt32(1)), steps);
}

/// No loop is endless.
void Instrumenter::guardLoops() {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(*kernel.function, backEdges);
  if (backEdges.empty())
    return;
  SmallSetVector<BasicBlock *, 8> headers;
  for (auto [from, to] : backEdges)
    headers.insert(const_cast<BasicBlock *>(to));
  IRBuilder<> ir(kernel.bodyBegin);
  Value *steps =
      kernel.facts.looksAtOthers
          ? ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), kernel.thread,
                                          offsetof(ThreadContext, stepsLeft))
          : ir.CreateAlloca(i32);
  ir.CreateStore(kernel.loadField(ir, kernel.launch,
                                  offsetof(LaunchContext, firstSteps), i32),
                 steps);
  for (BasicBlock *header : headers)
    guardLoop(*header, steps);
}

void Instrumenter::reportUnreachable() {
  for (BasicBlock &block : *kernel.function) {
    auto *end = dyn_cast<UnreachableInst>(block.getTerminator());
    if (!end)
      continue;
    unsigned site = kernel.addSite(Site::Kind::Trap, *end);
    kernel.facts.sites[site].text = "reaches code that the compiler took to be "
                                    "unreachable";
    IRBuilder<> ir(end);
    FunctionCallee report =
        kernel.hostFunction("gpuopt.trap", ir.getVoidTy(), {pointer, i32});
    ir.CreateCall(report, {kernel.thread, ir.getInt32(site)});
    ir.CreateRetVoid();
    end->eraseFromParent();
  }
}

void Instrumenter::run() {
  kernel.facts.notesAccesses = wantsAccessHook();
  reportUnreachable();
  SmallVector<Instruction *> body;
  bool inProlog = true;
  for (Instruction &instruction : instructions(*kernel.function)) {
    if (&instruction == kernel.bodyBegin)
      inProlog = false;
    if (!inProlog)
      body.push_back(&instruction);
  }
  guardLoops();
  for (Instruction *instruction : body) {
    if (auto *intrinsic = dyn_cast<MemIntrinsic>(instruction)) {
      if (kernel.options.checkBounds)
        checkRange(*intrinsic);
    } else if (instruction->isIntDivRem())
      checkDivision(*cast<BinaryOperator>(instruction));
    else
      checkAccess(*instruction);
  }
}

void gpuopt::runtime::instrumentKernel(KernelBuilder &kernel) {
  Instrumenter(kernel).run();
}
