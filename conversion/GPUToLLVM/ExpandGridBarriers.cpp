//===- ExpandGridBarriers.cpp - grid-wide synchronisation in a launch -----===//
//
// Cooperative launches, in which all blocks are resident, can wait for each
// other in memory. A counter for each kernel is counted up by 2^31 in all, once
// by each block, so that its sign changes when the last one has come: nothing
// has to be reset between two barriers.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/DeviceLowering.h"
#include "conversion/GPUToLLVM/GPUToLLVM.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuopt {
namespace {

/// Global memory, for both vendors.
constexpr unsigned globalSpace = 1;

class GridBarrierExpander {
public:
  GridBarrierExpander(DeviceLowering &device, SyncScope::ID scope)
      : device(device), builder(device.builder), scope(scope) {}

  void expand(CallInst &call);

private:
  GlobalVariable *counterFor(Function &kernel);
  /// The product or the union of a query's three dimensions.
  Value *product(LaunchQuery query);
  Value *isZero(LaunchQuery query);

  DeviceLowering &device;
  IRBuilder<> &builder;
  SyncScope::ID scope;
};

} // namespace

GlobalVariable *GridBarrierExpander::counterFor(Function &kernel) {
  std::string name = (kernel.getName() + "__grid_barrier").str();
  Module &module = *kernel.getParent();
  if (GlobalVariable *counter = module.getNamedGlobal(name))
    return counter;
  Type *i32 = builder.getInt32Ty();
  return new GlobalVariable(module, i32, /*isConstant=*/false,
                            GlobalValue::InternalLinkage,
                            ConstantInt::get(i32, 0), name, nullptr,
                            GlobalValue::NotThreadLocal, globalSpace);
}

Value *GridBarrierExpander::product(LaunchQuery query) {
  Value *x = device.query(query, 0), *y = device.query(query, 1);
  return builder.CreateMul(builder.CreateMul(x, y), device.query(query, 2));
}

Value *GridBarrierExpander::isZero(LaunchQuery query) {
  Value *x = device.query(query, 0), *y = device.query(query, 1);
  Value *all = builder.CreateOr(builder.CreateOr(x, y), device.query(query, 2));
  return builder.CreateIsNull(all);
}

void GridBarrierExpander::expand(CallInst &call) {
  Function &kernel = *call.getFunction();
  GlobalVariable *counter = counterFor(kernel);
  builder.SetInsertPoint(&call);
  device.barrier();
  Value *isFirst = isZero(LaunchQuery::ThreadId);
  Instruction *end = SplitBlockAndInsertIfThen(isFirst, &call, false);

  builder.SetInsertPoint(end);
  device.fence(1);
  // The first block adds what the others leave of 2^31.
  Value *half = builder.getInt32(0x80000000u);
  Value *others =
      builder.CreateSub(product(LaunchQuery::GridDim), builder.getInt32(1));
  Value *step = builder.CreateSelect(isZero(LaunchQuery::BlockId),
                                     builder.CreateSub(half, others),
                                     builder.getInt32(1));
  Value *before =
      builder.CreateAtomicRMW(AtomicRMWInst::Add, counter, step, Align(4),
                              AtomicOrdering::Monotonic, scope);
  BasicBlock *arrive = end->getParent();
  BasicBlock *leave = SplitBlock(arrive, end);
  BasicBlock *wait =
      BasicBlock::Create(kernel.getContext(), "grid.barrier", &kernel, leave);
  arrive->getTerminator()->setSuccessor(0, wait);
  builder.SetInsertPoint(wait);
  LoadInst *now = builder.CreateLoad(builder.getInt32Ty(), counter, true);
  now->setAtomic(AtomicOrdering::Monotonic, scope);
  now->setAlignment(Align(4));
  Value *isSame = builder.CreateICmpSGE(builder.CreateXor(before, now),
                                        builder.getInt32(0));
  builder.CreateCondBr(isSame, wait, leave);
  builder.SetInsertPoint(end);
  device.fence(1);

  builder.SetInsertPoint(&call);
  device.barrier();
  call.eraseFromParent();
}

void expandGridBarriers(Module &module, TargetAttr target) {
  Function *barrier = module.getFunction("__gpuopt_global_sync");
  if (!barrier)
    return;
  unsigned subgroupSize = target.getSubgroupSize();
  bool isNVIDIA = target.getVendor() == Vendor::NVIDIA;
  std::unique_ptr<DeviceLowering> device =
      isNVIDIA ? createNVIDIADeviceLowering(module, subgroupSize)
               : createAMDDeviceLowering(module, subgroupSize);
  GridBarrierExpander expander(*device,
                               module.getContext().getOrInsertSyncScopeID(
                                   isNVIDIA ? "device" : "agent"));
  for (User *user : make_early_inc_range(barrier->users()))
    if (auto *call = dyn_cast<CallInst>(user))
      expander.expand(*call);
  barrier->eraseFromParent();
}

} // namespace gpuopt
