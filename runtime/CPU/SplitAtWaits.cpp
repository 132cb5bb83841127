//===- SplitAtWaits.cpp - from waiting calls to a coroutine ---------------===//
//
// A kernel that waits anywhere becomes a coroutine: calling it runs the thread
// up to its first wait and returns a handle, its frame; resuming that runs it
// up to the next. A wait stores what it waits for in the thread's context; its
// result is there on resumption.
//
//   ptr kernel(ptr thread)          void resume(ptr frame)
//     frame = gpuopt.frame(…)         what only depends on the thread
//     store resume, thread, 0         switch (frame.place)
//     call resume(frame)                case 0: up to the first wait
//     ret frame                         case 1: what comes behind it …
//
// The frame holds what lives longer than a wait, and all locals. LLVM's own
// coroutines do the same, but copy each function three times, since they can be
// destroyed before they end, too: half of the time to compile a kernel that
// waits is theirs.
//
// A kernel that never waits stays a plain function of type `void (ptr)`.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/BlockRun.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

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
// The frame
//===----------------------------------------------------------------------===//

namespace {
/// Where the fields of a frame are; the scheduler knows the first one.
struct FrameLayout {
  static constexpr uint64_t resume = 0, thread = 8, place = 16, first = 24;

  /// Takes room for `size` bytes; returns their offset.
  uint64_t take(uint64_t size, Align align) {
    uint64_t offset = alignTo(bytes, align);
    bytes = offset + size;
    return offset;
  }
  uint64_t bytes = first;
};

/// Makes a coroutine of the thread function.
class WaitSplitter {
public:
  explicit WaitSplitter(KernelBuilder &builder)
      : kernel(builder), layout(builder.module.getDataLayout()),
        body(*builder.function), ir(builder.context) {}

  Error run(ArrayRef<CallInst *> waits);

private:
  void endAtReturns();
  void splitBlocks(ArrayRef<CallInst *> waits);
  void makePrologue();
  Error moveLocals();
  bool livesLonger(Instruction &value);
  void spill(Instruction &value);
  void suspend(CallInst *wait, BasicBlock *resumed, unsigned place);
  Function *makeResume(ArrayRef<CallInst *> waits);
  void makeRamp(Function *resume);

  Value *fieldAt(uint64_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), frame, offset);
  }
  void storeToThread(size_t offset, Value *value) {
    ir.CreateStore(value, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(),
                                                        kernel.thread, offset));
  }

  KernelBuilder &kernel;
  const DataLayout &layout;
  Function &body;
  IRBuilder<> ir;
  FrameLayout fields;
  /// Runs at every entry: what follows from the thread's context alone.
  BasicBlock *prologue = nullptr;
  /// The frame, there.
  Argument *frame = nullptr;
  /// The blocks behind waits, in their order.
  SmallVector<BasicBlock *> resumed;
  /// By block number: the last value that was found to live there, and whether
  /// the block is behind a wait.
  std::vector<unsigned> visits;
  BitVector isResumed;
  unsigned visit = 0;
};
} // namespace

/// `ret void` → done, for good.
void WaitSplitter::endAtReturns() {
  for (BasicBlock &block : body) {
    auto *end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    ir.SetInsertPoint(end);
    storeToThread(offsetof(ThreadContext, wait),
                  ir.getInt32(uint32_t(Wait::Done)));
    storeToThread(offsetof(ThreadContext, site),
                  ir.getInt32(kernel.addSite(Site::Kind::Exit, *end)));
  }
}

/// A wait ends its block; its result belongs to the next one.
void WaitSplitter::splitBlocks(ArrayRef<CallInst *> waits) {
  for (CallInst *wait : waits) {
    BasicBlock *before = wait->getParent();
    resumed.push_back(before->splitBasicBlock(wait, "resumed"));
    ir.SetInsertPoint(before->getTerminator());
    static constexpr size_t offsets[] = {
        offsetof(ThreadContext, wait), offsetof(ThreadContext, site),
        offsetof(ThreadContext, mask), offsetof(ThreadContext, value),
        offsetof(ThreadContext, operand)};
    for (auto [index, offset] : enumerate(offsets))
      storeToThread(offset, wait->getArgOperand(index + 1));
    ir.SetInsertPoint(wait);
    if (!wait->use_empty())
      wait->replaceAllUsesWith(kernel.loadField(
          ir, kernel.thread, offsetof(ThreadContext, result), ir.getInt64Ty(),
          /*invariant=*/false));
    wait->eraseFromParent();
  }
}

