//===- ShareDirectives.cpp - '#pragma acc share' --------------------------===//

#include "conversion/ImportSource/OpenACC/ShareDirectives.h"

#include "conversion/ImportSource/OpenACC/DirectiveLines.h"
#include "conversion/ImportSource/Pragma.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuopt;

constexpr static StringLiteral kDirective = "'#pragma acc share': ";

/// The next place in `text` that is no space or end of a line.
static size_t skipSpace(StringRef text, size_t offset) {
  return std::min(text.find_first_not_of(" \t\r\n", offset), text.size());
}

namespace {
class DirectiveReader {
public:
  DirectiveReader(StringRef path, StringRef line, unsigned number)
      : path(path), line(line), number(number) {}

  mlir::FailureOr<ShareDirective> read(StringRef directive);

private:
  mlir::LogicalResult report(StringRef directive, size_t offset,
                             const Twine &message) {
    reportError(positionOf(directive, offset), kDirective + message);
    return mlir::failure();
  }
  SourcePosition positionOf(StringRef directive, size_t offset) const;

  StringRef path, line;
  unsigned number;
};
} // namespace

/// The place of `offset` in `directive`, a part of the line.
SourcePosition DirectiveReader::positionOf(StringRef directive,
                                           size_t offset) const {
  StringRef before =
      line.take_front(directive.data() - line.data() +
                      std::min(offset, directive.rtrim().size()));
  size_t lineStart = before.rfind('\n');
  size_t column = before.size() - (lineStart + 1);
  return {path.str(), number + unsigned(before.count('\n')),
          unsigned(column) + 1};
}

mlir::FailureOr<ShareDirective> DirectiveReader::read(StringRef directive) {
  ShareDirective result{positionOf(line, line.find('#')), {}};
  // Lines that are continued are one.
  std::string text = directive.str();
  llvm::replace(text, '\\', ' ');
  size_t offset = 0;
  auto startsWith = [&](char c) {
    offset = skipSpace(text, offset);
    return offset < text.size() && text[offset] == c;
  };
  if (!startsWith('('))
    return report(directive, offset, "expected '('");
  do {
    offset = skipSpace(text, offset + 1);
    size_t begin = offset;
    ShareHint hint;
    if (auto error = parseShareHint(text, offset, hint))
      return report(directive, error->offset, error->message);
    result.hints.push_back({hint, positionOf(directive, begin)});
  } while (startsWith(','));
  if (!startsWith(')'))
    return report(directive, offset, "expected ',' or ')'");
  offset = skipSpace(text, offset + 1);
  if (offset < text.size())
    return report(directive, offset, "expected the end of the line");
  return result;
}

mlir::FailureOr<std::vector<ShareDirective>>
gpuopt::takeShareDirectives(StringRef path, std::string &text) {
  std::vector<ShareDirective> directives;
  std::string kept;
  unsigned number = 1;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line = takeLine(rest);
    rest = rest.drop_front(line.size());
    if (auto directive = directiveOn(line, {"#", "pragma", "acc", "share"})) {
      mlir::FailureOr<ShareDirective> read =
          DirectiveReader(path, line, number).read(*directive);
      if (failed(read))
        return mlir::failure();
      directives.push_back(std::move(*read));
      kept.append(line.count('\n'), '\n');
    } else {
      kept += line;
    }
    number += line.count('\n');
  }
  text = std::move(kept);
  return directives;
}

/// Those of the construct that begins next, or, in one, the part of it that
/// does.
static MutableArrayRef<CompiledPart>
partsBehind(MutableArrayRef<CompiledPart> parts, unsigned line) {
  auto first = find_if(
      parts, [&](const CompiledPart &part) { return part.line > line; });
  if (first == parts.end())
    return {};
  auto end = first->constructLine <= line
                 ? std::next(first)
                 : std::find_if(first, parts.end(), [&](auto &part) {
                     return part.constructLine != first->constructLine;
                   });
  return MutableArrayRef<CompiledPart>(&*first, end - first);
}

/// Adds a hint to those kernels that have the array.
static mlir::LogicalResult attachHint(const PlacedHint &placed,
                                      MutableArrayRef<CompiledPart> parts) {
  KernelPragma own;
  own.share.push_back(placed.hint);
  std::optional<std::string> wrong;
  bool isUsed = false;
  for (CompiledPart &part : parts) {
    std::vector<ShareHint> &known = part.kernel.pragma->share;
    auto isOfArray = [&](const ShareHint &hint) {
      return hint.array == placed.hint.array;
    };
    if (std::optional<std::string> message =
            checkPragma(own, part.kernel.parameters)) {
      wrong = message;
      continue;
    }
    isUsed = true;
    if (none_of(known, isOfArray))
      known.push_back(placed.hint);
  }
  if (!isUsed)
    reportError(placed.position, kDirective + *wrong);
  return mlir::success(isUsed);
}

mlir::LogicalResult gpuopt::attachHints(ArrayRef<ShareDirective> directives,
                                        MutableArrayRef<CompiledPart> parts) {
  for (const ShareDirective &directive : directives) {
    MutableArrayRef<CompiledPart> behind =
        partsBehind(parts, directive.position.line);
    if (behind.empty()) {
      reportError(directive.position,
                  kDirective + Twine("no compute construct follows"));
      return mlir::failure();
    }
    for (const PlacedHint &placed : directive.hints)
      if (failed(attachHint(placed, behind)))
        return mlir::failure();
  }
  return mlir::success();
}
