//===- Translations.h - gpuopt-translate's way in from PTX ------*- C++ -*-===//

#ifndef CONVERSION_IMPORTPTX_TRANSLATIONS_H
#define CONVERSION_IMPORTPTX_TRANSLATIONS_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace gpuopt {

/// Registers `--ptx-to-mlir`, as `registerImportTranslations` does for source.
void registerPTXTranslations(std::function<llvm::StringRef()> targetName);

} // namespace gpuopt

#endif // CONVERSION_IMPORTPTX_TRANSLATIONS_H