/// Whether `instruction` gives the same each time that it runs, and does
/// nothing else: what the contexts hold does not change.
static bool isRepeatable(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    const Value *of = load->getPointerOperand()->stripInBoundsOffsets();
    return load->hasMetadata(LLVMContext::MD_invariant_load) &&
           (isa<Argument>(of) ||
            (isa<LoadInst>(of) &&
             cast<LoadInst>(of)->hasMetadata(trustedMetadata)));
  }
  return !instruction.isIntDivRem() &&
         isa<BinaryOperator, CastInst, CmpInst, GetElementPtrInst, SelectInst>(
             instruction);
}

/// What the first block computes of the thread's context is computed again
/// behind each wait: that is cheaper than a place in the frame for all of it.
void WaitSplitter::makePrologue() {
  BasicBlock *entry = &body.getEntryBlock();
  BasicBlock *start = entry->splitBasicBlock(entry->begin(), "start");
  prologue = entry;
  for (Instruction &instruction : make_early_inc_range(*start)) {
    bool isSimple = isRepeatable(instruction) &&
                    all_of(instruction.operands(), [&](const Use &operand) {
                      auto *of = dyn_cast<Instruction>(operand);
                      return !of || of->getParent() == prologue;
                    });
    if (isSimple)
      instruction.moveBefore(prologue->getTerminator()->getIterator());
  }
}

Error WaitSplitter::moveLocals() {
  SmallVector<AllocaInst *> locals;
  for (Instruction &instruction : instructions(body))
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      locals.push_back(local);
  for (AllocaInst *local : locals) {
    std::optional<TypeSize> size = local->getAllocationSize(layout);
    if (!size || !isa<ConstantInt>(local->getArraySize()) ||
        local->getAlign().value() > BlockRun::frameAlignment)
      return createStringError("kernel '%s' waits where it has local memory "
                               "that no frame can hold",
                               kernel.facts.name.c_str());
    for (User *user : make_early_inc_range(local->users()))
      if (auto *mark = dyn_cast<LifetimeIntrinsic>(user))
        mark->eraseFromParent();
    ir.SetInsertPoint(prologue, prologue->begin());
    Value *place =
        fieldAt(fields.take(size->getFixedValue(), local->getAlign()));
    local->replaceAllUsesWith(place);
    local->eraseFromParent();
  }
  return Error::success();
}

/// Whether a thread may need `value` behind a wait for which it was computed
/// before.
bool WaitSplitter::livesLonger(Instruction &value) {
  ++visit;
  SmallVector<BasicBlock *> unvisited;
  BasicBlock *from = value.getParent();
  bool isFound = false;
  auto add = [&](BasicBlock *block) {
    if (block == from ||
        std::exchange(visits[block->getNumber()], visit) == visit)
      return;
    isFound |= isResumed[block->getNumber()];
    unvisited.push_back(block);
  };
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    add(phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!isFound && !unvisited.empty())
    for (BasicBlock *before : predecessors(unvisited.pop_back_val()))
      add(before);
  return isFound;
}

/// Keeps `value` in the frame; each block that needs it loads it once.
void WaitSplitter::spill(Instruction &value) {
  Type *type = value.getType();
  Align align =
      std::min(layout.getABITypeAlign(type), Align(BlockRun::frameAlignment));
  uint64_t offset = fields.take(layout.getTypeAllocSize(type), align);
  BasicBlock *from = value.getParent();
  DenseMap<BasicBlock *, Value *> loads;
  for (Use &use : make_early_inc_range(value.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block == from)
      continue;
    Value *&load = loads[block];
    if (!load) {
      ir.SetInsertPoint(block, block->getFirstInsertionPt());
      load = ir.CreateAlignedLoad(type, fieldAt(offset), align);
    }
    use.set(load);
  }
  ir.SetInsertPoint(from, isa<PHINode>(value) ? from->getFirstInsertionPt()
                                              : std::next(value.getIterator()));
  ir.CreateAlignedStore(&value, fieldAt(offset), align);
}

