//===- RecordedTrace.cpp - what an instrumented kernel has recorded -------===//

#include "tools/lib/profile/RecordedTrace.h"

#include "conversion/PTX/Parser.h"
#include "conversion/ImportPTX/TracePoints.h"
#include "tools/lib/profile/AccessSums.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace gpuopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using ptx::TracePoint;
namespace trace = ptx::trace;

namespace {
struct Record {
  uint64_t address = 0, block = 0;
  uint32_t point = 0, thread = 0;
  bool isWorkgroup = false;
  /// Of global memory: the number of the array, and its name's parameter.
  std::optional<unsigned> array;
};

/// A request while its lanes are put together.
struct Request {
  size_t firstRecord = 0;
  uint64_t bytes = 0;
  bool isWorkgroup = false;
  std::map<int64_t, int64_t> addressesByLane;
};

/// When and by whom: intervals between barriers, the subgroup, the point, and
/// which execution of it since the barrier.
struct RequestKey {
  uint64_t interval = 0;
  uint32_t subgroup = 0, point = 0;
  uint64_t turn = 0;
  auto operator<=>(const RequestKey &) const = default;
};

class Recording {
public:
  Recording(const KernelInfo &kernel, ArrayRef<uint64_t> buffer)
      : kernel(kernel), buffer(buffer) {}

  Error read(const ptx::SourceModule &module, llvm::StringRef text,
             llvm::StringRef path);
  KernelMeasurement measure(TargetAttr target);

private:
  Error readHead(const ptx::SourceFunction &function, uint64_t identity);
  void readRecords();
  void findArray(Record &record) const;
  std::vector<AccessSite> makeSites() const;
  void replay(ArrayRef<Record> ofBlock, int64_t subgroupSize,
              ProfileSink &sink);

  const KernelInfo &kernel;
  ArrayRef<uint64_t> buffer;
  std::vector<TracePoint> points;
  LaunchConfig launch;
  /// Where arrays begin, and the parameters that say so; in ascending order.
  std::vector<std::pair<uint64_t, unsigned>> bases;
  std::vector<Record> records;
  int64_t barriers = 0;
};
} // namespace

static Error isOfAnother(const llvm::Twine &what) {
  return llvm::createStringError("these are no records of this kernel: " +
                                 what);
}

Error Recording::readHead(const ptx::SourceFunction &function,
                          uint64_t identity) {
  if (buffer.size() < trace::recordWord)
    return isOfAnother("the buffer has " + llvm::Twine(buffer.size()) +
                       " words");
  if (buffer[trace::identityWord] != identity)
    return isOfAnother("they are of another text, or of another kernel of it");
  uint64_t made = buffer[0], room = buffer[1];
  uint64_t most = (buffer.size() - trace::recordWord) / trace::wordsOfRecord;
  if (made > std::min(room, most))
    return llvm::createStringError(
        "the buffer has room for " + llvm::Twine(std::min(room, most)) +
        " records, and the launch has made " + llvm::Twine(made));
  uint64_t threads = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = buffer[trace::gridWord + dim];
    launch.block[dim] = buffer[trace::blockWord + dim];
    threads *= launch.block[dim];
    if (launch.grid[dim] < 1 || launch.grid[dim] > INT32_MAX ||
        launch.block[dim] < 1 || launch.block[dim] > 1024)
      return isOfAnother("they have no grid and block");
  }
  std::vector<unsigned> wide = ptx::wideParameters(function);
  if (threads > 1024 || buffer[trace::parameterWord] != wide.size())
    return isOfAnother("it has other parameters");
  for (auto [index, number] : llvm::enumerate(wide))
    if (kernel.parameters[number].isPointer)
      bases.emplace_back(buffer[trace::parameterWord + 1 + index], number);
  llvm::sort(bases);
  return Error::success();
}

/// The array that begins last in front of the address.
void Recording::findArray(Record &record) const {
  auto behind = llvm::upper_bound(
      bases, record.address,
      [](uint64_t address, const auto &base) { return address < base.first; });
  if (behind == bases.begin())
    return;
  const auto &[begin, parameter] = *std::prev(behind);
  // That far behind one there are other things, such as variables.
  constexpr uint64_t largestArray = uint64_t(1) << 33;
  if (record.address - begin >= largestArray)
    return;
  record.array = parameter;
  record.address = uint64_t(parameter) << 48 | (record.address - begin);
}

void Recording::readRecords() {
  constexpr uint32_t workgroup = uint32_t(1) << trace::workgroupBit;
  for (uint64_t number = 0; number < buffer[0]; ++number) {
    const uint64_t *words =
        &buffer[trace::recordWord + number * trace::wordsOfRecord];
    Record record;
    record.address = words[0];
    record.thread = uint32_t(words[1]);
    record.point = uint32_t(words[1] >> 32) & ~workgroup;
    record.isWorkgroup = words[1] >> 32 & workgroup;
    record.block = words[2];
    // Addresses in workgroup memory have 32 bits; where the host's stand for
    // them, these are enough.
    if (record.isWorkgroup)
      record.address = uint32_t(record.address);
    else
      findArray(record);
    records.push_back(record);
  }
}

Error Recording::read(const ptx::SourceModule &module, llvm::StringRef text,
                      llvm::StringRef path) {
  auto function =
      llvm::find_if(module.functions, [&](const ptx::SourceFunction &other) {
        return other.isKernel && other.isDefined && other.name == kernel.symbol;
      });
  if (function == module.functions.end())
    return isOfAnother("the text has none of its name");
  points = ptx::tracePoints(module, *function, path);
  if (Error error = readHead(*function, ptx::identityOf(text, *function)))
    return error;
  readRecords();
  uint64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  uint64_t blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (const Record &record : records)
    if (record.point >= points.size() || record.thread >= threads ||
        record.block >= blocks)
      return isOfAnother("one is of no access of it");
  return Error::success();
}

