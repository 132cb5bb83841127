//===- Colors.h - whether diagnostics have colours --------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_COLORS_H
#define CONVERSION_IMPORTSOURCE_COLORS_H

namespace gpuopt {

/// Whether the user wants no colours: NO_COLOR is set and not empty (see
/// https://no-color.org).
bool isColorUnwanted();

/// Whether what goes to `diagnosticStream` has colours: to a terminal that
/// shows them, for a user who wants them.
bool showsColors();

/// Makes LLVM's streams heed `isColorUnwanted`, which Clang has to be told.
void heedNoColor();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_COLORS_H
