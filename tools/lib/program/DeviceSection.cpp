//===- DeviceSection.cpp - device code for an object file -----------------===//

#include "tools/lib/program/DeviceSection.h"

#include "runtime/DeviceDescription.h"

#include "llvm/Bitcode/BitcodeWriter.h"

using namespace gpuopt;

static DeviceDescription describe(TargetAttr target) {
  DeviceDescription device;
  device.name = target.getTargetName().str();
  device.arch = target.getArch().str();
  device.subgroupSize = target.getSubgroupSize();
  device.multiprocessors = target.getMultiprocessors();
  device.threadsPerWorkgroup = target.getThreadsPerWorkgroup();
  device.threadsPerMultiprocessor = target.getThreadsPerMultiprocessor();
  device.workgroupsPerMultiprocessor = target.getWorkgroupsPerMultiprocessor();
  device.registersPerMultiprocessor = target.getRegistersPerMultiprocessor();
  device.workgroupMemoryPerWorkgroupBytes =
      target.getWorkgroupMemoryPerWorkgroupBytes();
  device.workgroupMemoryPerMultiprocessorBytes =
      target.getWorkgroupMemoryPerMultiprocessorBytes();
  device.l2Bytes = target.getL2Bytes();
  return device;
}

static std::string writeBitcode(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

llvm::Expected<std::vector<DeviceImage>>
gpuopt::makeDeviceImages(const Compilation &compilation) {
  std::string arch = compilation.target().getArch().str();
  DeviceCodeRules rules;
  rules.device = describe(compilation.target());
  for (const KernelInfo &kernel : compilation.kernels())
    rules.kernels.push_back(compilation.launchRules(kernel));
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(rules);

  llvm::LLVMContext context;
  auto tuned = compilation.lowered(context);
  if (!tuned)
    return tuned.takeError();
  auto ptx = compilation.emit(OutputKind::PTX);
  if (!ptx)
    return ptx.takeError();
  std::vector<DeviceImage> images = {
      {ImageRole::Rules, arch, std::move(text)},
      {ImageRole::Tuned, arch, writeBitcode(**tuned)},
      {ImageRole::Assembly, arch, std::move(*ptx)}};
  if (const llvm::Module *original = compilation.importedModule())
    images.push_back({ImageRole::Original, arch, writeBitcode(*original)});
  return images;
}
