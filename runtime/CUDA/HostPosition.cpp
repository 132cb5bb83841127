//===- HostPosition.cpp - where the host calls from -----------------------===//

#include "runtime/CUDA/HostPosition.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <map>

using namespace llvm;

/// Where the prelude's own functions are, which programs call.
static constexpr StringLiteral kPrelude = "/gpuopt-prelude/";

/// What Clang puts between a launch and the API.
static bool isStub(StringRef function) {
  return function.contains("__device_stub__");
}

/// The innermost place of the program's own among those that were inlined at an
/// address of `file`.
static std::string findPosition(StringRef file, uint64_t address) {
  symbolize::LLVMSymbolizer::Options options;
  options.RelativeAddresses = true;
  static auto &symbolizer = *new symbolize::LLVMSymbolizer(options);
  auto found = symbolizer.symbolizeInlinedCode(
      file, {address, object::SectionedAddress::UndefSection});
  if (!found) {
    consumeError(found.takeError());
    return "";
  }
  for (uint32_t index = 0; index < found->getNumberOfFrames(); ++index) {
    const DILineInfo &frame = found->getFrame(index);
    if (!frame.Line || isStub(frame.FunctionName) ||
        StringRef(frame.FileName).starts_with(kPrelude))
      continue;
    return frame.FileName + ":" + std::to_string(frame.Line) + ":" +
           std::to_string(frame.Column);
  }
  return "";
}

std::string gpuopt::cuda::hostPosition() {
  static auto &known = *new std::map<void *, std::string>();
  Dl_info own, info;
  dladdr(reinterpret_cast<void *>(&hostPosition), &own);
  const void *caller = nullptr;
  void *frames[16];
  for (void *frame : ArrayRef(frames, backtrace(frames, std::size(frames)))) {
    if (!dladdr(frame, &info) || info.dli_fbase == own.dli_fbase)
      continue;
    // What has called the program's own code is not of interest.
    if (caller && info.dli_fbase != caller)
      break;
    caller = info.dli_fbase;
    auto [entry, isNew] = known.try_emplace(frame);
    if (isNew) {
      // A program may be known by a name that is found along PATH.
      const char *file = info.dli_fname;
      if (!sys::fs::exists(file))
        file = "/proc/self/exe";
      // Of the call, not of what comes behind it.
      entry->second =
          findPosition(file, static_cast<char *>(frame) -
                                 static_cast<char *>(info.dli_fbase) - 1);
    }
    if (!entry->second.empty())
      return entry->second;
  }
  return "";
}
