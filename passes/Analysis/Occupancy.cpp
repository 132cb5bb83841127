//===- Occupancy.cpp - blocks that fit on a multiprocessor ----------------===//

#include "passes/Analysis/Occupancy.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

llvm::StringRef gpuopt::stringify(OccupancyFact::Limit limit) {
  switch (limit) {
  case OccupancyFact::Limit::Threads:
    return "threads";
  case OccupancyFact::Limit::Blocks:
    return "blocks";
  case OccupancyFact::Limit::Registers:
    return "registers";
  case OccupancyFact::Limit::WorkgroupMemory:
    return "workgroup memory";
  case OccupancyFact::Limit::Illegal:
    return "illegal";
  }
  llvm_unreachable("unknown limit");
}

/// The most subgroups that the register files hold. Each file holds whole
/// subgroups, and a subgroup gets whole allocation units.
static int64_t subgroupsByRegisters(int64_t registersPerThread,
                                    TargetAttr target) {
  int64_t perSubgroup =
      llvm::alignTo(registersPerThread * target.getSubgroupSize(),
                    target.getRegisterAllocationUnit());
  int64_t perFile =
      target.getRegistersPerMultiprocessor() / target.getRegisterFiles();
  return perFile / perSubgroup * target.getRegisterFiles();
}

/// Bytes of workgroup memory that a block occupies.
static int64_t bytesOfBlock(int64_t bytes, TargetAttr target) {
  return llvm::alignTo(bytes + target.getWorkgroupMemoryReservedBytes(),
                       target.getWorkgroupMemoryAllocationBytes());
}

int64_t gpuopt::declaredWorkgroupBytes(mlir::gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  mlir::DataLayout layout = mlir::DataLayout::closest(kernel);
  for (mlir::BlockArgument array : kernel.getWorkgroupAttributions()) {
    auto type = mlir::cast<mlir::MemRefType>(array.getType());
    if (type.hasStaticShape())
      bytes += type.getNumElements() *
               int64_t(layout.getTypeSize(type.getElementType()));
  }
  return bytes;
}

OccupancyFact gpuopt::computeOccupancy(const BlockResources &resources,
                                       TargetAttr target) {
  using Limit = OccupancyFact::Limit;
  OccupancyFact fact;
  if (resources.threads <= 0 ||
      resources.threads > target.getThreadsPerWorkgroup() ||
      resources.registersPerThread > target.getRegistersPerThread() ||
      resources.workgroupMemoryBytes >
          target.getWorkgroupMemoryPerWorkgroupBytes())
    return fact;
  int64_t subgroups =
      llvm::divideCeil(resources.threads, target.getSubgroupSize());
  int64_t mostSubgroups =
      std::min(target.getSubgroupsPerMultiprocessor(),
               target.getThreadsPerMultiprocessor() / target.getSubgroupSize());

  fact.limit = Limit::Threads;
  fact.blocksPerMultiprocessor = mostSubgroups / subgroups;
  auto restrict = [&](Limit limit, int64_t blocks) {
    if (blocks >= fact.blocksPerMultiprocessor)
      return;
    fact.blocksPerMultiprocessor = blocks;
    fact.limit = limit;
  };
  restrict(Limit::Blocks, target.getWorkgroupsPerMultiprocessor());
  if (resources.registersPerThread > 0)
    restrict(Limit::Registers,
             subgroupsByRegisters(resources.registersPerThread, target) /
                 subgroups);
  if (int64_t bytes = bytesOfBlock(resources.workgroupMemoryBytes, target))
    restrict(Limit::WorkgroupMemory,
             target.getWorkgroupMemoryPerMultiprocessorBytes() / bytes);
  fact.subgroupsPerMultiprocessor = fact.blocksPerMultiprocessor * subgroups;
  fact.occupancy =
      static_cast<double>(fact.subgroupsPerMultiprocessor) / mostSubgroups;
  return fact;
}
