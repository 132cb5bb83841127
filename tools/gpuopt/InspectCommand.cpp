//===- InspectCommand.cpp - gpuopt inspect --------------------------------===//

#include "runtime/DeviceDescription.h"
#include "runtime/DeviceImages.h"
#include "tools/gpuopt/CommandLine.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace gpuopt;
using namespace llvm;

/// Where Clang puts device code.
static constexpr StringLiteral kSectionName = ".nv_fatbin";

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

/// Prints what the section of one file holds; false where nothing does.
static Expected<bool> printSection(StringRef contents) {
  // Sections need not lie at a multiple of eight in a file.
  std::vector<uint64_t> aligned(contents.size() / sizeof(uint64_t) + 1);
  char *begin = reinterpret_cast<char *>(aligned.data());
  copy(contents, begin);
  auto images = readImages(begin, begin + contents.size());
  if (!images)
    return images.takeError();
  for (const DeviceImageRef &image : *images) {
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
  return !images->empty();
}

/// Prints the device code of an object file, if it has any.
static Expected<bool> printObject(const object::ObjectFile &file) {
  bool found = false;
  for (const object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != kSectionName)
      continue;
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    auto printed = printSection(*contents);
    if (!printed)
      return printed;
    found |= *printed;
  }
  return found;
}

int gpuopt::runInspect(const opt::InputArgList &arguments) {
  std::optional<std::string> path = inputFile(arguments);
  if (!path)
    return kBadUsage;
  auto fail = [&](const Twine &message) {
    WithColor::error(errs(), *path) << message << '\n';
    return kBadInput;
  };
  auto file = object::ObjectFile::createObjectFile(*path);
  if (!file)
    return fail(toString(file.takeError()));
  auto printed = printObject(*file->getBinary());
  if (!printed)
    return fail(toString(printed.takeError()));
  if (!*printed)
    return fail("carries no device code of gpuopt's");
  return kDone;
}
