//===- DisassembleCubin.cpp - cubin to SASS through nvdisasm --------------===//

#include "conversion/EmitBinary/CUDAToolkit.h"
#include "conversion/EmitBinary/FileOutput.h"
#include "conversion/EmitBinary/InstructionMix.h"

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
  auto inputFile = TemporaryFile::create("cubin");
  if (!inputFile)
    return inputFile.takeError();
  auto outputFile = TemporaryFile::create("sass");
  if (!outputFile)
    return outputFile.takeError();
  StringRef input = (*inputFile)->path(), output = (*outputFile)->path();
  if (std::error_code error = writeFile(input, {cubin}))
    return cannotWrite(input, error);
  StringRef arguments[] = {disassembler, "-c", input};
  std::optional<StringRef> redirects[] = {StringRef(""), output, StringRef("")};
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
