//===- LaunchTrial.cpp - one candidate for a launch -----------------------===//

#include "tools/lib/launch/LaunchTrial.h"

#include "tools/lib/launch/RunLimits.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Support/MathExtras.h"

using namespace gpuopt;
using llvm::Expected;

/// Elements of an array of which it is not known yet how many are needed, at
/// first and at most.
static constexpr int64_t kFirstElements = 1 << 16, kMostElements = 1 << 21;
/// Bytes of dynamic workgroup memory to try: what any GPU has for several
/// blocks, and what any has for one.
static constexpr int64_t kDynamicBytes[] = {8 << 10, 48 << 10};

LaunchTrials::LaunchTrials(const Compilation &compilation,
                           const KernelInfo &kernel, const RunOptions &given,
                           const SizeUses &uses, Probe &probe)
    : compilation(compilation), kernel(kernel), given(given), uses(uses),
      probe(probe) {
  MissingOptions missing = findMissing(compilation, kernel, given);
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters))
    if (llvm::is_contained(missing.arrays, parameter.name))
      openArrays.push_back(index);
}

static int64_t elementBytes(const KernelParameter &parameter) {
  return int64_t(std::max(1u, parameter.element.bytes)) *
         std::max(1u, parameter.element.lanes);
}

/// The largest number that may be that of work items or rows.
int64_t LaunchTrials::largestNumber(const RunOptions &run) const {
  constexpr int64_t most = 4096, usualOfLine = 1024, usual = 128;
  int64_t largest = 0;
  SizeMap integers = integersOf(run.sizes);
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    bool isSize =
        index < uses.roles.size() && uses.roles[index] != SizeRole::Other;
    if (isSize)
      largest = std::max(largest, integers.lookup(parameter.name));
    for (const StructureMember &member : parameter.members)
      largest =
          std::max(largest, integers.lookup(memberName(parameter, member)));
  }
  bool isLine = !uses.readsBlockId[1] && !uses.readsBlockId[2];
  return largest > 0 ? std::min(largest, most) : isLine ? usualOfLine : usual;
}

/// The work items that a kernel may have which computes its subscripts from one
/// id; not more than are quick to run.
int64_t LaunchTrials::productOfBounds(const RunOptions &run) const {
  constexpr int64_t most = 1 << 14;
  int64_t product = 1;
  SizeMap integers = integersOf(run.sizes);
  for (auto [parameter, role] : llvm::zip(kernel.parameters, uses.roles))
    if (role == SizeRole::Bound)
      product = std::clamp<int64_t>(integers.lookup(parameter.name), 1, most) *
                std::min(product, most);
  return std::min(product, most);
}

/// Whether the launch follows from the sizes.
bool LaunchTrials::tellsDomain(const RunOptions &run) const {
  Expected<std::vector<int64_t>> domain =
      launchDomain(compilation, kernel, integersOf(run.sizes));
  if (domain)
    return !domain->empty();
  // What is wrong with it is said when the problem is made.
  llvm::consumeError(domain.takeError());
  return true;
}

std::array<bool, 3> LaunchTrials::setGrid(RunOptions &run,
                                          bool isOneBlock) const {
  std::array<bool, 3> isOpen = {};
  SizeMap scalars = integersOf(run.sizes);
  bool isTold = (kernel.pragma && !kernel.pragma->domain.empty()) ||
                compilation.workItems(kernel, scalars);
  if (run.grid || isTold)
    return isOpen;
  auto items = compilation.guardedItems(kernel, scalars);
  if (auto geometry = compilation.geometry(kernel, scalars))
    for (auto [count, extent] : llvm::zip(items, geometry->extents))
      if (!count)
        count = extent;
  for (unsigned dim = 0; dim < 3; ++dim)
    isOpen[dim] = uses.readsBlockId[dim] && !items[dim];
  if (!llvm::is_contained(isOpen, true) && tellsDomain(run))
    return isOpen;
  int64_t largest = largestNumber(run);
  if (!uses.readsBlockId[1] && !uses.readsBlockId[2])
    largest = std::max(largest, productOfBounds(run));
  Dim3 &grid = run.grid.emplace(Dim3{1, 1, 1});
  for (unsigned dim = 0; dim < 3; ++dim)
    if (uses.readsBlockId[dim])
      grid[dim] = std::max<int64_t>(
          1, llvm::divideCeil(items[dim].value_or(isOneBlock ? 1 : largest),
                              (*run.block)[dim]));
  return isOpen;
}

