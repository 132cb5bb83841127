//===- FallbackLibrary.h - our own device mathematics -----------*- C++ -*-===//

#ifndef CONVERSION_EMITBINARY_FALLBACKLIBRARY_H
#define CONVERSION_EMITBINARY_FALLBACKLIBRARY_H

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace gpuopt {

/// Bitcode of `Fallback/Math.c` for the target's architecture: the common
/// mathematical functions under the vendor library's names.
llvm::MemoryBufferRef getFallbackLibrary(TargetAttr target);

} // namespace gpuopt

#endif // CONVERSION_EMITBINARY_FALLBACKLIBRARY_H
