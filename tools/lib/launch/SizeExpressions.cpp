//===- SizeExpressions.cpp - sizes that others give -----------------------===//

#include "tools/lib/launch/SizeExpressions.h"

#include "conversion/ImportSource/Pragma.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;
using llvm::Error;

/// What is wrong with `text`, the value of `name`: a word that is no size, or
/// the expression itself.
static Error describe(const std::string &name, const std::string &text,
                      const llvm::StringMap<int64_t> &integers) {
  llvm::Expected<int64_t> value = evaluateExtent(text, integers);
  std::string reason = value ? "" : llvm::toString(value.takeError());
  auto names = namesInExtent(text);
  bool isWord = !names || (names->size() == 1 && names->front() == text);
  if (!names)
    llvm::consumeError(names.takeError());
  if (isWord)
    return llvm::createStringError(name + " takes a number, found '" + text +
                                   "'");
  return llvm::createStringError(name + "=" + text + ": " + reason);
}

Error gpuopt::evaluateSizes(const ExpressionMap &expressions,
                            NumberMap &sizes) {
  ExpressionMap left = expressions;
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    llvm::StringMap<int64_t> integers = integersOf(sizes);
    for (auto entry = left.begin(); entry != left.end();) {
      llvm::Expected<int64_t> value = evaluateExtent(entry->second, integers);
      if (!value) {
        llvm::consumeError(value.takeError());
        ++entry;
        continue;
      }
      sizes[entry->first] = *value;
      entry = left.erase(entry);
      hasChanged = true;
    }
  }
  if (left.empty())
    return Error::success();
  return describe(left.begin()->first, left.begin()->second, integersOf(sizes));
}
