//===- SplitAtWaits.cpp - from waiting calls to a coroutine ---------------===//
//
// A kernel that waits anywhere becomes a switched-resume coroutine: calling it
// runs the thread up to its first wait and returns a handle; resuming that runs
// it up to the next. A wait stores what it waits for in the thread's context;
// its result is there on resumption. Coroutine lowering is LLVM's.
//
// A kernel that never waits stays a plain function of type `void (ptr)`.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

/// The blocks and values that every suspension refers to.
struct CoroutineFrame {
  Function *function = nullptr;
  Value *identifier = nullptr;
  Value *handle = nullptr;
  BasicBlock *cleanup = nullptr;
  BasicBlock *suspended = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Numbers the waits so that loop bodies come before what follows the loop:
/// where lanes wait at different places, those that are behind go first and
/// the subgroup comes together again.
static void orderWaits(KernelBuilder &kernel, ArrayRef<CallInst *> waits) {
  DominatorTree dominators(*kernel.function);
  LoopInfo loops(dominators);
  DenseSet<BasicBlock *> visited;
  std::vector<BasicBlock *> postOrder;
  // Exits of loops are visited first, so they come last in reverse.
  auto successorsOf = [&](BasicBlock *block) {
    SmallVector<BasicBlock *> order;
    for (BasicBlock *successor : successors(block)) {
      auto *position = find_if(order, [&](BasicBlock *other) {
        return loops.getLoopDepth(other) > loops.getLoopDepth(successor);
      });
      order.insert(position, successor);
    }
    return order;
  };
  struct Visit {
    BasicBlock *block;
    SmallVector<BasicBlock *> successors;
    unsigned next = 0;
  };
  BasicBlock *entry = &kernel.function->getEntryBlock();
  std::vector<Visit> stack;
  visited.insert(entry);
  stack.push_back({entry, successorsOf(entry)});
  while (!stack.empty()) {
    Visit &visit = stack.back();
    if (visit.next == visit.successors.size()) {
      postOrder.push_back(visit.block);
      stack.pop_back();
      continue;
    }
    BasicBlock *next = visit.successors[visit.next++];
    if (visited.insert(next).second)
      stack.push_back({next, successorsOf(next)});
  }
  unsigned order = 0;
  for (BasicBlock *block : reverse(postOrder))
    for (Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (is_contained(waits, call)) {
          auto *site = cast<ConstantInt>(call->getArgOperand(2));
          kernel.facts.sites[site->getZExtValue()].order = order++;
        }
}

//===----------------------------------------------------------------------===//
// The coroutine
//===----------------------------------------------------------------------===//

static void storeField(IRBuilderBase &ir, Value *base, size_t offset,
                       Value *value) {
  ir.CreateStore(value,
                 ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset));
}

/// Suspends at `ir`'s position, which is the end of a block.
static void createSuspension(IRBuilderBase &ir, CoroutineFrame &frame,
                             BasicBlock *resumed, bool final) {
  Value *state = ir.CreateIntrinsic(
      Intrinsic::coro_suspend, {},
      {ConstantTokenNone::get(ir.getContext()), ir.getInt1(final)});
  SwitchInst *branch = ir.CreateSwitch(state, frame.suspended, 2);
  branch->addCase(ir.getInt8(0), resumed);
  branch->addCase(ir.getInt8(1), frame.cleanup);
}

/// Moves the body into a new function that returns its handle.
static CoroutineFrame createCoroutine(KernelBuilder &kernel) {
  LLVMContext &context = kernel.context;
  Function *plain = kernel.function;
  CoroutineFrame frame;
  Type *pointer = PointerType::get(context, 0);
  frame.function =
      Function::Create(FunctionType::get(pointer, {pointer}, false),
                       GlobalValue::ExternalLinkage, "", kernel.module);
  frame.function->takeName(plain);
  frame.function->setPresplitCoroutine();
  frame.function->setDoesNotThrow();
  frame.function->splice(frame.function->begin(), plain);
  kernel.thread->replaceAllUsesWith(frame.function->getArg(0));
  kernel.thread = frame.function->getArg(0);
  kernel.function = frame.function;
  plain->eraseFromParent();

  IRBuilder<> ir(&*frame.function->getEntryBlock().begin());
  Value *null = ConstantPointerNull::get(cast<PointerType>(pointer));
  frame.identifier = ir.CreateIntrinsic(Intrinsic::coro_id, {},
                                        {ir.getInt32(16), null, null, null});
  Value *size = ir.CreateIntrinsic(Intrinsic::coro_size, {ir.getInt64Ty()}, {});
  FunctionCallee allocate =
      kernel.hostFunction("gpuopt.frame", pointer, {pointer, ir.getInt64Ty()});
  Value *memory = ir.CreateCall(allocate, {kernel.thread, size});
  frame.handle =
      ir.CreateIntrinsic(Intrinsic::coro_begin, {}, {frame.identifier, memory});

  frame.suspended = BasicBlock::Create(context, "suspended", frame.function);
  ir.SetInsertPoint(frame.suspended);
  ir.CreateIntrinsic(
      Intrinsic::coro_end, {},
      {frame.handle, ir.getFalse(), ConstantTokenNone::get(context)});
  ir.CreateRet(frame.handle);
  // The scheduler owns the frames; nothing is to be freed.
  frame.cleanup =
      BasicBlock::Create(context, "cleanup", frame.function, frame.suspended);
  ir.SetInsertPoint(frame.cleanup);
  ir.CreateIntrinsic(Intrinsic::coro_free, {},
                     {frame.identifier, frame.handle});
  ir.CreateBr(frame.suspended);
  return frame;
}

/// `ret void` → done, for good.
static void replaceReturns(KernelBuilder &kernel, CoroutineFrame &frame,
                           ArrayRef<ReturnInst *> returns) {
  LLVMContext &context = kernel.context;
  BasicBlock *final =
      BasicBlock::Create(context, "final", frame.function, frame.cleanup);
  BasicBlock *never =
      BasicBlock::Create(context, "never", frame.function, frame.cleanup);
  IRBuilder<> ir(never);
  ir.CreateUnreachable();
  ir.SetInsertPoint(final);
  storeField(ir, kernel.thread, offsetof(ThreadContext, wait),
             ir.getInt32(uint32_t(Wait::Done)));
  createSuspension(ir, frame, never, /*final=*/true);
  for (ReturnInst *end : returns) {
    ir.SetInsertPoint(end);
    unsigned site = kernel.addSite(Site::Kind::Exit, *end);
    storeField(ir, kernel.thread, offsetof(ThreadContext, site),
               ir.getInt32(site));
    ir.CreateBr(final);
    end->eraseFromParent();
  }
}

static void replaceWait(KernelBuilder &kernel, CoroutineFrame &frame,
                        CallInst *wait) {
  IRBuilder<> ir(wait);
  static constexpr size_t fields[] = {
      offsetof(ThreadContext, wait), offsetof(ThreadContext, site),
      offsetof(ThreadContext, mask), offsetof(ThreadContext, value),
      offsetof(ThreadContext, operand)};
  for (auto [index, offset] : enumerate(fields))
    storeField(ir, kernel.thread, offset, wait->getArgOperand(index + 1));
  BasicBlock *before = wait->getParent();
  BasicBlock *after = before->splitBasicBlock(wait, "resumed");
  before->getTerminator()->eraseFromParent();
  ir.SetInsertPoint(before);
  createSuspension(ir, frame, after, /*final=*/false);
  ir.SetInsertPoint(wait);
  if (!wait->use_empty())
    wait->replaceAllUsesWith(kernel.loadField(
        ir, kernel.thread, offsetof(ThreadContext, result), ir.getInt64Ty(),
        /*invariant=*/false));
  wait->eraseFromParent();
}

void gpuopt::runtime::splitAtWaits(KernelBuilder &kernel) {
  SmallVector<CallInst *> waits;
  SmallVector<ReturnInst *> returns;
  for (Instruction &instruction : instructions(*kernel.function)) {
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      if (call->getCalledFunction() == kernel.waitFunction)
        waits.push_back(call);
    } else if (auto *end = dyn_cast<ReturnInst>(&instruction)) {
      returns.push_back(end);
    }
  }
  kernel.facts.suspends = !waits.empty();
  if (waits.empty())
    return;
  orderWaits(kernel, waits);
  CoroutineFrame frame = createCoroutine(kernel);
  replaceReturns(kernel, frame, returns);
  for (CallInst *wait : waits)
    replaceWait(kernel, frame, wait);
}
