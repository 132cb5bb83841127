//===- LaunchCheck.cpp - a launch beside the original kernel's ------------===//

#include "runtime/CUDA/LaunchCheck.h"
#include "runtime/LaunchLog.h"

#include <cstdlib>
#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;
using llvm::Error;

namespace {
/// A piece of memory that kernels can reach.
struct Piece {
  std::string name;
  llvm::MutableArrayRef<uint8_t> bytes;
};

/// The contents of pieces at one time.
using Contents = std::vector<std::vector<uint8_t>>;
} // namespace

bool cuda::wantsCheck() {
  static const bool wants = std::getenv(kCheckLaunchesVariable) != nullptr;
  return wants;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// All that a kernel can reach.
static std::vector<Piece> piecesOf(Program &program) {
  std::vector<Piece> pieces;
  for (const auto &[place, allocation] : program.memory.allocations())
    pieces.push_back({allocation.name(), {allocation.begin, allocation.bytes}});
  for (const ModuleVariable &variable : program.variablesInUse())
    pieces.push_back({"'" + variable.name.str() + "'", variable.bytes});
  return pieces;
}

static Contents save(llvm::ArrayRef<Piece> pieces) {
  Contents contents;
  for (const Piece &piece : pieces)
    contents.emplace_back(piece.bytes.begin(), piece.bytes.end());
  return contents;
}

static void restore(llvm::ArrayRef<Piece> pieces, const Contents &contents) {
  for (auto [piece, saved] : llvm::zip(pieces, contents))
    std::memcpy(piece.bytes.data(), saved.data(), saved.size());
}

/// Compares what there is now with what `expected` has.
static void compare(llvm::ArrayRef<Piece> pieces, const Contents &expected,
                    LaunchRecord &record) {
  uint64_t differing = 0;
  for (auto [piece, saved] : llvm::zip(pieces, expected))
    for (auto [offset, byte] : llvm::enumerate(piece.bytes)) {
      if (byte == saved[offset])
        continue;
      if (differing++ == 0)
        record.place = "byte " + std::to_string(offset) + " of " + piece.name;
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
  std::vector<Piece> pieces = piecesOf(program);
  Contents before = save(pieces);
  auto originalFault = runOriginal(**original);
  if (!originalFault)
    return originalFault.takeError();
  Contents expected = save(pieces);
  restore(pieces, before);
  auto tunedFault = runTuned(**tuned);
  if (!tunedFault)
    return tunedFault.takeError();
  record.error = *tunedFault;
  // What a kernel leaves that goes wrong is anything.
  if (*originalFault == cudaSuccess && *tunedFault == cudaSuccess)
    compare(pieces, expected, record);
  else if (*originalFault != *tunedFault)
    record.place = "only one of the two goes wrong";
  return Error::success();
}