/// One for each point, those of barriers included. The array is named where it
/// always is the same.
std::vector<AccessSite> Recording::makeSites() const {
  std::vector<AccessSite> sites;
  for (const TracePoint &point : points)
    sites.push_back(
        {point.kind == TracePoint::Kind::Load    ? AccessSite::Kind::Read
         : point.kind == TracePoint::Kind::Store ? AccessSite::Kind::Write
                                                 : AccessSite::Kind::Atomic,
         point.location, "", point.bytes, point.elementBytes});
  std::vector<std::optional<std::string>> names(points.size());
  for (const Record &record : records) {
    std::string name =
        record.array ? kernel.parameters[*record.array].name : "";
    std::optional<std::string> &known = names[record.point];
    known = !known || *known == name ? name : "";
  }
  for (auto [site, name] : llvm::zip(sites, names))
    site.array = name.value_or("");
  return sites;
}

/// What a block's addresses in workgroup memory count from: the place that all
/// banks begin at in front of the first one.
static int64_t beginOfWorkgroup(ArrayRef<Record> ofBlock) {
  constexpr uint64_t bytesOfBanks = 128;
  uint64_t first = std::numeric_limits<uint64_t>::max();
  for (const Record &record : ofBlock)
    if (record.isWorkgroup)
      first = std::min(first, record.address);
  return first / bytesOfBanks * bytesOfBanks;
}

/// Hands the requests of a block to `sink`, in the order of the first record of
/// each; the executions of an access are counted as `RequestSink` says.
void Recording::replay(ArrayRef<Record> ofBlock, int64_t subgroupSize,
                       ProfileSink &sink) {
  std::map<RequestKey, Request> requests;
  std::map<uint32_t, uint64_t> intervals;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> turns;
  uint64_t lastInterval = 0;
  for (auto [index, record] : llvm::enumerate(ofBlock)) {
    const TracePoint &point = points[record.point];
    uint64_t &interval = intervals[record.thread];
    if (point.kind == TracePoint::Kind::Barrier) {
      lastInterval = std::max(lastInterval, ++interval);
      turns.erase(turns.lower_bound({record.thread, 0}),
                  turns.lower_bound({record.thread + 1, 0}));
      continue;
    }
    uint64_t turn = turns[{record.thread, record.point}]++;
    Request &request = requests[{
        interval, uint32_t(record.thread / subgroupSize), record.point, turn}];
    if (request.addressesByLane.empty())
      request.firstRecord = index;
    request.bytes = point.bytes;
    request.isWorkgroup = record.isWorkgroup;
    request.addressesByLane[record.thread % subgroupSize] = record.address;
  }
  std::vector<std::pair<const RequestKey *, const Request *>> ordered;
  for (const auto &[key, request] : requests)
    ordered.emplace_back(&key, &request);
  llvm::sort(ordered, [](const auto &one, const auto &other) {
    return std::pair(one.first->interval, one.second->firstRecord) <
           std::pair(other.first->interval, other.second->firstRecord);
  });
  sink.startBlock(ofBlock.front().block);
  int64_t workgroupBegin = beginOfWorkgroup(ofBlock);
  uint64_t interval = 0;
  for (const auto &[key, request] : ordered) {
    for (; interval < key->interval; ++interval)
      sink.endInterval();
    llvm::SmallVector<int64_t> lanes, addresses;
    for (const auto &[lane, address] : request->addressesByLane) {
      lanes.push_back(lane);
      addresses.push_back(request->isWorkgroup ? address - workgroupBegin
                                               : address);
    }
    sink.request({key->point, request->isWorkgroup, key->subgroup, key->turn,
                  lanes, addresses, request->bytes});
  }
  for (; interval <= lastInterval; ++interval)
    sink.endInterval();
  barriers += lastInterval;
}

KernelMeasurement Recording::measure(TargetAttr target) {
  std::vector<AccessSite> sites = makeSites();
  std::map<uint64_t, std::vector<Record>> blocks;
  for (const Record &record : records)
    blocks[record.block].push_back(record);
  // Where an array is not known, an address is any number.
  bool areKnown = llvm::all_of(records, [&](const Record &record) {
    return record.isWorkgroup || record.array ||
           points[record.point].kind == TracePoint::Kind::Barrier;
  });
  std::vector<std::unique_ptr<ProfileSink>> sinks;
  sinks.push_back(std::make_unique<ProfileSink>(
      target, sites, rowLength(launch.block, {0, 1, 2}),
      /*keepAddresses=*/areKnown));
  for (const auto &[number, ofBlock] : blocks)
    replay(ofBlock, target.getSubgroupSize(), *sinks.front());
  KernelMeasurement profile;
  profile.kernel = kernel;
  profile.isRecorded = true;
  profile.launch = launch;
  profile.accesses = collectAccesses(sinks, target, /*isExact=*/areKnown);
  profile.workgroupUse = sinks.front()->workgroupUse();
  profile.counts.blocks = profile.counts.blocksRun =
      launch.grid[0] * launch.grid[1] * launch.grid[2];
  profile.counts.barriers = barriers;
  judgeProfile(profile, target);
  return profile;
}

Expected<KernelMeasurement>
gpuopt::measureRecords(const Compilation &compilation, const KernelInfo &kernel,
                       llvm::StringRef text, ArrayRef<uint64_t> buffer) {
  ptx::SourceModule module;
  ptx::Problems problems;
  if (!ptx::parseModule(text, module, problems))
    return llvm::createStringError(problems.get().message);
  Recording recording(kernel, buffer);
  if (Error error = recording.read(module, text, compilation.path()))
    return error;
  return recording.measure(compilation.target());
}
