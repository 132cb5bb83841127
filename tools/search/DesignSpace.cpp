//===- DesignSpace.cpp - which designs are worth a look -------------------===//

#include "tools/search/DesignSpace.h"

#include "passes/Analysis/Occupancy.h"

#include <algorithm>
#include <numeric>

using namespace gpuopt;

/// What the space is built from.
static constexpr int64_t kBlockFactors[] = {1, 2, 4, 8, 16};
static constexpr int64_t kThreadFactors[] = {1, 2, 4, 8, 16};
static constexpr int64_t kPaperThreadFactors[] = {8, 4, 2, 1};
/// Figure 13: threads along y beside a row of blocks.
static constexpr int64_t kPaperRowFactors[] = {16, 8, 4};
static constexpr int64_t kPaperThreads = 256;
static constexpr int64_t kMostItems = 128;
/// Rows of blocks that are worked on together.
static constexpr int64_t kGroups[] = {1, 2, 4, 8, 16, 32};
/// Registers of a kernel beside what its loop carries, and instructions beside
/// what is counted, before an assembler has told.
static constexpr int64_t kBaseRegisters = 24;
static constexpr double kInstructionsPerOperation = 1.2;

static int64_t productOf(const Dim3 &values) {
  return values[0] * values[1] * values[2];
}

static std::vector<int64_t> listOf(const Dim3 &values) {
  return {values.begin(), values.end()};
}

DesignSpace::DesignSpace(std::vector<Variant> baseVariants, TargetAttr machine,
                         const Dim3 &launchItems)
    : bases(std::move(baseVariants)), target(machine), items(launchItems) {
  for (const Variant &base : bases)
    addPoints(base);
}

/// The dimensions along which there are several blocks to merge.
std::array<bool, 3> DesignSpace::mergeable(const Variant &base) const {
  std::array<bool, 3> result;
  for (unsigned dim = 0; dim < 3; ++dim)
    result[dim] =
        base.isMergeable[dim] && items[dim] > base.block[dim] &&
        llvm::any_of(base.profile.accesses, [&](const AccessProfile &access) {
          return access.blockVariant[dim];
        });
  return result;
}

/// Whether as many merged blocks fit on a multiprocessor, by their threads.
bool DesignSpace::isLegalMerge(const Variant &base, const Dim3 &blocks,
                               int64_t blocksPerMultiprocessor) const {
  int64_t threads = productOf(base.block) * productOf(blocks);
  return threads <= target.getThreadsPerWorkgroup() &&
         threads * blocksPerMultiprocessor <=
             target.getThreadsPerMultiprocessor();
}

/// Calls `add` for every combination of `factors` along the dimensions in
/// `chosen`, x fastest.
static void forEachCombination(llvm::ArrayRef<int64_t> factors,
                               const std::array<bool, 3> &chosen,
                               llvm::function_ref<void(const Dim3 &)> add) {
  static constexpr int64_t one[] = {1};
  auto of = [&](unsigned dim) {
    return chosen[dim] ? factors : llvm::ArrayRef<int64_t>(one);
  };
  for (int64_t z : of(2))
    for (int64_t y : of(1))
      for (int64_t x : of(0))
        add({x, y, z});
}

void DesignSpace::addPoints(const Variant &base) {
  std::array<bool, 3> dims = mergeable(base);
  forEachCombination(kBlockFactors, dims, [&](const Dim3 &blocks) {
    // Figure 12, line 11: two blocks must fit before threads are merged.
    if (!isLegalMerge(base, blocks, 2))
      return;
    forEachCombination(kThreadFactors, dims, [&](const Dim3 &threads) {
      if (productOf(threads) <= kMostItems)
        addPoint(base, {blocks, threads});
    });
  });
}

/// Sectors that the loads of `profile` move, for how much its tiles hold.
static double loadedSectors(const KernelProfile &profile) {
  double sum = 0;
  for (const AccessProfile &access : profile.accesses)
    if (access.kind == AccessKind::Load)
      sum += access.sectors;
  return sum;
}

