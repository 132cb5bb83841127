//===- TuningGuard.cpp - nothing ends slower than it began ----------------===//

#include "tools/lib/compile/TuningGuard.h"

#include "passes/Analysis/Traffic.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

static constexpr RemarkCode kMerges[] = {RemarkCode::MergesPlanned};
static constexpr RemarkCode kSharedRows[] = {RemarkCode::RowsDistributed};
static constexpr RemarkCode kTiles[] = {
    RemarkCode::LoadStaged, RemarkCode::NestStaged, RemarkCode::StencilStaged,
    RemarkCode::StoreExchanged};
static constexpr RemarkCode kJams[] = {RemarkCode::IterationsJammed};
static constexpr RemarkCode kStencils[] = {RemarkCode::StencilUnrolled};
static constexpr RemarkCode kOrder[] = {RemarkCode::ThreadsPermuted};
static constexpr RemarkCode kMatrixUnits[] = {RemarkCode::MatrixUnitsUsed};
static constexpr RemarkCode kFlatIds[] = {RemarkCode::FlatIdSplit};
static constexpr RemarkCode kLoops[] = {RemarkCode::LoopsDistributed};

static constexpr TransformToLeaveOut kTransforms[] = {
    {"use-matrix-units", "multiplying by matrix units", kMatrixUnits},
    {"distribute-loops", "giving iterations work items", kLoops},
    {"distribute-reductions", "sharing rows among threads", kSharedRows},
    {"merge-for-target", "merging", kMerges},
    {"coalesce-accesses", "staging in workgroup memory", kTiles},
    {"unroll-and-jam", "taking iterations together", kJams},
    {"unroll-stencils", "unrolling loops over neighbours", kStencils},
    {"permute-geometry", "another order of threads", kOrder},
    {"split-flat-ids", "splitting the flat id", kFlatIds},
};

ArrayRef<TransformToLeaveOut> gpuopt::transformsToLeaveOut() {
  return kTransforms;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {
/// What a work item takes.
struct ItemCosts {
  double nanoseconds = 0;
  double sectors = 0;
  /// Wavefronts of workgroup memory beyond those without conflicts.
  double conflicts = 0;
  /// Bytes that are stored to global memory.
  double stores = 0;
};
} // namespace

/// Wavefronts of a block beyond those that its bytes take in any case.
static double conflictsOf(const AccessProfile &access, TargetAttr target) {
  double needed = std::max<double>(1, double(access.bytes) /
                                          target.getWorkgroupMemoryBankBytes());
  return access.bankConflictDegree > needed
             ? access.wavefronts * (1 - needed / access.bankConflictDegree)
             : 0;
}

static ItemCosts costsOf(const ModelledLaunch &launch, TargetAttr target) {
  const KernelProfile &kernel = launch.profile.kernel;
  double blocks = static_cast<double>(llvm::product_of(launch.profile.grid));
  double blocksPerItem = blocks / launch.items;
  // Of threads that share an item, one stores.
  double storing = std::min(static_cast<double>(kernel.threads),
                            launch.itemsOfEach / blocksPerItem);
  ItemCosts costs;
  costs.nanoseconds =
      predictLaunch(launch.profile, target).seconds * 1e9 / launch.items;
  costs.sectors = kernel.sectors() * blocksPerItem;
  for (const AccessProfile &access : kernel.accesses) {
    if (access.space == MemorySpace::Workgroup)
      costs.conflicts += conflictsOf(access, target) * blocksPerItem;
    if (access.space == MemorySpace::Global && access.kind == AccessKind::Store)
      costs.stores += access.perThread * access.bytes * storing * blocksPerItem;
  }
  return costs;
}

/// Less is none that anybody could measure, or within what the model knows.
static constexpr double kMore = 1.01, kLonger = 1.05;

/// Whether what one block does tells of both launches: they store as much. Else
/// one of the blocks lies at a border, where there is less to do.
static bool areComparable(const ItemCosts &before, const ItemCosts &after) {
  return std::isfinite(before.nanoseconds) &&
         std::isfinite(after.nanoseconds) &&
         after.stores <= kMore * before.stores &&
         before.stores <= kMore * after.stores;
}

/// Whether the block of `profile` loads from and stores to all arrays that
/// `kernel` does: none beyond a border, where there is little to do.
static bool reachesAllArrays(gpu::GPUFuncOp kernel,
                             const KernelProfile &profile) {
  return llvm::all_of(
      AccessFunctions(kernel).accesses(), [&](const AccessFunction &access) {
        return access.space != MemorySpace::Global ||
               llvm::any_of(profile.accesses,
                            [&](const AccessProfile &reached) {
                              return reached.space == MemorySpace::Global &&
                                     reached.kind == access.kind &&
                                     reached.array == access.array;
                            });
      });
}

static std::string describe(const ItemCosts &before, const ItemCosts &after) {
  std::string text = "a work item would ";
  if (after.sectors > kMore * before.sectors)
    text += llvm::formatv("move {0:f2} sectors of global memory instead of "
                          "{1:f2}, and ",
                          after.sectors, before.sectors);
  else if (after.conflicts > kMore * before.conflicts)
    text += llvm::formatv("take {0:f2} wavefronts for conflicts of banks "
                          "instead of {1:f2}, and ",
                          after.conflicts, before.conflicts);
  return text + llvm::formatv("take {0:f1} times as long by the model",
                              after.nanoseconds / before.nanoseconds)
                    .str();
}

std::string gpuopt::findRegression(gpu::GPUFuncOp original,
                                   gpu::GPUFuncOp tuned, TargetAttr target,
                                   const BlockShape &block,
                                   const SizeMap &sizes) {
  ModelledLaunch before = assumeLaunch(original, target, block, sizes);
  ModelledLaunch after = assumeSameLaunch(tuned, target, block, sizes, before);
  if (!before.profile.kernel.standsForAll || !after.profile.kernel.standsForAll)
    return "";
  ItemCosts costsBefore = costsOf(before, target);
  ItemCosts costsAfter = costsOf(after, target);
  bool hasMore = costsAfter.sectors > kMore * costsBefore.sectors ||
                 costsAfter.conflicts > kMore * costsBefore.conflicts;
  if (!hasMore || costsAfter.nanoseconds <= kLonger * costsBefore.nanoseconds ||
      !areComparable(costsBefore, costsAfter))
    return "";
  if (!reachesAllArrays(original, before.profile.kernel) ||
      computeTraffic(tuned, target, block, sizes).unresolvedAccesses >
          computeTraffic(original, target, block, sizes).unresolvedAccesses)
    return "";
  return describe(costsBefore, costsAfter);
}
