//===- LaunchCheck.cpp - a launch beside the original kernel's ------------===//

#include "runtime/CUDA/LaunchCheck.h"
#include "runtime/CUDA/SavedMemory.h"

using namespace gpuopt;
using namespace gpuopt::cuda;
using llvm::Error;

/// `b[37] in the allocation of 1024 bytes at 0x…`, by the argument that points
/// to the least distance before it.
static std::string nameByte(const MemoryPiece &piece, uint64_t offset,
                            const LaunchRecord &record) {
  const uint8_t *place = piece.bytes.data() + offset;
  const ArrayArgument *nearest = nullptr;
  for (const ArrayArgument &array : record.arrays)
    if (array.begin >= piece.bytes.begin() && array.begin <= place &&
        (!nearest || array.begin > nearest->begin))
      nearest = &array;
  if (!nearest || !nearest->elementBytes)
    return "byte " + std::to_string(offset) + " of " + piece.name;
  return nearest->name + "[" +
         std::to_string((place - nearest->begin) / nearest->elementBytes) +
         "] in " + piece.name;
}

/// Compares what there is now with what `expected` has.
static void compare(llvm::ArrayRef<MemoryPiece> pieces,
                    const SavedContents &expected, LaunchRecord &record) {
  uint64_t differing = 0;
  for (auto [piece, saved] : llvm::zip(pieces, expected))
    for (auto [offset, byte] : llvm::enumerate(piece.bytes)) {
      if (byte == saved[offset])
        continue;
      if (differing++ == 0)
        record.place = nameByte(piece, offset, record);
    }
  record.differingBytes = differing;
}

Error cuda::checkLaunch(Program &program, DeviceCode &code,
                        LaunchRecord &record, RunOn runOriginal,
                        RunOn runTuned) {
  auto original = code.executor(ImageRole::Original);
  if (!original)
    return original.takeError();
  auto tuned = code.executor(ImageRole::Tuned);
  if (!tuned)
    return tuned.takeError();
  std::vector<MemoryPiece> pieces = piecesOf(program);
  SavedContents other = save(pieces);
  auto originalFault = runOriginal(**original);
  if (!originalFault)
    return originalFault.takeError();
  swapContents(pieces, other);
  auto tunedFault = runTuned(**tuned);
  if (!tunedFault)
    return tunedFault.takeError();
  record.error = *tunedFault != cudaSuccess ? *tunedFault : *originalFault;
  // What a kernel leaves that goes wrong is anything.
  if (*originalFault == cudaSuccess && *tunedFault == cudaSuccess)
    compare(pieces, other, record);
  else if (*originalFault != *tunedFault)
    record.place = "only one of the two goes wrong";
  return Error::success();
}
