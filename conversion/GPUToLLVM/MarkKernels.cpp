//===- MarkKernels.cpp - calling convention and block size ----------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_MARKKERNELSPASS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// The block shape that the kernel must be launched with, if there is one.
static DenseI32ArrayAttr getRequiredBlock(LLVM::LLVMFuncOp function) {
  if (auto geometry =
          function->getAttrOfType<GeometryAttr>(kGeometryAttrName)) {
    SmallVector<int32_t> block(geometry.getBlock().begin(),
                               geometry.getBlock().end());
    return DenseI32ArrayAttr::get(function.getContext(), block);
  }
  for (const char *name : {"gpu.known_block_size", "known_block_size"})
    if (auto block = function->getAttrOfType<DenseI32ArrayAttr>(name))
      return block;
  return {};
}

namespace {
struct MarkKernelsPass : impl::MarkKernelsPassBase<MarkKernelsPass> {
  using MarkKernelsPassBase::MarkKernelsPassBase;

  void markNVIDIA(LLVM::LLVMFuncOp function, DenseI32ArrayAttr block,
                  ArrayRef<int32_t> bounds) {
    Builder builder(&getContext());
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    if (block) {
      // Upstream writes the known size as a maximum.
      function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), block);
    } else if (!bounds.empty() && bounds[0] > 0) {
      function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                        builder.getDenseI32ArrayAttr({bounds[0]}));
    }
    if (bounds.size() > 1 && bounds[1] > 0)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(bounds[1]));
  }

  void markAMD(LLVM::LLVMFuncOp function, DenseI32ArrayAttr block,
               ArrayRef<int32_t> bounds) {
    Builder builder(&getContext());
    auto setRange = [&](int64_t low, int64_t high) {
      function->setAttr("rocdl.flat_work_group_size",
                        builder.getStringAttr(Twine(low) + "," + Twine(high)));
    };
    function->setAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    if (block) {
      int64_t threads = 1;
      for (int32_t extent : block.asArrayRef())
        threads *= extent;
      function->setAttr("rocdl.reqd_work_group_size", block);
      setRange(threads, threads);
    } else if (!bounds.empty() && bounds[0] > 0) {
      setRange(1, bounds[0]);
    } else if (!hasFlatSize(function)) {
      // The largest block that any launch may have.
      setRange(1, 1024);
    }
  }

  /// True where the source's compiler has bounded the block already.
  static bool hasFlatSize(LLVM::LLVMFuncOp function) {
    if (function->hasAttr("rocdl.flat_work_group_size"))
      return true;
    ArrayAttr passthrough = function.getPassthroughAttr();
    return passthrough && llvm::any_of(passthrough, [](Attribute attr) {
             auto pair = dyn_cast<ArrayAttr>(attr);
             auto name = pair && !pair.empty() ? dyn_cast<StringAttr>(pair[0])
                                               : StringAttr();
             return name && name.getValue() == "amdgpu-flat-work-group-size";
           });
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (!function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
        continue;
      DenseI32ArrayAttr block = getRequiredBlock(function);
      auto boundsAttr =
          function->getAttrOfType<DenseI32ArrayAttr>(kLaunchBoundsAttrName);
      ArrayRef<int32_t> bounds =
          boundsAttr ? boundsAttr.asArrayRef() : ArrayRef<int32_t>();
      if (vendor == "amd")
        markAMD(function, block, bounds);
      else
        markNVIDIA(function, block, bounds);
    }
  }
};
} // namespace
} // namespace gpuopt
