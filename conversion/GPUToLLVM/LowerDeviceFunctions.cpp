//===- LowerDeviceFunctions.cpp - __gpuopt_* to intrinsics ----------------===//

#include "conversion/GPUToLLVM/LowerDeviceFunctions.h"
#include "conversion/GPUToLLVM/DeviceLowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuopt {

/// `thread_id_y` and its kin; nullopt where `name` is something else.
static std::optional<std::pair<LaunchQuery, unsigned>>
parseQuery(StringRef name) {
  auto [base, dim] = name.rsplit('_');
  if (dim.size() != 1 || dim[0] < 'x' || dim[0] > 'z')
    return std::nullopt;
  std::optional<LaunchQuery> query =
      StringSwitch<std::optional<LaunchQuery>>(base)
          .Case("thread_id", LaunchQuery::ThreadId)
          .Case("block_id", LaunchQuery::BlockId)
          .Case("block_dim", LaunchQuery::BlockDim)
          .Case("grid_dim", LaunchQuery::GridDim)
          .Default(std::nullopt);
  if (!query)
    return std::nullopt;
  return std::pair(*query, static_cast<unsigned>(dim[0] - 'x'));
}

/// A fence whose scope is not known is one for the system.
static unsigned getFenceScope(Value *scope) {
  auto *constant = dyn_cast<ConstantInt>(scope);
  return constant ? std::min<uint64_t>(constant->getZExtValue(), 2) : 2;
}

static std::optional<ShuffleKind> parseShuffle(StringRef name) {
  return StringSwitch<std::optional<ShuffleKind>>(name)
      .Case("shuffle_idx", ShuffleKind::Idx)
      .Case("shuffle_up", ShuffleKind::Up)
      .Case("shuffle_down", ShuffleKind::Down)
      .Case("shuffle_xor", ShuffleKind::Xor)
      .Default(std::nullopt);
}

/// The value of `call` to the device function `name`; null for void ones.
/// `isKnown` is false where DeviceFunctions.def has no such function.
static Value *lowerCall(DeviceLowering &device, CallInst &call, StringRef name,
                        bool &isKnown) {
  IRBuilder<> &builder = device.builder;
  auto arg = [&](unsigned index) { return call.getArgOperand(index); };
  auto isTrue = [&](unsigned index) {
    return builder.CreateIsNotNull(arg(index));
  };
  isKnown = true;
  if (auto query = parseQuery(name))
    return device.query(query->first, query->second);
  if (auto shuffle = parseShuffle(name))
    return device.shuffle(*shuffle, {arg(0), arg(1), arg(2), arg(3)});
  if (name == "lane_id")
    return device.laneId();
  if (name == "subgroup_size")
    return builder.getInt32(device.subgroupSize);
  if (name == "clock")
    return builder.CreateIntrinsic(Intrinsic::readcyclecounter,
                                   ArrayRef<Type *>(), {});
  if (name == "barrier_count")
    return device.barrierCount(isTrue(0));
  if (name == "ballot")
    return device.ballot(arg(0), isTrue(1));
  if (name == "active_mask")
    return device.activeMask();
  if (name == "barrier")
    device.barrier();
  else if (name == "subgroup_barrier")
    device.subgroupBarrier(arg(0));
  else if (name == "fence")
    device.fence(getFenceScope(arg(0)));
  else if (name == "trap")
    builder.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  else
    isKnown = false;
  return nullptr;
}

void lowerDeviceFunctions(Module &module, TargetAttr target) {
  unsigned subgroupSize = target.getSubgroupSize();
  std::unique_ptr<DeviceLowering> device =
      target.getVendor() == Vendor::NVIDIA
          ? createNVIDIADeviceLowering(module, subgroupSize)
          : createAMDDeviceLowering(module, subgroupSize);
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__gpuopt_"))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function)
        continue;
      device->builder.SetInsertPoint(call);
      bool isKnown = false;
      Value *value = lowerCall(*device, *call, name, isKnown);
      if (!isKnown)
        continue;
      if (value)
        call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace gpuopt
