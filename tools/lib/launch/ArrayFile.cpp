//===- ArrayFile.cpp - files for arrays and variables ---------------------===//

#include "tools/lib/launch/ArrayFile.h"

#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// "(64, 32)".
static std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '(';
  llvm::interleaveComma(shape, stream);
  stream << ')';
  return text;
}

Expected<NpyArray> gpuopt::readArrayFile(StringRef path,
                                         const ArrayFileUse &use) {
  Expected<NpyArray> file = readNpy(path);
  if (!file)
    return file;
  if (!canHold(file->dtype, use.element))
    return llvm::createStringError("'" + path + "' holds elements of type '" +
                                   file->dtype + "'; those of " + use.name +
                                   " are '" + npyType(use.element) + "'");
  size_t elementBytes = std::max(1u, use.element.bytes * use.element.lanes);
  if (file->bytes.size() % elementBytes)
    return llvm::createStringError(
        "'" + path + "' has " + llvm::Twine(file->bytes.size()) +
        " bytes of data, which are no whole elements of " + use.name + ", of " +
        llvm::Twine(elementBytes) + " each");
  return file;
}

Error gpuopt::checkArrayFile(StringRef path, const NpyArray &file,
                             const ArrayFileUse &use,
                             llvm::ArrayRef<int64_t> shape, uint64_t bytes) {
  if (file.bytes.size() != bytes)
    return llvm::createStringError(
        "'" + path + "' has " + llvm::Twine(file.bytes.size()) +
        " bytes of data; " + use.name + " takes " + llvm::Twine(bytes));
  llvm::ArrayRef<int64_t> found = file.shape;
  bool isFlat = found.size() <= 1 || shape.size() <= 1;
  bool hasLanes = use.element.lanes > 1 && !found.empty() &&
                  found.back() == use.element.lanes;
  if (isFlat || found == shape || (hasLanes && found.drop_back() == shape))
    return Error::success();
  return llvm::createStringError("'" + path + "' has the shape " +
                                 shapeText(found) + "; " + use.name + " has " +
                                 shapeText(shape));
}
