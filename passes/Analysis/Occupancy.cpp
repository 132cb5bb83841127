//===- Occupancy.cpp - blocks that fit on a multiprocessor ----------------===//

#include "passes/Analysis/Occupancy.h"

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

/// Registers that one subgroup gets: what it needs, in whole units.
static int64_t registersPerSubgroup(int64_t registersPerThread,
                                    TargetAttr target) {
  return llvm::alignTo(registersPerThread * target.getSubgroupSize(),
                       target.getRegisterAllocationUnit());
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
             target.getRegistersPerMultiprocessor() /
                 registersPerSubgroup(resources.registersPerThread, target) /
                 subgroups);
  if (resources.workgroupMemoryBytes > 0)
    restrict(Limit::WorkgroupMemory,
             target.getWorkgroupMemoryPerMultiprocessorBytes() /
                 resources.workgroupMemoryBytes);
  fact.subgroupsPerMultiprocessor = fact.blocksPerMultiprocessor * subgroups;
  fact.occupancy =
      static_cast<double>(fact.subgroupsPerMultiprocessor) / mostSubgroups;
  return fact;
}
