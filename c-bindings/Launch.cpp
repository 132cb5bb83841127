//===- Launch.cpp - C interface: launches and runs ------------------------===//

#include "c-bindings/Handles.h"

#include "conversion/ImportSource/DiagnosticStream.h"
#include "tools/lib/launch/LaunchArguments.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <deque>

using namespace gpuopt;

/// Launches with copies of their arguments.
struct GpuoptDecision {
  struct Launch {
    KernelLaunch launch;
    /// One for each of the kernel's parameters.
    std::vector<std::vector<uint8_t>> bytes;
    std::vector<void *> addresses;
  };
  std::deque<Launch> launches;
};

static WantedLaunch toWanted(const GpuoptLaunch *launch) {
  WantedLaunch wanted;
  if (!launch)
    return wanted;
  llvm::copy(launch->grid, wanted.grid.emplace().begin());
  llvm::copy(launch->block, wanted.block.emplace().begin());
  wanted.dynamicSharedBytes = launch->sharedBytes;
  return wanted;
}

/// What is wrong with an argument; success where nothing is.
static llvm::Error checkArgument(const KernelParameter &parameter,
                                 const GpuoptArgument &argument) {
  if (!parameter.isPointer && argument.bytes != parameter.bytes)
    return llvm::createStringError("argument '" + parameter.name + "' (" +
                                   parameter.typeName + ") has " +
                                   llvm::Twine(parameter.bytes) + " bytes, " +
                                   llvm::Twine(argument.bytes) + " were given");
  if (!argument.data && argument.bytes)
    return llvm::createStringError("argument '" + parameter.name +
                                   "' has no memory");
  return llvm::Error::success();
}

/// The arguments as an executor takes them: members of structures apart.
static llvm::Expected<std::vector<KernelArgument>>
toArguments(const KernelInfo &kernel, llvm::ArrayRef<GpuoptArgument> given) {
  std::vector<SourceArgument> sources = kernel.sourceArguments();
  if (given.size() != sources.size())
    return llvm::createStringError("kernel '" + kernel.displayName +
                                   "' takes " + llvm::Twine(sources.size()) +
                                   " arguments, " + llvm::Twine(given.size()) +
                                   " were given");
  std::vector<KernelArgument> arguments;
  for (auto [source, argument] : llvm::zip(sources, given)) {
    const KernelParameter &parameter = *source.parameter;
    if (llvm::Error error = checkArgument(parameter, argument))
      return error;
    auto *data = static_cast<uint8_t *>(const_cast<void *>(argument.data));
    if (!source.isSplit) {
      arguments.push_back({parameter.isPointer ? KernelArgument::Kind::Buffer
                                               : KernelArgument::Kind::Scalar,
                           data, argument.bytes, parameter.name});
      continue;
    }
    for (const KernelParameter &part :
         llvm::ArrayRef(kernel.parameters).slice(source.first, source.count))
      arguments.push_back({KernelArgument::Kind::Scalar, data + part.offset,
                           part.bytes, part.name});
  }
  return arguments;
}

/// What is executed here has to know how large arrays are.
static llvm::Error checkArrays(const KernelInfo &kernel) {
  for (const SplitStructure &structure : kernel.structures)
    for (unsigned i = 0; i < structure.count; ++i)
      if (kernel.parameters[structure.first + i].isPointer)
        return llvm::createStringError(
            "'" + kernel.parameters[structure.first + i].name +
            "' is a pointer in a structure: nothing says how large its array "
            "is");
  return llvm::Error::success();
}

/// What a kernel did wrong, a line for each place.
static std::string toText(llvm::ArrayRef<ExecutionFault> faults) {
  std::string text;
  for (const ExecutionFault &fault : faults) {
    if (!text.empty())
      text += '\n';
    if (!fault.location.empty())
      text += fault.location + ": ";
    text += faultName(fault.kind).str() + ": " + fault.message;
  }
  return text;
}

static llvm::Error run(GpuoptFile &file, const KernelInfo &kernel,
                       const GpuoptLaunch *launch,
                       llvm::ArrayRef<GpuoptArgument> given) {
  if (llvm::Error error = checkArrays(kernel))
    return error;
  auto arguments = toArguments(kernel, given);
  if (!arguments)
    return arguments.takeError();
  std::lock_guard<std::mutex> lock(file.mutex);
  std::string said;
  llvm::raw_string_ostream stream(said);
  OwnDiagnostics own(stream);
  auto result = file.runner.launch(kernel, toWanted(launch), *arguments);
  if (!result)
    return llvm::createStringError(said + llvm::toString(result.takeError()));
  if (!result->faults.empty())
    return llvm::createStringError(toText(result->faults));
  return llvm::Error::success();
}

