//===- LaunchRun.cpp - one launch while it runs ---------------------------===//

#include "runtime/CPU/LaunchRun.h"
#include "runtime/CPU/BlockRun.h"
#include "runtime/Interrupt.h"
#include "runtime/RaceEffects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

#include <chrono>
#include <cstring>
#include <unistd.h>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Local arrays of kernels live on the stacks of the host threads.
static constexpr unsigned stackBytes = 64 << 20;
/// Larger launches are not checked for races.
static constexpr uint64_t maxShadowedBytes = 256 << 20;

/// Bytes that all blocks that are alive may take.
static uint64_t memoryShare() {
  Expected<unsigned> page = sys::Process::getPageSize();
  long pages = sysconf(_SC_PHYS_PAGES);
  if (!page)
    consumeError(page.takeError());
  return page && pages > 0 ? uint64_t(pages) * *page / 3 : uint64_t(1) << 32;
}

LaunchRun::LaunchRun(const CompiledKernel &compiled,
                     const CPUExecutorOptions &settings,
                     const LaunchConfig &launchConfig,
                     ArrayRef<KernelArgument> arguments,
                     ArrayRef<MemoryRange> globals,
                     const ProfileRun *profileRun)
    : kernel(compiled), facts(compiled.facts), options(settings),
      config(launchConfig), profile(profileRun), numVariables(globals.size()),
      ranges(globals.begin(), globals.end()),
      counts(compiled.facts.sites.size()) {
  addReachable();
  packArguments(arguments);
  buildAMDRecords();
  context.run = this;
  context.firstSteps = stepsBehind(0);
  clock = std::make_unique<LaunchClock>(workerCount());
  // An entry of a log, with the room that it grows into, and its copies.
  constexpr uint64_t bytesPerAccess = 64;
  noteLimit = memoryShare() / workerCount() / bytesPerAccess;
  if (profile)
    describeSites();
  // What a sample leaves out may have been what filled the cache.
  if (options.cacheBytes && options.countSectorBytes &&
      blocksToRun() == blocks())
    cache = std::make_unique<CacheModel>(
        options.cacheBytes, options.cacheLineBytes, options.countSectorBytes);
  uint64_t total = 0;
  for (const MemoryRange &range : ranges)
    total += range.bytes;
  bool isDisturbed = options.raceEffects && options.raceEffects->isDisturbing();
  skipsRaces = options.checkRaces && total > maxShadowedBytes;
  if (!options.checkRaces || isDisturbed || skipsRaces)
    return;
  races = std::make_unique<RaceCheck>(
      RaceRules{options.subgroupSize, facts.hasDeviceFence},
      /*followsEffects=*/options.raceEffects != nullptr);
  for (const MemoryRange &range : ranges)
    races->addMemory(range.begin, range.bytes, bit_floor(facts.smallestAccess));
}

/// What the module's own variables do not cover.
void LaunchRun::addReachable() {
  if (!options.reachable)
    return;
  for (ReachableMemory &memory : options.reachable()) {
    auto isSame = [&](const MemoryRange &variable) {
      return variable.begin == memory.begin;
    };
    if (none_of(ArrayRef(ranges).take_front(numVariables), isSame))
      ranges.push_back({memory.begin, memory.bytes, std::move(memory.name),
                        memory.spareBytes, memory.marginBytes,
                        memory.isWritten});
  }
}

const MemoryRange *LaunchRun::reachableBefore(const uint8_t *address) const {
  ArrayRef<MemoryRange> reachable =
      ArrayRef(ranges).drop_front(isOfProgram() ? numVariables : ranges.size());
  auto behind = partition_point(reachable, [&](const MemoryRange &range) {
    return range.begin <= address;
  });
  return behind == reachable.begin() ? nullptr : std::prev(behind);
}

/// From where an argument points to the end of the memory that it points into.
BufferBounds LaunchRun::boundsOf(const uint8_t *pointer) const {
  auto *begin = const_cast<uint8_t *>(pointer);
  const MemoryRange *range = findRange(pointer, 1);
  return {begin, range ? uint64_t(range->begin + range->bytes - begin) : 0};
}

