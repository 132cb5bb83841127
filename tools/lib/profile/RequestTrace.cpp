//===- RequestTrace.cpp - the requests of a launch as a file --------------===//

#include "tools/lib/profile/RequestTrace.h"

#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LEB128.h"

using namespace gpuopt;
namespace json = llvm::json;

/// A frame is written once it has this many bytes.
static constexpr size_t frameBytes = size_t(1) << 20;

static constexpr llvm::StringLiteral magic = "GPUOPTTRACE2";

/// How a frame is stored.
enum class Codec : uint8_t { None = 0, Zlib = 1 };

llvm::Expected<std::unique_ptr<TraceFile>>
TraceFile::create(llvm::StringRef path) {
  std::error_code error;
  auto trace = std::make_unique<TraceFile>();
  trace->file = std::make_unique<llvm::ToolOutputFile>(path, error,
                                                       llvm::sys::fs::OF_None);
  if (error)
    return llvm::createStringError(error, "cannot write the trace: %s",
                                   error.message().c_str());
  trace->writesText = path.ends_with(".csv");
  return trace;
}

TraceFile::~TraceFile() {
  if (!file)
    return;
  // The file goes where nobody has kept it: what is not written is no error.
  file->os().flush();
  file->os().clear_error();
}

void TraceFile::write(llvm::ArrayRef<uint8_t> data) {
  file->os().write(reinterpret_cast<const char *>(data.data()), data.size());
  bytes += data.size();
}

/// `value` as four bytes, the lowest first.
static std::array<uint8_t, 4> fourBytes(uint64_t value) {
  std::array<uint8_t, 4> text;
  llvm::support::endian::write32le(text.data(), static_cast<uint32_t>(value));
  return text;
}

void TraceFile::begin(llvm::ArrayRef<AccessSite> sites, json::Object about) {
  std::lock_guard<std::mutex> lock(mutex);
  if (hasBegun)
    return;
  hasBegun = true;
  if (writesText) {
    write(llvm::arrayRefFromStringRef(
        "bx,by,bz,tx,ty,tz,static_id,access,memory,address,dyn_id\n"));
    return;
  }
  json::Array accesses;
  for (const AccessSite &site : sites)
    accesses.push_back(json::Object{
        {"location", site.location},
        {"array", site.array},
        {"kind", site.kind == AccessSite::Kind::Read    ? "load"
                 : site.kind == AccessSite::Kind::Write ? "store"
                                                        : "atomic"}});
  about["accesses"] = std::move(accesses);
  std::string head;
  llvm::raw_string_ostream(head) << json::Value(std::move(about));
  write(llvm::arrayRefFromStringRef(magic));
  write(fourBytes(head.size()));
  write(llvm::arrayRefFromStringRef(head));
}

void TraceFile::append(llvm::ArrayRef<uint8_t> records) {
  if (records.empty())
    return;
  llvm::SmallVector<uint8_t> packed;
  Codec codec = Codec::None;
  if (llvm::compression::zlib::isAvailable()) {
    llvm::compression::zlib::compress(
        records, packed, llvm::compression::zlib::BestSpeedCompression);
    codec = Codec::Zlib;
  }
  llvm::ArrayRef<uint8_t> stored =
      codec == Codec::None ? records : llvm::ArrayRef<uint8_t>(packed);
  std::lock_guard<std::mutex> lock(mutex);
  write(static_cast<uint8_t>(codec));
  write(fourBytes(records.size()));
  write(fourBytes(stored.size()));
  write(stored);
}

void TraceFile::appendText(llvm::StringRef rows) {
  std::lock_guard<std::mutex> lock(mutex);
  write(llvm::arrayRefFromStringRef(rows));
}

llvm::Error TraceFile::keep() {
  file->os().flush();
  if (std::error_code error = file->os().error()) {
    file->os().clear_error();
    return llvm::createStringError(error, "cannot write the trace: %s",
                                   error.message().c_str());
  }
  file->keep();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static void addUnsigned(std::vector<uint8_t> &out, uint64_t value) {
  uint8_t text[10];
  out.insert(out.end(), text, text + llvm::encodeULEB128(value, text));
}

static void addSigned(std::vector<uint8_t> &out, int64_t value) {
  uint8_t text[10];
  out.insert(out.end(), text, text + llvm::encodeSLEB128(value, text));
}

void TraceSink::request(const MemoryRequest &request) {
  next.request(request);
  llvm::ArrayRef<int64_t> lanes = request.lanes, addresses = request.addresses;
  bool isRow = areEvenlySpaced(addresses) && areEvenlySpaced(lanes) &&
               (lanes.size() < 2 || lanes[1] == lanes[0] + 1);
  addUnsigned(records, block);
  addUnsigned(records, interval);
  addUnsigned(records, request.site);
  addUnsigned(records, request.subgroup);
  addUnsigned(records, request.turn);
  addUnsigned(records, request.bytes);
  records.push_back(uint8_t(isRow) | uint8_t(request.isWorkgroup) << 1);
  addUnsigned(records, lanes.size());
  addUnsigned(records, lanes.front());
  addSigned(records, addresses.front());
  if (isRow) {
    addSigned(records, lanes.size() < 2 ? 0 : addresses[1] - addresses[0]);
  } else {
    for (size_t i = 1; i < lanes.size(); ++i) {
      addUnsigned(records, lanes[i] - lanes[i - 1]);
      addSigned(records, addresses[i] - addresses[i - 1]);
    }
  }
  if (records.size() >= frameBytes)
    flush();
}

void TraceSink::flush() {
  file.append(records);
  records.clear();
}
