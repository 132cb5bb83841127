//===- CheckKernels.cpp - what cannot be taken, said clearly --------------===//

#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/Diagnostics.h"
#include "conversion/ImportSource/LibraryFunctions.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace gpuopt;

/// Where the user reads `instruction`, else where its function starts.
static SourcePosition positionOf(const Instruction &instruction) {
  auto path = [](const DIFile *file) {
    if (file->getFilename().starts_with("/") || file->getDirectory().empty())
      return file->getFilename().str();
    return file->getFilename().str();
  };
  if (const DILocation *location = instruction.getDebugLoc().get())
    return {path(location->getFile()), location->getLine(),
            location->getColumn()};
  if (const DISubprogram *function = instruction.getFunction()->getSubprogram())
    return {path(function->getFile()), function->getLine(), 1};
  return {};
}

/// `f` for `_Z1fi`.
static std::string readableName(StringRef symbol) {
  std::string name = demangle(symbol.str());
  return StringRef(name).split('(').first.str();
}

static LogicalResult checkInlineAssembly(const CallBase &call) {
  if (Triple(call.getModule()->getTargetTriple()).isNVPTX())
    return success();
  reportError(positionOf(call),
              "inline assembly is in PTX, which this target does not have");
  return failure();
}

static LogicalResult checkCall(const CallBase &call) {
  if (call.isInlineAsm())
    return checkInlineAssembly(call);
  const Function *callee = call.getCalledFunction();
  if (!callee) {
    reportError(positionOf(call),
                "a call through a pointer (of a function, or of a virtual "
                "member function) is not supported in a kernel");
    return failure();
  }
  if (!callee->isDeclaration()) {
    reportError(positionOf(call), "recursion is not supported in a kernel: '" +
                                      readableName(callee->getName()) +
                                      "' calls itself");
    return failure();
  }
  if (callee->isIntrinsic() || isLibraryFunction(callee->getName()))
    return success();
  reportError(positionOf(call), "'" + readableName(callee->getName()) +
                                    "' has no body that a kernel can call");
  return failure();
}

LogicalResult gpuopt::checkKernels(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (failed(checkCall(*call)))
          return failure();
    }
  return success();
}
