//===- DeviceSection.cpp - device code for an object file -----------------===//

#include "tools/lib/program/DeviceSection.h"

#include "conversion/EmitBinary/EmitBinary.h"
#include "runtime/BlockBounds.h"
#include "runtime/DeviceDescription.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Instructions.h"

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
  device.lineBytes = target.getLineBytes();
  device.sectorBytes = target.getSectorBytes();
  return device;
}

static std::string writeBitcode(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

/// The functions that use `value`, by constants as well.
static void addUsers(const llvm::Value &value,
                     llvm::SmallPtrSetImpl<const llvm::Function *> &functions) {
  for (const llvm::User *user : value.users()) {
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      addUsers(*user, functions);
  }
}

/// Bytes of static workgroup memory that kernel `symbol` of an untouched module
/// declares, itself or in what it calls.
static int64_t workgroupBytes(const llvm::Module &module,
                              llvm::StringRef symbol) {
  constexpr unsigned workgroupSpace = 3;
  const llvm::DataLayout &layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != workgroupSpace ||
        variable.isDeclaration())
      continue;
    llvm::SmallPtrSet<const llvm::Function *, 4> users, callers;
    addUsers(variable, users);
    // Callers of callers, until there are no more.
    for (size_t known = 0; known != users.size();) {
      known = users.size();
      callers = users;
      for (const llvm::Function *function : callers)
        addUsers(*function, users);
    }
    if (users.contains(module.getFunction(symbol)))
      bytes = llvm::alignTo(bytes, variable.getAlign().valueOrOne()) +
              layout.getTypeAllocSize(variable.getValueType());
  }
  return bytes;
}

llvm::Expected<std::vector<DeviceImage>>
gpuopt::makeDeviceImages(const Compilation &compilation, bool isAssembled) {
  std::string arch = compilation.target().getArch().str();
  DeviceCodeRules rules;
  rules.device = describe(compilation.target());
  const llvm::Module *original = compilation.importedModule();
  for (const KernelInfo &kernel : compilation.kernels()) {
    rules.kernels.push_back(compilation.launchRules(kernel));
    const llvm::Function *source =
        original ? original->getFunction(kernel.symbol) : nullptr;
    if (!source)
      continue;
    rules.kernels.back().workgroupBytes =
        workgroupBytes(*original, kernel.symbol);
    rules.kernels.back().mostThreads = blockBoundsOf(*source).mostThreads;
  }
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(rules);

  llvm::LLVMContext context;
  auto tuned = compilation.lowered(context);
  if (!tuned)
    return tuned.takeError();
  auto ptx = compilation.emit(OutputKind::PTX);
  if (!ptx)
    return ptx.takeError();
  std::string binary;
  if (isAssembled && !findPtxas().empty()) {
    // An assembler does not know all architectures that there have been; the
    // PTX is for all of them.
    if (auto cubin = assemblePTX(*ptx, compilation.target()))
      binary = std::move(cubin->bytes);
    else
      llvm::consumeError(cubin.takeError());
  }
  std::vector<DeviceImage> images = {
      {ImageRole::Rules, arch, std::move(text)},
      {ImageRole::Tuned, arch, writeBitcode(**tuned)},
      {ImageRole::Assembly, arch, std::move(*ptx)}};
  if (!binary.empty())
    images.push_back({ImageRole::Binary, arch, std::move(binary)});
  if (original)
    images.push_back({ImageRole::Original, arch, writeBitcode(*original)});
  return images;
}
