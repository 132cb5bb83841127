//===- AMDDeviceLowering.cpp - device functions as AMDGCN intrinsics ------===//

#include "conversion/GPUToLLVM/DeviceLowering.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuopt {
namespace {

class AMDDeviceLowering : public DeviceLowering {
public:
  using DeviceLowering::DeviceLowering;

  Value *query(LaunchQuery query, unsigned dim) override {
    static const Intrinsic::ID registers[2][3] = {
        {Intrinsic::amdgcn_workitem_id_x, Intrinsic::amdgcn_workitem_id_y,
         Intrinsic::amdgcn_workitem_id_z},
        {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
         Intrinsic::amdgcn_workgroup_id_z}};
    if (query == LaunchQuery::ThreadId || query == LaunchQuery::BlockId)
      return call(registers[static_cast<unsigned>(query)][dim]);
    // The same calls that MLIR's conversion of gpu.block_dim makes.
    const char *name = query == LaunchQuery::BlockDim ? "__ockl_get_local_size"
                                                      : "__ockl_get_num_groups";
    FunctionCallee function = module.getOrInsertFunction(
        name, builder.getInt64Ty(), builder.getInt32Ty());
    CallInst *size = builder.CreateCall(function, {builder.getInt32(dim)});
    size->setDoesNotAccessMemory();
    size->setDoesNotThrow();
    return builder.CreateTrunc(size, builder.getInt32Ty());
  }

  Value *laneId() override {
    Value *all = builder.getInt32(~0u);
    Value *low = call(Intrinsic::amdgcn_mbcnt_lo, {all, builder.getInt32(0)});
    return subgroupSize == 32 ? low
                              : call(Intrinsic::amdgcn_mbcnt_hi, {all, low});
  }

  void barrier() override {
    syncFence(AtomicOrdering::Release, "workgroup");
    call(Intrinsic::amdgcn_s_barrier);
    syncFence(AtomicOrdering::Acquire, "workgroup");
  }

  /// Counts in workgroup memory; the barriers keep two counts apart.
  Value *barrierCount(Value *predicate) override {
    GlobalVariable *counter = getCounter();
    auto atomic = [&](auto *access) {
      access->setAtomic(AtomicOrdering::Monotonic, getScope("workgroup"));
      return access;
    };
    atomic(builder.CreateStore(builder.getInt32(0), counter));
    barrier();
    builder.CreateAtomicRMW(AtomicRMWInst::Add, counter,
                            builder.CreateZExt(predicate, builder.getInt32Ty()),
                            MaybeAlign(4), AtomicOrdering::Monotonic,
                            getScope("workgroup"));
    barrier();
    Value *count = atomic(builder.CreateLoad(builder.getInt32Ty(), counter));
    barrier();
    return count;
  }

  void subgroupBarrier(Value *) override {
    syncFence(AtomicOrdering::Release, "wavefront");
    call(Intrinsic::amdgcn_wave_barrier);
    syncFence(AtomicOrdering::Acquire, "wavefront");
  }

  void fence(unsigned scope) override {
    static const char *scopes[] = {"workgroup", "agent", ""};
    syncFence(AtomicOrdering::SequentiallyConsistent, scopes[scope]);
  }

  /// Reads the lane that HIP defines: a lane outside the segment of `width`
  /// lanes reads itself.
  Value *shuffle(ShuffleKind kind, const ShuffleOperands &operands) override {
    Value *self = laneId(), *width = operands.width, *lane = operands.lane;
    Value *last = builder.CreateSub(width, builder.getInt32(1));
    Value *first = builder.CreateAnd(self, builder.CreateNot(last));
    Value *source = nullptr, *isOutside = nullptr;
    switch (kind) {
    case ShuffleKind::Idx:
      source = builder.CreateAdd(first, builder.CreateAnd(lane, last));
      break;
    case ShuffleKind::Up:
      source = builder.CreateSub(self, lane);
      isOutside = builder.CreateICmpSLT(source, first);
      break;
    case ShuffleKind::Down:
      source = builder.CreateAdd(self, lane);
      isOutside =
          builder.CreateICmpSGE(source, builder.CreateAdd(first, width));
      break;
    case ShuffleKind::Xor:
      source = builder.CreateXor(self, lane);
      isOutside =
          builder.CreateICmpSGE(source, builder.CreateAdd(first, width));
      break;
    }
    if (isOutside)
      source = builder.CreateSelect(isOutside, self, source);
    Value *address = builder.CreateShl(source, 2);
    return call(Intrinsic::amdgcn_ds_bpermute, {address, operands.value});
  }

  Value *ballot(Value *mask, Value *predicate) override {
    Value *votes =
        call(Intrinsic::amdgcn_ballot, {predicate}, {builder.getInt64Ty()});
    return builder.CreateAnd(votes, mask);
  }

  Value *activeMask() override {
    return call(Intrinsic::amdgcn_ballot, {builder.getTrue()},
                {builder.getInt64Ty()});
  }

private:
  SyncScope::ID getScope(StringRef name) {
    return module.getContext().getOrInsertSyncScopeID(name);
  }

  void syncFence(AtomicOrdering ordering, StringRef scope) {
    builder.CreateFence(ordering, getScope(scope));
  }

  GlobalVariable *getCounter() {
    constexpr const char *name = "__gpuopt_barrier_count";
    if (GlobalVariable *counter = module.getNamedGlobal(name))
      return counter;
    Type *i32 = builder.getInt32Ty();
    auto *counter = new GlobalVariable(
        module, i32, false, GlobalValue::InternalLinkage, PoisonValue::get(i32),
        name, nullptr, GlobalValue::NotThreadLocal,
        /*AddressSpace=*/3);
    counter->setAlignment(Align(4));
    return counter;
  }
};

} // namespace

std::unique_ptr<DeviceLowering> createAMDDeviceLowering(Module &module,
                                                        unsigned subgroupSize) {
  return std::make_unique<AMDDeviceLowering>(module, subgroupSize);
}

} // namespace gpuopt