/// Leaves where the thread waits, and lets the next entry go on behind it.
static void leaveAt(IRBuilderBase &ir, BasicBlock *resumed, Value *place,
                    unsigned number) {
  Instruction *end = resumed->getSinglePredecessor()->getTerminator();
  ir.SetInsertPoint(end);
  ir.CreateStore(ir.getInt32(number), place);
  ir.CreateRetVoid();
  end->eraseFromParent();
}

/// Calls the coroutine for the first time.
void WaitSplitter::makeRamp(Function *resume) {
  Type *pointer = PointerType::get(kernel.context, 0);
  Function *ramp =
      Function::Create(FunctionType::get(pointer, {pointer}, false),
                       GlobalValue::ExternalLinkage, "", kernel.module);
  ramp->takeName(resume);
  ramp->setDoesNotThrow();
  kernel.function = ramp;
  kernel.thread = ramp->getArg(0);
  ir.SetInsertPoint(BasicBlock::Create(kernel.context, "entry", ramp));
  FunctionCallee allocate =
      kernel.hostFunction("gpuopt.frame", pointer, {pointer, ir.getInt64Ty()});
  Value *memory =
      ir.CreateCall(allocate, {kernel.thread, ir.getInt64(fields.bytes)});
  auto store = [&](Value *value, uint64_t offset) {
    ir.CreateStore(
        value, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), memory, offset));
  };
  store(resume, FrameLayout::resume);
  store(kernel.thread, FrameLayout::thread);
  store(ir.getInt32(0), FrameLayout::place);
  ir.CreateCall(resume, memory);
  ir.CreateRet(memory);
}

Error WaitSplitter::run(ArrayRef<CallInst *> waits) {
  frame = body.getArg(0);
  endAtReturns();
  splitBlocks(waits);
  makePrologue();
  // The function's argument is the frame now, which knows the thread.
  ir.SetInsertPoint(prologue, prologue->begin());
  auto *threadField = cast<Instruction>(fieldAt(FrameLayout::thread));
  Value *thread = ir.CreateLoad(frame->getType(), threadField);
  frame->replaceUsesWithIf(
      thread, [&](Use &use) { return use.getUser() != threadField; });
  if (Error error = moveLocals())
    return error;

  body.renumberBlocks();
  visits.assign(body.getMaxBlockNumber(), 0);
  isResumed.resize(body.getMaxBlockNumber());
  for (BasicBlock *block : resumed)
    isResumed.set(block->getNumber());
  SmallVector<Instruction *> longLived;
  for (Instruction &instruction : instructions(body))
    if (instruction.getParent() != prologue && livesLonger(instruction))
      longLived.push_back(&instruction);
  for (Instruction *value : longLived)
    spill(*value);

  BasicBlock *start = prologue->getSingleSuccessor();
  prologue->getTerminator()->eraseFromParent();
  ir.SetInsertPoint(prologue);
  Value *place = fieldAt(FrameLayout::place);
  SwitchInst *entries = ir.CreateSwitch(ir.CreateLoad(ir.getInt32Ty(), place),
                                        start, resumed.size());
  for (auto [number, block] : enumerate(resumed)) {
    leaveAt(ir, block, place, number + 1);
    entries->addCase(ir.getInt32(number + 1), block);
  }
  body.setLinkage(GlobalValue::InternalLinkage);
  body.setDoesNotThrow();
  makeRamp(&body);
  return Error::success();
}

Error gpuopt::runtime::splitAtWaits(KernelBuilder &kernel) {
  SmallVector<CallInst *> waits;
  for (Instruction &instruction : instructions(*kernel.function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (call->getCalledFunction() == kernel.waitFunction)
        waits.push_back(call);
  kernel.facts.suspends = !waits.empty();
  if (waits.empty())
    return Error::success();
  orderWaits(kernel, waits);
  return WaitSplitter(kernel).run(waits);
}