/// Registers of what a thread loads from tiles, all at once.
static double loadedRegisters(const KernelProfile &profile) {
  constexpr double bytesPerRegister = 4;
  double most = 0;
  for (const AccessProfile &access : profile.accesses)
    if (access.space == MemorySpace::Workgroup &&
        access.kind == AccessKind::Load && access.rounds > 0)
      most +=
          access.perThread / access.rounds * access.bytes / bytesPerRegister;
  return std::min(most, 64.0);
}

void DesignSpace::addPoint(const Variant &base, const ProfileMerge &factors) {
  ProfileMerge merge = factors;
  if (target.getVendor() != Vendor::NVIDIA || target.getVectorElements() > 2)
    merge.contiguous[0] =
        std::gcd(merge.threads[0], target.getVectorElements());
  int64_t sums = base.carriedRegisters * productOf(merge.threads);
  // These alone would not fit: no assembler needs to be asked.
  if (sums >= target.getRegistersPerThread())
    return;
  LaunchProfile launch;
  launch.kernel = mergeProfile(base.profile, merge);
  bool isMerged = productOf(merge.threads) > 1;
  double growth =
      loadedSectors(launch.kernel) / std::max(loadedSectors(base.profile), 1.0);
  int64_t registers =
      kBaseRegisters + sums +
      static_cast<int64_t>(isMerged ? loadedRegisters(launch.kernel) : 0);
  OccupancyFact occupancy =
      computeOccupancy({launch.kernel.threads,
                        std::min(registers, target.getRegistersPerThread()),
                        static_cast<int64_t>(base.workgroupBytes * growth)},
                       target);
  launch.blocksPerMultiprocessor = occupancy.blocksPerMultiprocessor;
  launch.instructionsPerOperation = kInstructionsPerOperation;
  launch.prefetchDistance = base.workgroupBytes > 0;
  for (unsigned dim = 0; dim < 3; ++dim)
    launch.grid[dim] = std::max<int64_t>(
        1, llvm::divideCeil(items[dim], base.block[dim] * merge.blocks[dim] *
                                            merge.threads[dim]));
  Design design;
  design.block = base.design.block;
  design.blocks = listOf(merge.blocks);
  design.threads = listOf(merge.threads);
  designs.push_back({std::move(design), predictLaunch(launch, target).seconds});
}

std::vector<Design> DesignSpace::paperDesigns() const {
  std::vector<Design> result;
  for (const Variant &base : bases) {
    std::array<bool, 3> dims = mergeable(base);
    unsigned dim = base.block[1] > 1 || !dims[0] ? 1 : 0;
    Dim3 blocks = {1, 1, 1};
    if (dims[dim])
      for (int64_t factor : kBlockFactors)
        if (productOf(base.block) * factor <= kPaperThreads)
          blocks[dim] = factor;
    auto add = [&](const Dim3 &threads) {
      Design design;
      design.block = base.design.block;
      design.blocks = listOf(blocks);
      design.threads = listOf(threads);
      result.push_back(std::move(design));
    };
    bool isRow = base.block[1] == 1 && dims[0] && dims[1];
    if (isRow)
      forEachCombination(kPaperRowFactors, {false, true, false}, add);
    else
      forEachCombination(kPaperThreadFactors, {dims[0], dims[1], false}, add);
  }
  return result;
}

std::vector<Design> DesignSpace::bestPredicted(size_t count) const {
  std::vector<std::pair<double, size_t>> order;
  for (auto [index, point] : llvm::enumerate(designs))
    order.push_back({point.seconds, index});
  llvm::sort(order);
  order.resize(std::min(order.size(), count));
  std::vector<Design> best;
  for (auto [seconds, index] : order)
    best.push_back(designs[index].design);
  return best;
}

