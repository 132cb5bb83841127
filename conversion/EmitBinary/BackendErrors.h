//===- BackendErrors.h - LLVM's fatal errors as llvm::Error -----*- C++ -*-===//
//
// LLVM's code generators report what they cannot do in two ways: an error
// diagnostic on the context, whose default handler ends the process, and
// `report_fatal_error`, which always does. A compiler library can do neither.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITBINARY_BACKENDERRORS_H
#define CONVERSION_EMITBINARY_BACKENDERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

namespace gpuopt {

/// Runs `work` and returns the errors that LLVM reported on `context` or as
/// fatal ones. After a fatal error whatever `work` allocated is leaked, and
/// the module that it worked on may only be destroyed.
llvm::Error catchBackendErrors(llvm::LLVMContext &context,
                               llvm::function_ref<void()> work);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_BACKENDERRORS_H
