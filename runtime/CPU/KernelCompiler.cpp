//===- KernelCompiler.cpp - GPU kernels to host machine code --------------===//

#include "runtime/CPU/KernelCompiler.h"

#include "conversion/PTX/Divisions.h"
#include "runtime/AnalysisManagers.h"
#include "runtime/CPU/DeviceOutput.h"
#include "runtime/CPU/HostSymbols.h"
#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/RuntimeHooks.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <mutex>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

static constexpr unsigned workgroupAddressSpace = 3;
/// The executor's own names of a module's variables.
static constexpr StringLiteral globalPrefix = "gpuopt.global.";

/// Bitcode is how it gets into another context.
Expected<std::unique_ptr<Module>>
KernelCompiler::copyInto(LLVMContext &context, const Module &module) {
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return parseBitcodeFile(
      MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "kernels"),
      context);
}

/// A copy of `module` with the bodies of no other functions than those.
static std::unique_ptr<Module>
copyWith(const Module &module,
         const SmallPtrSetImpl<const Function *> &functions) {
  ValueToValueMapTy values;
  return CloneModule(module, values, [&](const GlobalValue *global) {
    auto *function = dyn_cast<Function>(global);
    return !function || functions.contains(function);
  });
}

/// A copy of `module` with no other function than `symbol` and what it calls:
/// of many kernels only one is looked at.
static std::unique_ptr<Module> copyKernel(const Module &module,
                                          StringRef symbol) {
  SmallPtrSet<const Function *, 8> known;
  SmallVector<const Function *> needed;
  auto need = [&](const Function *function) {
    if (function && !function->isDeclaration() && known.insert(function).second)
      needed.push_back(function);
  };
  need(module.getFunction(symbol));
  while (!needed.empty())
    for (const Instruction &instruction : instructions(needed.pop_back_val()))
      for (const Value *operand : instruction.operands())
        need(dyn_cast<Function>(operand->stripPointerCasts()));
  return copyWith(module, known);
}

Expected<std::unique_ptr<KernelCompiler>>
KernelCompiler::create(std::unique_ptr<Module> module,
                       std::unique_ptr<LLVMContext> own,
                       const CPUExecutorOptions &options) {
  std::unique_ptr<KernelCompiler> compiler(
      new KernelCompiler(std::move(module), std::move(own), options));
  if (Error error = compiler->createJIT())
    return error;
  if (Error error = compiler->defineGlobals())
    return error;
  return compiler;
}

Error KernelCompiler::createJIT() {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  auto host = orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  // x86's instruction that rounds to bfloat16 takes denormals for zeros.
  if (host->getTargetTriple().isX86())
    host->addFeatures({"-avx512bf16", "-avxneconvert"});
  host->setCodeGenOptLevel(options.compileQuickly ? CodeGenOptLevel::None
                                                  : CodeGenOptLevel::Default);
  host->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  auto made = host->createTargetMachine();
  if (!made)
    return made.takeError();
  machine = std::move(*made);
  // Kernels see our own list of host functions and nothing else.
  auto built = orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(*host)
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(orc::setUpInactivePlatform)
                   .create();
  if (!built)
    return built.takeError();
  jit = std::move(*built);
  orc::SymbolMap symbols;
  auto define = [&](StringRef name, void *address) {
    symbols[jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                           JITSymbolFlags::Exported};
  };
  for (const auto &symbol : hostSymbols())
    define(symbol.getKey(), symbol.getValue());
  for (auto [name, address] : runtimeHooks())
    define(name, address);
  if (options.printsOutput)
    define("vprintf", reinterpret_cast<void *>(printOutput));
  return jit->getMainJITDylib().define(
      orc::absoluteSymbols(std::move(symbols)));
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Gives every variable a unique name; returns the old names in order.
static std::vector<std::string> renameVariables(Module &module) {
  std::vector<std::string> names;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() == workgroupAddressSpace ||
        variable.isDeclaration() || variable.getName().starts_with("llvm."))
      continue;
    std::string name = variable.getName().str();
    variable.setName(globalPrefix + Twine(names.size()) + "." + name);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setDSOLocal(false);
    variable.setComdat(nullptr);
    variable.setSection("");
    // What no kernel writes, the host may.
    if (variable.isExternallyInitialized())
      variable.setConstant(false);
    names.push_back(std::move(name));
  }
  return names;
}

