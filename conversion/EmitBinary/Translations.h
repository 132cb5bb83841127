//===- Translations.h - gpuopt-translate's ways out of MLIR -----*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_TRANSLATIONS_H
#define CONVERSION_EMITBINARY_TRANSLATIONS_H

#include "llvm/ADT/StringRef.h"

namespace gpuopt {

/// Registers `--mlir-to-kernel-llvmir`, `--mlir-to-assembly`,
/// `--mlir-to-hsaco`, `--llvmir-to-optimized-llvmir`, `--llvmir-to-assembly`
/// and their kin, each for the machine that `--target` names.
void registerEmitTranslations();

/// What `--target` says, for the other translations of the tool.
llvm::StringRef translationTargetName();

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_TRANSLATIONS_H
