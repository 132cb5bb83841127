//===- Sanitize.cpp - does a program keep the rules? ----------------------===//

#include "runtime/CUDA/Sanitize.h"
#include "runtime/CUDA/Wishes.h"

#include <cstdio>
#include <cstdlib>

using namespace gpuopt;
using namespace gpuopt::cuda;

llvm::Error cuda::sanitizeLaunch(DeviceCode &code, LaunchRecord &record,
                                 RunOn runOriginal) {
  auto executor = code.executor(ImageRole::Original);
  if (!executor)
    return executor.takeError();
  auto fault = runOriginal(**executor);
  if (!fault)
    return fault.takeError();
  record.error = *fault;
  record.isTuned = false;
  record.decision.reason.clear();
  return llvm::Error::success();
}

/// Runs behind the destructors of the program's own objects. LLVM's streams may
/// be gone by then.
static void sayLeaks() {
  if (!Wishes::get().sanitizes)
    return;
  Program &program = Program::get();
  // Behind an error nothing can be freed.
  if (program.stickyError != cudaSuccess)
    return;
  for (const auto &[place, allocation] : program.memory.allocations()) {
    if (allocation.kind == MemoryKind::Registered)
      continue;
    std::string at =
        allocation.position.empty() ? "" : allocation.position + ": ";
    std::fprintf(stderr, "gpuopt: %sleak: %s is never freed\n", at.c_str(),
                 allocation.name().c_str());
    addToLog(llvm::json::Object{{"leak", allocation.bytes},
                                {"location", allocation.position}});
  }
}

/// Before any constructor of the program, so that what it registers runs first.
__attribute__((constructor)) static void lookForLeaks() {
  std::atexit(sayLeaks);
}
