//===- Translations.h - gpuopt-translate's ways out of MLIR -----*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_TRANSLATIONS_H
#define CONVERSION_EMITBINARY_TRANSLATIONS_H

namespace gpuopt {

/// Registers `--mlir-to-kernel-llvmir`, `--mlir-to-assembly`,
/// `--mlir-to-hsaco`, `--llvmir-to-optimized-llvmir`, `--llvmir-to-assembly`
/// and their kin, each for the machine that `--target` names.
void registerEmitTranslations();

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_TRANSLATIONS_H