void LaunchRun::packArguments(ArrayRef<KernelArgument> arguments) {
  argumentStorage.resize(facts.argumentBytes + 16);
  context.arguments = reinterpret_cast<uint8_t *>(
      alignTo(uint64_t(argumentStorage.data()), 16));
  bounds.resize(facts.parameters.size());
  if (options.noteStores)
    stored.resize(arguments.size());
  for (auto [index, argument] : enumerate(arguments)) {
    parameterNames.push_back(
        argument.name.empty() ? facts.parameters[index].name : argument.name);
    uint8_t *slot = context.arguments + facts.parameters[index].offset;
    if (argument.kind == KernelArgument::Kind::Scalar) {
      std::memcpy(slot, argument.data, argument.size);
      // A pointer to no memory has no bounds: every access faults.
      if (isOfProgram() && facts.parameters[index].isPointer)
        bounds[index] = boundsOf(*reinterpret_cast<uint8_t **>(slot));
      continue;
    }
    auto *data = static_cast<uint8_t *>(argument.data);
    std::memcpy(slot, &data, sizeof data);
    bounds[index] = {data, argument.size};
    if (options.noteStores)
      stored[index].resize(argument.size);
    ranges.push_back({data, argument.size, parameterNames.back()});
  }
  context.bounds = bounds.data();
}

