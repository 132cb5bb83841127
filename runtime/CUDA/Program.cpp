//===- Program.cpp - the device side of a running program -----------------===//

#include "runtime/CUDA/Program.h"
#include "runtime/CUDA/Arrays.h"
#include "runtime/CUDA/Wishes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <sys/sysinfo.h>
#include <utility>

using namespace gpuopt;
using namespace gpuopt::cuda;
using llvm::Error;
using llvm::Expected;

void cuda::report(const llvm::Twine &message) {
  llvm::errs() << "gpuopt: " << message << '\n';
}

//===----------------------------------------------------------------------===//
// Device code
//===----------------------------------------------------------------------===//

namespace {
/// What PTX says that it is for: 90 of `sm_90a`, and 'a'.
struct PTXTarget {
  int number = 0;
  char suffix = 0;

  bool runsOn(int capability) const {
    // One GPU alone, or one generation from a GPU on, or all from one on.
    if (suffix == 'a')
      return number == capability;
    bool isOfGeneration = number / 10 == capability / 10;
    return number <= capability && (suffix != 'f' || isOfGeneration);
  }
  auto operator<=>(const PTXTarget &) const = default;
};
} // namespace

/// Kernels may need more than their architecture's name says.
static PTXTarget targetOf(llvm::StringRef ptx) {
  PTXTarget target;
  llvm::StringRef rest = ptx.split("\n.target sm_").second;
  rest.consumeInteger(10, target.number);
  if (!rest.empty() && llvm::isAlpha(rest.front()))
    target.suffix = rest.front();
  return target;
}

Expected<llvm::StringRef>
DeviceCode::chooseArch(llvm::ArrayRef<DeviceImageRef> all) const {
  const GPU *gpu = Program::get().gpu();
  if (!gpu)
    return all.front().arch;
  const DeviceImageRef *best = nullptr;
  for (const DeviceImageRef &image : all)
    if (image.role == ImageRole::Assembly &&
        targetOf(image.bytes).runsOn(gpu->capability()) &&
        (!best || targetOf(best->bytes) < targetOf(image.bytes)))
      best = &image;
  if (best)
    return best->arch;
  return llvm::createStringError(
      codeOf(cudaErrorNoKernelImageForDevice),
      "there are kernels for %s, which %s, an sm_%d, cannot run",
      all.front().arch.str().c_str(), gpu->name().c_str(), gpu->capability());
}

Error DeviceCode::load() {
  if (isLoaded)
    return Error::success();
  auto all = readImages(section, /*end=*/nullptr);
  if (!all)
    return all.takeError();
  if (all->empty())
    return llvm::createStringError("there is no device code");
  auto arch = chooseArch(*all);
  if (!arch)
    return arch.takeError();
  for (const DeviceImageRef &image : *all)
    if (image.arch == *arch)
      images[image.role] = image.bytes;
  auto parsed = llvm::json::parse<DeviceCodeRules>(images[ImageRole::Rules]);
  if (!parsed)
    return parsed.takeError();
  contents = std::move(*parsed);
  for (const LaunchRules &rules : contents.kernels)
    rulesOf[rules.symbol] = &rules;
  isLoaded = true;
  return Error::success();
}

const LaunchRules *DeviceCode::rules(llvm::StringRef symbol) const {
  return rulesOf.lookup(symbol);
}

/// What profiles ask the executor for.
static void prepareToProfile(CPUExecutorOptions &options,
                             const DeviceDescription &device) {
  options.profile = true;
  options.countSectorBytes = device.sectorBytes;
  options.cacheBytes = device.l2Bytes;
  options.cacheLineBytes = device.lineBytes;
}

Expected<CPUExecutor *> DeviceCode::executor(ImageRole role) {
  return executor(Purpose(role, /*profiles=*/false));
}

Expected<CPUExecutor *> DeviceCode::profiler(ImageRole role) {
  return executor(Purpose(role, /*profiles=*/true));
}

Expected<CPUExecutor *> DeviceCode::executor(Purpose purpose) {
  if (auto made = executors.find(purpose); made != executors.end())
    return made->second.get();
  auto [role, profiles] = purpose;
  if (Error error = load())
    return std::move(error);
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(images[role], "device code"), context);
  if (!module)
    return module.takeError();
  CPUExecutorOptions options;
  options.subgroupSize = contents.device.subgroupSize;
  options.reachable = [] { return Program::get().reachableMemory(); };
  options.maxSeconds = 0;
  options.maxSteps = 0;
  bool sanitizes = Wishes::get().sanitizes && role == ImageRole::Original;
  options.checkRaces = options.checkUninitialised = sanitizes;
  // Where launches are checked, the kernel that stays prints.
  options.printsOutput = role == ImageRole::Tuned || sanitizes;
  if (profiles)
    prepareToProfile(options, contents.device);
  if (role != ImageRole::Tuned || profiles) {
    auto tuned = executor(ImageRole::Tuned);
    if (!tuned)
      return tuned.takeError();
    options.sharedVariables = (*tuned)->globals();
  } else {
    options.sharedVariables = ownVariables();
  }
  auto created = CPUExecutor::create(**module, options);
  if (!created)
    return created.takeError();
  return (executors[purpose] = std::move(*created)).get();
}

