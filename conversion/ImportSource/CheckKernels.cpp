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

/// On NVIDIA's and AMD's targets alike.
static constexpr unsigned kWorkgroupAddressSpace = 3;

static SourcePosition positionOf(const Function &function) {
  if (const DISubprogram *source = function.getSubprogram())
    return {source->getFile()->getFilename().str(), source->getLine(), 1};
  return {};
}

/// Where the user reads `instruction`, else where its function starts.
static SourcePosition positionOf(const Instruction &instruction) {
  if (const DILocation *location = instruction.getDebugLoc().get())
    return {location->getFilename().str(), location->getLine(),
            location->getColumn()};
  return positionOf(*instruction.getFunction());
}

/// `f` for `_Z1fi`, `f<int>` for `_Z1fIiET_S0_`.
static std::string readableName(StringRef symbol) {
  ItaniumPartialDemangler demangler;
  std::string mangled = symbol.str();
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return demangle(mangled);
  char *name = demangler.getFunctionName(nullptr, nullptr);
  std::string copy = name;
  std::free(name);
  return copy;
}

/// The first call in `function` of a function that has a body: all such calls
/// are inlined but those of a cycle.
static const CallBase *findRecursion(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && !callee->isDeclaration())
        return call;
  return nullptr;
}

static std::optional<KernelProblem> checkCall(const CallBase &call) {
  auto problem = [&](const Twine &message) {
    return KernelProblem{positionOf(call), message.str()};
  };
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    if (Triple(call.getModule()->getTargetTriple()).isNVPTX() ||
        assembly->getAsmString().empty())
      return std::nullopt;
    return problem("inline assembly in a kernel is supported for NVIDIA's "
                   "targets only");
  }
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return problem("a call through a pointer (of a function, or of a virtual "
                   "member function) is not supported in a kernel");
  std::string name = readableName(callee->getName());
  if (callee->isVarArg() && !callee->isDeclaration())
    return problem("a function with a variable number of arguments is not "
                   "supported in a kernel: '" +
                   name + "'");
  if (!callee->isDeclaration()) {
    const CallBase *inner = findRecursion(*callee);
    return KernelProblem{positionOf(inner ? *inner : call),
                         "recursion is not supported in a kernel: '" + name +
                             "' calls itself"};
  }
  if (callee->getName().starts_with("__gpuopt_nvvm_"))
    return problem("textures and surfaces in a kernel are supported for "
                   "NVIDIA's targets only");
  if (callee->isIntrinsic() || isLibraryFunction(callee->getName()))
    return std::nullopt;
  return problem("'" + name + "' has no body that a kernel can call");
}

/// The first variable of another file that `value` is, or is computed from at
/// compile time. Dynamic workgroup memory is declared like one.
static const GlobalVariable *findForeignVariable(const Value &value) {
  if (const auto *variable = dyn_cast<GlobalVariable>(&value)) {
    bool isWorkgroup = variable->getAddressSpace() == kWorkgroupAddressSpace;
    return variable->isDeclaration() && !isWorkgroup ? variable : nullptr;
  }
  if (isa<Constant>(value) && !isa<GlobalValue>(value))
    for (const Use &operand : cast<Constant>(value).operands())
      if (const GlobalVariable *found = findForeignVariable(*operand))
        return found;
  return nullptr;
}

static std::optional<KernelProblem>
checkVariables(const Instruction &instruction) {
  for (const Use &operand : instruction.operands())
    if (const GlobalVariable *variable = findForeignVariable(*operand))
      return KernelProblem{positionOf(instruction),
                           "'" + readableName(variable->getName()) +
                               "' is a variable of another file, which a "
                               "kernel cannot use: define it in this one"};
  return std::nullopt;
}

std::optional<KernelProblem> gpuopt::findProblem(const Function &kernel) {
  if (kernel.isVarArg())
    return KernelProblem{positionOf(kernel),
                         "a kernel cannot have a variable number of arguments"};
  for (const Instruction &instruction : instructions(kernel)) {
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      if (std::optional<KernelProblem> problem = checkCall(*call))
        return problem;
    if (std::optional<KernelProblem> problem = checkVariables(instruction))
      return problem;
  }
  return std::nullopt;
}
