//===- CompilerOutput.cpp - from tuned kernels to what is written ---------===//

#include "tools/lib/compile/Compiler.h"

#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "tools/lib/compile/CompilerSteps.h"
#include "tools/lib/compile/Diagnostics.h"
#include "tools/lib/compile/EmitApart.h"
#include "tools/lib/compile/OriginalKernels.h"
#include "tools/lib/compile/SourceNotes.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"

using namespace mlir;
using namespace gpuopt;

std::string gpuopt::bytecodeOf(ModuleOp module) {
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  return succeeded(writeBytecodeToFile(module, stream)) ? bytecode : "";
}

gpu::GPUFuncOp gpuopt::findKernel(ModuleOp module, StringRef symbol) {
  gpu::GPUFuncOp found;
  // Not what kernels are made of: launches ask for their kernel many times.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<gpu::GPUFuncOp>(op);
        function && function.getName() == symbol)
      found = function;
    return isa<ModuleOp, gpu::GPUModuleOp>(op) ? WalkResult::advance()
                                               : WalkResult::skip();
  });
  return found;
}

gpu::GPUFuncOp Compilation::tunedKernel(const KernelInfo &kernel) const {
  return findKernel(*tunedModule, kernel.symbol);
}

gpu::GPUFuncOp Compilation::raisedKernel(const KernelInfo &kernel) const {
  return findKernel(*raisedModule, kernel.symbol);
}

/// Whether `function` tells threads apart in x, y and z.
static std::array<bool, 3> dimensionsOfThreads(gpu::GPUFuncOp function) {
  std::array<bool, 3> used = {};
  function.walk([&](Operation *op) {
    if (auto globalId = dyn_cast<gpu::GlobalIdOp>(op))
      used[static_cast<unsigned>(globalId.getDimension())] = true;
    else if (auto threadId = dyn_cast<gpu::ThreadIdOp>(op))
      used[static_cast<unsigned>(threadId.getDimension())] = true;
  });
  return used;
}

BlockBounds Compilation::blockBounds(const KernelInfo &kernel) const {
  // The launches that a kernel with grid barriers is split into are none of the
  // source.
  if (source.module)
    if (const llvm::Function *function =
            source.module->getFunction(kernel.symbol))
      return blockBoundsOf(*function);
  BlockBounds bounds;
  gpu::GPUFuncOp function = raisedKernel(kernel);
  if (auto given = function ? function->getAttrOfType<DenseI32ArrayAttr>(
                                  kLaunchBoundsAttrName)
                            : DenseI32ArrayAttr();
      given && !given.empty() && given[0] > 0)
    bounds.mostThreads = given[0];
  return bounds;
}

/// Halves `block` until it is within `bounds`, last of all along x.
static void shrinkTo(const BlockBounds &bounds, Dim3 &block) {
  while (bounds.mostThreads && block[0] * block[1] * block[2] >
                                   std::max<int64_t>(*bounds.mostThreads, 1))
    for (unsigned dim : {2, 1, 0})
      if (block[dim] > 1) {
        block[dim] /= 2;
        break;
      }
}

std::optional<Dim3> Compilation::hostBlock(const KernelInfo &kernel) const {
  gpu::GPUFuncOp function = raisedKernel(kernel);
  if (!function)
    return std::nullopt;
  if (std::optional<ArrayRef<int32_t>> known = function.getKnownBlockSize())
    return Dim3{(*known)[0], (*known)[1], (*known)[2]};
  auto launched =
      function->getAttrOfType<DenseI32ArrayAttr>(kLaunchBlockAttrName);
  if (!launched)
    return std::nullopt;
  return Dim3{launched[0], launched[1], launched[2]};
}

Dim3 Compilation::defaultBlock(const KernelInfo &kernel) const {
  static constexpr Dim3 blocks[] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
  if (std::optional<Dim3> block = hostBlock(kernel))
    return *block;
  std::array<bool, 3> used = {true, true, true};
  if (gpu::GPUFuncOp function = raisedKernel(kernel))
    used = dimensionsOfThreads(function);
  size_t dimensions = used[2] ? 3 : used[1] ? 2 : 1;
  if (kernel.pragma)
    dimensions = kernel.pragma->domain.size();
  while (dimensions > 1 && dimensions <= 3 && !used[dimensions - 1])
    --dimensions;
  BlockBounds bounds = blockBounds(kernel);
  if (bounds.shape)
    return *bounds.shape;
  Dim3 block = blocks[std::clamp<size_t>(dimensions, 1, 3) - 1];
  shrinkTo(bounds, block);
  // Threads that differ only in an id nobody reads would all do the same.
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!used[dim])
      block[dim] = 1;
  return block;
}

