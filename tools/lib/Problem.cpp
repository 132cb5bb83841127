//===- Problem.cpp - one launch of a kernel, with its data ----------------===//

#include "tools/lib/Problem.h"

#include "conversion/ImportSource/Pragma.h"
#include "tools/lib/Npy.h"
#include "tools/lib/Scalars.h"

#include <cmath>
#include <numeric>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// Each array gets its own generator, so that an array's contents depend on
/// the seed and its name only, not on the other parameters.
static std::mt19937_64 generatorFor(uint64_t seed, llvm::StringRef name) {
  uint64_t mixed = seed;
  for (char c : name)
    mixed = (mixed ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return std::mt19937_64(mixed);
}

static Expected<std::vector<int64_t>>
evaluateAll(const std::vector<std::string> &expressions,
            const SizeMap &scalars) {
  std::vector<int64_t> values;
  for (const std::string &expression : expressions) {
    Expected<int64_t> value = evaluateExtent(expression, scalars);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return values;
}

static int64_t product(const std::vector<int64_t> &extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

Error Problem::setScalars(const KernelInfo &kernel, const RunOptions &options) {
  scalarBytes.resize(kernel.parameters.size());
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    names.push_back(parameter.name);
    if (parameter.isPointer)
      continue;
    std::vector<uint8_t> &bytes = scalarBytes[index];
    bytes.resize(parameter.bytes);
    const ElementType &type = parameter.element;
    auto given = options.sizes.find(parameter.name);
    bool isInteger = type.kind == ElementKind::SignedInt ||
                     type.kind == ElementKind::UnsignedInt;
    if (given != options.sizes.end() && type.kind != ElementKind::Opaque &&
        type.lanes == 1) {
      storeScalar(type, given->second, bytes.data());
      if (isInteger)
        scalarValues[parameter.name] = static_cast<int64_t>(given->second);
      continue;
    }
    if (isInteger && type.lanes == 1)
      return llvm::createStringError("parameter '" + parameter.name +
                                     "' of kernel '" + kernel.displayName +
                                     "' has no value; give --size " +
                                     parameter.name + "=V");
    std::mt19937_64 random = generatorFor(options.seed, parameter.name);
    fillRandom(type, random, bytes.data(), bytes.size());
  }
  return Error::success();
}

/// The shape of an array: the pragma's, else what --size says.
static Expected<std::vector<int64_t>> shapeOf(const KernelInfo &kernel,
                                              const std::string &array,
                                              const RunOptions &options,
                                              const SizeMap &scalars) {
  if (kernel.pragma) {
    auto extents = kernel.pragma->arrays.find(array);
    if (extents != kernel.pragma->arrays.end())
      return evaluateAll(extents->second, scalars);
  }
  auto given = options.sizes.find(array);
  if (given == options.sizes.end())
    return llvm::createStringError(
        "array '" + array + "' of kernel '" + kernel.displayName +
        "' has no extent; give --size " + array +
        "=ELEMENTS, or a '#pragma gpuopt' with array(" + array + ": …)");
  return std::vector<int64_t>{static_cast<int64_t>(given->second)};
}

Error Problem::addArray(const KernelInfo &kernel, unsigned index,
                        const RunOptions &options) {
  const KernelParameter &parameter = kernel.parameters[index];
  ProblemArray array;
  array.name = parameter.name;
  array.parameter = index;
  array.element = parameter.element;
  unsigned elementBytes =
      std::max(1u, array.element.bytes) * std::max(1u, array.element.lanes);

  auto input = options.inputs.find(parameter.name);
  if (input != options.inputs.end()) {
    Expected<NpyArray> file = readNpy(input->second);
    if (!file)
      return file.takeError();
    array.shape = file->shape;
    array.bytes = std::move(file->bytes);
  }
  Expected<std::vector<int64_t>> shape =
      shapeOf(kernel, parameter.name, options, scalarValues);
  if (!shape && array.bytes.empty())
    return shape.takeError();
  if (!shape) {
    llvm::consumeError(shape.takeError());
  } else {
    array.shape = *shape;
    int64_t elements = product(*shape);
    if (elements < 0 || elements > (int64_t(1) << 40) / elementBytes)
      return llvm::createStringError("array '" + parameter.name + "' has " +
                                     llvm::Twine(elements) +
                                     " elements, which cannot be allocated");
    size_t bytes = size_t(elements) * elementBytes;
    if (input != options.inputs.end() && array.bytes.size() != bytes)
      return llvm::createStringError(
          "'" + input->second + "' has " + llvm::Twine(array.bytes.size()) +
          " bytes of data; array '" + parameter.name + "' takes " +
          llvm::Twine(bytes));
    if (input == options.inputs.end()) {
      array.bytes.resize(bytes);
      std::mt19937_64 random = generatorFor(options.seed, parameter.name);
      fillRandom(array.element, random, array.bytes.data(), bytes);
    }
  }

  array.isOutput = !parameter.pointeeIsConst;
  array.outputElements = array.bytes.size() / elementBytes;
  if (kernel.pragma && !kernel.pragma->outputs.empty()) {
    auto output = kernel.pragma->outputs.find(parameter.name);
    array.isOutput = output != kernel.pragma->outputs.end();
    if (array.isOutput && !output->second.empty()) {
      auto extents = evaluateAll(output->second, scalarValues);
      if (!extents)
        return extents.takeError();
      array.outputElements = std::min(array.outputElements, product(*extents));
    }
  }
  arrayArguments.push_back(std::move(array));
  return Error::success();
}

Error Problem::setLaunch(const Compilation &compilation,
                         const KernelInfo &kernel, const RunOptions &options) {
  config.dynamicSharedBytes = options.dynamicSharedBytes;
  std::vector<int64_t> domain;
  if (kernel.pragma && !kernel.pragma->domain.empty()) {
    auto extents = evaluateAll(kernel.pragma->domain, scalarValues);
    if (!extents)
      return extents.takeError();
    domain = *extents;
  } else if (auto geometry = compilation.geometry(kernel, scalarValues)) {
    for (std::optional<int64_t> extent : geometry->extents)
      if (extent)
        domain.push_back(*extent);
      else
        break;
  }
  config.block = options.block.value_or(compilation.defaultBlock(kernel));
  if (options.grid) {
    config.grid = *options.grid;
    return Error::success();
  }
  if (domain.empty())
    return llvm::createStringError(
        "the launch of kernel '" + kernel.displayName +
        "' is unknown; give --grid X,Y,Z and --block X,Y,Z, or a "
        "'#pragma gpuopt' with domain(…)");
  for (size_t dim = 0; dim < domain.size() && dim < 3; ++dim)
    config.grid[dim] =
        std::max<int64_t>(1, llvm::divideCeil(std::max<int64_t>(domain[dim], 0),
                                              config.block[dim]));
  return Error::success();
}

Expected<Problem> Problem::create(const Compilation &compilation,
                                  const KernelInfo &kernel,
                                  const RunOptions &options) {
  Problem problem;
  if (Error error = problem.setScalars(kernel, options))
    return error;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters))
    if (parameter.isPointer)
      if (Error error = problem.addArray(kernel, index, options))
        return error;
  if (Error error = problem.setLaunch(compilation, kernel, options))
    return error;
  return problem;
}

std::vector<KernelArgument> Problem::arguments() {
  std::vector<KernelArgument> arguments(scalarBytes.size());
  for (auto [index, bytes] : llvm::enumerate(scalarBytes))
    arguments[index] = {KernelArgument::Kind::Scalar, bytes.data(),
                        bytes.size(), names[index]};
  for (ProblemArray &array : arrayArguments)
    arguments[array.parameter] = {KernelArgument::Kind::Buffer,
                                  array.bytes.data(), array.bytes.size(),
                                  array.name};
  return arguments;
}
