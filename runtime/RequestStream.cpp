//===- RequestStream.cpp - profiled launches of a program -----------------===//

#include "runtime/RequestStream.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LEB128.h"

using namespace gpuopt;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

enum class RequestStreamWriter::Frame : uint8_t { Begin, Sink, Requests, End };

namespace {
/// What a sink was told.
enum class Event : uint8_t { Block, EndOfInterval, Request };

/// Bits of a request.
constexpr uint64_t kIsWorkgroup = 1;
/// All lanes are the same distance from their neighbours.
constexpr uint64_t kHasStride = 2;

constexpr size_t kFrameHead = 5;
constexpr size_t kBufferBytes = size_t(1) << 16;
constexpr unsigned kMostLanes = 64;
} // namespace

//===----------------------------------------------------------------------===//
// What stands at the beginning and the end, as JSON
//===----------------------------------------------------------------------===//

static json::Array shapeOf(const Dim3 &shape) {
  return json::Array{shape[0], shape[1], shape[2]};
}

static bool readShape(const json::Object &object, llvm::StringRef name,
                      Dim3 &shape) {
  const json::Array *array = object.getArray(name);
  if (!array || array->size() != 3)
    return false;
  for (unsigned dim = 0; dim < 3; ++dim)
    shape[dim] = (*array)[dim].getAsInteger().value_or(0);
  return true;
}

static json::Value toValue(const ProfiledLaunch &launch) {
  return json::Object{{"kernel", launch.kernel},
                      {"target", launch.target},
                      {"number", launch.number},
                      {"tuned", launch.isTuned},
                      {"grid", shapeOf(launch.config.grid)},
                      {"block", shapeOf(launch.config.block)}};
}

static bool readLaunch(const json::Object &object, ProfiledLaunch &launch) {
  auto kernel = object.getString("kernel");
  auto target = object.getString("target");
  if (!kernel || !target)
    return false;
  launch.kernel = kernel->str();
  launch.target = target->str();
  launch.number = object.getInteger("number").value_or(0);
  launch.isTuned = object.getBoolean("tuned").value_or(false);
  return readShape(object, "grid", launch.config.grid) &&
         readShape(object, "block", launch.config.block);
}

static json::Value toValue(ArrayRef<AccessSite> sites) {
  json::Array array;
  for (const AccessSite &site : sites)
    array.push_back(json::Object{{"kind", int64_t(site.kind)},
                                 {"location", site.location},
                                 {"array", site.array},
                                 {"bytes", site.bytes},
                                 {"element_bytes", site.elementBytes}});
  return array;
}

static bool readSites(const json::Array &array,
                      std::vector<AccessSite> &sites) {
  for (const json::Value &value : array) {
    const json::Object *object = value.getAsObject();
    if (!object)
      return false;
    AccessSite &site = sites.emplace_back();
    int64_t kind = object->getInteger("kind").value_or(-1);
    int64_t elementBytes = object->getInteger("element_bytes").value_or(0);
    if (kind < 0 || kind > int64_t(AccessSite::Kind::Atomic) ||
        elementBytes <= 0)
      return false;
    site.kind = AccessSite::Kind(kind);
    site.location = object->getString("location").value_or("").str();
    site.array = object->getString("array").value_or("").str();
    site.bytes = object->getInteger("bytes").value_or(0);
    site.elementBytes = elementBytes;
  }
  return true;
}

static json::Value toValue(const ExecutionResult &result) {
  const LaunchCounts &counts = result.profile;
  json::Array branches, faults;
  for (const BranchCount &branch : counts.branches)
    branches.push_back(json::Object{{"location", branch.location},
                                    {"executions", branch.executions},
                                    {"divergent", branch.divergent}});
  for (const ExecutionFault &fault : result.faults)
    faults.push_back(json::Object{{"kind", int64_t(fault.kind)},
                                  {"location", fault.location},
                                  {"message", fault.message}});
  return json::Object{{"blocks", counts.blocks},
                      {"blocks_run", counts.blocksRun},
                      {"barriers", counts.barriers},
                      {"f16", counts.operations.f16},
                      {"f32", counts.operations.f32},
                      {"f64", counts.operations.f64},
                      {"uses_subgroups", counts.usesSubgroups},
                      {"branches", std::move(branches)},
                      {"faults", std::move(faults)},
                      {"dram_read", result.dram.readBytes},
                      {"dram_written", result.dram.writtenBytes},
                      {"dram_compulsory", result.dram.compulsoryBytes}};
}