std::string Compilation::fallbackSymbol(const KernelInfo &kernel) const {
  gpu::GPUFuncOp function = tunedKernel(kernel);
  if (function)
    if (auto fallback =
            function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
      return fallback.getValue().str();
  return kernel.symbol;
}

/// Lowers `module`, turning what the lowering prints into its diagnostic.
static llvm::Expected<std::unique_ptr<llvm::Module>>
lower(ModuleOp module, TargetAttr target, llvm::LLVMContext &context) {
  DiagnosticPrinter printer(module.getContext());
  if (std::unique_ptr<llvm::Module> lowered =
          lowerToLLVMIR(module, target, context))
    return lowered;
  return printer.makeError("the kernels cannot be lowered to LLVM IR");
}

/// The tuned kernels with those that launches fall back to as Clang made them;
/// `imported` may be null.
static OwningOpRef<ModuleOp> restoreOriginals(const Compilation &compilation,
                                              ModuleOp imported) {
  llvm::StringMap<std::string> originals;
  for (const KernelInfo &kernel : compilation.kernels())
    if (std::string fallback = compilation.fallbackSymbol(kernel);
        fallback != kernel.symbol)
      originals[fallback] = kernel.symbol;
  OwningOpRef<ModuleOp> module = compilation.tuned().clone();
  if (imported && !originals.empty())
    restoreImportedKernels(*module, imported, originals);
  return module;
}

llvm::Expected<std::unique_ptr<llvm::Module>>
Compilation::lowered(llvm::LLVMContext &llvmContext) const {
  OwningOpRef<ModuleOp> module =
      restoreOriginals(*this, importedKernels ? *importedKernels : ModuleOp());
  return lower(*module, targetAttr, llvmContext);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
Compilation::untouched(llvm::LLVMContext &llvmContext) const {
  if (!source.module)
    return lower(*raisedModule, targetAttr, llvmContext);
  // Bitcode is how a module moves from one context to another.
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*source.module, stream);
  return llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(stream.str(), source.module->getName()),
      llvmContext);
}

static EmitOptions emitOptions(const Compilation &compilation) {
  EmitOptions options;
  options.fastMath = compilation.options().import.fastMath;
  return options;
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << '\n';
  return text;
}

static std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, /*AAW=*/nullptr);
  return text;
}

/// The language of a kind of output that is source code.
static std::optional<OutputLanguage> languageOf(OutputKind kind) {
  switch (kind) {
  case OutputKind::CUDA:
    return OutputLanguage::CUDA;
  case OutputKind::HIP:
    return OutputLanguage::HIP;
  case OutputKind::OpenCL:
    return OutputLanguage::OpenCL;
  default:
    return std::nullopt;
  }
}

EmitSourceOptions Compilation::sourceOptions(OutputLanguage language) const {
  EmitSourceOptions options;
  options.language = language;
  options.strict = compileOptions.strict;
  for (const KernelInfo &kernel : kernelInfos) {
    options.kernels.push_back(kernel.symbol);
    for (std::string &note : makeSourceNotes(kernel, recordedSteps))
      options.notes.emplace_back(kernel.symbol, std::move(note));
  }
  return options;
}

std::vector<DumpedFile> Compilation::dumpSteps(OutputLanguage language) const {
  EmitSourceOptions sourceForm = sourceOptions(language);
  sourceForm.notes.clear();
  return gpuopt::dumpSteps(snapshots, recordedSteps, sourceForm);
}

llvm::Expected<std::string>
Compilation::emitSource(OutputLanguage language) const {
  DiagnosticPrinter printer(context.get());
  FailureOr<std::string> emitted =
      gpuopt::emitSource(*tunedModule, sourceOptions(language));
  if (succeeded(emitted))
    return *emitted;
  return printer.makeError("the kernels have no source form");
}

llvm::Expected<std::string> Compilation::emit(OutputKind kind) const {
  if (auto made = outputs.find(kind); made != outputs.end())
    return made->second;
  llvm::Expected<std::string> output = makeOutput(kind);
  if (output)
    outputs[kind] = *output;
  return output;
}

llvm::Expected<std::string> Compilation::makeOutput(OutputKind kind) const {
  if (kind == OutputKind::MLIR)
    return printModule(*tunedModule);
  if (std::optional<OutputLanguage> language = languageOf(kind))
    return emitSource(*language);

  bool isNVIDIA = targetAttr.getVendor() == Vendor::NVIDIA;
  bool forNVIDIA = kind == OutputKind::PTX || kind == OutputKind::Cubin;
  if (kind != OutputKind::LLVM && isNVIDIA != forNVIDIA)
    return llvm::createStringError(
        "target '" + targetAttr.getTargetName() + "' is " +
        (isNVIDIA
             ? "an NVIDIA GPU: --emit takes ptx, cubin, llvm, mlir, cuda, hip "
               "or opencl"
             : "an AMD GPU: --emit takes hsaco, llvm, mlir, cuda, hip or "
               "opencl"));

  if (kind == OutputKind::Cubin) {
    llvm::Expected<std::string> ptx = emit(OutputKind::PTX);
    if (!ptx)
      return ptx.takeError();
    llvm::Expected<Cubin> cubin = assemblePTX(*ptx, targetAttr);
    if (!cubin)
      return cubin.takeError();
    return std::move(cubin->bytes);
  }
  OwningOpRef<ModuleOp> kernels =
      restoreOriginals(*this, importedKernels ? *importedKernels : ModuleOp());
  if (kind == OutputKind::PTX)
    if (std::optional<std::string> ptx = emitPTXApart(
            *kernels, targetAttr, compileOptions.target, emitOptions(*this)))
      return *ptx;

  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      lower(*kernels, targetAttr, llvmContext);
  if (!module)
    return module.takeError();
  expandGridBarriers(**module, targetAttr);
  if (llvm::Error error =
          optimizeForTarget(**module, targetAttr, emitOptions(*this)))
    return error;
  if (kind == OutputKind::LLVM)
    return printModule(**module);
  if (kind == OutputKind::HSACO)
    return emitHSACO(**module, targetAttr);
  return emitAssembly(**module, targetAttr);
}

