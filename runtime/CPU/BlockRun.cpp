//===- BlockRun.cpp - one block while it runs -----------------------------===//

#include "runtime/CPU/BlockRun.h"
#include "runtime/CPU/SubgroupOperations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

BlockRun::BlockRun(LaunchRun &run)
    : launch(run), asyncCopies(run.threadsPerBlock()), facts(run.facts),
      threads(run.threadsPerBlock()),
      workgroup(run.facts.workgroupBytes + run.config.dynamicSharedBytes),
      workgroupBytes(run.facts.workgroupBytes + run.config.dynamicSharedBytes),
      sink(new uint8_t[sinkBytes]()) {
  context.workgroup = workgroup.get();
  context.dynamicBytes = run.config.dynamicSharedBytes;
  context.launch = &run.context;
  context.run = this;
  for (int dim = 0; dim < 3; ++dim) {
    context.blockDim[dim] = run.config.block[dim];
    context.gridDim[dim] = run.config.grid[dim];
  }
  std::array<unsigned, 3> laneOrder =
      run.profile ? run.profile->laneOrder : std::array<unsigned, 3>{0, 1, 2};
  for (size_t index = 0; index < threads.size(); ++index) {
    ThreadContext &thread = threads[index];
    thread.linearId = index;
    thread.lane = index % run.options.subgroupSize;
    thread.block = &context;
    size_t rest = index;
    for (unsigned dim : laneOrder) {
      thread.threadId[dim] = rest % run.config.block[dim];
      rest /= run.config.block[dim];
    }
  }
  if (run.races)
    workgroupShadow = std::make_unique<ShadowMemory>(
        workgroup.get(), workgroupBytes, bit_floor(facts.smallestAccess),
        run.races->followsEffects);
  if (run.races && facts.ordersThreads)
    order = std::make_unique<ThreadOrder>(threads.size());
  if (run.profile)
    prepareProfile();
  else if (run.options.countSectorBytes)
    counter = std::make_unique<SectorCounter>(
        facts.sites.size(), coalescedThreads(), run.options.countSectorBytes);
  if (counter && run.cache)
    counter->onRequest = [this](uint32_t site, ArrayRef<uint64_t> sectors) {
      Site::Kind kind = facts.sites[site].kind;
      for (uint64_t sector : sectors) {
        if (kind != Site::Kind::Write)
          trace.push_back(2 * sector);
        if (kind != Site::Kind::Read)
          trace.push_back(2 * sector + 1);
      }
    };
}

void BlockRun::prepareProfile() {
  unsigned lanes = launch.options.subgroupSize;
  requests =
      std::make_unique<RequestLog>(facts.sites.size(), threads.size(), lanes);
  branches =
      std::make_unique<BranchLog>(facts.sites.size(), threads.size(), lanes);
  requestSink = launch.profile->makeSink(launch.accessSites());
}

/// The sectors of a request, for the cache.
void BlockRun::traceRequest(const MemoryRequest &request) {
  Site::Kind kind = facts.sites[request.site].kind;
  uint64_t sectorBytes = launch.options.countSectorBytes;
  SmallVector<uint64_t, 64> sectors;
  for (int64_t address : request.addresses)
    for (uint64_t sector = address / sectorBytes,
                  last = (address + request.bytes - 1) / sectorBytes;
         sector <= last; ++sector)
      if (sectors.empty() || sectors.back() != sector)
        sectors.push_back(sector);
  if (!is_sorted(sectors))
    sort(sectors);
  sectors.erase(llvm::unique(sectors), sectors.end());
  for (uint64_t sector : sectors) {
    if (kind != Site::Kind::Write)
      trace.push_back(2 * sector);
    if (kind != Site::Kind::Read)
      trace.push_back(2 * sector + 1);
  }
}

/// Forgets everything where counting is given up.
void BlockRun::limitNotes() {
  if (++notedAccesses + trace.size() > launch.mostNotedAccesses())
    launch.dropCounts();
  if (!launch.hasDroppedCounts())
    return;
  counter.reset();
  requests.reset();
  branches.reset();
  trace = {};
}

void BlockRun::flushCounts() {
  notedAccesses = 0;
  if (counter)
    counter->flush();
  if (!requests)
    return;
  branches->flush();
  requests->flush([&](const MemoryRequest &request) {
    requestSink->request(request);
    if (launch.cache && !request.isWorkgroup)
      traceRequest(request);
  });
  requestSink->endInterval();
}

