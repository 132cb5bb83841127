//===- ProgramProfiler.cpp - gpuopt run --profile -------------------------===//

#include "tools/gpuopt/ProgramProfiler.h"

#include "dialects/GPUOpt/GPUOptDialect.h"
#include "runtime/LaunchLog.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<ProgramProfiler>>
ProgramProfiler::start(llvm::StringRef traceFolder) {
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("gpuopt-run", folder))
    return llvm::errorCodeToError(error);
  std::string path = (folder + "/socket").str();
  auto socket = llvm::ListeningSocket::createUnix(path);
  if (!socket)
    return socket.takeError();
  setenv(kProfileSocketVariable, path.c_str(), 1);
  return std::unique_ptr<ProgramProfiler>(
      new ProgramProfiler(folder.str().str(), std::move(*socket), traceFolder));
}

ProgramProfiler::ProgramProfiler(std::string place,
                                 llvm::ListeningSocket listening,
                                 llvm::StringRef traceFolder)
    : programProfile(&context, traceFolder.str()), folder(std::move(place)),
      socket(std::move(listening)) {
  context.loadDialect<GPUOptDialect>();
  listener = std::thread([this] { listen(); });
}

ProgramProfiler::~ProgramProfiler() {
  llvm::consumeError(finish());
  llvm::sys::fs::remove_directories(folder);
}

void ProgramProfiler::listen() {
  while (true) {
    // Who has connected before the program's end is still to be accepted.
    bool isLast = isEnding;
    auto stream = socket.accept(std::chrono::milliseconds(20));
    if (!stream) {
      llvm::consumeError(stream.takeError());
      if (isLast)
        return;
      continue;
    }
    readers.emplace_back(
        [this, stream = std::move(*stream)] { read(*stream); });
  }
}

void ProgramProfiler::read(llvm::raw_socket_stream &stream) {
  auto readAll = [&](llvm::MutableArrayRef<char> bytes) -> Expected<bool> {
    while (!bytes.empty()) {
      ssize_t count = stream.read(bytes.data(), bytes.size());
      if (count < 0)
        return llvm::errorCodeToError(stream.error());
      if (count == 0)
        return false;
      bytes = bytes.drop_front(count);
    }
    return true;
  };
  Error error = programProfile.read(readAll);
  stream.clear_error();
  std::lock_guard<std::mutex> lock(mutex);
  problem = llvm::joinErrors(std::move(problem), std::move(error));
}

Error ProgramProfiler::finish() {
  if (listener.joinable()) {
    isEnding = true;
    listener.join();
    for (std::thread &reader : readers)
      reader.join();
  }
  return std::exchange(problem, Error::success());
}