/// Gives each kernel in `resources` its instruction mix.
static void addInstructionMixes(std::vector<KernelResources> &resources,
                                StringRef assembly, AssemblySyntax syntax) {
  llvm::StringMap<InstructionMix> mixes =
      computeInstructionMixes(assembly, syntax);
  for (KernelResources &kernel : resources)
    if (auto mix = mixes.find(kernel.symbol); mix != mixes.end())
      kernel.instructionMix = mix->second;
}

static void forbidFusing(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (isa<llvm::FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
}

/// Leaves the kernels `symbols`, and what they call, of `module`.
static void keepOnly(llvm::Module &module, ArrayRef<std::string> symbols) {
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
        !llvm::is_contained(symbols, function.getName())) {
      function.deleteBody();
      function.setCallingConv(llvm::CallingConv::C);
    }
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

/// The kernels in LLVM's assembly for the target; `symbols` alone, with
/// barriers of the grid as calls, unless there are none.
static llvm::Expected<std::string>
emitText(const Compilation &compilation, bool mayFuse = true,
         ArrayRef<std::string> symbols = {}) {
  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      compilation.lowered(llvmContext);
  if (!module)
    return module.takeError();
  if (symbols.empty())
    expandGridBarriers(**module, compilation.target());
  else
    keepOnly(**module, symbols);
  if (!mayFuse)
    forbidFusing(**module);
  if (llvm::Error error = optimizeForTarget(**module, compilation.target(),
                                            emitOptions(compilation)))
    return error;
  return emitAssembly(**module, compilation.target());
}

llvm::Expected<std::string> Compilation::emitWithoutFusing() const {
  if (unfused.empty()) {
    llvm::Expected<std::string> text = emitText(*this, /*mayFuse=*/false);
    if (!text)
      return text.takeError();
    unfused = std::move(*text);
  }
  return unfused;
}

llvm::Expected<std::string>
Compilation::emitAlone(ArrayRef<std::string> symbols, bool mayFuse) const {
  return emitText(*this, mayFuse, symbols);
}

/// Registers and instructions from what ptxas makes of `ptx`.
static std::vector<KernelResources> resourcesOfPTX(StringRef ptx,
                                                   TargetAttr target) {
  llvm::Expected<Cubin> cubin = assemblePTX(ptx, target);
  if (!cubin) {
    llvm::consumeError(cubin.takeError());
    return {};
  }
  if (llvm::Expected<std::string> sass = disassembleCubin(cubin->bytes)) {
    addInstructionMixes(cubin->resources, *sass, AssemblySyntax::SASS);
  } else {
    llvm::consumeError(sass.takeError());
    addInstructionMixes(cubin->resources, ptx, AssemblySyntax::PTX);
  }
  return std::move(cubin->resources);
}

static std::vector<KernelResources>
measureResources(const Compilation &compilation) {
  // Resource figures are a service: where the assembler is absent or refuses,
  // the report says that they are unknown.
  if (compilation.target().getVendor() == Vendor::NVIDIA) {
    if (findPtxas().empty())
      return {};
    llvm::Expected<std::string> ptx = compilation.emit(OutputKind::PTX);
    if (ptx)
      return resourcesOfPTX(*ptx, compilation.target());
    llvm::consumeError(ptx.takeError());
    return {};
  }
  llvm::Expected<std::string> hsaco = compilation.emit(OutputKind::HSACO);
  if (!hsaco) {
    llvm::consumeError(hsaco.takeError());
    return {};
  }
  llvm::Expected<std::vector<KernelResources>> found =
      readHSACOResources(*hsaco);
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  if (llvm::Expected<std::string> assembly = emitText(compilation))
    addInstructionMixes(*found, *assembly, AssemblySyntax::AMDGCN);
  else
    llvm::consumeError(assembly.takeError());
  return std::move(*found);
}

const std::vector<KernelResources> &Compilation::resources() const {
  if (!measured)
    measured = measureResources(*this);
  return *measured;
}