template <typename T>
static void put(std::vector<uint8_t> &bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// The sizes of a launch as AMD's code objects (version 5) and HSA dispatch
/// packets lay them out.
void LaunchRun::buildAMDRecords() {
  implicitStorage.resize(256);
  packetStorage.resize(256);
  for (size_t dim = 0; dim < 3; ++dim) {
    put<uint32_t>(implicitStorage, 4 * dim, config.grid[dim]);
    put<uint16_t>(implicitStorage, 12 + 2 * dim, config.block[dim]);
    put<uint16_t>(packetStorage, 4 + 2 * dim, config.block[dim]);
    put<uint32_t>(packetStorage, 12 + 4 * dim,
                  config.grid[dim] * config.block[dim]);
  }
  put<uint16_t>(implicitStorage, 64, 3);
  context.implicitArguments = implicitStorage.data();
  context.dispatchPacket = packetStorage.data();
}

const MemoryRange *LaunchRun::findRange(const uint8_t *address,
                                        uint64_t bytes) const {
  ArrayRef<MemoryRange> overlapping = ranges;
  if (isOfProgram())
    overlapping = overlapping.take_front(numVariables);
  for (const MemoryRange &range : overlapping)
    if (range.contains(address, bytes))
      return &range;
  const MemoryRange *range = reachableBefore(address);
  return range && range->contains(address, bytes) ? range : nullptr;
}

bool LaunchRun::isBacked(const uint8_t *address, uint64_t bytes,
                         bool isRead) const {
  const MemoryRange *range = reachableBefore(address);
  const MemoryRange *next = range ? range + 1 : ranges.data() + numVariables;
  if (range) {
    uint64_t behind = isRead ? std::max(range->spareBytes, range->marginBytes)
                             : range->spareBytes;
    if (uint64_t(address - range->begin) + bytes <= range->bytes + behind)
      return true;
  }
  return isRead && next < ranges.data() + ranges.size() &&
         uint64_t(next->begin - address) <= next->marginBytes;
}

bool LaunchRun::isBesideVariable(const uint8_t *address, uint64_t bytes) const {
  // What devices map at once.
  constexpr uint64_t margin = 2 << 20;
  auto place = uint64_t(address);
  return any_of(ArrayRef(ranges).take_front(numVariables),
                [&](const MemoryRange &range) {
                  auto begin = uint64_t(range.begin);
                  return place + margin >= begin &&
                         place + bytes <= begin + range.bytes + margin;
                });
}

void LaunchRun::noteStore(const uint8_t *address, uint64_t bytes) {
  for (auto [buffer, flags] : zip(bounds, stored)) {
    uint64_t offset = uint64_t(address) - uint64_t(buffer.begin);
    if (bytes > flags.size() || offset > flags.size() - bytes)
      continue;
    for (uint8_t &flag : MutableArrayRef<uint8_t>(flags).slice(offset, bytes))
      __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return;
  }
}

const std::string &LaunchRun::objectName(const Site &site) const {
  const MemoryObject &object = facts.objects[site.object];
  return object.kind == MemoryObject::Kind::Parameter
             ? parameterNames[object.parameter]
             : object.name;
}

void LaunchRun::addCounts(ArrayRef<SectorCount> more) {
  std::lock_guard<std::mutex> lock(countMutex);
  for (auto [count, add] : zip(counts, more)) {
    count.requests += add.requests;
    count.sectors += add.sectors;
  }
}

void LaunchRun::dropCounts() {
  if (droppedCounts.exchange(true) || !profile)
    return;
  std::lock_guard<std::mutex> lock(countMutex);
  refusal = "a block accesses memory more than " + std::to_string(noteLimit) +
            " times between barriers, more than a third of this machine's "
            "memory has room for";
  __atomic_store_n(&context.stop, 1, __ATOMIC_RELAXED);
}

void LaunchRun::addProfile(const LaunchCounts &add) {
  std::lock_guard<std::mutex> lock(countMutex);
  profileCounts.barriers += add.barriers;
  profileCounts.operations.add(add.operations);
  profileCounts.usesSubgroups |= add.usesSubgroups;
  profileCounts.branches.resize(facts.sites.size());
  for (auto [count, more] : zip(profileCounts.branches, add.branches)) {
    count.executions += more.executions;
    count.divergent += more.divergent;
  }
}

static AccessSite::Kind accessKind(Site::Kind kind) {
  return kind == Site::Kind::Read    ? AccessSite::Kind::Read
         : kind == Site::Kind::Write ? AccessSite::Kind::Write
                                     : AccessSite::Kind::Atomic;
}

void LaunchRun::describeSites() {
  for (const Site &site : facts.sites)
    sitesForSinks.push_back({accessKind(site.kind), site.location,
                             objectName(site), site.bytes, site.elementBytes});
}

void LaunchRun::addTrace(int64_t number, SectorTrace trace) {
  if (!cache)
    return;
  std::lock_guard<std::mutex> lock(traceMutex);
  traces.emplace(number, std::move(trace));
  for (auto next = traces.find(nextTrace); next != traces.end();
       next = traces.find(nextTrace)) {
    cache->replay(next->second);
    traces.erase(next);
    ++nextTrace;
  }
}

//===----------------------------------------------------------------------===//
// Host threads
//===----------------------------------------------------------------------===//

unsigned LaunchRun::workerCount() const {
  unsigned workers =
      options.workers ? options.workers : std::thread::hardware_concurrency();
  return std::clamp<int64_t>(blocksToRun(), 1, std::max(workers, 1u));
}

static std::atomic<bool> isInterrupted{false};
static std::atomic<int> runningLaunches{0};

bool gpuopt::interruptLaunches() {
  isInterrupted = true;
  return runningLaunches > 0;
}

bool LaunchRun::wasInterrupted() const {
  return isInterrupted || (options.stop && *options.stop);
}

ExecutionFault::Kind LaunchRun::stopKind() const {
  return wasInterrupted() ? ExecutionFault::Kind::Interrupted
                          : ExecutionFault::Kind::Timeout;
}

std::string LaunchRun::whenStopped() const {
  if (wasInterrupted())
    return "when it was interrupted";
  std::string text;
  raw_string_ostream(text) << format("after %g seconds", options.maxSeconds);
  return text;
}

/// So many that asking for them takes no time, and so few that a launch which
/// is stopped ends soon.
static constexpr uint64_t stepsAtOnce = 1024;

uint32_t LaunchRun::stepsBehind(uint64_t steps) const {
  return options.maxSteps ? std::min(stepsAtOnce, options.maxSteps - steps)
                          : stepsAtOnce;
}

void LaunchRun::endAt(int64_t block) {
  int64_t before = firstEnded;
  while (block < before && !firstEnded.compare_exchange_weak(before, block)) {
  }
}

void LaunchRun::addFaults(int64_t block, uint64_t count) {
  if (!count)
    return;
  std::lock_guard<std::mutex> lock(faultMutex);
  faultCounts[block] += count;
  faultTotal += count;
}

std::optional<int64_t> LaunchRun::lastBlock() const {
  uint64_t sum = 0;
  for (auto [block, count] : faultCounts) {
    sum += count;
    if (block >= endBlock())
      break;
    if (options.maxFaults && sum >= options.maxFaults)
      return block;
  }
  return endsEarly() ? std::optional(endBlock()) : std::nullopt;
}

void LaunchRun::stopIfDue() {
  bool isTimeUp =
      options.maxSeconds > 0 && clock->seconds() > options.maxSeconds;
  if (wasInterrupted() || isTimeUp)
    __atomic_store_n(&context.stop, 1, __ATOMIC_RELAXED);
}

void LaunchRun::runWorkers(function_ref<void()> work) {
  unsigned workers = workerCount();
  std::mutex mutex;
  std::condition_variable finished;
  unsigned running = workers;
  std::vector<llvm::thread> hostThreads;
  for (unsigned worker = 0; worker < workers; ++worker)
    hostThreads.emplace_back(std::optional<unsigned>(stackBytes), [&, worker] {
      clock->enter(worker);
      stalls.enter();
      work();
      stalls.leave();
      clock->leave(worker);
      std::lock_guard<std::mutex> lock(mutex);
      --running;
      finished.notify_all();
    });
  {
    std::unique_lock<std::mutex> lock(mutex);
    auto done = [&] { return running == 0; };
    while (!finished.wait_for(lock, std::chrono::milliseconds(250), done)) {
      stopIfDue();
      if (options.progress)
        options.progress(std::min<int64_t>(nextBlock, blocksToRun()),
                         blocksToRun());
    }
  }
  for (llvm::thread &hostThread : hostThreads)
    hostThread.join();
}

int64_t LaunchRun::blocksToRun() const {
  bool isSampled = profile && profile->sampledBlocks && !facts.usesGridBarrier;
  return isSampled ? std::min(profile->sampledBlocks, blocks()) : blocks();
}

/// One of each of as many equal parts of the grid, at a place that varies from
/// part to part, so that a grid's width cannot make all of them alike.
int64_t LaunchRun::chosenBlock(int64_t index) const {
  int64_t parts = blocksToRun();
  if (parts == blocks())
    return index;
  __int128 total = blocks();
  int64_t begin = total * index / parts, end = total * (index + 1) / parts;
  uint64_t mixed = uint64_t(index + 1) * 0x9e3779b97f4a7c15;
  return begin + (mixed >> 20) % std::max<int64_t>(1, end - begin);
}

void LaunchRun::runIndependentBlocks() {
  nextBlock = 0;
  runWorkers([&] {
    BlockRun block(*this);
    int64_t number;
    auto goesOn = [&] {
      return !stopped() && chosenBlock(number = nextBlock++) < endBlock() &&
             number < blocksToRun() &&
             (!options.maxFaults || faultTotal < options.maxFaults);
    };
    while (goesOn()) {
      block.start(chosenBlock(number));
      block.run();
      block.handOverFaults();
      block.noteUnsettled();
      addTrace(number, block.takeTrace());
    }
    block.finish();
  });
}

void LaunchRun::refuseTogether(uint64_t limitBytes) {
  refusal = "all " + std::to_string(blocks()) +
            " blocks of the grid wait for each other, which takes more than " +
            std::to_string(limitBytes >> 20) +
            " MiB, a third of this machine's memory";
}

/// Blocks that wait for each other: all are alive, and each is run up to the
/// next barrier of the grid in turn.
void LaunchRun::runBlocksTogether() {
  uint64_t limit = memoryShare();
  if (SaturatingMultiply<uint64_t>(blocks(), threadsPerBlock() *
                                                 sizeof(ThreadContext)) > limit)
    return refuseTogether(limit);
  std::vector<std::unique_ptr<BlockRun>> alive(blocks());
  std::vector<char> done(alive.size());
  std::atomic<uint64_t> taken{0};
  while (!all_of(done, [](char flag) { return flag; })) {
    nextBlock = 0;
    runWorkers([&] {
      int64_t number;
      while (taken <= limit && (number = nextBlock++) < blocks()) {
        bool isNew = !alive[number];
        if (isNew) {
          alive[number] = std::make_unique<BlockRun>(*this);
          alive[number]->start(number);
        }
        if (!done[number])
          done[number] = alive[number]->run() || stopped();
        if (isNew)
          taken += alive[number]->bytes();
      }
    });
    if (taken > limit)
      return refuseTogether(limit);
    // Between two barriers there may have been too little time to look.
    bool othersLeft = is_contained(done, true);
    if (is_contained(done, false))
      stopIfDue();
    if (stopped() || endsEarly())
      break;
    for (auto [flag, block] : zip(done, alive))
      if (!flag)
        block->passGridBarrier(othersLeft);
    nextTrace = 0;
    for (auto [number, block] : enumerate(alive))
      addTrace(number, block->takeTrace());
    if (races)
      races->clear();
  }
  auto waiting = find(done, false);
  if (stopped() && waiting != done.end() && alive[waiting - done.begin()])
    alive[waiting - done.begin()]->reportWaiting();
  for (auto &block : alive)
    if (block) {
      block->handOverFaults();
      block->noteUnsettled();
      block->finish();
    }
}

void LaunchRun::reportFaults(ExecutionResult &result) {
  std::optional<int64_t> last = lastBlock();
  if (last)
    faults.dropBehind(*last, config.grid);
  faults.report(facts, options.maxFaultPlaces, result);
  auto add = [&](ExecutionFault::Kind kind, std::string message) {
    ++result.faultCount;
    result.faults.push_back({kind, std::move(message), "", {}});
  };
  auto has = [&](ExecutionFault::Kind kind) {
    return any_of(result.faults, [&](const ExecutionFault &fault) {
      return fault.kind == kind;
    });
  };
  if (!refusal.empty())
    add(ExecutionFault::Kind::Unsupported, refusal);
  else if (stopped() && !has(stopKind()))
    add(stopKind(),
        "the kernel had not ended " + whenStopped() + ", with " +
            std::to_string(std::min<int64_t>(nextBlock, blocksToRun())) +
            " of " + std::to_string(blocksToRun()) + " blocks started");
  else if (last && !isOfProgram() && !has(ExecutionFault::Kind::StepLimit) &&
           !has(ExecutionFault::Kind::Deadlock) &&
           !has(ExecutionFault::Kind::Stall))
    add(ExecutionFault::Kind::FaultLimit,
        "the launch ended in " + nameBlock(*last, config.grid) + ", after " +
            std::to_string(options.maxFaults) + " faults");
}

void LaunchRun::noteUnsettled() {
  if (!races || !races->followsEffects)
    return;
  for (auto [number, unsettled] : enumerate(races->takeUnsettled()))
    options.raceEffects->addBuffer(ranges[number].name, number < numVariables,
                                   std::move(unsettled));
}

ExecutionResult LaunchRun::run() {
  ++runningLaunches;
  clock->enterLauncher();
  if (wasInterrupted())
    context.stop = 1;
  if (facts.usesGridBarrier)
    runBlocksTogether();
  else
    runIndependentBlocks();
  clock->leaveLauncher();
  --runningLaunches;
  noteUnsettled();
  ExecutionResult result;
  reportFaults(result);
  result.skippedRaces = skipsRaces;
  result.droppedCounts = hasDroppedCounts();
  if (result.droppedCounts)
    counts.clear();
  for (auto [site, count] : zip(facts.sites, counts)) {
    if (!count.requests)
      continue;
    AccessCount access;
    access.kind = site.kind == Site::Kind::Read    ? AccessCount::Kind::Read
                  : site.kind == Site::Kind::Write ? AccessCount::Kind::Write
                                                   : AccessCount::Kind::Atomic;
    access.location = site.location;
    access.array = objectName(site);
    access.requests = count.requests;
    access.sectors = count.sectors;
    result.globalSectors += count.sectors;
    result.accesses.push_back(std::move(access));
  }
  if (profile) {
    result.profile = std::move(profileCounts);
    result.profile.blocks = blocks();
    result.profile.blocksRun = blocksToRun();
    result.profile.branches.resize(facts.sites.size());
    for (auto [site, branch] : zip(facts.sites, result.profile.branches))
      branch.location = site.location;
    erase_if(result.profile.branches,
             [](const BranchCount &branch) { return !branch.executions; });
  }
  if (cache && !result.droppedCounts)
    result.dram = cache->finish();
  result.stored = std::move(stored);
  return result;
}
