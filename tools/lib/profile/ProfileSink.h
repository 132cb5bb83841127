//===- ProfileSink.h - the requests of a launch, judged ---------*- C++ -*-===//
//
// Sums up what each access of a kernel asks of memory, by the rules of the
// target (passes/Analysis/RequestCost.h, BankConflicts.h), and its strides by
// Algorithm 1 of Fauzia, Pouchet and Sadayappan, "Characterizing and enhancing
// global memory data coalescing on GPUs" (2015): the addresses of the threads
// that are coalesced together, sorted, and the differences of neighbours.
//
// Two things differ from the paper's text. It takes W addresses in a row of all
// active threads; here they are those of one subgroup (or half of it), as the
// hardware takes them. And it divides the sum of W - 1 differences by W; here
// the average is over the differences.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_PROFILE_PROFILESINK_H
#define TOOLS_LIB_PROFILE_PROFILESINK_H

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/RequestCost.h"
#include "runtime/Profile.h"
#include "tools/lib/profile/WorkgroupLife.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <set>

namespace gpuopt {

/// Smallest, largest and average of some distances in bytes.
struct DistanceRange {
  int64_t min = INT64_MAX;
  int64_t max = INT64_MIN;
  double sum = 0;
  uint64_t count = 0;

  void add(int64_t distance) {
    min = std::min(min, distance);
    max = std::max(max, distance);
    sum += double(distance);
    ++count;
  }
  void add(const DistanceRange &other);
  double average() const { return count ? sum / double(count) : 0; }
  /// The distance where all are the same.
  std::optional<int64_t> only() const {
    return count && min == max ? std::optional<int64_t>(min) : std::nullopt;
  }
};

/// What all requests of one access add up to.
struct AccessFigures {
  /// Threads that executed it, each time counted; and subgroups.
  uint64_t executions = 0;
  uint64_t requests = 0;
  bool isWorkgroup = false;
  /// Most lanes that were active together.
  int64_t mostLanes = 0;
  uint64_t bytesRequested = 0;
  /// Of accesses of global memory. Bytes that lanes share count once.
  RequestCost cost;
  /// Of accesses of workgroup memory.
  int64_t wavefronts = 0;
  int64_t neededWavefronts = 0;
  /// Wavefronts of the worst group of lanes.
  int64_t conflictDegree = 0;
  /// Algorithm 1's strides.
  DistanceRange strides;
  /// From a lane to its right neighbour in a row of the block.
  DistanceRange rowStrides;
  /// From one execution by a lane to its next one.
  DistanceRange steps;
  /// The lowest address, from the start of the array.
  int64_t firstAddress = INT64_MAX;

  void add(const AccessFigures &other);
};

/// One request of an access, to look at: of those with the most lanes the one
/// with the lowest first address.
struct SampleRequest {
  std::vector<int64_t> lanes;
  /// The first byte that each lane accesses, from the start of the array.
  std::vector<int64_t> addresses;

  bool isWorseThan(llvm::ArrayRef<int64_t> otherLanes,
                   int64_t otherFirst) const {
    if (lanes.size() != otherLanes.size())
      return lanes.size() < otherLanes.size();
    return addresses.empty() || otherFirst < addresses.front();
  }
};

/// The addresses that an access touched, as bits.
class TouchedAddresses {
public:
  explicit TouchedAddresses(uint64_t granule = 4) : granule(granule) {}
  void note(int64_t address) {
    std::vector<uint64_t> &words = buffers[address >> 48];
    uint64_t bit = (address & ((int64_t(1) << 48) - 1)) / granule;
    if (bit / 64 >= words.size())
      words.resize(bit / 64 + 1 + words.size() / 2);
    words[bit / 64] |= uint64_t(1) << bit % 64;
  }
  void add(const TouchedAddresses &other);
  /// The largest distance of neighbours in bytes (Algorithm 1's allStr); 0 of
  /// fewer than two.
  int64_t largestGap() const;
  uint64_t count() const;

private:
  uint64_t granule;
  std::map<int64_t, std::vector<uint64_t>> buffers;
};

class ProfileSink : public RequestSink {
public:
  /// `activeBlocks` are looked at for camping, 0 where none can be.
  /// `rowLength` is the length of a row of threads that are neighbours; where
  /// `keepAddresses`, all addresses are remembered, for `touched`.
  ProfileSink(TargetAttr target, llvm::ArrayRef<AccessSite> sites,
              int64_t rowLength, bool keepAddresses, int64_t activeBlocks = 0);

  void startBlock(int64_t number) override;
  void request(const MemoryRequest &request) override;
  void endInterval() override { life.endStretch(); }

  /// By site.
  llvm::ArrayRef<AccessFigures> figures() const { return figuresOfSites; }
  llvm::ArrayRef<TouchedAddresses> touched() const { return touchedBySites; }
  llvm::ArrayRef<SampleRequest> samples() const { return samplesBySites; }
  llvm::ArrayRef<AccessSite> sites() const { return accessSites; }
  WorkgroupUse workgroupUse() const { return life.use(); }
  /// By site: the sectors (with the number of their array) that the active
  /// blocks touch when each subgroup executes the access for the first time.
  llvm::ArrayRef<std::set<int64_t>> firstSectors() const {
    return firstSectorsBySites;
  }

private:
  /// The last request of a site: most requests are like the one before, moved.
  struct Pattern {
    std::vector<int64_t> lanes;
    /// From the first lane's address.
    std::vector<int64_t> offsets;
    uint64_t placeInRow = 0;
    /// What such a request adds, by its first address modulo the period.
    llvm::DenseMap<int64_t, AccessFigures> figuresByPhase;
    /// By subgroup: lane and address of its last request.
    std::vector<std::pair<int64_t, int64_t>> last;
  };
  const AccessFigures &figuresOf(const MemoryRequest &request,
                                 Pattern &pattern);
  AccessFigures measure(const MemoryRequest &request) const;
  void measureStrides(const MemoryRequest &request,
                      AccessFigures &figures) const;
  void noteStep(const MemoryRequest &request, Pattern &pattern,
                AccessFigures &figures) const;
  void notePartitions(const MemoryRequest &request);

  TargetAttr target;
  std::vector<AccessSite> accessSites;
  int64_t rowLength;
  bool keepAddresses;
  int64_t period;
  std::vector<AccessFigures> figuresOfSites;
  std::vector<TouchedAddresses> touchedBySites;
  std::vector<SampleRequest> samplesBySites;
  std::vector<Pattern> patterns;
  int64_t activeBlocks;
  std::vector<std::set<int64_t>> firstSectorsBySites;
  /// By site: the subgroups of the block that have executed it.
  std::vector<std::vector<bool>> hasExecuted;
  int64_t block = 0;
  WorkgroupLife life;
};

} // namespace gpuopt

#endif // TOOLS_LIB_PROFILE_PROFILESINK_H