Expected<Handle> DeviceCode::module(GPU &gpu) {
  if (loaded)
    return loaded;
  if (Error error = load())
    return std::move(error);
  // One that is for another GPU is refused, and what is wrong otherwise is so
  // with the PTX, too.
  if (auto binary = images.find(ImageRole::Binary); binary != images.end()) {
    auto module = gpu.load(binary->second);
    if (module)
      return loaded = *module;
    llvm::consumeError(module.takeError());
  }
  auto module = gpu.load(images[ImageRole::Assembly]);
  if (module)
    loaded = *module;
  return module;
}

Expected<Handle> DeviceCode::function(GPU &gpu, llvm::StringRef symbol) {
  if (Handle known = functions.lookup(symbol))
    return known;
  auto module = this->module(gpu);
  if (!module)
    return module.takeError();
  auto function = gpu.function(*module, symbol);
  if (function)
    functions[symbol] = *function;
  return function;
}

Expected<llvm::MutableArrayRef<uint8_t>>
DeviceCode::variable(llvm::StringRef symbol) {
  GPU *gpu = Program::get().gpu();
  if (!gpu) {
    for (const ModuleVariable &own : ownVariables())
      if (own.name == symbol)
        return own.bytes;
    auto executor = this->executor();
    if (!executor)
      return executor.takeError();
    return (*executor)->global(symbol);
  }
  if (auto known = places.find(symbol); known != places.end())
    return known->second;
  auto module = this->module(*gpu);
  if (!module)
    return module.takeError();
  auto place = gpu->variable(*module, symbol);
  if (place)
    places[symbol] = *place;
  return place;
}

void DeviceCode::unloadModule() {
  if (loaded)
    Program::get().gpu()->unload(loaded);
  loaded = nullptr;
  functions.clear();
  places.clear();
}

void DeviceCode::reset() {
  executors.clear();
  unloadModule();
}

void DeviceCode::forget() {
  isLoaded = false;
  images.clear();
  rulesOf.clear();
}

void ManagedVariable::keepInitial() {
  if (llvm::any_of(own, [](uint8_t byte) { return byte != 0; }))
    initial.assign(own.begin(), own.end());
}

void ManagedVariable::restoreInitial() {
  if (initial.empty())
    std::memset(own.data(), 0, own.size());
  else
    llvm::copy(initial, own.begin());
}

std::vector<ModuleVariable> DeviceCode::ownVariables() const {
  std::vector<ModuleVariable> all;
  for (const ManagedVariable &variable : managed)
    all.push_back({variable.symbol, variable.own});
  return all;
}