void BlockRun::start(int64_t number) {
  blockNumber = number;
  blockEpoch = 0;
  faultCount = 0;
  if (order)
    order->clear();
  arrivals.clear();
  context.letsOthersGo = 1;
  questions.assign(threads.size(), {});
  bulk.clear();
  updates.clear();
  progress();
  if (requests)
    requestSink->startBlock(number);
  const Dim3 &grid = launch.config.grid;
  context.blockId[0] = number % grid[0];
  context.blockId[1] = number / grid[0] % grid[1];
  context.blockId[2] = number / grid[0] / grid[1];
  if (workgroupShadow)
    workgroupShadow->clear();
  std::memset(workgroup.get(), launch.options.workgroupFill, workgroupBytes);
  if (launch.options.checkUninitialised)
    isWritten.assign(workgroupBytes, 0);
  if (!isWritten.empty())
    for (auto [offset, bytes] : facts.presetWorkgroup)
      std::fill_n(isWritten.begin() + offset, bytes, 1);
  for (ThreadContext &thread : threads) {
    thread.wait = Wait::Runnable;
    thread.handle = nullptr;
    thread.subgroupEpoch = 0;
    thread.steps = launch.context.firstSteps;
    asyncCopies[thread.linearId].clear();
  }
}

MutableArrayRef<ThreadContext> BlockRun::subgroup(size_t first) {
  size_t count =
      std::min<size_t>(launch.options.subgroupSize, threads.size() - first);
  return MutableArrayRef<ThreadContext>(threads).slice(first, count);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void BlockRun::runPlain() {
  auto entry = reinterpret_cast<void (*)(ThreadContext *)>(launch.kernel.entry);
  for (ThreadContext &thread : threads) {
    entry(&thread);
    if (thread.lane + 1 == launch.options.subgroupSize)
      flushCounts();
    if (stopped())
      return;
  }
  flushCounts();
}

void BlockRun::runThread(ThreadContext &thread) {
  if (!thread.handle) {
    auto enter =
        reinterpret_cast<void *(*)(ThreadContext *)>(launch.kernel.entry);
    thread.handle = enter(&thread);
    return;
  }
  // A coroutine's frame starts with what resumes it.
  auto resume = *reinterpret_cast<void (**)(void *)>(thread.handle);
  resume(thread.handle);
}

/// A mask names the lanes that take part, the thread's own among them.
void BlockRun::checkMask(ThreadContext &thread) {
  if (!waitsForSubgroup(thread) || thread.mask >> thread.lane & 1)
    return;
  launch.faults.add(ExecutionFault::Kind::BarrierDivergence, thread,
                    thread.site, FaultLog::noSite, [&] {
                      return nameThread(thread).print() +
                             " takes part in an operation of its subgroup "
                             "whose mask does not name its lane";
                    });
}

/// Matrices are those of a whole subgroup, of which no lane has left.
void BlockRun::checkProducts(MutableArrayRef<ThreadContext> lanes) {
  auto first = find_if(lanes, [](const ThreadContext &thread) {
    return thread.wait == Wait::Multiply;
  });
  if (first == lanes.end())
    return;
  bool isWhole = lanes.size() == launch.options.subgroupSize &&
                 none_of(lanes, [](const ThreadContext &thread) {
                   return thread.wait == Wait::Done;
                 });
  if (isWhole)
    return;
  launch.faults.add(ExecutionFault::Kind::BarrierDivergence, *first,
                    first->site, FaultLog::noSite, [&] {
                      return nameThread(*first).print() +
                             " multiplies matrices, which takes all lanes of a "
                             "subgroup, of which some are not there";
                    });
}

/// Runs every thread up to its next wait for the block; true where one moved.
bool BlockRun::runSubgroups() {
  bool moved = false;
  for (size_t first = 0; first < threads.size();
       first += launch.options.subgroupSize) {
    MutableArrayRef<ThreadContext> lanes = subgroup(first);
    do {
      for (ThreadContext &thread : lanes)
        if (thread.wait == Wait::Runnable) {
          runThread(thread);
          checkMask(thread);
          moved = true;
        }
      if (stopped())
        return moved;
      checkProducts(lanes);
    } while (resolveSubgroup(lanes, facts.sites, order.get()) &&
             (profile.usesSubgroups = true));
  }
  return moved;
}

bool BlockRun::run() {
  stackTop = static_cast<const uint8_t *>(__builtin_frame_address(0));
  if (!facts.suspends) {
    runPlain();
    return true;
  }
  scope_exit resumed([&] { resumeFromStall(); });
  while (true) {
    runSubgroups();
    if (stopped()) {
      reportWaiting();
      return true;
    }
    if (all_of(threads,
               [](auto &thread) { return thread.wait == Wait::Done; })) {
      flushCounts();
      return true;
    }
    if (releaseBarrier() || releasePhases()) {
      progress();
      resumeFromStall();
      continue;
    }
    if (waitsForGrid())
      return false;
    if (askAgain())
      continue;
    if (forceSubgroup()) {
      progress();
      continue;
    }
    reportStuck();
    return true;
  }
}

bool BlockRun::waitsForGrid() const {
  return all_of(threads, [](const ThreadContext &thread) {
    return thread.wait == Wait::Done || thread.wait == Wait::GridBarrier;
  });
}

void BlockRun::passGridBarrier(bool othersLeft) {
  ThreadContext *waiting = nullptr;
  for (ThreadContext &thread : threads) {
    othersLeft |= thread.wait == Wait::Done;
    if (thread.wait != Wait::GridBarrier)
      continue;
    thread.wait = Wait::Runnable;
    waiting = &thread;
  }
  if (othersLeft && waiting)
    launch.faults.add(ExecutionFault::Kind::BarrierDivergence, *waiting,
                      waiting->site, FaultLog::noSite, [&] {
                        return nameThread(*waiting).print() +
                               " waits for the whole grid, but other threads "
                               "have left the kernel";
                      });
  orderBlock();
  flushCounts();
}

uint64_t BlockRun::bytes() const {
  uint64_t perThread = sizeof(ThreadContext) + sizeof(AsyncCopies) + frameBytes;
  return threads.size() * perThread + workgroupBytes + sinkBytes;
}

void BlockRun::finish() {
  if (requests) {
    profile.operations = {context.operations[0], context.operations[1],
                          context.operations[2]};
    for (const BranchLog::Count &count : branches->total())
      profile.branches.push_back({"", count.executions, count.divergent});
    launch.addProfile(profile);
  }
  if (counter)
    launch.addCounts(counter->total());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *BlockRun::allocateFrame(ThreadContext &thread, uint64_t bytes) {
  if (!frames) {
    frameBytes = alignTo(bytes, frameAlignment);
    frames = allocateBytes(frameBytes * threads.size());
  }
  return frames.get() + frameBytes * thread.linearId;
}

bool BlockRun::isAccessible(const uint8_t *address, uint64_t bytes) const {
  auto inside = [&](const uint8_t *begin, uint64_t size) {
    return MemoryRange{const_cast<uint8_t *>(begin), size, ""}.contains(address,
                                                                        bytes);
  };
  // Locals are in the coroutine's frame or on the host's stack.
  auto *stackEnd = static_cast<const uint8_t *>(__builtin_frame_address(0));
  return launch.findRange(address, bytes) ||
         inside(workgroup.get(), workgroupBytes) ||
         (frames && inside(frames.get(), frameBytes * threads.size())) ||
         inside(stackEnd, stackTop - stackEnd);
}

MemorySpace BlockRun::spaceOf(const uint8_t *address) const {
  if (isInWorkgroup(address))
    return MemorySpace::Workgroup;
  bool isLocal = !launch.findRange(address, 1) && isAccessible(address, 1);
  return isLocal ? MemorySpace::Local : MemorySpace::Global;
}

void *BlockRun::findAddress(ThreadContext &thread, uint8_t *address,
                            uint64_t bytes, uint32_t site, BufferBounds &last) {
  if (const MemoryRange *range = launch.findRange(address, bytes)) {
    last = {range->begin, range->bytes};
    return address;
  }
  if (isAccessible(address, bytes))
    return address;
  if (uint8_t *local = findNarrow(thread, address, bytes))
    return local;
  return faultAccess(thread, address, nullptr, bytes, site);
}

/// The place in the thread's own memory of which `address` is the lower half:
/// one of 32 bits is that of local memory where it is in no other.
uint8_t *BlockRun::findNarrow(const ThreadContext &thread,
                              const uint8_t *address, uint64_t bytes) const {
  if (uint64_t(address) >> 32 || !address)
    return nullptr;
  auto *stackEnd = static_cast<const uint8_t *>(__builtin_frame_address(0));
  const uint8_t *begin = stackEnd, *end = stackTop;
  if (frames) {
    begin = frames.get() + frameBytes * thread.linearId;
    end = begin + frameBytes;
  }
  auto *place = reinterpret_cast<uint8_t *>(
      (uint64_t(begin) & ~uint64_t(0xffffffff)) | uint64_t(address));
  if (place < begin)
    place += uint64_t(1) << 32;
  return place >= begin && place <= end && bytes <= uint64_t(end - place)
             ? place
             : nullptr;
}

/// `reads 4 bytes at a[4096], which has 4096 elements`.
std::string BlockRun::describeAccess(const ThreadContext &thread,
                                     const uint8_t *address,
                                     const uint8_t *base, uint64_t bytes,
                                     uint32_t siteIndex) const {
  const Site &site = facts.sites[siteIndex];
  const MemoryObject &object = facts.objects[site.object];
  std::string text = nameThread(thread).print();
  text += site.kind == Site::Kind::Read    ? " reads "
          : site.kind == Site::Kind::Write ? " writes "
                                           : " updates ";
  text += std::to_string(bytes) + (bytes == 1 ? " byte at " : " bytes at ");
  bool isNothing = object.kind == MemoryObject::Kind::Parameter &&
                   launch.isOfProgram() &&
                   !launch.context.bounds[object.parameter].bytes;
  if (!base || isNothing) {
    char number[32];
    snprintf(number, sizeof number, "%p", static_cast<const void *>(address));
    return text + "address " + (address ? number : "0") +
           (launch.isOfProgram() ? ", which is no memory of the device"
                                 : ", which lies in no buffer of the launch");
  }
  uint64_t size = object.bytes;
  if (object.kind == MemoryObject::Kind::Parameter)
    size = launch.context.bounds[object.parameter].bytes;
  if (object.kind == MemoryObject::Kind::DynamicWorkgroup)
    size = context.dynamicBytes;
  const std::string &name = launch.objectName(site);
  int64_t offset = address - base, element = site.elementBytes;
  if (uint64_t(offset) <= size - bytes && size >= bytes)
    return text + "byte " + std::to_string(offset) + " of " + name +
           ", which is not a multiple of " + std::to_string(site.alignment);
  if (element == 1 || offset % element)
    return text + "byte " + std::to_string(offset) + " of " + name +
           ", which has " + std::to_string(size) + " bytes";
  return text + name + "[" + std::to_string(offset / element) +
         "], which has " + std::to_string(size / element) + " elements";
}

void BlockRun::noteAccess(ThreadContext &thread, const uint8_t *address,
                          uint64_t bytes, uint32_t siteIndex) {
  const Site &site = facts.sites[siteIndex];
  bool inWorkgroup = isInWorkgroup(address);
  bool isWrite = site.kind != Site::Kind::Read;
  if (site.kind == Site::Kind::Atomic)
    noteUpdate(address, bytes);
  if (site.kind == Site::Kind::Write) {
    change();
    if (order)
      order->overwrite(address, bytes);
  }
  if (launch.options.noteStores && isWrite && !inWorkgroup)
    launch.noteStore(address, bytes);
  if (requests && inWorkgroup)
    requests->note(thread.linearId, siteIndex, address - workgroup.get(), bytes,
                   /*isWorkgroup=*/true);
  if (requests || (counter && !inWorkgroup))
    limitNotes();
  if ((counter || requests) && !inWorkgroup)
    if (const MemoryRange *range = launch.findRange(address, bytes)) {
      // A GPU aligns every buffer; where the host put it must not count.
      uint64_t number = range - launch.ranges.data();
      uint64_t place = (number << 48) + (address - range->begin);
      unsigned group = coalescedThreads();
      if (requests)
        requests->note(thread.linearId, siteIndex, place, bytes,
                       /*isWorkgroup=*/false);
      else
        counter->note(thread.linearId / group, thread.linearId % group,
                      siteIndex, place, bytes);
    }
  if (inWorkgroup && !isWritten.empty())
    checkWritten(thread, address - workgroup.get(), bytes, siteIndex);
  if (!inWorkgroup && launch.options.checkUninitialised && launch.isOfProgram())
    checkReachable(thread, address, bytes, siteIndex);
  if (launch.races)
    checkRaces(thread, address, bytes, siteIndex);
  else if (RaceEffects *effects = launch.options.raceEffects)
    disturb(*effects, address, bytes, siteIndex);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void BlockRun::issueAsyncCopy(ThreadContext &thread, const AsyncCopy &copy) {
  asyncCopies[thread.linearId].issue(copy);
  change();
  // That it writes here has been noted; it keeps on until the wait.
  if (workgroupShadow && workgroupShadow->contains(copy.to))
    workgroupShadow->launch(copy.to, copy.bytes, stampOf(thread, copy.site));
}

void BlockRun::waitForAsyncCopies(ThreadContext &thread, uint64_t pending) {
  for (const AsyncCopy &copy : asyncCopies[thread.linearId].wait(pending)) {
    std::memcpy(copy.to, copy.data.data(), copy.bytes);
    if (!workgroupShadow || !workgroupShadow->contains(copy.to))
      continue;
    workgroupShadow->land(copy.to, copy.bytes);
    noteAccess(thread, copy.to, copy.bytes, copy.site);
  }
}
