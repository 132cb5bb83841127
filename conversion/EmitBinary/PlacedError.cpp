//===- PlacedError.cpp - an error of one place of the source --------------===//

#include "conversion/EmitBinary/PlacedError.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;

char PlacedError::ID = 0;

static std::string pathOf(const DIScope &scope) {
  SmallString<128> path(scope.getFilename());
  if (sys::path::is_relative(path) && !scope.getDirectory().empty()) {
    path = scope.getDirectory();
    sys::path::append(path, scope.getFilename());
  }
  return path.str().str();
}

PlacedError::PlacedError(const DILocation &place, const Twine &message)
    : file(pathOf(*place.getScope())), line(place.getLine()),
      column(place.getColumn()), text(message.str()) {}

PlacedError::PlacedError(const DISubprogram &function, const Twine &message)
    : file(pathOf(function)), line(function.getLine()), column(1),
      text(message.str()) {}

Error gpuopt::makeErrorAt(const Function &function, const Twine &message) {
  if (const DISubprogram *subprogram = function.getSubprogram())
    return make_error<PlacedError>(*subprogram, message);
  return createStringError(message);
}

Error gpuopt::makeErrorAt(const Instruction &instruction,
                          const Twine &message) {
  const DILocation *place = instruction.getDebugLoc();
  if (place && place->getLine())
    return make_error<PlacedError>(*place, message);
  return makeErrorAt(*instruction.getFunction(), message);
}
