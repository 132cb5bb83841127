//===- PlaceWorkgroupArrays.cpp - where workgroup arrays begin ------------===//
//
// See DynamicMemory.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/DynamicMemory.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_PLACEWORKGROUPARRAYS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// Lets arrays with matrices of warpgroups begin where a swizzle does.
static void alignMatrices(gpu::GPUFuncOp kernel) {
  for (auto [index, array] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    bool hasMatrices = llvm::any_of(array.getUsers(), [](Operation *user) {
      return isa<MatrixDescriptorOp>(user);
    });
    if (hasMatrices)
      kernel.setWorkgroupAttributionAttr(
          index, LLVM::LLVMDialect::getAlignAttrName(),
          Builder(kernel.getContext()).getI64IntegerAttr(kDynamicAlignment));
  }
}

/// What uses memory whose size the launch gives already; null where nothing
/// does.
static Operation *findDynamicMemory(gpu::GPUFuncOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    auto address = dyn_cast<LLVM::AddressOfOp>(op);
    constexpr unsigned workgroupSpace = 3;
    if (isa<gpu::DynamicSharedMemoryOp>(op) ||
        (address && address.getType().getAddressSpace() == workgroupSpace))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Puts all arrays of `kernel` into memory whose size the launch gives.
static void placeDynamically(gpu::GPUFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = kernel.getLoc();
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  int64_t place = 0;
  for (BlockArgument array : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(array.getType());
    Value begin = arith::ConstantIndexOp::create(builder, loc, place);
    array.replaceAllUsesWith(
        memref::ViewOp::create(builder, loc, type, memory, begin, ValueRange())
            .getResult());
    place += llvm::alignTo(bytesOfArray(type, layout), kDynamicAlignment);
  }
  unsigned first = kernel.getFirstWorkgroupAttributionIndex();
  kernel.getBody().front().eraseArguments(first,
                                          kernel.getNumWorkgroupAttributions());
  kernel->setAttr(kernel.getNumWorkgroupAttributionsAttrName(),
                  builder.getI64IntegerAttr(0));
  kernel.removeWorkgroupAttribAttrsAttr();
}

namespace {
struct PlaceWorkgroupArrays
    : impl::PlaceWorkgroupArraysBase<PlaceWorkgroupArrays> {
  using PlaceWorkgroupArraysBase::PlaceWorkgroupArraysBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      alignMatrices(kernel);
      if (mostBytes == 0 || dynamicBytesOf(kernel, mostBytes) == 0)
        continue;
      if (Operation *user = findDynamicMemory(kernel)) {
        user->emitError("the kernel's arrays take the place of workgroup "
                        "memory whose size the launch gives");
        return signalPassFailure();
      }
      placeDynamically(kernel);
    }
  }
};
} // namespace
} // namespace gpuopt
