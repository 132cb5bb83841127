//===- PlacedError.h - an error of one place of the source ------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_PLACEDERROR_H
#define CONVERSION_EMITBINARY_PLACEDERROR_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Error.h"

#include <string>

namespace gpuopt {

/// Who prints it says where that is (`FILE:LINE:COLUMN: error: …`).
class PlacedError : public llvm::ErrorInfo<PlacedError> {
public:
  static char ID;

  PlacedError(const llvm::DILocation &place, const llvm::Twine &message);
  /// Of all of `function`.
  PlacedError(const llvm::DISubprogram &function, const llvm::Twine &message);

  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  std::string file;
  unsigned line = 0, column = 0;

private:
  std::string text;
};

/// An error at `instruction`, or of its function; without a place where neither
/// has one.
llvm::Error makeErrorAt(const llvm::Instruction &instruction,
                        const llvm::Twine &message);
llvm::Error makeErrorAt(const llvm::Function &function,
                        const llvm::Twine &message);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_PLACEDERROR_H
