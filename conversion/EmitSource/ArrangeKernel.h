//===- ArrangeKernel.h - what a person would write --------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_ARRANGEKERNEL_H
#define CONVERSION_EMITSOURCE_ARRANGEKERNEL_H

#include "conversion/EmitSource/Tree.h"

namespace gpuopt::source {

class Spelling;

/// Makes of a kernel, as it is built, what a person would write: all passes
/// over the tree (TreePasses.h), in order.
void arrangeKernel(Kernel &kernel, Spelling &spelling);

/// `text` in LLVM's style.
std::string formatSource(llvm::StringRef text);

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_ARRANGEKERNEL_H
