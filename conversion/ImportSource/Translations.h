//===- Translations.h - gpuopt-translate's way in from source ---*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_TRANSLATIONS_H
#define CONVERSION_IMPORTSOURCE_TRANSLATIONS_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace gpuopt {

/// Registers `--cuda-to-mlir`: import the kernels of a file for the machine
/// that `targetName` gives once the command line is read.
void registerImportTranslations(std::function<llvm::StringRef()> targetName);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_TRANSLATIONS_H
