//===- Formats.cpp - inputs and outputs by name ---------------------------===//

#include "tools/lib/compile/Formats.h"

#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt;

static constexpr OutputFormat formats[] = {
    {OutputKind::PTX, "ptx", "ptx", false},
    {OutputKind::Cubin, "cubin", "cubin", true},
    {OutputKind::HSACO, "hsaco", "hsaco", true},
    {OutputKind::LLVM, "llvm", "ll", false},
    {OutputKind::MLIR, "mlir", "mlir", false},
    {OutputKind::CUDA, "cuda", "cu", false},
    {OutputKind::HIP, "hip", "hip", false},
    {OutputKind::OpenCL, "opencl", "cl", false}};

const OutputFormat *gpuopt::findOutputFormat(llvm::StringRef name) {
  for (const OutputFormat &format : formats)
    if (format.name == name)
      return &format;
  return nullptr;
}

std::string gpuopt::outputFormatNames() {
  std::string names;
  for (const OutputFormat &format : formats) {
    if (&format != std::begin(formats))
      names += &format == std::prev(std::end(formats)) ? " or " : ", ";
    names += format.name;
  }
  return names;
}

std::optional<InputKind> gpuopt::findInputKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<InputKind>>(name)
      .Cases({"cu", "cuda"}, InputKind::CUDA)
      .Case("hip", InputKind::HIP)
      .Case("cl", InputKind::OpenCL)
      .Case("mlir", InputKind::MLIR)
      .Case("ptx", InputKind::PTX)
      .Default(std::nullopt);
}
