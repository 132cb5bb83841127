//===- MergeLegality.cpp - what block and thread merge share --------------===//

#include "passes/Transforms/Merge/MergeLegality.h"

#include "passes/Analysis/CollectiveLoops.h"
#include "passes/Analysis/SubgroupExchange.h"
#include "passes/Transforms/Utils/Aliasing.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Reads the pass options `dim` and `factor`; nothing, after an error, where
/// they are no dimension or not positive.
static std::optional<MergeRequest>
parseMergeRequest(Location location, StringRef dimension, int64_t factor) {
  std::optional<gpu::Dimension> parsed = gpu::symbolizeDimension(dimension);
  if (!parsed) {
    emitError(location) << "expected 'dim' to be x, y or z, found '"
                        << dimension << "'";
    return std::nullopt;
  }
  if (factor < 1) {
    emitError(location) << "expected 'factor' to be positive, found " << factor;
    return std::nullopt;
  }
  return MergeRequest{*parsed, factor};
}

std::optional<Ownership> gpuopt::parseOwnership(Location location,
                                                StringRef ownership) {
  if (ownership == "interleaved")
    return Ownership::Interleaved;
  if (ownership == "contiguous")
    return Ownership::Contiguous;
  emitError(location)
      << "expected 'ownership' to be interleaved or contiguous, found '"
      << ownership << "'";
  return std::nullopt;
}

FailureOr<int64_t> gpuopt::mergeKernels(
    gpu::GPUModuleOp module, StringRef dimension, int64_t factor,
    StringRef target,
    llvm::function_ref<bool(gpu::GPUFuncOp, MergeRequest, TargetAttr)> merge) {
  std::optional<MergeRequest> request =
      parseMergeRequest(module.getLoc(), dimension, factor);
  FailureOr<TargetAttr> machine = resolveTarget(module, target);
  if (!request || failed(machine))
    return failure();
  int64_t merged = 0;
  for (gpu::GPUFuncOp kernel : collectKernels(module))
    if (request->factor > 1)
      merged += merge(kernel, *request, *machine);
  return merged;
}

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

