//===- DisassembleCubin.cpp - cubin to SASS through nvdisasm --------------===//

#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/InstructionMix.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

std::string gpuopt::findDisassembler() {
  return findCUDATool("nvdisasm", "GPUOPT_NVDISASM");
}

Expected<std::string> gpuopt::disassembleCubin(StringRef cubin) {
  std::string disassembler = findDisassembler();
  if (disassembler.empty())
    return createStringError("nvdisasm was not found");
  SmallString<128> input, output;
  int descriptor;
  if (std::error_code error =
          sys::fs::createTemporaryFile("gpuopt", "cubin", descriptor, input))
    return createStringError("cannot create a temporary file: " +
                             error.message());
  FileRemover removeInput(input);
  if (std::error_code error =
          sys::fs::createTemporaryFile("gpuopt", "sass", output))
    return createStringError("cannot create a temporary file: " +
                             error.message());
  FileRemover removeOutput(output);
  {
    raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << cubin;
    stream.close();
    if (std::error_code error = stream.error()) {
      stream.clear_error();
      return createStringError("cannot write '" + input +
                               "': " + error.message());
    }
  }
  StringRef arguments[] = {disassembler, "-c", input};
  std::optional<StringRef> redirects[] = {StringRef(""), output.str(),
                                          StringRef("")};
  std::string message;
  if (sys::ExecuteAndWait(disassembler, arguments, std::nullopt, redirects, 0,
                          0, &message) != 0)
    return createStringError("nvdisasm failed: " + message);
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(output);
  if (!text)
    return createStringError("cannot read '" + output +
                             "': " + text.getError().message());
  return (*text)->getBuffer().str();
}
