//===- PerformanceModel.cpp - how long a launch takes ---------------------===//

#include "passes/Analysis/PerformanceModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace gpuopt;

/// From an access of global memory to its data: "400 to 800 clock cycles" (CUDA
/// C Programming Guide, performance guidelines).
static constexpr double kGlobalLatencyCycles = 600;
/// Until the result of an instruction can be used: 24 cycles where 192 threads
/// of 8 lanes hide it (CUDA C Programming Guide for compute capability 1.x; the
/// paper's section 4.1), 4 from compute capability 7.x on.
static constexpr double kOldLatencyCycles = 24, kLatencyCycles = 4;
/// Between the first and the last subgroup at a barrier.
static constexpr double kBarrierCycles = 30;
/// What does not overlap of all but the longest.
static constexpr double kNotOverlapped = 0.1;

/// The largest of `times` and a part of the rest.
static double overlap(std::initializer_list<double> times) {
  double longest = std::max(times);
  double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return longest + kNotOverlapped * (sum - longest);
}

namespace {
struct Machine {
  explicit Machine(TargetAttr attr) : target(attr) {
    constexpr double usualHertz = 1.5e9;
    double perSecond =
        attr.getF32Gflops() * 1e9 / 2 / attr.getMultiprocessors();
    lanes =
        std::max(1.0, std::exp2(std::round(std::log2(perSecond / usualHertz))));
    hertz = perSecond / lanes;
  }
  /// Whether sectors that are asked for again come from DRAM again.
  bool hasNoCache() const {
    return target.getCoalescing() == CoalescingRule::HalfWarp;
  }

  TargetAttr target;
  /// Multiply-adds of a multiprocessor in one cycle.
  double lanes = 1;
  double hertz = 1;
};
} // namespace

double gpuopt::clockOf(TargetAttr target) { return Machine(target).hertz; }

/// How many blocks of `running` neighbours differ in each dimension: x fastest,
/// or in groups of rows.
static std::array<double, 3> extentOfRound(const std::array<int64_t, 3> &grid,
                                           int64_t group, double running) {
  std::array<double, 3> extent;
  double height = std::min<double>(group, grid[1]);
  if (height > 1 && running < height * grid[0]) {
    extent[1] = std::min(std::ceil(running), height);
    extent[0] = std::clamp<double>(std::ceil(running / height), 1, grid[0]);
    extent[2] = 1;
    return extent;
  }
  for (unsigned dim = 0; dim < 3; ++dim) {
    extent[dim] = std::clamp<double>(std::ceil(running), 1, grid[dim]);
    running /= grid[dim];
  }
  return extent;
}

static double productOver(const std::array<double, 3> &extents,
                          const std::array<bool, 3> &chosen) {
  double product = 1;
  for (unsigned dim = 0; dim < 3; ++dim)
    product *= chosen[dim] ? extents[dim] : 1;
  return product;
}

static double predictDRAMBytes(const LaunchProfile &launch,
                               const Machine &machine) {
  std::array<double, 3> grid;
  llvm::copy(launch.grid, grid.begin());
  double blocks = grid[0] * grid[1] * grid[2];
  double running =
      std::min<double>(blocks, launch.blocksPerMultiprocessor *
                                   machine.target.getMultiprocessors());
  std::array<double, 3> inRound =
      extentOfRound(launch.grid, launch.group, running);
  double asked = 0, once = 0, byRound = 0;
  for (const AccessProfile &access : launch.kernel.accesses) {
    double bytes = access.sectors * machine.target.getSectorBytes();
    asked += bytes * blocks;
    once += bytes * productOver(grid, access.blockVariant);
    byRound += bytes * productOver(inRound, access.blockVariant) *
               (blocks / (inRound[0] * inRound[1] * inRound[2]));
  }
  if (machine.hasNoCache())
    return asked;
  // Half of the cache for what stays, the other half for what passes through.
  if (once <= machine.target.getL2Bytes() / 2.0)
    return once;
  return std::max(once, std::min(asked, byRound));
}

/// Cycles that one block takes by itself.
static double pathOf(const LaunchProfile &launch, const Machine &machine,
                     double instructions, double throughput) {
  const KernelProfile &kernel = launch.kernel;
  double interval = machine.target.getSubgroupSize() *
                    machine.target.getRegisterFiles() / machine.lanes;
  double latency = machine.hasNoCache() ? kOldLatencyCycles : kLatencyCycles;
  double work =
      std::max(throughput,
               instructions * std::max(interval, latency / kernel.independent));
  double waiting = kernel.loopRounds() * kGlobalLatencyCycles;
  if (launch.prefetchDistance > 0)
    // The first tiles are waited for, all others arrive during the work.
    work = std::max(work, waiting / launch.prefetchDistance) +
           (waiting > 0 ? kGlobalLatencyCycles : 0);
  else
    work += waiting;
  return work + kernel.straightRounds() * kGlobalLatencyCycles +
         kernel.barriers * kBarrierCycles;
}

Prediction gpuopt::predictLaunch(const LaunchProfile &launch,
                                 TargetAttr target) {
  Prediction result;
  if (launch.blocksPerMultiprocessor <= 0) {
    result.seconds = std::numeric_limits<double>::infinity();
    result.limit = "occupancy";
    return result;
  }
  Machine machine(target);
  const KernelProfile &kernel = launch.kernel;
  double instructions = (kernel.arithmetic + kernel.accessesPerThread()) *
                            launch.instructionsPerOperation +
                        launch.otherInstructions;
  double threads = llvm::alignTo(kernel.threads, target.getSubgroupSize());
  result.issueCycles = instructions * threads / machine.lanes;
  result.sharedCycles = kernel.wavefronts();
  result.globalCycles =
      kernel.sectors() * target.getSectorBytes() / kGlobalBytesPerCycle;
  double throughput =
      overlap({result.issueCycles, result.sharedCycles, result.globalCycles});
  result.pathCycles = pathOf(launch, machine, instructions, throughput);

  auto cycles = [&](double resident) {
    return std::max(resident * throughput, result.pathCycles);
  };
  double multiprocessors = target.getMultiprocessors();
  double blocks = double(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  double perRound = launch.blocksPerMultiprocessor * multiprocessors;
  double whole = std::floor(blocks / perRound);
  double rest = blocks - whole * perRound;
  double sum = whole * cycles(launch.blocksPerMultiprocessor);
  if (rest > 0)
    sum += cycles(std::ceil(rest / multiprocessors));
  result.rounds = static_cast<int64_t>(whole) + (rest > 0);

  result.dramBytes = predictDRAMBytes(launch, machine);
  double onChip = sum / machine.hertz;
  double dram = result.dramBytes / (target.getBandwidthGbps() * 1e9);
  result.seconds = overlap({onChip, dram});

  double resident = std::min<double>(launch.blocksPerMultiprocessor,
                                     std::ceil(blocks / multiprocessors));
  if (dram >= onChip)
    result.limit = "DRAM";
  else if (result.pathCycles > resident * throughput)
    result.limit = "latency";
  else if (result.issueCycles >=
           std::max(result.sharedCycles, result.globalCycles))
    result.limit = "issue";
  else
    result.limit =
        result.sharedCycles >= result.globalCycles ? "workgroup memory" : "L2";
  return result;
}