std::vector<std::vector<int64_t>> gpuopt::blockShapes(const Variant &base,
                                                      TargetAttr target) {
  std::vector<int64_t> row = {target.getCoalescedThreads(), 1, 1};
  std::vector<int64_t> square = {16, 16, 1};
  bool hasBothDimensions = base.isMergeable[0] && base.isMergeable[1];
  if (listOf(base.block) == row && hasBothDimensions)
    return {square};
  if (base.block[1] == 1 || listOf(base.block) == row)
    return {};
  return {row};
}

std::vector<Design> gpuopt::warpgroupDesigns(const Variant &own) {
  // Of a warpgroup, threads before they change their places, and items along x:
  // each is 4 columns.
  constexpr int64_t lanes = 4, threadsAlongY = 32, rowsOfThread = 2;
  std::vector<Design> designs;
  if (!own.ofWarpgroups)
    return designs;
  for (int64_t warpgroups : {1, 2})
    for (int64_t columns : {64, 128, 256}) {
      Design design;
      design.block = {lanes, warpgroups * threadsAlongY, 1};
      design.threads = {columns / lanes, rowsOfThread, 1};
      design.contiguous = {2, 1, 1};
      designs.push_back(std::move(design));
    }
  return designs;
}

/// The group of rows of blocks, other than the one that `variant` has, with
/// which the model ranks it first; 0 where the order makes no difference. The
/// order needs no other registers, so nothing but the prediction can differ.
static int64_t otherGroup(const Variant &variant, const VariantMaker &maker,
                          TargetAttr target) {
  int64_t rows = llvm::divideCeil(maker.items()[1], variant.itemsPerBlock[1]);
  int64_t best = 0;
  double bestBytes = 0;
  if (variant.group == 0)
    return 0;
  for (int64_t group : kGroups) {
    if (group == variant.group || group > rows)
      continue;
    double bytes = maker.predict(variant, group, target).dramBytes;
    if (best == 0 || bytes < bestBytes) {
      best = group;
      bestBytes = bytes;
    }
  }
  return bestBytes == variant.prediction.dramBytes ? 0 : best;
}

/// One block more than the registers of `variant` leave a multiprocessor room
/// for; 0 where it is not they that stand in the way, or they cannot become so
/// few.
static int64_t oneBlockMore(const Variant &variant, TargetAttr target) {
  int64_t threads = productOf(variant.block);
  int64_t blocks = variant.blocksPerMultiprocessor + 1;
  int64_t sums = variant.carriedRegisters * productOf(variant.itemsPerThread);
  OccupancyFact fewest = computeOccupancy(
      {threads, kBaseRegisters + sums, variant.workgroupBytes}, target);
  bool isBound = variant.measuredBy != "estimate" &&
                 fewest.blocksPerMultiprocessor >= blocks;
  return isBound ? blocks : 0;
}

std::vector<Design> gpuopt::refinements(const Variant &variant,
                                        const VariantMaker &maker,
                                        TargetAttr target) {
  std::vector<Design> result;
  auto add = [&](auto change) {
    Design design = variant.design;
    change(design);
    if (design != variant.design)
      result.push_back(std::move(design));
  };
  if (!variant.design.threads.empty() && productOf(variant.itemsPerThread) > 1)
    add([](Design &design) { design.contiguous = {1, 1, 1}; });
  if (variant.workgroupBytes > 0 && variant.profile.loopRounds() > 1)
    for (int64_t stages : {1, 2, 3, 4})
      if (stages != variant.stages)
        add([&](Design &design) { design.stages = stages; });
  for (int64_t width : {8, 16})
    if (width != target.getVectorElements() * 4)
      add([&](Design &design) { design.width = width; });
  if (int64_t group = otherGroup(variant, maker, target))
    add([&](Design &design) { design.group = group; });
  if (int64_t blocks = oneBlockMore(variant, target))
    add([&](Design &design) { design.resident = blocks; });
  return result;
}