void gpuopt::updateGeometry(gpu::GPUFuncOp kernel, const MergeRequest &request,
                            bool growBlock) {
  auto geometry = kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  SmallVector<int64_t> block(geometry.getBlock());
  SmallVector<int64_t> itemsPerThread(geometry.getItemsPerThread());
  SmallVector<int64_t> itemsPerBlock(geometry.getItemsPerBlock());
  unsigned dim = unsigned(request.dimension);
  (growBlock ? block : itemsPerThread)[dim] *= request.factor;
  itemsPerBlock[dim] *= request.factor;
  kernel->setAttr(kGeometryAttrName,
                  GeometryAttr::get(kernel.getContext(), block, itemsPerThread,
                                    itemsPerBlock, geometry.getExtents(),
                                    geometry.getOriginalBlock()));
  if (growBlock && kernel.getKnownBlockSizeAttr())
    kernel.setKnownBlockSizeAttr(DenseI32ArrayAttr::get(
        kernel.getContext(), SmallVector<int32_t>(block.begin(), block.end())));
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Whether a launch of `kernel` along `dimension` has as many blocks as those
/// of the original make: their size is fixed, and no guard lets there be more
/// or fewer, also none that only the original has.
static bool hasExactGrid(gpu::GPUFuncOp kernel, gpu::Dimension dimension) {
  unsigned dim = unsigned(dimension);
  GeometryAttr geometry = geometryOf(kernel);
  ArrayRef<int64_t> block = geometry.getOriginalBlock();
  auto isGuarded = [&](ArrayAttr extents) {
    return extents && dim < extents.size() && isa<AffineMapAttr>(extents[dim]);
  };
  auto fallback = kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  Operation *original =
      fallback ? SymbolTable::lookupNearestSymbolFrom(kernel, fallback)
               : nullptr;
  return dim < block.size() && block[dim] > 0 &&
         !isGuarded(geometry.getExtents()) &&
         !(original &&
           isGuarded(original->getAttrOfType<ArrayAttr>(kOwnExtentsAttrName)));
}

/// Whether `op` reads something that changes with the number of blocks, and
/// `scaleGridSizes` does not put right.
static bool readsGrid(Operation *op, gpu::Dimension dimension) {
  if (auto grid = dyn_cast<gpu::GridDimOp>(op))
    return grid.getDimension() == dimension &&
           !hasExactGrid(op->getParentOfType<gpu::GPUFuncOp>(), dimension);
  if (auto global = dyn_cast<gpu::GlobalIdOp>(op))
    return global.getDimension() == dimension;
  return isa<gpu::ClusterIdOp, gpu::ClusterDimOp, gpu::ClusterDimBlocksOp,
             gpu::ClusterBlockIdOp>(op);
}

/// Whether two blocks could exchange something through `op` while they run.
static bool isCommunication(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_() ||
           load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getVolatile_() ||
           store.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (isa<LLVM::FenceOp>(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  return interface && !op->use_empty() &&
         interface.hasEffect<MemoryEffects::Read>() &&
         interface.hasEffect<MemoryEffects::Write>();
}

/// Whether `op` does no more than its memory effects say.
static bool isKnown(Operation *op) {
  if (isa<gpu::BarrierOp, gpu::ReturnOp>(op) || touchesNoMemory(op))
    return true;
  if (isa<CallOpInterface>(op) || mayReadRegisters(op))
    return false;
  return isa<MemoryEffectOpInterface>(op) || isMemoryEffectFree(op) ||
         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

/// Whether `op` makes workgroup memory that is not an attribution, or points to
/// such.
static bool makesWorkgroupMemory(Operation *op) {
  if (isa<gpu::DynamicSharedMemoryOp>(op))
    return true;
  constexpr unsigned workgroupSpace = 3;
  return llvm::any_of(op->getResults(), [](Value result) {
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(result.getType()))
      return pointer.getAddressSpace() == workgroupSpace;
    auto type = dyn_cast<MemRefType>(result.getType());
    return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) &&
           !isa<BlockArgument>(memoryRoot(result));
  });
}

/// Why `op` keeps all merges away, wherever it stands and along any dimension.
static std::optional<std::string> checkEffects(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (!isKnown(op))
    return "the effects of '" + name + "' are not known";
  if (isCommunication(op))
    return "'" + name + "' can exchange data between blocks";
  if (makesWorkgroupMemory(op))
    return "'" + name + "' is workgroup memory of unknown size or origin";
  return std::nullopt;
}

bool gpuopt::mayBeMerged(gpu::GPUFuncOp kernel) {
  return !kernel.getBody()
              .walk([](Operation *op) {
                return checkEffects(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
              })
              .wasInterrupted();
}

static std::optional<std::string> checkOperation(Operation *op,
                                                 gpu::Dimension dimension) {
  if (readsGrid(op, dimension))
    return "'" + op->getName().getStringRef().str() +
           "' depends on the number of blocks";
  return checkEffects(op);
}

std::optional<Refusal>
gpuopt::checkBlocksIndependent(gpu::GPUFuncOp kernel,
                               gpu::Dimension dimension) {
  if (!kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    return Refusal{kernel.getLoc(), "the kernel's block shape is not known"};
  if (!kernel.getBody().hasOneBlock())
    return Refusal{kernel.getLoc(), "the control flow is not structured"};
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    std::optional<std::string> reason = checkOperation(op, dimension);
    if (!reason)
      return WalkResult::advance();
    refusal = Refusal{op->getLoc(), *reason};
    return WalkResult::interrupt();
  });
  return refusal;
}

void gpuopt::scaleGridSizes(gpu::GPUFuncOp kernel,
                            const MergeRequest &request) {
  kernel.getBody().walk([&](gpu::GridDimOp size) {
    if (size.getDimension() != request.dimension)
      return;
    OpBuilder builder(size->getContext());
    builder.setInsertionPointAfter(size);
    Value old = affine::AffineApplyOp::create(
        builder, size.getLoc(),
        AffineMap::get(1, 0, builder.getAffineDimExpr(0) * request.factor),
        ValueRange{size});
    size.getResult().replaceAllUsesExcept(old, old.getDefiningOp());
  });
}

std::optional<Refusal>
gpuopt::checkBarriersAgree(gpu::GPUFuncOp kernel,
                           const UniformityAnalysis &uniformity,
                           gpu::Dimension dimension) {
  std::optional<Refusal> refusal;
  kernel.getBody().walk([&](Operation *op) {
    bool isTogether = isa<gpu::BarrierOp>(op) || isCollective(op);
    if (!isTogether || !isVariant(uniformity.controlDependsOn(op), dimension))
      return WalkResult::advance();
    std::string what = isCollective(op) ? "a collective loop" : "a barrier";
    refusal = Refusal{op->getLoc(), "the merged blocks may not reach " + what +
                                        " equally often"};
    return WalkResult::interrupt();
  });
  return refusal;
}
