//===- Problem.cpp - one launch of a kernel, with its data ----------------===//

#include "tools/lib/launch/Problem.h"

#include "tools/lib/launch/ArrayFile.h"
#include "tools/lib/launch/ComparedPointers.h"
#include "tools/lib/launch/HostVariables.h"
#include "tools/lib/launch/LaunchLimits.h"
#include "tools/lib/launch/MissingOptions.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <unistd.h>

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// The number of elements; -1 where an extent is negative or it overflows.
static int64_t product(const std::vector<int64_t> &extents) {
  int64_t elements = 1;
  for (int64_t extent : extents)
    if (extent < 0 || llvm::MulOverflow(elements, extent, elements))
      return -1;
  return elements;
}

/// Whether `value` is a scalar of `type`.
static Error checkNumber(const std::string &name, const ElementType &type,
                         const std::string &typeName, const Number &value) {
  if (!isInteger(type) ||
      fitsInteger(value, type.kind == ElementKind::SignedInt,
                  integerBits(type)))
    return Error::success();
  return llvm::createStringError(
      "--size gives '" + name + "' " + toString(value) +
      ", which is no value of type '" + typeName + "'");
}

Error gpuopt::checkSizeValues(const KernelInfo &kernel,
                              const NumberMap &sizes) {
  for (const KernelParameter &parameter : kernel.parameters) {
    auto given = sizes.find(parameter.name);
    if (given == sizes.end() || parameter.isPointer ||
        parameter.element.lanes != 1)
      continue;
    if (Error error = checkNumber(parameter.name, parameter.element,
                                  parameter.typeName, given->second))
      return error;
  }
  return Error::success();
}

/// Stores `value` at `bytes`; says so where it is no scalar of `type`.
static Error storeNumber(const std::string &name, const ElementType &type,
                         const std::string &typeName, const Number &value,
                         uint8_t *bytes) {
  if (isFloat(type)) {
    storeScalar(type, toDouble(value), bytes);
    return Error::success();
  }
  if (Error error = checkNumber(name, type, typeName, value))
    return error;
  int64_t integer = *toInteger(value);
  std::memcpy(bytes, &integer, type.bytes);
  return Error::success();
}

/// Bytes of all arrays together that a check can hold: it keeps four copies.
static uint64_t largestProblem() {
  llvm::Expected<unsigned> page = llvm::sys::Process::getPageSize();
  if (!page) {
    llvm::consumeError(page.takeError());
    return uint64_t(1) << 32;
  }
  long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? uint64_t(pages) * *page / 4 : uint64_t(1) << 32;
}

/// Sets the members of a structure. Those that are made up are small integers,
/// as in arrays.
Error Problem::setMembers(const KernelParameter &parameter,
                          const RunOptions &options, std::mt19937_64 &random,
                          std::vector<uint8_t> &bytes) {
  for (const StructureMember &member : parameter.members) {
    std::string name = memberName(parameter, member);
    if (member.isPointer)
      return llvm::createStringError(
          "member '" + name +
          "' is a pointer: arrays in structures that are passed by value "
          "cannot be given");
    uint8_t *place = bytes.data() + member.offset;
    auto given = options.sizes.find(name);
    if (given != options.sizes.end() && isNumber(member)) {
      if (Error error = storeNumber(name, member.element,
                                    parameter.typeName + "::" + member.name,
                                    given->second, place))
        return error;
      continue;
    }
    uint64_t size = uint64_t(member.element.bytes) * member.element.lanes;
    for (int64_t extent : member.extents)
      size *= extent;
    fillRandom(member.element, random, place, size);
    if (isInteger(member.element) && isNumber(member))
      madeUpMembers.push_back(name);
  }
  return Error::success();
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
    if (given != options.sizes.end() && type.kind != ElementKind::Opaque &&
        type.lanes == 1) {
      if (Error error = storeNumber(parameter.name, type, parameter.typeName,
                                    given->second, bytes.data()))
        return error;
      if (isInteger(type))
        scalarValues[parameter.name] = *toInteger(given->second);
      continue;
    }
    std::mt19937_64 random = generatorFor(options.seed, parameter.name);
    fillRandom(type, random, bytes.data(), bytes.size());
    if (Error error = setMembers(parameter, options, random, bytes))
      return error;
  }
  return Error::success();
}

/// The shape that the pragma gives an array. --size may say the same, in
/// elements.
static Expected<std::vector<int64_t>>
shapeOfPragma(const KernelInfo &kernel, const std::string &array,
              const std::vector<std::string> &extents,
              const RunOptions &options, const SizeMap &scalars) {
  auto shape = evaluateExtents(extents, kernel, scalars);
  auto given = options.sizes.find(array);
  if (!shape || given == options.sizes.end())
    return shape;
  if (toDouble(given->second) == double(product(*shape)))
    return shape;
  return llvm::createStringError(
      "--size gives array '" + array + "' " + toString(given->second) +
      " elements, the '#pragma gpuopt' " + llvm::Twine(product(*shape)));
}

