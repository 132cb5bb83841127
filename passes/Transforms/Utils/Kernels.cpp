//===- Kernels.cpp - what every transform asks of a kernel ----------------===//

#include "passes/Transforms/Utils/Kernels.h"

#include "dialects/GPUOpt/KnownTargets.h"
#include "passes/Analysis/SubgroupExchange.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpuopt;

FailureOr<TargetAttr> gpuopt::resolveTarget(Operation *op, StringRef name) {
  if (!name.empty()) {
    llvm::Expected<TargetAttr> target = lookUpTarget(op->getContext(), name);
    if (!target)
      return op->emitError(llvm::toString(target.takeError()));
    return *target;
  }
  for (Operation *scope = op; scope; scope = scope->getParentOp())
    if (auto target = scope->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target;
  return op->emitError("expected a '")
         << kTargetAttrName << "' attribute or the option 'target'";
}

SmallVector<gpu::GPUFuncOp> gpuopt::collectKernels(gpu::GPUModuleOp module) {
  llvm::StringSet<> fallbacks;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
      fallbacks.insert(name.getValue());
    else if (auto text = kernel->getAttrOfType<StringAttr>(kFallbackAttrName))
      fallbacks.insert(text.getValue());
  SmallVector<gpu::GPUFuncOp> kernels;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (kernel.isKernel() && !kernel.getBody().empty() &&
        !fallbacks.contains(kernel.getName()))
      kernels.push_back(kernel);
  return kernels;
}

GeometryAttr gpuopt::geometryOf(gpu::GPUFuncOp kernel) {
  return kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName);
}

void gpuopt::keepOriginal(gpu::GPUFuncOp kernel) {
  if (kernel->hasAttr(kFallbackAttrName))
    return;
  OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  auto original = cast<gpu::GPUFuncOp>(builder.clone(*kernel));
  original.setName((kernel.getName() + "__original").str());
  SymbolTable symbols(kernel->getParentOp());
  StringAttr name = symbols.insert(original);
  kernel->setAttr(kFallbackAttrName, FlatSymbolRefAttr::get(name));
}

Value gpuopt::threadIdAtTop(gpu::GPUFuncOp kernel, unsigned dimension) {
  auto wanted = static_cast<gpu::Dimension>(dimension);
  Block &entry = kernel.getBody().front();
  for (auto id : entry.getOps<gpu::ThreadIdOp>())
    if (id.getDimension() == wanted) {
      id->moveBefore(&entry, entry.begin());
      return id;
    }
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  return gpu::ThreadIdOp::create(builder, kernel.getLoc(), wanted);
}

Value gpuopt::blockIdAtTop(gpu::GPUFuncOp kernel, unsigned dimension) {
  for (auto id : kernel.getBody().front().getOps<gpu::BlockIdOp>())
    if (static_cast<unsigned>(id.getDimension()) == dimension)
      return id;
  return {};
}

/// Keeps the first `Id` of each dimension and moves it to the top.
template <typename Id>
static void gatherIdsOfKind(gpu::GPUFuncOp kernel) {
  Id ids[3];
  SmallVector<Id> all;
  kernel.walk([&](Id id) { all.push_back(id); });
  for (Id id : all) {
    Id &first = ids[static_cast<unsigned>(id.getDimension())];
    if (first) {
      id.replaceAllUsesWith(first.getResult());
      id.erase();
      continue;
    }
    first = id;
  }
  Block &entry = kernel.getBody().front();
  for (Id id : llvm::reverse(ids))
    if (id)
      id->moveBefore(&entry, entry.begin());
}

void gpuopt::gatherIds(gpu::GPUFuncOp kernel) {
  gatherIdsOfKind<gpu::ThreadIdOp>(kernel);
  gatherIdsOfKind<gpu::BlockIdOp>(kernel);
}

std::optional<std::string> gpuopt::dependsOnThreadGrouping(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && isSubgroupExchange(op))
    return "'" + call.getCallee()->str() +
           "' depends on how threads are grouped";
  Dialect *dialect = op->getDialect();
  StringRef space = dialect ? dialect->getNamespace() : "";
  bool isVendors = space == "nvvm" || space == "rocdl" || space == "nvgpu" ||
                   space == "amdgpu";
  if (!isVendors &&
      !isa<gpu::LaneIdOp, gpu::SubgroupIdOp, gpu::NumSubgroupsOp,
           gpu::ShuffleOp, gpu::SubgroupReduceOp, gpu::AllReduceOp>(op))
    return std::nullopt;
  return "'" + op->getName().getStringRef().str() +
         "' depends on how threads are grouped";
}

int64_t gpuopt::registersOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        vector.getNumElements() *
            (vector.getElementType().isIntOrFloat()
                 ? vector.getElementType().getIntOrFloatBitWidth()
                 : 64),
        32);
  return type.isIntOrFloat()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 32)
             : 2;
}
