//===- AccessReport.cpp - what a kernel does to memory --------------------===//

#include "passes/Analysis/AccessReport.h"

#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/ReachedAccesses.h"
#include "passes/Analysis/Traffic.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

/// The position in the source that `loc` names first, as file:line:col.
static std::string positionOf(Location loc) {
  std::string text;
  loc->walk([&](Location inner) {
    auto position = dyn_cast<FileLineColLoc>(inner);
    if (!position)
      return WalkResult::advance();
    text = (position.getFilename().getValue() + ":" +
            Twine(position.getLine()) + ":" + Twine(position.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

/// True where `kernel` reads an id in y or z.
static bool hasSeveralDimensions(Operation *kernel) {
  return kernel
      ->walk([](Operation *op) {
        bool isOther =
            TypeSwitch<Operation *, bool>(op)
                .Case<gpu::GlobalIdOp, gpu::ThreadIdOp, gpu::BlockIdOp>(
                    [](auto id) {
                      return id.getDimension() != gpu::Dimension::x;
                    })
                .Default([](Operation *) { return false; });
        return isOther ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

BlockShape gpuopt::blockShapeOf(Operation *kernel,
                                std::optional<BlockShape> fallback) {
  auto geometry = kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  if (geometry) {
    ArrayRef<int64_t> block = geometry.getBlock();
    return {block[0], block[1], block[2]};
  }
  if (fallback)
    return *fallback;
  return hasSeveralDimensions(kernel) ? BlockShape{16, 16, 1}
                                      : BlockShape{256, 1, 1};
}

std::vector<AccessReport> gpuopt::collectAccesses(Operation *kernel,
                                                  TargetAttr target,
                                                  const BlockShape &block,
                                                  const SizeMap &sizes) {
  AccessFunctions functions(kernel);
  const VariableTable &variables = functions.variables();
  SharingAnalysis sharing(kernel, functions, target, block, sizes);
  ReachedAccesses reached(variables, block, sizes);
  std::vector<AccessReport> reports;
  for (const AccessFunction &access : functions.accesses()) {
    if (access.space == MemorySpace::Private)
      continue;
    AccessReport report(access.op->getLoc());
    report.location = positionOf(report.loc);
    report.array = access.array;
    report.kind = access.kind;
    report.space = access.space;
    report.bytes = access.accessBytes;
    report.function = access.toString(variables);
    report.coalescing =
        computeCoalescing(access, variables, target, block, sizes);
    if (access.space == MemorySpace::Workgroup) {
      BankConflictFact banks =
          computeBankConflicts(access, variables, target, block, sizes);
      report.bankConflictDegree = banks.degree;
      if (double requests = report.coalescing.requestsPerBlock) {
        report.wavefrontsPerRequest = banks.wavefronts / requests;
        report.neededWavefrontsPerRequest = banks.neededWavefronts / requests;
      }
    }
    if (const LoadSharing *load = sharing.lookup(access.op)) {
      report.sharing = *load;
      report.sharing->access = nullptr;
    }
    Executions executions = computeExecutions(access, variables, block, sizes);
    bool isMade = access.isResolved() ? report.coalescing.requestsPerBlock != 0
                                      : reached.contains(access);
    report.executions = isMade ? executions.count : 0;
    report.executionsExact = executions.assumptions.empty();
    reports.push_back(std::move(report));
  }
  return reports;
}
