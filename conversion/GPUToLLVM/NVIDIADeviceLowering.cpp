//===- NVIDIADeviceLowering.cpp - device functions as NVVM intrinsics -----===//

#include "conversion/GPUToLLVM/DeviceLowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuopt {
namespace {

class NVIDIADeviceLowering : public DeviceLowering {
public:
  using DeviceLowering::DeviceLowering;

  Value *query(LaunchQuery query, unsigned dim) override {
    static const Intrinsic::ID registers[4][3] = {
        {Intrinsic::nvvm_read_ptx_sreg_tid_x,
         Intrinsic::nvvm_read_ptx_sreg_tid_y,
         Intrinsic::nvvm_read_ptx_sreg_tid_z},
        {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
         Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
         Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
        {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
         Intrinsic::nvvm_read_ptx_sreg_ntid_y,
         Intrinsic::nvvm_read_ptx_sreg_ntid_z},
        {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
         Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
         Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};
    return call(registers[static_cast<unsigned>(query)][dim]);
  }

  Value *laneId() override {
    return call(Intrinsic::nvvm_read_ptx_sreg_laneid);
  }

  void barrier() override {
    call(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
  }

  Value *barrierCount(Value *predicate) override {
    return call(Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
                {builder.getInt32(0), predicate});
  }

  void subgroupBarrier(Value *mask) override {
    call(Intrinsic::nvvm_bar_warp_sync, {narrow(mask)});
  }

  void fence(unsigned scope) override {
    static const Intrinsic::ID fences[] = {Intrinsic::nvvm_membar_cta,
                                           Intrinsic::nvvm_membar_gl,
                                           Intrinsic::nvvm_membar_sys};
    call(fences[scope]);
  }

  Value *shuffle(ShuffleKind kind, const ShuffleOperands &operands) override {
    static const Intrinsic::ID shuffles[] = {
        Intrinsic::nvvm_shfl_sync_idx_i32, Intrinsic::nvvm_shfl_sync_up_i32,
        Intrinsic::nvvm_shfl_sync_down_i32, Intrinsic::nvvm_shfl_sync_bfly_i32};
    // The segment's mask in the upper byte, the clamp in the lower one.
    Value *segment = builder.CreateShl(
        builder.CreateSub(builder.getInt32(32), operands.width), 8);
    Value *clamp = builder.CreateOr(
        segment, builder.getInt32(kind == ShuffleKind::Up ? 0 : 31));
    return call(shuffles[static_cast<unsigned>(kind)],
                {narrow(operands.mask), operands.value, operands.lane, clamp});
  }

  Value *ballot(Value *mask, Value *predicate) override {
    return widen(
        call(Intrinsic::nvvm_vote_ballot_sync, {narrow(mask), predicate}));
  }

  Value *activeMask() override {
    return widen(call(Intrinsic::nvvm_activemask));
  }

private:
  Value *narrow(Value *mask) {
    return builder.CreateTrunc(mask, builder.getInt32Ty());
  }
  Value *widen(Value *mask) {
    return builder.CreateZExt(mask, builder.getInt64Ty());
  }
};

} // namespace

std::unique_ptr<DeviceLowering>
createNVIDIADeviceLowering(Module &module, unsigned subgroupSize) {
  return std::make_unique<NVIDIADeviceLowering>(module, subgroupSize);
}

} // namespace gpuopt
