//===- MergePTX.cpp - one PTX file of several -----------------------------===//

#include "tools/lib/compile/EmitApart.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;

static constexpr StringLiteral kFile = "\t.file\t", kLocation = "\t.loc\t",
                               kSection = "\t.section\t",
                               kEmptySection =
                                   "\t.section\t.debug_macinfo\t{\t}",
                               kEndOfHeader = ".address_size 64\n";

namespace {
/// The file that others are merged into.
class MergedPTX {
public:
  /// False where `text` cannot be merged.
  bool add(StringRef text);
  std::string finish() const;

private:
  bool addHeader(StringRef text);
  void findFiles(StringRef text);
  bool addLine(StringRef line);
  bool addLocation(StringRef location);

  std::string header, body;
  bool hasEmptySection = false;
  /// Numbers of files by what stands behind the number in `.file`.
  MapVector<StringRef, unsigned> files;
  /// The number for each one of the text that is added.
  DenseMap<unsigned, unsigned> numbers;
};
} // namespace

bool MergedPTX::addHeader(StringRef text) {
  if (header.empty())
    header = text.str();
  return header == text;
}

/// They are named behind the functions that refer to them.
void MergedPTX::findFiles(StringRef text) {
  numbers.clear();
  for (StringRef line : split(text, '\n')) {
    unsigned number = 0;
    if (!line.consume_front(kFile) || line.consumeInteger(10, number))
      continue;
    auto known = files.insert({line, files.size() + 1}).first;
    numbers[number] = known->second;
  }
}

bool MergedPTX::addLocation(StringRef location) {
  unsigned number = 0;
  if (location.consumeInteger(10, number) || location.contains("inlined_at"))
    return false;
  auto known = numbers.find(number);
  if (known == numbers.end())
    return false;
  body += (kLocation + Twine(known->second) + location + "\n").str();
  return true;
}

bool MergedPTX::addLine(StringRef line) {
  if (line.starts_with(kFile))
    return true;
  if (line.starts_with(kSection)) {
    hasEmptySection = true;
    return line == kEmptySection;
  }
  if (StringRef location = line; location.consume_front(kLocation))
    return addLocation(location);
  body += line;
  body += '\n';
  return true;
}

bool MergedPTX::add(StringRef text) {
  size_t end = text.find(kEndOfHeader);
  if (end == StringRef::npos || !addHeader(text.take_front(end)))
    return false;
  findFiles(text);
  text = text.drop_front(end + kEndOfHeader.size()).rtrim('\n');
  return all_of(split(text, '\n'),
                [&](StringRef line) { return addLine(line); });
}

std::string MergedPTX::finish() const {
  std::string text = header + kEndOfHeader.str() + body;
  if (hasEmptySection)
    text += kEmptySection.str() + "\n";
  for (auto [path, number] : files)
    text += (kFile + Twine(number) + path + "\n").str();
  return text;
}

std::optional<std::string> gpuopt::mergePTX(ArrayRef<std::string> files) {
  MergedPTX merged;
  for (StringRef file : files)
    if (!merged.add(file))
      return std::nullopt;
  return merged.finish();
}
