#include "conversion/ImportSource/Prelude.h"
llvm::ArrayRef<gpuopt::EmbeddedFile> gpuopt::precompiledPreludes() {
  return {};
}
