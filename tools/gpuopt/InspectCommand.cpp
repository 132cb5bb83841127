//===- InspectCommand.cpp - gpuopt inspect --------------------------------===//

#include "runtime/DeviceDescription.h"
#include "runtime/DeviceImages.h"
#include "tools/gpuopt/CommandLine.h"
#include "tools/lib/compile/EmbeddedPTX.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using namespace llvm;

static std::string toText(const Dim3 &shape) {
  return formatv("{0}x{1}x{2}", shape[0], shape[1], shape[2]);
}

static void printKernel(const LaunchRules &rules) {
  outs() << "  " << demangle(rules.symbol) << ": ";
  if (!rules.isTuned()) {
    outs() << "as written\n";
    return;
  }
  outs() << "tuned";
  if (rules.geometry)
    outs() << ", blocks of " << toText(rules.geometry->block) << " threads for "
           << toText(rules.geometry->itemsPerBlock) << " work items";
  outs() << '\n';
  for (const ConditionRule &condition : rules.conditions)
    outs() << "    where " << condition.text << '\n';
}

/// Prints what is known of device code that `gpuopt cc` has made.
static Error printImages(ArrayRef<DeviceImageRef> images) {
  for (const DeviceImageRef &image : images) {
    if (image.role != ImageRole::Rules) {
      outs() << "  " << roleName(image.role) << ": " << image.bytes.size()
             << " bytes\n";
      continue;
    }
    outs() << image.arch << ":\n";
    auto rules = json::parse<DeviceCodeRules>(image.bytes);
    if (!rules)
      return rules.takeError();
    for (const LaunchRules &kernel : rules->kernels)
      printKernel(kernel);
  }
  return Error::success();
}

static Error printObject(StringRef path) {
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file)
    return file.takeError();
  auto found = readImages(*file->getBinary());
  if (!found)
    return found.takeError();
  if (found->images.empty())
    return createStringError("carries no device code of gpuopt's");
  return printImages(found->images);
}

/// Prints the modules of PTX, each as it is read as an input.
static Error printPTX(StringRef path) {
  auto modules = readEmbeddedPTX(path);
  if (!modules)
    return modules.takeError();
  for (const EmbeddedPTX &module : *modules)
    outs() << "// for " << module.arch << '\n' << module.text;
  return Error::success();
}

int gpuopt::runInspect(const opt::InputArgList &arguments) {
  std::optional<std::string> path = inputFile(arguments);
  if (!path)
    return kBadUsage;
  auto fail = [&](const Twine &message) {
    WithColor::error(errs(), *path) << message << '\n';
    return kBadInput;
  };
  if (sys::fs::exists(*path) && !sys::fs::is_regular_file(*path))
    return fail("is not a file");
  Error error =
      arguments.hasArg(OPT_ptx) ? printPTX(*path) : printObject(*path);
  return error ? fail(toString(std::move(error))) : kDone;
}