/// Leaves the variables alone: what they say about functions is lost, since
/// kernels do not call through pointers.
static void keepOnlyVariables(Module &module, const DataLayout &layout) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                         "llvm.global_dtors"})
    if (GlobalVariable *variable = module.getNamedGlobal(name))
      variable->eraseFromParent();
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    node.eraseFromParent();
  for (Function &function : make_early_inc_range(module)) {
    function.replaceAllUsesWith(Constant::getNullValue(function.getType()));
    function.eraseFromParent();
  }
  for (GlobalVariable *variable : flattenAddressSpaces(module, layout)) {
    variable->replaceAllUsesWith(Constant::getNullValue(variable->getType()));
    variable->eraseFromParent();
  }
}

Error KernelCompiler::shareStorage(GlobalVariable &variable, StringRef name,
                                   uint64_t bytes) {
  auto shared =
      find_if(options.sharedVariables, [&](const ModuleVariable &other) {
        return other.name == name && other.bytes.size() == bytes;
      });
  if (shared == options.sharedVariables.end())
    return Error::success();
  variable.setInitializer(nullptr);
  variable.setLinkage(GlobalValue::ExternalLinkage);
  orc::SymbolMap symbol;
  symbol[jit->mangleAndIntern(variable.getName())] = {
      orc::ExecutorAddr::fromPtr(shared->bytes.data()),
      JITSymbolFlags::Exported};
  return jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbol)));
}

Error KernelCompiler::defineGlobals() {
  std::vector<std::string> names = renameVariables(*kernelModule);
  if (names.empty())
    return Error::success();

  std::unique_ptr<Module> defined = context.withContextDo([&](LLVMContext *) {
    std::unique_ptr<Module> made =
        copyWith(*kernelModule, SmallPtrSet<const Function *, 1>());
    keepOnlyVariables(*made, jit->getDataLayout());
    made->setTargetTriple(machine->getTargetTriple());
    return made;
  });
  std::vector<std::pair<std::string, uint64_t>> sizes;
  for (GlobalVariable &variable : defined->globals()) {
    if (!variable.getName().starts_with(globalPrefix))
      continue;
    sizes.emplace_back(
        variable.getName(),
        jit->getDataLayout().getTypeAllocSize(variable.getValueType()));
    if (variable.hasInitializer() &&
        variable.getInitializer()->needsRelocation())
      addressHolders.insert(names[sizes.size() - 1]);
    // Whoever has the storage may write to it.
    variable.setConstant(false);
    if (Error error = shareStorage(variable, names[sizes.size() - 1],
                                   sizes.back().second))
      return error;
  }
  if (Error error =
          jit->addIRModule(orc::ThreadSafeModule(std::move(defined), context)))
    return error;
  for (auto [name, size] : zip(names, sizes)) {
    auto address = jit->lookup(size.first);
    if (!address)
      return address.takeError();
    variables.push_back({address->toPtr<uint8_t *>(), size.second, name});
  }
  return Error::success();
}

