//===- Dialects.h - the dialects that the compiler needs --------*- C++ -*-===//

#ifndef TOOLS_LIB_COMPILE_DIALECTS_H
#define TOOLS_LIB_COMPILE_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace gpuopt {

/// Registers the dialects, interfaces and translations that compiling a kernel
/// needs, and no more: loading all of upstream's costs start-up time.
void registerCompilerDialects(mlir::DialectRegistry &registry);

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_DIALECTS_H