static ExecutionResult readResult(const json::Object &object) {
  ExecutionResult result;
  LaunchCounts &counts = result.profile;
  auto number = [](const json::Object &from, llvm::StringRef name) {
    return uint64_t(from.getInteger(name).value_or(0));
  };
  counts.blocks = number(object, "blocks");
  counts.blocksRun = number(object, "blocks_run");
  counts.barriers = number(object, "barriers");
  counts.operations = {number(object, "f16"), number(object, "f32"),
                       number(object, "f64")};
  counts.usesSubgroups = object.getBoolean("uses_subgroups").value_or(false);
  result.dram = {number(object, "dram_read"), number(object, "dram_written"),
                 number(object, "dram_compulsory")};
  if (const json::Array *branches = object.getArray("branches"))
    for (const json::Value &value : *branches)
      if (const json::Object *branch = value.getAsObject())
        counts.branches.push_back(
            {branch->getString("location").value_or("").str(),
             number(*branch, "executions"), number(*branch, "divergent")});
  if (const json::Array *faults = object.getArray("faults"))
    for (const json::Value &value : *faults)
      if (const json::Object *fault = value.getAsObject())
        result.faults.push_back(
            {ExecutionFault::Kind(number(*fault, "kind")),
             fault->getString("message").value_or("").str(),
             fault->getString("location").value_or("").str()});
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Keeps what it is told until there is enough for a frame.
class RequestStreamWriter::Sink : public RequestSink {
public:
  Sink(RequestStreamWriter &writer, uint32_t number)
      : writer(writer), number(number) {
    restart();
  }

  void startBlock(int64_t block) override {
    tell(Event::Block);
    llvm::encodeSLEB128(block, os);
  }

  void endInterval() override { tell(Event::EndOfInterval); }

  void request(const MemoryRequest &request) override {
    tell(Event::Request);
    ArrayRef<int64_t> addresses = request.addresses;
    bool hasStride = areEvenlySpaced(addresses);
    uint64_t lanes = 0;
    for (int64_t lane : request.lanes)
      lanes |= uint64_t(1) << lane;
    for (uint64_t value : {(request.isWorkgroup ? kIsWorkgroup : 0) |
                               (hasStride ? kHasStride : 0),
                           uint64_t(request.site), uint64_t(request.subgroup),
                           request.turn, request.bytes, lanes})
      llvm::encodeULEB128(value, os);
    llvm::encodeSLEB128(addresses.front(), os);
    if (hasStride)
      llvm::encodeSLEB128(
          addresses.size() > 1 ? addresses[1] - addresses[0] : 0, os);
    else
      for (size_t i = 1; i < addresses.size(); ++i)
        llvm::encodeSLEB128(addresses[i] - addresses[i - 1], os);
    if (buffer.size() >= kBufferBytes)
      flush();
  }

  void flush() {
    writer.write(Frame::Requests, buffer);
    restart();
  }

private:
  void tell(Event event) { os << char(event); }
  void restart() {
    buffer.clear();
    llvm::encodeULEB128(number, os);
  }

  RequestStreamWriter &writer;
  uint32_t number;
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream os{buffer};
};

RequestStreamWriter::RequestStreamWriter(llvm::raw_ostream &os) : os(os) {}
RequestStreamWriter::~RequestStreamWriter() = default;

void RequestStreamWriter::write(Frame kind, ArrayRef<char> bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  char head[kFrameHead] = {char(kind)};
  llvm::support::endian::write32le(head + 1, uint32_t(bytes.size()));
  os.write(head, kFrameHead);
  os.write(bytes.data(), bytes.size());
}

static std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

void RequestStreamWriter::begin(const ProfiledLaunch &launch) {
  write(Frame::Begin, textOf(toValue(launch)));
}

RequestSink *RequestStreamWriter::addSink(ArrayRef<AccessSite> sites) {
  // The reader numbers them in the order of their frames.
  std::lock_guard<std::mutex> lock(sinksMutex);
  sinks.push_back(std::make_unique<Sink>(*this, uint32_t(sinks.size())));
  write(Frame::Sink, textOf(toValue(sites)));
  return sinks.back().get();
}

void RequestStreamWriter::end(const ExecutionResult &result) {
  for (const std::unique_ptr<Sink> &sink : sinks)
    sink->flush();
  sinks.clear();
  write(Frame::End, textOf(toValue(result)));
  os.flush();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error malformed() {
  return llvm::createStringError("malformed profile of a launch");
}

namespace {
/// The numbers of a frame, one after another.
class Numbers {
public:
  explicit Numbers(ArrayRef<char> bytes)
      : next(reinterpret_cast<const uint8_t *>(bytes.begin())),
        end(reinterpret_cast<const uint8_t *>(bytes.end())) {}

  bool isAtEnd() const { return next == end; }
  uint8_t byte() { return isAtEnd() ? fail() : *next++; }
  uint64_t unsignedNumber() { return read(llvm::decodeULEB128); }
  int64_t signedNumber() { return read(llvm::decodeSLEB128); }
  bool hasFailed() const { return failed; }

private:
  template <typename Number>
  Number read(Number (*decode)(const uint8_t *, unsigned *, const uint8_t *,
                               const char **)) {
    unsigned length = 0;
    const char *error = nullptr;
    Number number = decode(next, &length, end, &error);
    if (error)
      return fail();
    next += length;
    return number;
  }
  uint8_t fail() {
    failed = true;
    next = end;
    return 0;
  }

  const uint8_t *next, *end;
  bool failed = false;
};
} // namespace

namespace gpuopt {
class RequestStreamReader {
public:
  explicit RequestStreamReader(LaunchObserver &observer) : observer(observer) {}

  Error read(ReadBytes readBytes);

private:
  using Frame = RequestStreamWriter::Frame;
  Error handle(Frame kind, ArrayRef<char> bytes);
  Error addSink(const json::Value &value);
  Error replay(Numbers numbers);
  bool replayRequest(Numbers &numbers, size_t sites, RequestSink &sink);

  LaunchObserver &observer;
  /// Of the current launch, with the number of its sites.
  std::vector<std::pair<RequestSink *, size_t>> sinks;
  bool isInLaunch = false;
  llvm::SmallVector<int64_t, kMostLanes> lanes, addresses;
};
} // namespace gpuopt

bool RequestStreamReader::replayRequest(Numbers &numbers, size_t sites,
                                        RequestSink &sink) {
  MemoryRequest request;
  uint64_t flags = numbers.unsignedNumber();
  uint64_t site = numbers.unsignedNumber();
  request.subgroup = uint32_t(numbers.unsignedNumber());
  request.turn = numbers.unsignedNumber();
  request.bytes = numbers.unsignedNumber();
  uint64_t mask = numbers.unsignedNumber();
  int64_t address = numbers.signedNumber();
  if (numbers.hasFailed() || site >= sites || !mask)
    return false;
  request.site = uint32_t(site);
  request.isWorkgroup = flags & kIsWorkgroup;
  lanes.clear();
  addresses.clear();
  bool hasStride = flags & kHasStride;
  int64_t stride = hasStride ? numbers.signedNumber() : 0;
  for (; mask; mask &= mask - 1) {
    if (!lanes.empty())
      address += hasStride ? stride : numbers.signedNumber();
    lanes.push_back(llvm::countr_zero(mask));
    addresses.push_back(address);
  }
  request.lanes = lanes;
  request.addresses = addresses;
  if (numbers.hasFailed())
    return false;
  sink.request(request);
  return true;
}

Error RequestStreamReader::replay(Numbers numbers) {
  uint64_t number = numbers.unsignedNumber();
  if (numbers.hasFailed() || number >= sinks.size())
    return malformed();
  auto [sink, sites] = sinks[number];
  while (!numbers.isAtEnd()) {
    switch (Event(numbers.byte())) {
    case Event::Block:
      sink->startBlock(numbers.signedNumber());
      break;
    case Event::EndOfInterval:
      sink->endInterval();
      break;
    case Event::Request:
      if (!replayRequest(numbers, sites, *sink))
        return malformed();
      break;
    default:
      return malformed();
    }
  }
  return numbers.hasFailed() ? malformed() : Error::success();
}

Error RequestStreamReader::addSink(const json::Value &value) {
  std::vector<AccessSite> sites;
  const json::Array *array = value.getAsArray();
  if (!array || !readSites(*array, sites))
    return malformed();
  sinks.push_back({observer.addSink(sites), sites.size()});
  return Error::success();
}

Error RequestStreamReader::handle(Frame kind, ArrayRef<char> bytes) {
  if (kind > Frame::End || (kind == Frame::Begin) == isInLaunch)
    return malformed();
  if (kind == Frame::Requests)
    return replay(Numbers(bytes));
  auto value = json::parse(llvm::StringRef(bytes.data(), bytes.size()));
  if (!value)
    return value.takeError();
  if (kind == Frame::Sink)
    return addSink(*value);
  const json::Object *object = value->getAsObject();
  if (!object)
    return malformed();
  if (kind == Frame::Begin) {
    ProfiledLaunch launch;
    if (!readLaunch(*object, launch))
      return malformed();
    isInLaunch = true;
    return observer.begin(launch);
  }
  Error error = observer.end(readResult(*object));
  sinks.clear();
  isInLaunch = false;
  return error;
}

Error RequestStreamReader::read(ReadBytes readBytes) {
  llvm::SmallVector<char, 0> bytes;
  while (true) {
    char head[kFrameHead];
    Expected<bool> hasHead = readBytes(head);
    if (!hasHead)
      return hasHead.takeError();
    // A program that ends within a launch leaves nothing to be told of it.
    if (!*hasHead)
      return Error::success();
    bytes.resize_for_overwrite(llvm::support::endian::read32le(head + 1));
    Expected<bool> hasBytes = readBytes(bytes);
    if (!hasBytes)
      return hasBytes.takeError();
    if (!*hasBytes)
      return Error::success();
    if (Error error = handle(Frame(head[0]), bytes))
      return error;
  }
}

Error gpuopt::readRequestStream(ReadBytes read, LaunchObserver &observer) {
  return RequestStreamReader(observer).read(read);
}
