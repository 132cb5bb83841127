//===- NarrowMasks.h - masks that leave lanes out ---------------*- C++ -*-===//

#ifndef CONVERSION_IMPORTSOURCE_NARROWMASKS_H
#define CONVERSION_IMPORTSOURCE_NARROWMASKS_H

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

#include <memory>

namespace gpuopt {

/// Reports calls such as `__ballot_sync(0xffffffff, p)` as errors: HIP's masks
/// have 64 bits, for as many lanes, and one of 32 would silently leave out half
/// of them. HIP's own headers refuse it as well.
std::unique_ptr<clang::ASTConsumer>
createNarrowMaskCheck(clang::DiagnosticsEngine &diagnostics);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_NARROWMASKS_H
