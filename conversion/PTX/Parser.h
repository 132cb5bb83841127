//===- Parser.h - text of PTX to its tree -----------------------*- C++ -*-===//

#ifndef CONVERSION_PTX_PARSER_H
#define CONVERSION_PTX_PARSER_H

#include "conversion/PTX/Module.h"

#include "llvm/ADT/Twine.h"

namespace gpuopt::ptx {

/// What is wrong, and where.
struct Problem {
  Position at;
  std::string message;
  /// It is nothing that is wrong, as far as is known here.
  bool isUnsupported = false;
};

/// The first problem of a file, or of a function; the others follow from it.
class Problems {
public:
  /// False, for `return problems.add(…)`.
  bool add(Position at, const llvm::Twine &message) {
    if (!first)
      first = {at, message.str()};
    return false;
  }
  bool addUnsupported(Position at, const llvm::Twine &message) {
    if (!first)
      first = {at, message.str(), /*isUnsupported=*/true};
    return false;
  }
  explicit operator bool() const { return first.has_value(); }
  const Problem &get() const { return *first; }
  std::optional<Problem> take() { return std::exchange(first, std::nullopt); }

private:
  std::optional<Problem> first;
};

/// Reads `text`, which outlives the module. False after a problem.
bool parseModule(llvm::StringRef text, SourceModule &module,
                 Problems &problems);

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_PARSER_H
