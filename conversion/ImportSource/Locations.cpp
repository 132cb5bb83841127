//===- Locations.cpp - the user's lines, not the prelude's ----------------===//

#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/Prelude.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace gpuopt;

static bool isInPrelude(const DILocation &location) {
  return location.getFilename().starts_with(kPreludeDirectory);
}

void gpuopt::hidePreludeLocations(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      DILocation *location = instruction.getDebugLoc().get();
      while (location && isInPrelude(*location) && location->getInlinedAt())
        location = location->getInlinedAt();
      instruction.setDebugLoc(location);
    }
}
