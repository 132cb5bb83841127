//===- DeviceLowering.h - what a GPU offers a kernel ------------*- C++ -*-===//
//
// One method for each group of functions of DeviceFunctions.def, implemented
// once for each vendor. Each inserts at the builder and returns the value of
// the call, null for void.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_GPUTOLLVM_DEVICELOWERING_H
#define CONVERSION_GPUTOLLVM_DEVICELOWERING_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace gpuopt {

/// The ids and shapes that a kernel may ask for.
enum class LaunchQuery { ThreadId, BlockId, BlockDim, GridDim };

/// How a shuffle finds the lane that it reads.
enum class ShuffleKind { Idx, Up, Down, Xor };

/// Arguments of a shuffle in the order of DeviceFunctions.def.
struct ShuffleOperands {
  llvm::Value *mask, *value, *lane, *width;
};

class DeviceLowering {
public:
  DeviceLowering(llvm::Module &module, unsigned subgroupSize)
      : module(module), builder(module.getContext()),
        subgroupSize(subgroupSize) {}
  virtual ~DeviceLowering() = default;

  /// `dim` counts from x = 0. The result is an i32.
  virtual llvm::Value *query(LaunchQuery query, unsigned dim) = 0;
  virtual llvm::Value *laneId() = 0;
  virtual void barrier() = 0;
  /// Number of threads of the block with a non-zero `predicate` (an i1).
  virtual llvm::Value *barrierCount(llvm::Value *predicate) = 0;
  virtual void subgroupBarrier(llvm::Value *mask) = 0;
  /// `scope` is 0 for the block, 1 for the device, 2 for the system.
  virtual void fence(unsigned scope) = 0;
  virtual llvm::Value *shuffle(ShuffleKind kind,
                               const ShuffleOperands &operands) = 0;
  /// Both return an i64 with one bit per lane.
  virtual llvm::Value *ballot(llvm::Value *mask, llvm::Value *predicate) = 0;
  virtual llvm::Value *activeMask() = 0;

  llvm::Module &module;
  llvm::IRBuilder<> builder;
  unsigned subgroupSize;

protected:
  llvm::CallInst *call(llvm::Intrinsic::ID id,
                       llvm::ArrayRef<llvm::Value *> args = {},
                       llvm::ArrayRef<llvm::Type *> types = {}) {
    return builder.CreateIntrinsic(id, types, args);
  }
};

std::unique_ptr<DeviceLowering>
createNVIDIADeviceLowering(llvm::Module &module, unsigned subgroupSize);
std::unique_ptr<DeviceLowering> createAMDDeviceLowering(llvm::Module &module,
                                                        unsigned subgroupSize);

} // namespace gpuopt

#endif // CONVERSION_GPUTOLLVM_DEVICELOWERING_H
