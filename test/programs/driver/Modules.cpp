//===- Modules.cpp - modules of PTX, and launches -------------------------===//

#include "PTXDriver.h"

#include "conversion/ImportPTX/ImportPTX.h"
#include "dialects/GPUOpt/GPUOptDialect.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "dialects/GPUOpt/ManagedVariables.h"
#include "runtime/CPUExecutor.h"

#include "mlir/IR/MLIRContext.h"

#include <cstring>

using namespace gpuopt;
using namespace ptx_driver;

namespace {

struct Module {
  std::unique_ptr<ImportedSource> source;
  std::unique_ptr<CPUExecutor> executor;
};

struct Function {
  Module *module = nullptr;
  llvm::Function *ir = nullptr;
};

std::deque<Function> &functions() {
  static auto &all = *new std::deque<Function>();
  return all;
}

std::vector<ReachableMemory> reachableMemory() {
  std::vector<ReachableMemory> all;
  for (auto [address, allocation] : state().allocations)
    all.push_back({pointerTo(address), allocation.bytes,
                   pagesOf(allocation.bytes) - allocation.bytes,
                   /*marginBytes=*/0, "memory", /*isWritten=*/nullptr});
  return all;
}

TargetAttr targetOf(mlir::MLIRContext &context) {
  context.loadDialect<GPUOptDialect>();
  return llvm::cantFail(
      lookUpTarget(&context, "sm_" + std::to_string(capability())));
}

/// Places for the variables of a module, with what `made` holds there. The host
/// may only touch those that are managed.
std::vector<ModuleVariable> placeVariables(const llvm::Module &module,
                                           CPUExecutor &made) {
  std::vector<ModuleVariable> placed;
  for (const ModuleVariable &variable : made.globals()) {
    const llvm::GlobalVariable *declared = module.getNamedGlobal(variable.name);
    bool isManaged = declared && declared->getSection() == kManagedSection;
    Address address = 0;
    if (allocate(&address, variable.bytes.size(),
                 isManaged ? Kind::Managed : Kind::Variable))
      continue;
    DeviceAccess access;
    llvm::copy(variable.bytes, pointerTo(address));
    placed.push_back(
        {variable.name, {pointerTo(address), variable.bytes.size()}});
  }
  return placed;
}

llvm::Expected<std::unique_ptr<Module>> makeModule(const char *ptx) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  PTXImportOptions options;
  options.text = ptx;
  auto imported = importPTX("module.ptx", targetOf(context), options);
  if (failed(imported))
    return llvm::createStringError("the PTX cannot be read");
  auto module = std::make_unique<Module>();
  module->source = std::make_unique<ImportedSource>(std::move(*imported));
  CPUExecutorOptions executor;
  executor.reachable = reachableMemory;
  executor.printsOutput = true;
  auto created = CPUExecutor::create(*module->source->module, executor);
  if (!created)
    return created.takeError();
  // Once more, with the variables in the device's memory.
  executor.sharedVariables = placeVariables(*module->source->module, **created);
  if (executor.sharedVariables.empty()) {
    module->executor = std::move(*created);
    return module;
  }
  auto placed = CPUExecutor::create(*module->source->module, executor);
  if (!placed)
    return placed.takeError();
  module->executor = std::move(*placed);
  return module;
}

Status statusOf(ExecutionFault::Kind kind) {
  switch (kind) {
  case ExecutionFault::Kind::Assertion:
    return Assert;
  case ExecutionFault::Kind::Misaligned:
    return MisalignedAddress;
  case ExecutionFault::Kind::Trap:
    return LaunchFailed;
  default:
    return IllegalAddress;
  }
}

void run(const Function &function, const LaunchConfig &config,
         std::vector<std::vector<uint8_t>> &values) {
  DeviceAccess access;
  std::vector<KernelArgument> arguments;
  for (std::vector<uint8_t> &value : values)
    arguments.push_back(
        {KernelArgument::Kind::Scalar, value.data(), value.size(), "argument"});
  auto result = function.module->executor->launch(function.ir->getName(),
                                                  config, arguments);
  if (!result) {
    state().error =
        complain(llvm::toString(result.takeError()), IllegalAddress);
    return;
  }
  for (const ExecutionFault &fault : result->faults) {
    state().error = statusOf(fault.kind);
    // What an assertion says has been printed.
    if (fault.kind != ExecutionFault::Kind::Assertion)
      complain(fault.message, state().error);
  }
}