std::vector<ModuleVariable> DeviceCode::variables() const {
  if (loaded) {
    std::vector<ModuleVariable> all;
    for (const auto &place : places)
      all.push_back({place.getKey(), place.getValue()});
    return all;
  }
  auto found = executors.find({ImageRole::Tuned, /*profiles=*/false});
  std::vector<ModuleVariable> all = ownVariables();
  if (found == executors.end() || !found->second)
    return all;
  // Each once: the executor has those, too, that kernels name.
  for (const ModuleVariable &variable : found->second->globals())
    if (llvm::none_of(all, [&](const ModuleVariable &own) {
          return own.bytes.data() == variable.bytes.data();
        }))
      all.push_back(variable);
  return all;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

Program &Program::get() {
  // Never destroyed: programs free memory and unregister code while they end.
  static Program &program = *new Program();
  return program;
}

DeviceCode *Program::addCode(const char *section) {
  return codes.emplace_back(std::make_unique<DeviceCode>(section)).get();
}

void Program::addKernel(DeviceCode *code, const void *stub,
                        llvm::StringRef symbol) {
  kernels[stub] = {code, symbol.str()};
}

void Program::addVariable(DeviceCode *code, const void *shadow,
                          llvm::StringRef symbol, uint64_t bytes) {
  variables[shadow] = {code, symbol.str(), bytes};
}

void Program::place(DeviceCode *code, ManagedVariable &variable) {
  llvm::MutableArrayRef<uint8_t> storage = variable.own;
  if (gpu()) {
    if (auto onGPU = code->variable(variable.symbol))
      storage = *onGPU;
    else
      report(onGPU.takeError(), cudaErrorInvalidKernelImage);
  }
  variables.erase(*variable.pointer);
  *variable.pointer = storage.data();
  addVariable(code, storage.data(), variable.symbol, storage.size());
}

void Program::addManagedVariable(DeviceCode *code, ManagedVariable variable) {
  variable.keepInitial();
  // The host may touch it before it calls anything, and keep its address.
  place(code, code->managed.emplace_back(std::move(variable)));
}

void Program::removeCode(DeviceCode *code) {
  auto isOf = [&](const auto &entry) { return entry.second.code == code; };
  std::erase_if(kernels, isOf);
  std::erase_if(variables, isOf);
  llvm::erase_if(codes, [&](const std::unique_ptr<DeviceCode> &other) {
    return other.get() == code;
  });
}

void Program::reset() {
  forgetStreams();
  forgetTextures();
  forgetArrays();
  memory.releaseAll();
  for (const std::unique_ptr<DeviceCode> &code : codes) {
    code->reset();
    for (ManagedVariable &variable : code->managed) {
      variable.restoreInitial();
      place(code.get(), variable);
    }
  }
}

Kernel *Program::findKernel(const void *stub) {
  auto found = kernels.find(stub);
  return found == kernels.end() ? nullptr : &found->second;
}

Variable *Program::findVariable(const void *symbol) {
  if (auto found = variables.find(symbol); found != variables.end())
    return &found->second;
  // Nobody says that it is text: not a byte behind the first that differs.
  for (auto &[shadow, variable] : variables)
    if (std::strncmp(static_cast<const char *>(symbol), variable.symbol.c_str(),
                     variable.symbol.size() + 1) == 0)
      return &variable;
  return nullptr;
}

Expected<llvm::MutableArrayRef<uint8_t>> Program::storage(Variable &variable) {
  return variable.code->variable(variable.symbol);
}

std::vector<ModuleVariable> Program::variablesInUse() const {
  std::vector<ModuleVariable> all;
  for (const std::unique_ptr<DeviceCode> &code : codes)
    llvm::append_range(all, code->variables());
  return all;
}

bool Program::isOnDevice(const void *pointer, uint64_t bytes) const {
  const Allocation *allocation = memory.find(pointer);
  if (allocation)
    return allocation->holds(pointer, bytes);
  // On a GPU others may have memory as well, such as NVIDIA's libraries.
  return holdsVariable(pointer, bytes) ||
         (openedGPU && openedGPU->knows(pointer));
}

bool Program::isInManagedVariable(const void *pointer) const {
  auto *place = static_cast<const uint8_t *>(pointer);
  return llvm::any_of(codes, [&](const std::unique_ptr<DeviceCode> &code) {
    return llvm::any_of(code->managed, [&](const ManagedVariable &variable) {
      auto *begin = static_cast<const uint8_t *>(*variable.pointer);
      return place >= begin && place < begin + variable.own.size();
    });
  });
}

bool Program::isOnHost(const void *pointer) const {
  const Allocation *allocation = memory.find(pointer);
  return !allocation || !allocation->isOfDeviceOnly() ||
         pointer == allocation->begin + allocation->bytes;
}

std::vector<ReachableMemory> Program::reachableMemory() const {
  std::map<uint8_t *, ReachableMemory> byPlace;
  for (const ModuleVariable &variable : variablesInUse()) {
    uint8_t *begin = variable.bytes.data();
    byPlace[begin] = {begin,
                      variable.bytes.size(),
                      /*spareBytes=*/0,
                      /*marginBytes=*/0,
                      "'" + variable.name.str() + "'",
                      /*isWritten=*/nullptr};
  }
  for (const auto &[place, allocation] : memory.allocations())
    byPlace[allocation.begin] = {
        allocation.begin,         allocation.bytes,  allocation.spareBytes(),
        allocation.marginBytes(), allocation.name(), allocation.isWritten};
  std::vector<ReachableMemory> all;
  llvm::append_range(all, llvm::make_second_range(byPlace));
  return all;
}

bool Program::holdsVariable(const void *pointer, uint64_t bytes) const {
  auto *place = static_cast<const uint8_t *>(pointer);
  return llvm::any_of(variablesInUse(), [&](const ModuleVariable &variable) {
    llvm::ArrayRef<uint8_t> storage = variable.bytes;
    return place >= storage.begin() && place < storage.end() &&
           bytes <= uint64_t(storage.end() - place);
  });
}

/// A number of bytes with a unit of 1024, `GPUOPT_DEVICE_MEMORY=512M`; nothing
/// for other text.
static std::optional<uint64_t> parseBytes(llvm::StringRef text) {
  unsigned shift = 0;
  for (auto [unit, distance] : {std::pair('K', 10), {'M', 20}, {'G', 30}})
    if (text.consume_back(llvm::StringRef(&unit, 1)))
      shift = distance;
  uint64_t number;
  if (text.getAsInteger(10, number) || number > (UINT64_MAX >> shift))
    return std::nullopt;
  return number << shift;
}

/// The device's memory: what the user says, or most of this machine's.
static uint64_t deviceMemoryBytes() {
  if (const char *given = std::getenv("GPUOPT_DEVICE_MEMORY")) {
    if (std::optional<uint64_t> bytes = parseBytes(given))
      return *bytes;
    report("GPUOPT_DEVICE_MEMORY: '" + llvm::Twine(given) +
           "' is no number of bytes, such as 512M");
  }
  struct sysinfo machine;
  if (sysinfo(&machine) != 0)
    return uint64_t(1) << 30;
  return uint64_t(machine.totalram) * machine.mem_unit / 4 * 3;
}

namespace {
/// What `GPUOPT_DEVICE` asks for.
enum class WantedDevice { Any, CPU, GPU };
} // namespace

static WantedDevice wantedDevice() {
  const char *wanted = std::getenv("GPUOPT_DEVICE");
  if (!wanted || llvm::StringRef(wanted).empty())
    return WantedDevice::Any;
  if (llvm::StringRef(wanted) == "cpu")
    return WantedDevice::CPU;
  if (llvm::StringRef(wanted) == "gpu")
    return WantedDevice::GPU;
  report("GPUOPT_DEVICE: '" + llvm::Twine(wanted) +
         "' is neither 'cpu' nor 'gpu'; kernels run on the CPU");
  return WantedDevice::CPU;
}

Error Program::openGPU() {
  auto opened = GPU::open();
  if (!opened)
    return opened.takeError();
  openedGPU = std::move(*opened);
  if (!openedGPU)
    return Error::success();
  for (const std::unique_ptr<DeviceCode> &code : codes)
    if (Error error = code->load()) {
      openedGPU.reset();
      for (const std::unique_ptr<DeviceCode> &known : codes)
        known->forget();
      return error;
    }
  memory.setSource(openedGPU.get());
  return Error::success();
}

void Program::chooseDevice() {
  WantedDevice wanted = wantedDevice();
  if (wanted == WantedDevice::CPU)
    return;
  // What becomes of each launch can be seen on the CPU only.
  bool staysHere = Wishes::get().looksAtLaunches();
  std::string why = staysHere ? "" : llvm::toString(openGPU());
  if (openedGPU)
    return;
  if (wanted == WantedDevice::GPU && !staysHere) {
    report("GPUOPT_DEVICE=gpu: " + (why.empty() ? "there is no driver" : why));
    stickyError = cudaErrorNoDevice;
    return;
  }
  report("kernels run on the CPU (GPUOPT_DEVICE=cpu says so in advance)" +
         (why.empty() ? "" : ": " + why));
}

/// Of the driver's attributes: the GPU is a part of the CPU's chip; it goes by
/// the page tables of the host.
static constexpr int kIsIntegrated = 18, kUsesHostPageTables = 100;

/// Says what there is for a CPU that would fetch for the GPU beside it (gpuopt
/// assist): both have to share a cache or memory.
static void sayWhetherAssisted(const GPU *gpu) {
  const char *wanted = std::getenv("GPUOPT_ASSIST");
  llvm::StringRef value = wanted ? wanted : "0";
  if (value == "0")
    return;
  if (value != "1")
    return report("GPUOPT_ASSIST is '" + llvm::Twine(value) +
                  "', expected '0' or '1'");
  if (!gpu)
    return report("GPUOPT_ASSIST has no use: kernels run on the CPU itself");
  bool isShared = gpu->attribute(kIsIntegrated).value_or(0) ||
                  gpu->attribute(kUsesHostPageTables).value_or(0);
  report("GPUOPT_ASSIST has no use: " + llvm::Twine(gpu->name()) +
         (isShared
              ? " shares memory with the CPU, but nothing of that kind has "
                "been tried; the program is that of 'gpuopt assist'"
              : " has memory of its own"));
}

void Program::start() {
  if (std::exchange(isStarted, true))
    return;
  chooseDevice();
  memory.setLimit(openedGPU ? openedGPU->bytes() : deviceMemoryBytes());
  if (Wishes::get().sanitizes)
    memory.trackWrites();
  sayWhetherAssisted(openedGPU.get());
}

const DeviceDescription &Program::device() {
  start();
  if (described)
    return *described;
  // Programs may call the API before code is registered, or have none.
  for (const std::unique_ptr<DeviceCode> &code : codes) {
    if (Error error = code->load()) {
      report(std::move(error), cudaErrorInvalidKernelImage);
      continue;
    }
    described = code->device();
    return *described;
  }
  static const DeviceDescription unknown;
  return unknown;
}
