//===- Npy.cpp - arrays in NumPy's file format ----------------------------===//

#include "tools/lib/launch/Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);
/// Magic, version (2 bytes) and length of the header (2 bytes).
static constexpr size_t kPreludeBytes = 10;

/// The text after `'key':` in the header's dictionary literal.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return "";
  return header.substr(at).split(':').second.ltrim();
}

/// Parses "(3, 4)"; "()" is a scalar.
static bool parseShape(StringRef text, std::vector<int64_t> &shape) {
  if (!text.consume_front("("))
    return false;
  llvm::SmallVector<StringRef> parts;
  text.split(')').first.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    part = part.trim();
    if (part.empty())
      continue;
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return false;
    shape.push_back(extent);
  }
  return true;
}

llvm::Expected<NpyArray> gpuopt::readNpy(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read '" + path +
                                       "': " + buffer.getError().message());
  StringRef contents = (*buffer)->getBuffer();
  auto malformed = [&](const char *what) {
    return llvm::createStringError("'" + path +
                                   "' is no .npy file that gpuopt "
                                   "reads: " +
                                   what);
  };
  if (contents.size() < kPreludeBytes || !contents.starts_with(kMagic))
    return malformed("the magic number is missing");
  if (contents[6] != 1)
    return malformed("expected version 1.0 of the format");
  size_t headerBytes = llvm::support::endian::read16le(contents.data() + 8);
  if (contents.size() < kPreludeBytes + headerBytes)
    return malformed("the header is cut off");
  StringRef header = contents.substr(kPreludeBytes, headerBytes);

  NpyArray array;
  StringRef descr = valueOf(header, "descr");
  descr.consume_front("'");
  descr = descr.split('\'').first;
  if (descr.starts_with(">"))
    return malformed("the data is big-endian");
  array.dtype = descr.ltrim("<|=").str();
  if (valueOf(header, "fortran_order").starts_with("True"))
    return malformed("the data is in Fortran order");
  if (array.dtype.empty() || !parseShape(valueOf(header, "shape"), array.shape))
    return malformed("the header has no dtype or shape");
  StringRef data = contents.substr(kPreludeBytes + headerBytes);
  array.bytes.assign(data.bytes_begin(), data.bytes_end());
  uint64_t bytes = 0;
  if (!StringRef(array.dtype).drop_front().getAsInteger(10, bytes)) {
    for (int64_t extent : array.shape)
      bytes *= extent;
    if (bytes != data.size())
      return malformed("its data is not as long as its shape says");
  }
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

  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return llvm::createStringError(error, "cannot write '" + path +
                                              "': " + error.message());
  os << kMagic << '\x01' << '\x00';
  os << char(header.size() & 0xff) << char(header.size() >> 8) << header;
  os.write(reinterpret_cast<const char *>(array.bytes.data()),
           array.bytes.size());
  return llvm::Error::success();
}