bool gpuoptRun(GpuoptFile *file, size_t kernel, const GpuoptLaunch *launch,
               const GpuoptArgument *arguments, size_t count, char **error) {
  const KernelInfo *found = file->kernel(kernel);
  if (!found)
    return c::fail(error, "there is no kernel of this number");
  llvm::Error failure = run(*file, *found, launch, {arguments, count});
  return !failure || c::fail(error, llvm::toString(std::move(failure)));
}

void gpuoptInterrupt(GpuoptFile *file) { file->runner.interrupt(); }

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// An argument as a driver takes it.
static std::vector<uint8_t> toBytes(const KernelArgument &argument) {
  bool isBuffer = argument.kind == KernelArgument::Kind::Buffer;
  const void *data = isBuffer ? &argument.data : argument.data;
  const auto *begin = static_cast<const uint8_t *>(data);
  return {begin, begin + (isBuffer ? sizeof(void *) : argument.size)};
}

/// The arguments of the source as a driver takes them.
static std::vector<std::vector<uint8_t>>
sourceBytes(const KernelInfo &kernel, llvm::ArrayRef<GpuoptArgument> given) {
  std::vector<std::vector<uint8_t>> bytes;
  for (auto [source, argument] : llvm::zip(kernel.sourceArguments(), given))
    bytes.push_back(
        toBytes({source.parameter->isPointer ? KernelArgument::Kind::Buffer
                                             : KernelArgument::Kind::Scalar,
                 const_cast<void *>(argument.data), argument.bytes,
                 source.parameter->name}));
  return bytes;
}

static void addLaunch(KernelLaunch launch,
                      llvm::ArrayRef<KernelArgument> original,
                      const KernelInfo &kernel,
                      llvm::ArrayRef<GpuoptArgument> given,
                      GpuoptDecision &decision) {
  GpuoptDecision::Launch &added = decision.launches.emplace_back();
  added.launch = std::move(launch);
  // A launch that is one of several takes each member of a structure.
  if (added.launch.arguments.empty())
    added.bytes = sourceBytes(kernel, given);
  else
    for (const KernelArgument &argument : argumentsOf(added.launch, original))
      added.bytes.push_back(toBytes(argument));
  for (std::vector<uint8_t> &bytes : added.bytes)
    added.addresses.push_back(bytes.data());
}

static llvm::Expected<std::unique_ptr<GpuoptDecision>>
decide(GpuoptFile &file, const KernelInfo &kernel, const GpuoptLaunch *launch,
       llvm::ArrayRef<GpuoptArgument> given) {
  auto arguments = toArguments(kernel, given);
  if (!arguments)
    return arguments.takeError();
  std::lock_guard<std::mutex> lock(file.mutex);
  auto launches = file.runner.decide(kernel, toWanted(launch), *arguments);
  if (!launches)
    return launches.takeError();
  auto decision = std::make_unique<GpuoptDecision>();
  for (KernelLaunch &decided : *launches)
    addLaunch(std::move(decided), *arguments, kernel, given, *decision);
  return decision;
}

GpuoptDecision *gpuoptDecide(GpuoptFile *file, size_t kernel,
                             const GpuoptLaunch *launch,
                             const GpuoptArgument *arguments, size_t count,
                             char **error) {
  const KernelInfo *found = file->kernel(kernel);
  if (!found) {
    c::fail(error, "there is no kernel of this number");
    return nullptr;
  }
  auto decision = decide(*file, *found, launch, {arguments, count});
  if (decision)
    return decision->release();
  c::fail(error, llvm::toString(decision.takeError()));
  return nullptr;
}

void gpuoptDecisionDestroy(GpuoptDecision *decision) { delete decision; }

size_t gpuoptDecisionCount(const GpuoptDecision *decision) {
  return decision->launches.size();
}

const char *gpuoptDecisionSymbol(const GpuoptDecision *decision, size_t index) {
  return decision->launches[index].launch.symbol.c_str();
}

GpuoptLaunch gpuoptDecisionLaunch(const GpuoptDecision *decision,
                                  size_t index) {
  const LaunchConfig &config = decision->launches[index].launch.config;
  GpuoptLaunch launch = {};
  llvm::copy(config.grid, launch.grid);
  llvm::copy(config.block, launch.block);
  launch.sharedBytes = static_cast<uint32_t>(config.dynamicSharedBytes);
  return launch;
}

bool gpuoptDecisionIsFallback(const GpuoptDecision *decision, size_t index) {
  return decision->launches[index].launch.isFallback;
}

bool gpuoptDecisionIsCooperative(const GpuoptDecision *decision, size_t index) {
  return decision->launches[index].launch.isCooperative;
}

void **gpuoptDecisionArguments(const GpuoptDecision *decision, size_t index) {
  return const_cast<void **>(decision->launches[index].addresses.data());
}
