//===- KnownTargets.cpp - machine descriptions by name --------------------===//

#include "dialects/GPUOpt/KnownTargets.h"

#include "dialects/GPUOpt/ContextCache.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
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

/// `text` with each `//` comment outside of strings replaced by spaces, so that
/// positions stay, and without spaces at the end.
static std::string blankComments(StringRef text) {
  std::string result = text.str();
  bool inString = false, inComment = false;
  for (size_t i = 0; i < result.size(); ++i) {
    if (result[i] == '\n')
      inString = inComment = false;
    else if (result[i] == '"' && !inComment &&
             (i == 0 || result[i - 1] != '\\'))
      inString = !inString;
    else if (!inString && StringRef(result).substr(i).starts_with("//"))
      inComment = true;
    if (inComment)
      result[i] = ' ';
  }
  return StringRef(result).rtrim().str();
}

/// Parses `text`, the contents of `path`.
static llvm::Expected<TargetAttr> parseTarget(MLIRContext *context,
                                              StringRef text, StringRef path) {
  // The parser's position in an empty text is that of no character.
  if (text.trim().empty())
    return llvm::createStringError(path + ":1:1: expected attribute value");
  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (!message.empty())
      return;
    llvm::raw_string_ostream os(message);
    os << path << ':';
    if (auto position = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      os << position.getLine() << ':' << std::max(position.getColumn(), 1u)
         << ':';
    os << ' ' << diagnostic.str();
  });
  // The parser counts what it read from the first token on.
  std::string blanked = blankComments(text);
  size_t numRead = 0;
  Attribute attribute = parseAttribute(blanked, context, Type(), &numRead);
  numRead += blanked.size() - StringRef(blanked).ltrim().size();
  StringRef rest = StringRef(blanked).drop_front(
      attribute ? std::min(numRead, blanked.size()) : blanked.size());
  if (!rest.trim().empty()) {
    StringRef before(blanked.data(), blanked.size() - rest.ltrim().size());
    message = llvm::formatv("{0}:{1}:{2}: expected the end of the file", path,
                            before.count('\n') + 1,
                            before.size() - before.rfind('\n'))
                  .str();
  } else if (auto target = dyn_cast_or_null<TargetAttr>(attribute)) {
    return target;
  }
  if (message.empty())
    message = (path + ":1:1: expected a machine description, "
                      "'#gpuopt.target<…>'")
                  .str();
  return llvm::createStringError(message);
}

namespace {
/// The known targets that a context has, by name.
struct ParsedTargets {
  using Result = TargetAttr;
  llvm::StringMap<TargetAttr> targets;
};
} // namespace

/// Each pass of a pipeline asks for the same one.
static llvm::Expected<TargetAttr> parseOnce(MLIRContext *context,
                                            const KnownTarget &target) {
  if (auto known = ContextCache::with<ParsedTargets>(
          context, [&](ParsedTargets &parsed) {
            return parsed.targets.lookup(target.name);
          }))
    return known;
  auto made = parseTarget(context, target.text, target.name);
  if (made)
    ContextCache::with<ParsedTargets>(context, [&](ParsedTargets &parsed) {
      return parsed.targets[target.name] = *made;
    });
  return made;
}

llvm::Expected<TargetAttr> gpuopt::lookUpTarget(MLIRContext *context,
                                                StringRef nameOrPath) {
  context->getOrLoadDialect<GPUOptDialect>();
  for (const KnownTarget &target : knownTargets)
    if (target.name == nameOrPath)
      return parseOnce(context, target);

  if (llvm::sys::fs::is_directory(nameOrPath))
    return llvm::createStringError("cannot read '" + nameOrPath +
                                   "': it is a directory");
  if (llvm::sys::fs::exists(nameOrPath)) {
    auto buffer = llvm::MemoryBuffer::getFile(nameOrPath, /*IsText=*/true);
    if (!buffer)
      return llvm::createStringError(buffer.getError(),
                                     "cannot read '" + nameOrPath +
                                         "': " + buffer.getError().message());
    return parseTarget(context, (*buffer)->getBuffer(), nameOrPath);
  }

  auto nearest = llvm::min_element(knownTargets, [&](const KnownTarget &a,
                                                     const KnownTarget &b) {
    return a.name.edit_distance(nameOrPath) < b.name.edit_distance(nameOrPath);
  });
  return llvm::createStringError("unknown target '" + nameOrPath +
                                 "'; did you mean '" + nearest->name +
                                 "'? (a file's path is taken too)");
}
