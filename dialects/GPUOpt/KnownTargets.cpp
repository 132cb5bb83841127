//===- KnownTargets.cpp - machine descriptions by name --------------------===//

#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// One file of dialects/GPUOpt/targets/.
struct KnownTarget {
  StringRef name;
  StringRef text;
};
} // namespace

static const KnownTarget knownTargets[] = {
#include "dialects/GPUOpt/KnownTargets.inc"
};

std::vector<StringRef> gpuopt::knownTargetNames() {
  std::vector<StringRef> names;
  for (const KnownTarget &target : knownTargets)
    names.push_back(target.name);
  return names;
}

/// Parses `text`, the contents of `path`.
static llvm::Expected<TargetAttr> parseTarget(MLIRContext *context,
                                              StringRef text, StringRef path) {
  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
  });
  auto target = dyn_cast_or_null<TargetAttr>(
      parseAttribute(text.rtrim(), context, Type(), /*numRead=*/nullptr));
  if (target)
    return target;
  if (message.empty())
    message = "expected a '#gpuopt.target<…>' attribute";
  return llvm::createStringError("'" + path +
                                 "' is no machine description: " + message);
}

llvm::Expected<TargetAttr> gpuopt::lookUpTarget(MLIRContext *context,
                                                StringRef nameOrPath) {
  context->getOrLoadDialect<GPUOptDialect>();
  for (const KnownTarget &target : knownTargets)
    if (target.name == nameOrPath)
      return parseTarget(context, target.text, target.name);

  if (llvm::sys::fs::is_regular_file(nameOrPath)) {
    auto buffer = llvm::MemoryBuffer::getFile(nameOrPath, /*IsText=*/true);
    if (!buffer)
      return llvm::createStringError(buffer.getError(),
                                     "cannot read '" + nameOrPath + "'");
    return parseTarget(context, (*buffer)->getBuffer(), nameOrPath);
  }

  auto nearest = llvm::min_element(knownTargets, [&](const KnownTarget &a,
                                                     const KnownTarget &b) {
    return a.name.edit_distance(nameOrPath) < b.name.edit_distance(nameOrPath);
  });
  return llvm::createStringError("unknown target '" + nameOrPath +
                                 "'; did you mean '" + nearest->name + "'?");
}