int64_t LaunchTrials::elementsReached(const ProbeResult &probed,
                                      unsigned parameter) const {
  auto reached = probed.reachedBytes.find(kernel.parameters[parameter].name);
  if (reached == probed.reachedBytes.end())
    return 0;
  return llvm::divideCeil(reached->second,
                          elementBytes(kernel.parameters[parameter]));
}

/// How many elements to give arrays of which loaded subscripts select some: as
/// many subscripts as the largest size.
LaunchTrials::ElementCounts
LaunchTrials::selectedElements(const RunOptions &run) const {
  ElementCounts selected;
  if (!run.fitSubscripts)
    return selected;
  SizeMap scalars = integersOf(run.sizes);
  for (const SubscriptUse &use : probe.subscripts()) {
    const KernelParameter &indexed = kernel.parameters[use.indexed];
    int64_t elements =
        largestNumber(run) *
        std::max<int64_t>(1, use.strideBytes / elementBytes(indexed));
    for (unsigned factor : use.strideParameters)
      elements *=
          std::max<int64_t>(1, scalars.lookup(kernel.parameters[factor].name));
    int64_t &most = selected[indexed.name];
    most = std::max(most, std::min(elements, kMostElements));
  }
  return selected;
}

/// `guess` elements for each array of which nothing is known.
LaunchTrials::ElementCounts
LaunchTrials::guessElements(const ElementCounts &selected,
                            int64_t guess) const {
  ElementCounts elements;
  for (unsigned array : openArrays) {
    const std::string &name = kernel.parameters[array].name;
    auto known = selected.find(name);
    elements[name] = known != selected.end() ? known->second : guess;
  }
  return elements;
}

/// Where the kernel goes wrong first, and how.
static std::string describe(const ExecutionFault &fault) {
  return fault.message +
         (fault.location.empty() ? "" : " at " + fault.location);
}

/// What `probed` says of the launch.
static void judge(const ProbeResult &probed, Trial &trial) {
  using Kind = ExecutionFault::Kind;
  trial.launch = probed.launch;
  trial.sites = probed.sites;
  trial.executedSites = probed.executedSites;
  trial.accesses = probed.accesses;
  trial.bytes = probed.bytes;
  trial.problem.clear();
  trial.verdict = TrialVerdict::Clean;
  auto lower = [&](TrialVerdict verdict, std::string problem) {
    if (trial.verdict <= verdict)
      return;
    trial.verdict = verdict;
    trial.problem = std::move(problem);
  };
  if (!probed.hasStored)
    lower(TrialVerdict::Idle, "it writes nothing");
  // Where smaller arrays show races, larger ones do not show that there are
  // none.
  if (probed.skippedRaces)
    lower(TrialVerdict::Racing, "its arrays are too large to look for races");
  for (const ExecutionFault &fault : probed.faults) {
    bool isMinor = fault.kind == Kind::DataRace ||
                   fault.kind == Kind::Uninitialised ||
                   fault.kind == Kind::UnsetRegister;
    lower(isEndless(fault) ? TrialVerdict::Endless
          : isMinor        ? TrialVerdict::Racing
                           : TrialVerdict::Wrong,
          describe(fault));
  }
}

