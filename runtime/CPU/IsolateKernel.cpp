//===- IsolateKernel.cpp - one kernel, everything inlined -----------------===//
//
// A thread suspends at barriers, which works only in one function: all calls of
// functions with a body are inlined. What cannot be inlined is an error here.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/InlineStatements.h"
#include "conversion/PTX/RecoverPointers.h"
#include "runtime/AnalysisManagers.h"
#include "runtime/CPU/HostSymbols.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// Attributes and flags that mean something to a GPU back end only.
static void dropTargetAttributes(Function &function) {
  for (StringRef name :
       {"target-cpu", "target-features", "tune-cpu", "unsafe-fp-math",
        "no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math",
        "approx-func-fp-math", "denormal-fp-math", "denormal-fp-math-f32"})
    function.removeFnAttr(name);
  for (Attribute::AttrKind kind :
       {Attribute::NoInline, Attribute::OptimizeNone,
        Attribute::OptimizeForSize, Attribute::MinSize, Attribute::StackProtect,
        Attribute::StackProtectStrong, Attribute::StackProtectReq})
    function.removeFnAttr(kind);
  function.setCallingConv(CallingConv::C);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setDSOLocal(false);
  function.setComdat(nullptr);
}

static void dropModuleMetadata(Module &module) {
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (node.getName() != "llvm.dbg.cu" &&
        node.getName() != "llvm.module.flags")
      node.eraseFromParent();
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                         "llvm.global_dtors"})
    if (GlobalVariable *variable = module.getNamedGlobal(name))
      variable->eraseFromParent();
  module.setModuleInlineAsm("");
}

/// A device library may be linked in already; the host has its own.
static void dropDeviceLibrary(Module &module) {
  for (Function &function : module)
    if ((function.getName().starts_with("__nv_") ||
         function.getName().starts_with("__ocml_")) &&
        isHostSymbol(hostMathName(function.getName())))
      function.deleteBody();
}

static void inlineEverything(Module &module, Function &kernel) {
  for (Function &function : module) {
    dropTargetAttributes(function);
    if (function.isDeclaration() || &function == &kernel)
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction)) {
        call->setCallingConv(CallingConv::C);
        call->removeFnAttr(Attribute::NoInline);
      }
  for (GlobalVariable &variable : module.globals()) {
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setDSOLocal(false);
    variable.setComdat(nullptr);
  }

  PassBuilder builder;
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  ModulePassManager passes;
  passes.addPass(GlobalDCEPass());
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  // Promoting locals to registers leaves fewer accesses to check.
  passes.addPass(
      createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  passes.run(module, analyses.modules);
}

/// Whether a statement only has a meaning for a GPU's caches, its scheduler, or
/// for when products of matrices are done, which here they are at once.
static bool isHint(StringRef assembly) {
  assembly = assembly.trim();
  static constexpr StringLiteral hints[] = {
      "prefetch",     "nanosleep.",          "griddepcontrol.",  "fence.proxy.",
      "wgmma.fence.", "wgmma.commit_group.", "wgmma.wait_group."};
  return assembly.count(';') == 1 && assembly.ends_with(";") &&
         any_of(hints,
                [&](StringRef hint) { return assembly.starts_with(hint); });
}

/// An empty statement only says in which order memory is accessed, and a hint
/// no more.
static void replaceIdleAssembly(Function &kernel) {
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->isInlineAsm())
      continue;
    StringRef text = cast<InlineAsm>(call->getCalledOperand())->getAsmString();
    bool isIdle = text.empty() || isHint(text);
    // `asm("" : "+r"(x))` gives its operand back.
    bool isOperand = call->arg_size() == 1 &&
                     call->getArgOperand(0)->getType() == call->getType();
    if (!isIdle || (!call->getType()->isVoidTy() && !isOperand))
      continue;
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(call->getArgOperand(0));
    new FenceInst(call->getContext(), AtomicOrdering::SequentiallyConsistent,
                  SyncScope::SingleThread, call->getIterator());
    call->eraseFromParent();
  }
}

/// What is left must be calls of functions without a body.
static Error checkCalls(Function &kernel, StringRef symbol) {
  for (Instruction &instruction : instructions(kernel)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand())) {
      if (isWarpgroupProduct(*call))
        continue;
      return createStringError("kernel '" + symbol +
                               "' contains inline assembly that cannot run on "
                               "the CPU: " +
                               assembly->getAsmString());
    }
    Function *callee = call->getCalledFunction();
    if (!callee)
      return createStringError("kernel '%s' calls through a pointer",
                               symbol.str().c_str());
    if (!callee->isDeclaration())
      return createStringError("kernel '%s' calls '%s' recursively",
                               symbol.str().c_str(),
                               callee->getName().str().c_str());
  }
  return Error::success();
}

Error gpuopt::runtime::isolateKernel(KernelBuilder &kernel, StringRef symbol) {
  Function *function = kernel.module.getFunction(symbol);
  if (!function || function->isDeclaration())
    return createStringError("no kernel '%s' in the module",
                             symbol.str().c_str());
  if (!function->getReturnType()->isVoidTy() || function->isVarArg())
    return createStringError("'%s' is not a kernel: it returns a value",
                             symbol.str().c_str());
  kernel.facts.blocks = blockBoundsOf(*function);
  dropModuleMetadata(kernel.module);
  for (GlobalAlias &alias : make_early_inc_range(kernel.module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  function->setLinkage(GlobalValue::ExternalLinkage);
  dropDeviceLibrary(kernel.module);
  bool hadStatements = ptx::replaceInlineStatements(kernel.module);
  inlineEverything(kernel.module, *function);
  if (hadStatements) {
    ptx::dropAddressMarks(kernel.module);
    ptx::recoverPointers(*function);
  }
  kernel.function = function;
  kernel.facts.name = symbol.str();
  replaceIdleAssembly(*function);
  return checkCalls(*function, symbol);
}
