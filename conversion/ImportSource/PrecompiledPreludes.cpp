//===- PrecompiledPreludes.cpp - what PrecompilePrelude made --------------===//

#include "conversion/ImportSource/Prelude.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

using namespace gpuopt;

#include "conversion/ImportSource/PrecompiledPreludes.inc"

llvm::ArrayRef<EmbeddedFile> gpuopt::precompiledPreludes() {
  return precompiledFiles;
}
