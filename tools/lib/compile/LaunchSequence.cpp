//===- LaunchSequence.cpp - the launches that one kernel takes ------------===//

#include "tools/lib/compile/Compiler.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "tools/lib/compile/HostEvaluation.h"
#include "tools/lib/compile/MLIRKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <cstring>

using namespace mlir;
using namespace gpuopt;

/// The host function that launches the phases of `kernel`; null where the
/// kernel is one launch.
static func::FuncOp findHost(ModuleOp module, const KernelInfo &kernel) {
  return module.lookupSymbol<func::FuncOp>(kernel.symbol);
}

bool Compilation::isSplit(const KernelInfo &kernel) const {
  return static_cast<bool>(findHost(*tunedModule, kernel));
}

std::vector<KernelInfo> Compilation::phases(const KernelInfo &kernel) const {
  if (!isSplit(kernel))
    return {kernel};
  std::vector<KernelInfo> kernels = collectKernels(*tunedModule), phases;
  llvm::StringSet<> fallbacks;
  for (const KernelInfo &each : kernels)
    if (std::string symbol = fallbackSymbol(each); symbol != each.symbol)
      fallbacks.insert(symbol);
  for (KernelInfo &phase : kernels) {
    gpu::GPUFuncOp function = tunedKernel(phase);
    auto host =
        function ? function->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName)
                 : FlatSymbolRefAttr();
    if (!host || host.getValue() != kernel.symbol ||
        fallbacks.contains(phase.symbol))
      continue;
    phase.displayName = kernel.displayName;
    phase.position = kernel.position;
    // The source knows more of a parameter than its type says.
    for (KernelParameter &parameter : phase.parameters)
      for (const KernelParameter &original : kernel.parameters)
        if (original.name == parameter.name)
          parameter = original;
    phases.push_back(std::move(phase));
  }
  return phases;
}

/// The arguments of the host function as far as they are known.
static SmallVector<TypedAttr> argumentsOf(func::FuncOp host,
                                          const KernelInfo &kernel,
                                          const SizeMap &scalars,
                                          const LaunchConfig &original) {
  Builder builder(host.getContext());
  SmallVector<TypedAttr> arguments(host.getNumArguments());
  size_t numParameters =
      std::min<size_t>(kernel.parameters.size(), arguments.size());
  for (size_t i = 0; i < numParameters; ++i) {
    auto value = scalars.find(kernel.parameters[i].name);
    Type type = host.getArgumentTypes()[i];
    if (value == scalars.end() || !type.isIntOrIndex())
      continue;
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    arguments[i] = builder.getIntegerAttr(
        type, llvm::APInt(64, value->second).sextOrTrunc(width));
  }
  if (arguments.size() != kernel.parameters.size() + 6)
    return arguments;
  for (unsigned dim = 0; dim < 3; ++dim) {
    arguments[numParameters + dim] = builder.getIndexAttr(original.grid[dim]);
    arguments[numParameters + 3 + dim] =
        builder.getIndexAttr(original.block[dim]);
  }
  return arguments;
}

/// The bytes by which `value` is passed to a kernel.
static std::vector<uint8_t> bytesOf(TypedAttr value) {
  llvm::APInt bits;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    bits = integer.getValue();
  else if (auto number = dyn_cast<FloatAttr>(value))
    bits = number.getValue().bitcastToAPInt();
  std::vector<uint8_t> bytes(llvm::divideCeil(bits.getBitWidth(), 8));
  std::memcpy(bytes.data(), bits.getRawData(), bytes.size());
  return bytes;
}

llvm::Expected<std::vector<KernelLaunch>>
Compilation::launches(const KernelInfo &kernel, const SizeMap &scalars,
                      const LaunchConfig &original,
                      const AddressMap &addresses) const {
  func::FuncOp host = findHost(*tunedModule, kernel);
  if (!host) {
    KernelLaunch single = launch(kernel, scalars, original, addresses);
    single.isCooperative = isCooperative(kernel);
    return std::vector<KernelLaunch>{std::move(single)};
  }
  auto evaluated =
      evaluateHost(host, argumentsOf(host, kernel, scalars, original));
  if (!evaluated)
    return evaluated.takeError();

  std::vector<KernelInfo> parts = phases(kernel);
  std::vector<KernelLaunch> sequence;
  for (const HostLaunch &step : *evaluated) {
    auto phase = llvm::find_if(parts, [&](const KernelInfo &part) {
      return part.symbol == step.kernel;
    });
    if (phase == parts.end())
      return llvm::createStringError("the host function launches '" +
                                     step.kernel + "', which is not there");
    SizeMap values = scalars;
    std::vector<LaunchArgument> arguments;
    for (auto [parameter, operand] :
         llvm::zip(phase->parameters, step.operands)) {
      LaunchArgument argument;
      argument.name = parameter.name;
      argument.parameter = operand.argument;
      if (operand.value) {
        argument.bytes = bytesOf(operand.value);
        if (auto integer = dyn_cast<IntegerAttr>(operand.value))
          values[parameter.name] = integer.getValue().getSExtValue();
      }
      arguments.push_back(std::move(argument));
    }
    LaunchConfig config = original;
    config.grid = step.grid;
    config.block = step.block;
    KernelLaunch part = launch(*phase, values, config, addresses);
    part.arguments = std::move(arguments);
    sequence.push_back(std::move(part));
  }
  return sequence;
}
