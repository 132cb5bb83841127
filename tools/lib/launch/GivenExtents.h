//===- GivenExtents.h - arrays as large as --size says ----------*- C++ -*-===//

#ifndef TOOLS_LIB_LAUNCH_GIVENEXTENTS_H
#define TOOLS_LIB_LAUNCH_GIVENEXTENTS_H

#include "conversion/ImportSource/KernelInfo.h"
#include "tools/lib/launch/Number.h"

#include "llvm/Support/Error.h"

namespace gpuopt {

/// Fails where `sizes` give an array a number of elements that none has, or the
/// pragma makes such an extent of them. Sizes that are not given are any.
llvm::Error checkExtents(const KernelInfo &kernel, const NumberMap &sizes);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_GIVENEXTENTS_H