/// Gives the arrays more elements than needed, and then those that the kernel
/// reached.
Trial LaunchTrials::fit(RunOptions candidate, bool isOneBlock) {
  Trial trial;
  std::array<bool, 3> isOpen = setGrid(candidate, isOneBlock);
  ElementCounts selected = selectedElements(candidate);
  int64_t guess = kFirstElements;
  ElementCounts elements = guessElements(selected, guess);
  constexpr unsigned mostRuns = 8, mostVain = 2;
  for (unsigned number = 0; number < mostRuns; ++number) {
    for (const auto &[name, count] : elements)
      candidate.sizes[name] = count;
    trial.run = candidate;
    Expected<ProbeResult> probed = probe.run(candidate);
    if (!probed) {
      trial.verdict = TrialVerdict::Impossible;
      trial.problem = llvm::toString(probed.takeError());
      return trial;
    }
    judge(*probed, trial);
    if (trial.verdict == TrialVerdict::Endless)
      return trial;
    if (leavesArrays(probed->faults)) {
      vainElements += guess == kMostElements;
      if (guess == kMostElements || vainElements >= mostVain ||
          openArrays.empty())
        return trial;
      guess = kMostElements;
      elements = guessElements(selected, guess);
      continue;
    }
    ElementCounts reached = guessElements(selected, /*guess=*/1);
    for (unsigned array : openArrays) {
      int64_t &count = reached[kernel.parameters[array].name];
      count = std::max(count, elementsReached(*probed, array));
    }
    for (unsigned dim = 0; dim < 3; ++dim)
      if (isOpen[dim])
        (*candidate.grid)[dim] = probed->activeGrid[dim];
    trial.run.grid = candidate.grid;
    if (reached == elements)
      return trial;
    elements = std::move(reached);
  }
  if (trial.isUsable())
    trial.verdict = TrialVerdict::Wrong;
  trial.problem = "no number of elements is enough for its arrays";
  return trial;
}

/// Of a kernel of which the source says how much it does, some may be enough:
/// what a block of the tuned kernel does, or less.
Trial LaunchTrials::fitFewBlocks(RunOptions candidate, Trial endless) {
  Dim3 items = endless.launch.block;
  if (auto geometry = compilation.geometry(kernel, integersOf(candidate.sizes)))
    items = geometry->itemsPerBlock;
  Trial trial = std::move(endless);
  Dim3 blocks;
  for (unsigned dim = 0; dim < 3; ++dim)
    blocks[dim] = std::min(
        trial.launch.grid[dim],
        int64_t(llvm::divideCeil(items[dim], trial.launch.block[dim])));
  probe.limitSeconds(2 * kSecondsPerTrial);
  for (const Dim3 &grid : {blocks, Dim3{1, 1, 1}}) {
    if (trial.verdict != TrialVerdict::Endless)
      break;
    candidate.grid = grid;
    trial = fit(candidate, /*isOneBlock=*/false);
  }
  probe.limitSeconds(kSecondsPerTrial);
  trial.isCut = true;
  return trial;
}

Trial LaunchTrials::attempt(RunOptions candidate, bool isOneBlock) {
  bool choosesMemory =
      uses.usesDynamicMemory && candidate.dynamicSharedBytes == 0;
  if (choosesMemory)
    candidate.dynamicSharedBytes = kDynamicBytes[0];
  Trial best = fit(candidate, isOneBlock);
  if (best.verdict == TrialVerdict::Endless && !given.grid)
    best = fitFewBlocks(candidate, std::move(best));
  if (choosesMemory && best.verdict == TrialVerdict::Wrong) {
    candidate.dynamicSharedBytes = kDynamicBytes[1];
    if (Trial trial = fit(candidate, isOneBlock); trial.isBetterThan(best))
      best = trial;
  }
  if (best.verdict == TrialVerdict::Wrong && !probe.subscripts().empty()) {
    candidate.fitSubscripts = false;
    if (Trial trial = fit(candidate, isOneBlock); trial.isBetterThan(best))
      best = trial;
  }
  return best;
}