/// The shape of an array: the pragma's, else what --size says.
static Expected<std::vector<int64_t>> shapeOf(const KernelInfo &kernel,
                                              const std::string &array,
                                              const RunOptions &options,
                                              const SizeMap &scalars) {
  if (kernel.pragma) {
    auto extents = kernel.pragma->arrays.find(array);
    if (extents != kernel.pragma->arrays.end())
      return shapeOfPragma(kernel, array, extents->second, options, scalars);
  }
  auto given = options.sizes.find(array);
  if (!fitsInteger(given->second, /*isSigned=*/true, 64) ||
      toDouble(given->second) < 0)
    return llvm::createStringError("array '" + array + "' of kernel '" +
                                   kernel.displayName +
                                   "' cannot have that number of elements");
  return std::vector<int64_t>{*toInteger(given->second)};
}

/// What of an array is an output: what the pragma names, else all of it where
/// the kernel may write to it.
static Error setOutput(ProblemArray &array, const KernelInfo &kernel,
                       unsigned elementBytes, const SizeMap &scalars) {
  array.isOutput = !kernel.parameters[array.parameter].pointeeIsConst;
  array.outputElements = array.bytes.size() / elementBytes;
  if (!kernel.pragma || kernel.pragma->outputs.empty())
    return Error::success();
  auto output = kernel.pragma->outputs.find(array.name);
  array.isOutput = output != kernel.pragma->outputs.end();
  if (!array.isOutput || output->second.empty())
    return Error::success();
  auto extents = evaluateExtents(output->second, kernel, scalars);
  if (!extents)
    return extents.takeError();
  array.outputElements =
      std::clamp<int64_t>(product(*extents), 0, array.outputElements);
  return Error::success();
}

Error Problem::addArray(const KernelInfo &kernel, unsigned index,
                        const RunOptions &options) {
  const KernelParameter &parameter = kernel.parameters[index];
  ProblemArray array;
  array.name = parameter.name;
  array.parameter = index;
  array.element = parameter.element;
  if (auto displaced = options.displacedArrays.find(parameter.name);
      displaced != options.displacedArrays.end())
    array.displacement = displaced->second;
  unsigned elementBytes =
      std::max(1u, array.element.bytes) * std::max(1u, array.element.lanes);

  auto input = options.inputs.find(parameter.name);
  bool isGiven = input != options.inputs.end();
  ArrayFileUse use = {"array '" + parameter.name + "'", array.element};
  NpyArray file;
  if (isGiven)
    if (Error error = readArrayFile(input->second, use).moveInto(file))
      return error;
  if (isGiven && !hasShape(kernel, parameter.name, options)) {
    array.shape = file.shape;
  } else {
    Expected<std::vector<int64_t>> shape =
        shapeOf(kernel, parameter.name, options, scalarValues);
    if (!shape)
      return shape.takeError();
    array.shape = std::move(*shape);
    int64_t elements = product(array.shape);
    if (elements < 0)
      return llvm::createStringError("array '" + parameter.name +
                                     "' has a negative extent, or more "
                                     "elements than can be counted");
    uint64_t taken = 0;
    for (const ProblemArray &other : arrayArguments)
      taken += other.bytes.size();
    if (uint64_t(elements) > (largestProblem() - taken) / elementBytes)
      return llvm::createStringError("array '" + parameter.name + "' has " +
                                     llvm::Twine(elements) +
                                     " elements: too many for the memory of "
                                     "this machine");
    size_t bytes = size_t(elements) * elementBytes;
    if (isGiven)
      if (Error error =
              checkArrayFile(input->second, file, use, array.shape, bytes))
        return error;
    file.bytes.resize(bytes);
  }
  array.isMadeUp = !isGiven;
  array.bytes = std::move(file.bytes);

  if (Error error = setOutput(array, kernel, elementBytes, scalarValues))
    return error;
  arrayArguments.push_back(std::move(array));
  return Error::success();
}

Error Problem::setLaunch(const Compilation &compilation,
                         const KernelInfo &kernel, const RunOptions &options) {
  config.dynamicSharedBytes = options.dynamicSharedBytes;
  config.block = options.block.value_or(compilation.defaultBlock(kernel));
  if (options.grid) {
    config.grid = *options.grid;
    return checkLaunch(compilation, kernel, config);
  }
  auto domain = launchDomain(compilation, kernel, scalarValues);
  if (!domain)
    return domain.takeError();
  config.grid = gridOver(*domain, config.block);
  return checkLaunch(compilation, kernel, config);
}