/// In a kernel's module the variables are declared; constants keep their value
/// for the optimiser.
static void declareVariables(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.getName().starts_with(globalPrefix))
      continue;
    if (variable.isConstant())
      variable.setLinkage(GlobalValue::AvailableExternallyLinkage);
    else
      variable.setInitializer(nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Expected<const CompiledKernel *> KernelCompiler::find(StringRef symbol) {
  std::unique_ptr<CompiledKernel> &kernel = kernels[symbol];
  if (!kernel) {
    auto compiled = compile(symbol);
    if (!compiled)
      return compiled.takeError();
    kernel = std::move(*compiled);
  }
  return kernel.get();
}

/// Runs all steps of KernelBuilder.h; `simplify` before the last one.
static Error buildKernel(KernelBuilder &builder, StringRef symbol,
                         const DataLayout &layout, const Triple &triple,
                         function_ref<void()> simplify) {
  if (Error error = isolateKernel(builder, symbol))
    return error;
  builder.isFromPTX =
      !builder.isAMD && builder.module.getFunction(symbol)->hasFnAttribute(
                            Attribute::NullPointerIsValid);
  SmallVector<GlobalVariable *> workgroup =
      flattenAddressSpaces(builder.module, layout);
  builder.module.setTargetTriple(triple);
  builder.function = builder.module.getFunction(symbol);
  declareVariables(builder.module);
  if (Error error = buildThreadFunction(builder, workgroup))
    return error;
  if (Error error = lowerSynchronisation(builder))
    return error;
  lowerUnsetRegisters(builder);
  ptx::resolveDivisions(builder.module, /*areAllMeant=*/true);
  if (Error error = lowerDeviceCalls(builder))
    return error;
  makeArithmeticStrict(builder);
  if (builder.options.errors)
    followErrors(builder);
  if (builder.options.profile)
    countOperations(builder);
  settleArithmetic(builder);
  settleNotNumbers(builder);
  instrumentKernel(builder);
  simplify();
  if (Error error = splitAtWaits(builder))
    return error;
  for (Function &function : make_early_inc_range(builder.module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  StripDebugInfo(builder.module);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(builder.module, &stream))
    return createStringError("cannot prepare kernel '%s' for the host: %s",
                             symbol.str().c_str(), problem.c_str());
  return Error::success();
}

/// What stays in registers needs no place in a coroutine's frame.
void KernelCompiler::simplify(KernelBuilder &kernel) {
  if (options.compileQuickly || !kernel.waitFunction ||
      kernel.waitFunction->use_empty())
    return;
  // Each wait has a number of its own.
  kernel.waitFunction->addFnAttr(Attribute::NoDuplicate);
  kernel.waitFunction->addFnAttr(Attribute::NoMerge);
  PassBuilder builder(machine.get());
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.run(*kernel.function, analyses.functions);
}

/// LLVM's quick selection of instructions knows no minima, and leaves each to
/// one that takes many times as long.
static void expandMinima(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *minimum = dyn_cast<MinMaxIntrinsic>(&instruction)) {
        IRBuilder<> ir(minimum);
        Value *left = minimum->getLHS(), *right = minimum->getRHS();
        minimum->replaceAllUsesWith(ir.CreateSelect(
            ir.CreateICmp(minimum->getPredicate(), left, right), left, right));
        minimum->eraseFromParent();
      }
}

void KernelCompiler::optimise(Module &module) {
  if (options.compileQuickly)
    return expandMinima(module);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  PassBuilder builder(machine.get(), tuning);
  AnalysisManagers analyses;
  analyses.registerWith(builder);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, analyses.modules);
}

Expected<std::unique_ptr<Module>>
KernelCompiler::build(StringRef symbol, StringRef entry, KernelFacts &facts) {
  std::unique_ptr<Module> module = copyKernel(*kernelModule, symbol);
  {
    KernelBuilder builder(*module, options);
    if (Error error =
            buildKernel(builder, symbol, jit->getDataLayout(),
                        machine->getTargetTriple(), [&] { simplify(builder); }))
      return error;
    builder.function->setName(entry);
    facts = std::move(builder.facts);
  }
  optimise(*module);
  return module;
}

Expected<std::unique_ptr<CompiledKernel>>
KernelCompiler::compile(StringRef symbol) {
  auto kernel = std::make_unique<CompiledKernel>();
  std::string entry = ("gpuopt.kernel." + Twine(compiledKernels++)).str();
  auto module = context.withContextDo(
      [&](LLVMContext *) { return build(symbol, entry, kernel->facts); });
  if (!module)
    return module.takeError();
  if (Error error =
          jit->addIRModule(orc::ThreadSafeModule(std::move(*module), context)))
    return error;
  auto address = jit->lookup(entry);
  if (!address)
    return address.takeError();
  kernel->entry = address->toPtr<void *>();
  return kernel;
}
