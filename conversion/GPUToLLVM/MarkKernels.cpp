//===- MarkKernels.cpp - calling convention and block size ----------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/DynamicMemory.h"
#include "dialects/GPUOpt/GPUOptDialect.h"
#include "dialects/GPUOpt/JoinedStructures.h"
#include "dialects/GPUOpt/LargestBlock.h"
#include "dialects/GPUOpt/ResidentBlocks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_MARKKERNELS
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
struct MarkKernels : impl::MarkKernelsBase<MarkKernels> {
  using MarkKernelsBase::MarkKernelsBase;

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
    int32_t blocks = bounds.size() > 1 ? bounds[1] : 0;
    // What the source asks for is for its own work items and blocks. Unless it
    // knows how many blocks are enough, ptxas spills for more of them: also in
    // kernels that passes have made for blocks of one shape.
    if (function->hasAttr(kGeometryAttrName) || (block && blocks == 0))
      blocks = std::max<int32_t>(1, residentBlocksOf(function));
    if (blocks > 0)
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        builder.getI32IntegerAttr(blocks));
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
      if (int64_t waves = wavesPerExecutionUnit(function, threads))
        function->setAttr("rocdl.waves_per_eu",
                          builder.getI32IntegerAttr(waves));
    } else if (!bounds.empty() && bounds[0] > 0) {
      setRange(1, bounds[0]);
    } else if (!hasFlatSize(function)) {
      // The largest block that any launch may have.
      setRange(1, kMostThreadsOfBlock);
    }
  }

  /// True where the source's compiler has bounded the block already.
  static bool hasFlatSize(LLVM::LLVMFuncOp function) {
    return function->hasAttr("rocdl.flat_work_group_size") ||
           hasPassthrough(function, "amdgpu-flat-work-group-size");
  }

  static StringRef getPassthroughName(Attribute attr) {
    if (auto pair = dyn_cast<ArrayAttr>(attr); pair && !pair.empty())
      attr = pair[0];
    auto name = dyn_cast<StringAttr>(attr);
    return name ? name.getValue() : StringRef();
  }

  static bool hasPassthrough(LLVM::LLVMFuncOp function, StringRef name) {
    ArrayAttr passthrough = function.getPassthroughAttr();
    return passthrough && llvm::any_of(passthrough, [&](Attribute attr) {
             return getPassthroughName(attr) == name;
           });
  }

  /// Bounds that Clang wrote for the source's launches: a required block shape
  /// replaces them.
  static void dropSourceBounds(LLVM::LLVMFuncOp function) {
    ArrayAttr passthrough = function.getPassthroughAttr();
    if (!passthrough)
      return;
    SmallVector<Attribute> kept;
    for (Attribute attr : passthrough)
      if (!llvm::is_contained(
              {"nvvm.maxntid", "nvvm.reqntid", "amdgpu-flat-work-group-size"},
              getPassthroughName(attr)))
        kept.push_back(attr);
    function.setPassthroughAttr(ArrayAttr::get(function.getContext(), kept));
  }

  /// Facts about parameters mean nothing to LLVM, which would warn of them.
  static void dropParameterFacts(LLVM::LLVMFuncOp function) {
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      for (NamedAttribute attr : llvm::to_vector(
               mlir::function_interface_impl::getArgAttrs(function, index)))
        if (isa_and_present<GPUOptDialect>(attr.getNameDialect()))
          function.removeArgAttr(index, attr.getName());
  }

  /// Conversion drops what it does not know of a kernel's parameters: their
  /// extension and `byval`, which are part of the ABI.
  static void restoreParameterAttributes(LLVM::LLVMFuncOp function) {
    auto saved = function->getAttrOfType<ArrayAttr>(kParameterAttrsAttrName);
    if (!saved)
      return;
    function->removeAttr(kParameterAttrsAttrName);
    if (saved.size() != function.getNumArguments())
      return;
    for (auto [index, attrs] : llvm::enumerate(saved))
      for (NamedAttribute attr : cast<DictionaryAttr>(attrs))
        function.setArgAttr(index, attr.getName(), attr.getValue());
  }

  /// Says which structures a driver passes. A launch that is one of several has
  /// a host function that passes each parameter.
  static void noteStructures(LLVM::LLVMFuncOp function) {
    auto structures = function->getAttrOfType<ArrayAttr>(kStructuresAttrName);
    if (!structures || function->hasAttr(kPhaseOfAttrName))
      return;
    std::string text;
    for (auto structure : structures.getAsRange<DictionaryAttr>()) {
      if (!text.empty())
        text += ';';
      for (StringRef part : {"first", "bytes", "align"})
        text += std::to_string(structure.getAs<IntegerAttr>(part).getInt()) +
                (part == "align" ? "" : ",");
      auto offsets = structure.getAs<DenseI64ArrayAttr>("offsets");
      for (int64_t offset : offsets.asArrayRef())
        text += "," + std::to_string(offset);
    }
    Builder builder(function.getContext());
    SmallVector<Attribute> passthrough;
    if (ArrayAttr others = function.getPassthroughAttr())
      llvm::append_range(passthrough, others);
    passthrough.push_back(
        builder.getStrArrayAttr({kJoinedStructuresAttrName, text}));
    function.setPassthroughAttr(builder.getArrayAttr(passthrough));
  }

  /// Annotations of loops hold positions in the source. Where the function
  /// has lost its own (MLIR text does not hold it unless asked), theirs would
  /// belong to another function, which LLVM rejects.
  static void dropForeignLoopPositions(LLVM::LLVMFuncOp function) {
    if (function.getLoc()
            ->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>())
      return;
    function.walk([](Operation *op) {
      auto loop =
          op->getAttrOfType<LLVM::LoopAnnotationAttr>("loop_annotation");
      if (!loop || (!loop.getStartLoc() && !loop.getEndLoc()))
        return;
      op->setAttr("loop_annotation",
                  LLVM::LoopAnnotationAttr::get(
                      op->getContext(), loop.getDisableNonforced(),
                      loop.getVectorize(), loop.getInterleave(),
                      loop.getUnroll(), loop.getUnrollAndJam(), loop.getLicm(),
                      loop.getDistribute(), loop.getPipeline(),
                      loop.getPeeled(), loop.getUnswitch(),
                      loop.getMustProgress(), loop.getIsVectorized(),
                      FusedLoc(), FusedLoc(), loop.getParallelAccesses()));
    });
  }

  /// Memory whose size launches give begins where a swizzle does, if it has
  /// matrices of warpgroups.
  void alignDynamicMemory() {
    bool hasMatrices =
        getOperation()
            .walk([](LLVM::InlineAsmOp statement) {
              return statement.getAsmString().contains("wgmma.mma_async")
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasMatrices)
      return;
    for (auto memory : getOperation().getOps<LLVM::GlobalOp>())
      if (memory.getName().starts_with("__dynamic_shmem__"))
        memory.setAlignment(kDynamicAlignment);
  }

  void runOnOperation() override {
    alignDynamicMemory();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      dropForeignLoopPositions(function);
      restoreParameterAttributes(function);
      dropParameterFacts(function);
      if (!function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
        continue;
      noteStructures(function);
      DenseI32ArrayAttr block = getRequiredBlock(function);
      auto boundsAttr =
          function->getAttrOfType<DenseI32ArrayAttr>(kLaunchBoundsAttrName);
      if (block)
        dropSourceBounds(function);
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
