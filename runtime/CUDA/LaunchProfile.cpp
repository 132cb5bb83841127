//===- LaunchProfile.cpp - a launch, request by request -------------------===//

#include "runtime/CUDA/LaunchProfile.h"
#include "runtime/CUDA/SavedMemory.h"
#include "runtime/LaunchLog.h"
#include "runtime/RequestStream.h"

#include "llvm/Support/raw_socket_stream.h"

#include <cstdlib>
#include <unistd.h>

using namespace gpuopt;
using namespace gpuopt::cuda;
using llvm::Error;
using llvm::Expected;

namespace {
/// The way to who has asked for profiles.
struct Connection {
  explicit Connection(std::unique_ptr<llvm::raw_socket_stream> socket)
      : stream(std::move(socket)), writer(*stream) {}

  std::unique_ptr<llvm::raw_socket_stream> stream;
  RequestStreamWriter writer;
  pid_t process = getpid();
};
} // namespace

/// The connection of this process: one that `fork` has made needs its own.
/// Never destroyed, since programs launch kernels while they end.
static Expected<RequestStreamWriter *> connect() {
  static Connection *connection = nullptr;
  if (connection && connection->process == getpid())
    return &connection->writer;
  auto socket = llvm::raw_socket_stream::createConnectedUnix(
      std::getenv(kProfileSocketVariable));
  if (!socket)
    return socket.takeError();
  connection = new Connection(std::move(*socket));
  return &connection->writer;
}

/// Runs one version, and tells of it.
static Error profileVersion(CPUExecutor &executor, const ProfiledLaunch &launch,
                            ProfileOn run, LaunchRecord &record) {
  auto writer = connect();
  if (!writer)
    return writer.takeError();
  (*writer)->begin(launch);
  ProfileRun how;
  how.makeSink = [&](llvm::ArrayRef<AccessSite> sites) {
    return (*writer)->addSink(sites);
  };
  auto result = run(executor, how);
  (*writer)->end(result ? *result : ExecutionResult());
  if (!result)
    return result.takeError();
  record.faults = std::move(result->faults);
  sayFaults(record);
  return Error::success();
}

Error cuda::profileLaunch(Program &program, DeviceCode &code,
                          LaunchRecord &record, ProfileOn runOriginal,
                          ProfileOn runTuned) {
  auto original = code.profiler(ImageRole::Original);
  if (!original)
    return original.takeError();
  auto tuned = code.profiler(ImageRole::Tuned);
  if (!tuned)
    return tuned.takeError();
  ProfiledLaunch launch;
  launch.kernel = record.kernel;
  launch.target = code.device().name;
  launch.number = int64_t(record.number);
  launch.config = record.original;
  std::vector<MemoryPiece> pieces = piecesOf(program);
  SavedContents before = save(pieces);
  if (Error error = profileVersion(**original, launch, runOriginal, record))
    return error;
  cudaError_t originalFault = errorOf(record.faults);
  swapContents(pieces, before);
  launch.isTuned = true;
  launch.config = record.decision.tuned.value_or(record.original);
  if (Error error = profileVersion(**tuned, launch, runTuned, record))
    return error;
  cudaError_t tunedFault = errorOf(record.faults);
  record.error = tunedFault != cudaSuccess ? tunedFault : originalFault;
  return Error::success();
}
