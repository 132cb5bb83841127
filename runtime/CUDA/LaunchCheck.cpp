//===- LaunchCheck.cpp - a launch beside the original kernel's ------------===//

#include "runtime/CUDA/LaunchCheck.h"
#include "runtime/LaunchLog.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

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
// The log
//===----------------------------------------------------------------------===//

static llvm::json::Array shapeOf(const Dim3 &shape) {
  return llvm::json::Array{shape[0], shape[1], shape[2]};
}

void cuda::note(const LaunchRecord &record) {
  static const char *path = std::getenv(kLaunchLogVariable);
  if (!path)
    return;
  std::error_code error;
  llvm::raw_fd_ostream log(path, error, llvm::sys::fs::OF_Append);
  if (error)
    return report(llvm::Twine(path) + ": " + error.message());
  llvm::json::Object line{{"kernel", record.kernel},
                          {"grid", shapeOf(record.original.grid)},
                          {"block", shapeOf(record.original.block)},
                          {"tuned", record.decision.tuned.has_value()},
                          {"reason", record.decision.reason},
                          {"place", record.place}};
  if (record.differingBytes)
    line["differing_bytes"] = *record.differingBytes;
  log << llvm::json::Value(std::move(line)) << '\n';
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// All that a kernel of `executor` can reach.
static std::vector<Piece> piecesOf(Program &program, CPUExecutor &executor) {
  std::vector<Piece> pieces;
  for (const auto &[place, allocation] : program.memory.allocations())
    pieces.push_back({"the allocation of " + std::to_string(allocation.bytes) +
                          " bytes at 0x" + llvm::utohexstr(place),
                      {allocation.begin, allocation.bytes}});
  for (const ModuleVariable &variable : executor.globals())
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

/// Gives the variables of one executor the contents that those of another have.
static void copyVariables(CPUExecutor &from, CPUExecutor &to) {
  for (const ModuleVariable &variable : from.globals()) {
    auto other = to.global(variable.name);
    // A variable that only one of the modules has is used by no kernel of the
    // other.
    if (!other)
      llvm::consumeError(other.takeError());
    else if (other->size() == variable.bytes.size())
      std::memcpy(other->data(), variable.bytes.data(), other->size());
  }
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
                        LaunchRecord &record,
                        llvm::function_ref<Error(CPUExecutor &)> runOriginal,
                        llvm::function_ref<Error(CPUExecutor &)> runTuned) {
  auto tuned = code.executor(ImageRole::Tuned);
  if (!tuned)
    return tuned.takeError();
  auto original = code.executor(ImageRole::Original);
  if (!original)
    return original.takeError();
  // The pieces are the tuned kernels': the originals' variables are others, of
  // the same names.
  std::vector<Piece> pieces = piecesOf(program, **tuned);
  Contents before = save(pieces);
  copyVariables(**tuned, **original);
  if (Error error = runOriginal(**original))
    return error;
  copyVariables(**original, **tuned);
  Contents expected = save(pieces);
  restore(pieces, before);
  if (Error error = runTuned(**tuned))
    return error;
  compare(pieces, expected, record);
  return Error::success();
}