int launch(void *handle, const LaunchConfig &config, void *stream,
           void **arguments) {
  auto &function = *static_cast<Function *>(handle);
  const llvm::DataLayout &layout = function.ir->getDataLayout();
  std::vector<std::vector<uint8_t>> values;
  for (const llvm::Argument &parameter : function.ir->args()) {
    llvm::Type *type = parameter.hasByValAttr() ? parameter.getParamByValType()
                                                : parameter.getType();
    auto *value = static_cast<uint8_t *>(arguments[parameter.getArgNo()]);
    values.emplace_back(value, value + layout.getTypeStoreSize(type));
  }
  return enqueue(stream, [=, &function]() mutable {
    if (!state().error)
      run(function, config, values);
  });
}

} // namespace

extern "C" {

int cuModuleLoadDataEx(void **handle, const void *image, unsigned, int *,
                       void **values) {
  // What it needs of a GPU that this one is not.
  llvm::StringRef target = llvm::StringRef(static_cast<const char *>(image))
                               .split(".target sm_")
                               .second;
  int number = 0;
  bool isNumber = !target.consumeInteger(10, number);
  if (isNumber && (number > capability() ||
                   (target.starts_with("a") && number != capability()))) {
    std::strcpy(static_cast<char *>(values[0]), "not for this GPU");
    return InvalidImage;
  }
  // Machine code, which a GPU would run.
  if (std::memcmp(image,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    std::strcpy(static_cast<char *>(values[0]), "not for this GPU");
    return InvalidImage;
  }
  auto module = makeModule(static_cast<const char *>(image));
  if (!module) {
    std::string why = llvm::toString(module.takeError());
    std::strcpy(static_cast<char *>(values[0]), why.c_str());
    return InvalidImage;
  }
  *handle = module->release();
  return Success;
}

/// What a program has not waited for when it ends is not done.
int cuModuleUnload(void *handle) {
  std::lock_guard lock(state().mutex);
  state().work.clear();
  delete static_cast<Module *>(handle);
  return Success;
}

int cuModuleGetFunction(void **handle, void *module, const char *name) {
  auto *owner = static_cast<Module *>(module);
  llvm::Function *ir = owner->source->module->getFunction(name);
  if (!ir || ir->isDeclaration())
    return NotFound;
  *handle = &functions().emplace_back(Function{owner, ir});
  return Success;
}

int cuModuleGetGlobal_v2(Address *address, size_t *bytes, void *module,
                         const char *name) {
  auto storage = static_cast<Module *>(module)->executor->global(name);
  if (!storage) {
    llvm::consumeError(storage.takeError());
    return NotFound;
  }
  *address = reinterpret_cast<Address>(storage->data());
  *bytes = storage->size();
  return Success;
}

int cuFuncGetAttribute(int *value, int attribute, void *) {
  constexpr int mostThreads = 0, registers = 4;
  *value = attribute == mostThreads ? 1024 : attribute == registers ? 42 : 0;
  return Success;
}

int cuFuncSetAttribute(void *, int, int) { return Success; }

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *,
                                                int blockSize, size_t) {
  *blocks = 2048 / blockSize;
  return Success;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **arguments, void **) {
  return launch(function,
                {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes},
                stream, arguments);
}

int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY,
                              unsigned gridZ, unsigned blockX, unsigned blockY,
                              unsigned blockZ, unsigned sharedBytes,
                              void *stream, void **arguments) {
  // As many as anyone could have.
  constexpr uint64_t most = 3 * 32;
  if (uint64_t(gridX) * gridY * gridZ > most)
    return CooperativeLaunchTooLarge;
  return cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                        sharedBytes, stream, arguments, nullptr);
}

} // extern "C"