std::string gpuopt::blameInputs(llvm::ArrayRef<std::string> integers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "the inputs, not the kernel, may be to blame: the integers of ";
  llvm::interleaveComma(integers, stream, [&](const std::string &name) {
    stream << "'" << name << "'";
  });
  bool isMember = llvm::StringRef(integers.front()).contains('.');
  stream << " are made up; " << (isMember ? "--size " : "--input ")
         << integers.front() << (isMember ? "=V" : "=FILE.npy")
         << " gives others";
  return text;
}

/// What all elements of `array` have to be less than to be subscripts; nothing
/// where they are none.
std::optional<uint64_t>
Problem::fillableRange(const ProblemArray &array,
                       llvm::ArrayRef<SubscriptUse> subscripts) const {
  auto isOf = [](const ProblemArray &candidate, unsigned parameter) {
    return candidate.parameter == parameter ||
           llvm::is_contained(candidate.sharedBy, parameter);
  };
  std::optional<uint64_t> range;
  for (const SubscriptUse &use : subscripts) {
    auto indexed = llvm::find_if(arrayArguments, [&](const auto &candidate) {
      return isOf(candidate, use.indexed);
    });
    if (!isOf(array, use.array) || indexed == arrayArguments.end())
      continue;
    uint64_t count =
        indexed->bytes.size() / std::max<uint64_t>(use.strideBytes, 1);
    for (unsigned parameter : use.strideParameters)
      count /= std::max<int64_t>(scalarValues.lookup(names[parameter]), 1);
    range = std::min(range.value_or(count), std::max<uint64_t>(count, 1));
  }
  return range;
}

void Problem::fillArrays(const RunOptions &options,
                         llvm::ArrayRef<SubscriptUse> subscripts) {
  for (ProblemArray &array : arrayArguments) {
    if (!array.isMadeUp)
      continue;
    std::mt19937_64 random = generatorFor(options.seed, array.name);
    const ElementType &type = array.element;
    bool isExtreme =
        options.values == InputValues::Extreme ||
        (options.values == InputValues::ExtremeFloats && isFloat(type));
    std::optional<uint64_t> range = fillableRange(array, subscripts);
    if (!isExtreme && range && isInteger(type)) {
      bool isRising = llvm::any_of(subscripts, [&](const SubscriptUse &use) {
        return use.array == array.parameter && use.startsLoop;
      });
      fillSubscripts(type, random, *range, isRising, array.bytes.data(),
                     array.bytes.size());
      continue;
    }
    if (isExtreme)
      fillExtreme(type, options.sumsMayOverflow, random, array.bytes.data(),
                  array.bytes.size());
    else
      fillRandom(type, random, array.bytes.data(), array.bytes.size());
  }
}

std::vector<std::string> Problem::madeUpIntegers() const {
  std::vector<std::string> found = madeUpMembers;
  for (const ProblemArray &array : arrayArguments)
    if (array.isMadeUp && isInteger(array.element))
      found.push_back(array.name);
  return found;
}

std::vector<SubscriptUse> gpuopt::findSubscripts(const Compilation &compilation,
                                                 const KernelInfo &kernel,
                                                 const RunOptions &options) {
  auto isMadeUpInteger = [&](const KernelParameter &parameter) {
    return parameter.isPointer && isInteger(parameter.element) &&
           !options.inputs.count(parameter.name);
  };
  if (!options.fitSubscripts ||
      llvm::none_of(kernel.parameters, isMadeUpInteger))
    return {};
  // It has all kernels of the file: no copy for each of them.
  if (const llvm::Module *imported = compilation.importedModule())
    return findSubscripts(*imported, kernel.symbol);
  llvm::LLVMContext context;
  auto module = compilation.untouched(context);
  if (module)
    return findSubscripts(**module, kernel.symbol);
  // Whoever runs the kernel says what is wrong with it.
  llvm::consumeError(module.takeError());
  return {};
}

/// Arrays of their own are no inputs for a kernel that goes from one pointer to
/// another.
static Error checkPointers(const Compilation &compilation,
                           const KernelInfo &kernel,
                           const RunOptions &options) {
  const llvm::Module *imported = compilation.importedModule();
  auto compared =
      imported ? findComparedPointers(*imported, kernel.symbol) : std::nullopt;
  if (!compared)
    return Error::success();
  auto arrayOf = [&](unsigned parameter) {
    const std::string &name = kernel.parameters[parameter].name;
    auto same = options.sameArrays.find(name);
    return same == options.sameArrays.end() ? name : same->second;
  };
  auto [first, second] = *compared;
  if (arrayOf(first) == arrayOf(second))
    return Error::success();
  return llvm::createStringError(
      "kernel '" + kernel.displayName + "' compares places that '" +
      kernel.parameters[first].name + "' and '" +
      kernel.parameters[second].name +
      "' point to, which are of one array where a program launches it; here "
      "each has an array of its own. Pass a number of elements instead, give "
      "both the same array by --same-array, or check the program: 'gpuopt run "
      "--check'");
}

