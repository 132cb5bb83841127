//===- AccessInfo.h - what a memory access does -----------------*- C++ -*-===//

#ifndef RUNTIME_CPU_ACCESSINFO_H
#define RUNTIME_CPU_ACCESSINFO_H

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/IR/DataLayout.h"

namespace gpuopt::runtime {

/// One load, store or atomic, or the write of an asynchronous copy.
struct Access {
  Site::Kind kind = Site::Kind::Read;
  llvm::Value *address = nullptr;
  unsigned addressOperand = 0;
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  llvm::Align alignment;
};

/// Whether `call` is `gpuopt.async.copy(thread, to, data, data, bytes, site)`,
/// which starts an asynchronous copy.
bool isAsyncCopy(const llvm::CallInst &call);
/// The same for `gpuopt.bulk.load(thread, to, from, bytes, …)` and
/// `gpuopt.bulk.store`.
bool isBulkCopy(const llvm::CallInst &call);

/// Nothing where `instruction` is none, or touches no bytes.
std::optional<Access> describeAccess(const llvm::DataLayout &layout,
                                     llvm::Instruction &instruction);

/// The base that `address` is computed from by additions, selections and
/// loops, or null where it is none or not always the same.
llvm::Value *findBase(const llvm::MapVector<llvm::Value *, ObjectBase> &bases,
                      llvm::Value *address);

/// Whether `address` differs from `base` by a multiple of `alignment`.
bool isAligned(const llvm::DataLayout &layout, llvm::Value *address,
               llvm::Value *base, llvm::Align alignment);

/// Whether `accessBytes` at `address` surely lie in the `objectBytes` at
/// `base`.
bool isSurelyInside(const llvm::DataLayout &layout, llvm::Value *address,
                    llvm::Value *base, uint64_t objectBytes,
                    uint64_t accessBytes);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_ACCESSINFO_H
