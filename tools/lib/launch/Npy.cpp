//===- Npy.cpp - arrays in NumPy's file format ----------------------------===//

#include "tools/lib/launch/Npy.h"

#include "conversion/EmitBinary/FileOutput.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);
/// Magic, version (2 bytes) and length of the header (2 bytes in version 1).
static constexpr size_t kPreludeBytes = 10;

/// NumPy's own limit.
static constexpr size_t kMostDimensions = 32;

namespace {
/// A file that cannot be read, as it says so.
struct Malformed {
  StringRef path;
  llvm::Error operator()(const llvm::Twine &what) const {
    return llvm::createStringError(
        "'" + path + "' is no .npy file that gpuopt reads: " + what);
  }
};
} // namespace

/// The length of the header, and how many bytes are in front of it, by the
/// version of the format.
static llvm::Expected<std::pair<size_t, size_t>>
findHeader(StringRef contents, const Malformed &malformed) {
  if (contents.size() < kPreludeBytes || !contents.starts_with(kMagic))
    return malformed("the magic number is missing");
  const char *length = contents.data() + 8;
  unsigned version = static_cast<unsigned char>(contents[6]);
  if (version == 1)
    return std::pair(size_t(llvm::support::endian::read16le(length)),
                     kPreludeBytes);
  if (version > 3 || version == 0)
    return malformed("version " + llvm::Twine(version) +
                     " of the format is none of 1, 2 and 3");
  // Since version 2 the length has four bytes.
  if (contents.size() < kPreludeBytes + 2)
    return malformed("the header is cut off");
  return std::pair(size_t(llvm::support::endian::read32le(length)),
                   kPreludeBytes + 2);
}

/// What the header, a dictionary literal, says of `key`, by the groups of
/// `pattern`; empty where it does not say it in that form.
static llvm::SmallVector<StringRef> find(StringRef header, StringRef key,
                                         StringRef pattern) {
  llvm::SmallVector<StringRef> groups;
  llvm::Regex(("['\"]" + key + "['\"][ ]*:[ ]*" + pattern).str())
      .match(header, &groups);
  return groups;
}

/// Parses "3, 4" of the shape; "" is that of a scalar.
static bool parseShape(StringRef text, std::vector<int64_t> &shape) {
  llvm::SmallVector<StringRef> parts;
  text.rtrim().split(parts, ',');
  if (parts.back().trim().empty())
    parts.pop_back();
  for (StringRef part : parts) {
    int64_t extent;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
  }
  return shape.size() <= kMostDimensions;
}

/// The bytes that an array of this type and shape takes, if they can be
/// counted.
static std::optional<uint64_t> bytesOf(const NpyArray &array) {
  uint64_t bytes = 0;
  if (StringRef(array.dtype).drop_front().getAsInteger(10, bytes))
    return std::nullopt;
  for (int64_t extent : array.shape) {
    bool overflows = false;
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent, &overflows);
    if (overflows)
      return std::nullopt;
  }
  return bytes;
}

/// Reads the dictionary `header`.
static llvm::Error parseHeader(StringRef header, const Malformed &malformed,
                               NpyArray &array) {
  auto descr =
      find(header, "descr", "['\"]([<>|=]?)([a-zA-Z][0-9]+)['\"][ ]*[,}]");
  auto order = find(header, "fortran_order", "(True|False)[ ]*[,}]");
  auto shape = find(header, "shape", "[(]([0-9, ]*)[)][ ]*[,}]");
  if (descr.empty())
    return malformed("its header gives no type of numbers of its elements");
  if (order.empty())
    return malformed("its header gives no order of its elements");
  if (shape.empty() || !parseShape(shape[1], array.shape))
    return malformed("its header gives no shape");
  array.dtype = descr[2].str();
  if (descr[1] == ">" && !llvm::StringRef(array.dtype).ends_with("1"))
    return malformed("the data is big-endian");
  // Of one dimension both orders are the same.
  if (order[1] == "True" && array.shape.size() > 1)
    return malformed("the data is in Fortran order");
  return llvm::Error::success();
}

llvm::Expected<NpyArray> gpuopt::readNpy(StringRef path) {
  // A device need not end.
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError("cannot read '" + path +
                                   "': expected a regular file");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read '" + path +
                                       "': " + buffer.getError().message());
  StringRef contents = (*buffer)->getBuffer();
  Malformed malformed{path};
  auto place = findHeader(contents, malformed);
  if (!place)
    return place.takeError();
  auto [headerBytes, headerBegin] = *place;
  if (contents.size() - headerBegin < headerBytes)
    return malformed("the header is cut off");

  NpyArray array;
  StringRef header = contents.substr(headerBegin, headerBytes).trim();
  if (!header.starts_with("{") || !header.ends_with("}"))
    return malformed("its header is no dictionary");
  if (llvm::Error error = parseHeader(header, malformed, array))
    return error;
  StringRef data = contents.substr(headerBegin + headerBytes);
  if (bytesOf(array) != data.size())
    return malformed("its data is not as long as its shape says");
  array.bytes.assign(data.bytes_begin(), data.bytes_end());
  return array;
}

llvm::Error gpuopt::writeNpy(StringRef path, const NpyArray &array) {
  std::string shape;
  for (int64_t extent : array.shape)
    shape += std::to_string(extent) + ", ";
  std::string header =
      "{'descr': '" + std::string(array.dtype.back() == '1' ? "|" : "<") +
      array.dtype + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // NumPy aligns the data to 64 bytes and ends the header with a newline.
  size_t total = llvm::alignTo(kPreludeBytes + header.size() + 1, 64);
  header.append(total - kPreludeBytes - header.size() - 1, ' ');
  header += '\n';

  std::string prelude = kMagic.str();
  prelude +=
      {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8)};
  StringRef data(reinterpret_cast<const char *>(array.bytes.data()),
                 array.bytes.size());
  if (std::error_code error = replaceFile(path, {prelude, header, data}))
    return cannotWrite(path, error);
  return llvm::Error::success();
}