Error gpuopt::checkInputs(const Compilation &compilation,
                          const KernelInfo &kernel, const RunOptions &options) {
  if (Error error = checkPointers(compilation, kernel, options))
    return error;
  for (const auto &[name, file] : options.inputs) {
    auto isNamed = [&](const auto &other) { return other.name == name; };
    bool isArray =
        llvm::any_of(kernel.parameters, [&](const KernelParameter &parameter) {
          return parameter.isPointer && isNamed(parameter);
        });
    if (!isArray && llvm::none_of(findHostVariables(compilation), isNamed))
      return llvm::createStringError(
          "--input names '" + name + "', which is no array of kernel '" +
          kernel.displayName + "', and no variable that the host can set");
    if (!llvm::sys::fs::exists(file))
      return llvm::createStringError("--input " + name + "=" + file +
                                     ": no such file");
  }
  return Error::success();
}

Expected<Problem>
Problem::create(const Compilation &compilation, const KernelInfo &kernel,
                const RunOptions &options,
                std::optional<llvm::ArrayRef<SubscriptUse>> subscripts) {
  // What is missing may be in a file that is not found.
  if (Error error = checkInputs(compilation, kernel, options))
    return error;
  if (MissingOptions missing = findMissing(compilation, kernel, options);
      !missing.isEmpty())
    return llvm::createStringError(
        "nothing says all sizes of kernel '" + kernel.displayName + "'; give " +
        missing.asOptions() + ", or a '#pragma gpuopt'");
  Problem problem;
  if (Error error = problem.setScalars(kernel, options))
    return error;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters))
    if (parameter.isPointer && !options.sameArrays.count(parameter.name))
      if (Error error = problem.addArray(kernel, index, options))
        return error;
  if (Error error = problem.shareArrays(kernel, options))
    return error;
  if (Error error = problem.setLaunch(compilation, kernel, options))
    return error;
  std::vector<SubscriptUse> found;
  if (!subscripts)
    found = findSubscripts(compilation, kernel, options);
  problem.fillArrays(options, options.fitSubscripts
                                  ? subscripts.value_or(found)
                                  : llvm::ArrayRef<SubscriptUse>());
  return problem;
}

Error Problem::shareArrays(const KernelInfo &kernel,
                           const RunOptions &options) {
  for (const auto &[name, other] : options.sameArrays) {
    auto parameter =
        llvm::find_if(kernel.parameters, [&](const KernelParameter &candidate) {
          return candidate.isPointer && candidate.name == name;
        });
    auto array =
        llvm::find_if(arrayArguments, [&](const ProblemArray &candidate) {
          return candidate.name == other;
        });
    if (parameter == kernel.parameters.end() || array == arrayArguments.end())
      return llvm::createStringError(
          "--same-array names '" +
          (parameter == kernel.parameters.end() ? name : other) +
          "', which is no array of its own of kernel '" + kernel.displayName +
          "'");
    array->sharedBy.push_back(parameter - kernel.parameters.begin());
    array->isOutput |= !parameter->pointeeIsConst;
  }
  return Error::success();
}

AddressMap Problem::addresses() const {
  // In bytes: from one array to the next, and what allocators align them by.
  constexpr uint64_t distance = uint64_t(1) << 42, alignment = 256;
  AddressMap addresses;
  for (const auto &[number, array] : llvm::enumerate(arrayArguments)) {
    auto host = reinterpret_cast<uintptr_t>(array.bytes.data());
    uint64_t start =
        (number + 1) * distance + host % alignment + array.displacement;
    addresses[array.name] = start;
    for (unsigned parameter : array.sharedBy)
      addresses[names[parameter]] = start;
  }
  return addresses;
}

uint64_t Problem::arrayBytes() const {
  uint64_t bytes = 0;
  for (const ProblemArray &array : arrayArguments)
    bytes += array.bytes.size();
  return bytes;
}

std::vector<KernelArgument> Problem::arguments() {
  std::vector<KernelArgument> arguments(scalarBytes.size());
  for (auto [index, bytes] : llvm::enumerate(scalarBytes))
    arguments[index] = {KernelArgument::Kind::Scalar, bytes.data(),
                        bytes.size(), names[index]};
  for (ProblemArray &array : arrayArguments) {
    KernelArgument buffer = {KernelArgument::Kind::Buffer, array.bytes.data(),
                             array.bytes.size(), array.name};
    arguments[array.parameter] = buffer;
    for (unsigned parameter : array.sharedBy)
      arguments[parameter] = buffer;
  }
  return arguments;
}
