//===- MissingOptions.cpp - what a launch needs and nobody says -----------===//

#include "tools/lib/launch/MissingOptions.h"

#include "conversion/ImportSource/Pragma.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;
using llvm::Error;
using llvm::Expected;

/// Extents are signed: unsigned values from 2^63 on are none.
static Error checkExtentNames(const std::string &expression,
                              const KernelInfo &kernel,
                              const SizeMap &scalars) {
  auto names = namesInExtent(expression);
  if (!names)
    return names.takeError();
  for (const KernelParameter &parameter : kernel.parameters)
    if (parameter.element.kind == ElementKind::UnsignedInt &&
        llvm::is_contained(*names, parameter.name) &&
        scalars.lookup(parameter.name) < 0)
      return llvm::createStringError("'" + parameter.name +
                                     "' is too large for the extent '" +
                                     expression + "'");
  return Error::success();
}

Expected<std::vector<int64_t>>
gpuopt::evaluateExtents(const std::vector<std::string> &expressions,
                        const KernelInfo &kernel, const SizeMap &scalars) {
  std::vector<int64_t> values;
  for (const std::string &expression : expressions) {
    if (Error error = checkExtentNames(expression, kernel, scalars))
      return error;
    Expected<int64_t> value = evaluateExtent(expression, scalars);
    if (!value)
      return value.takeError();
    values.push_back(*value);
  }
  return values;
}

bool gpuopt::hasShape(const KernelInfo &kernel, const std::string &array,
                      const RunOptions &options) {
  return options.sizes.count(array) ||
         (kernel.pragma && kernel.pragma->arrays.count(array));
}

/// The work items of a launch that reaches all that the guards let through;
/// empty where the guards do not tell.
static std::vector<int64_t> domainOf(const LaunchGeometry &geometry) {
  std::vector<int64_t> domain;
  for (auto [extent, block] :
       llvm::zip(geometry.extents, geometry.originalBlock)) {
    // A work item for each block, and nothing says how many blocks.
    bool isUnknown = block && !extent;
    if (isUnknown || (domain.empty() && !extent))
      return {};
    domain.push_back(extent.value_or(1));
  }
  return domain;
}

Expected<std::vector<int64_t>>
gpuopt::launchDomain(const Compilation &compilation, const KernelInfo &kernel,
                     const SizeMap &scalars) {
  if (kernel.pragma && !kernel.pragma->domain.empty())
    return evaluateExtents(kernel.pragma->domain, kernel, scalars);
  if (auto items = compilation.workItems(kernel, scalars)) {
    // In the source they have one id.
    int64_t product = 1;
    for (std::optional<int64_t> count : *items)
      product *= count.value_or(1);
    return std::vector<int64_t>{product};
  }
  LaunchGeometry guards;
  guards.extents = compilation.guardedItems(kernel, scalars);
  if (auto geometry = compilation.geometry(kernel, scalars)) {
    for (auto [extent, known] : llvm::zip(geometry->extents, guards.extents))
      extent = extent ? extent : known;
    guards = *geometry;
  }
  return domainOf(guards);
}

Dim3 gpuopt::gridOver(llvm::ArrayRef<int64_t> domain, const Dim3 &block) {
  Dim3 grid = {1, 1, 1};
  for (auto [blocks, items, threads] : llvm::zip(grid, domain, block))
    blocks = std::max<int64_t>(
        1, llvm::divideCeil(std::max<int64_t>(items, 0), threads));
  return grid;
}

std::string MissingOptions::asOptions() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::ListSeparator comma(",");
  if (!scalars.empty() || !arrays.empty())
    stream << "--size ";
  for (const std::string &name : scalars)
    stream << comma << name << "=V";
  for (const std::string &name : arrays)
    stream << comma << name << "=ELEMENTS";
  if (launch)
    stream << (text.empty() ? "" : " ") << "--grid X,Y,Z --block X,Y,Z";
  return text;
}

MissingOptions gpuopt::findMissing(const Compilation &compilation,
                                   const KernelInfo &kernel,
                                   const RunOptions &options) {
  MissingOptions missing;
  SizeMap scalars;
  for (const KernelParameter &parameter : kernel.parameters) {
    const std::string &name = parameter.name;
    auto given = options.sizes.find(name);
    bool isGiven = given != options.sizes.end();
    if (parameter.isPointer) {
      if (!options.sameArrays.count(name) && !options.inputs.count(name) &&
          !hasShape(kernel, name, options))
        missing.arrays.push_back(name);
      continue;
    }
    if (!isInteger(parameter.element) || parameter.element.lanes != 1)
      continue;
    // Whether a launch follows from the sizes does not depend on them.
    scalars[name] = isGiven ? toInteger(given->second).value_or(1) : 1;
    if (!isGiven)
      missing.scalars.push_back(name);
  }
  if (options.grid)
    return missing;
  auto domain = launchDomain(compilation, kernel, scalars);
  missing.launch = domain && domain->empty();
  // Whoever evaluates it with sizes says what is wrong with it.
  if (!domain)
    llvm::consumeError(domain.takeError());
  return missing;
}
