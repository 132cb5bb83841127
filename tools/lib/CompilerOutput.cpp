//===- CompilerOutput.cpp - from tuned kernels to what is written ---------===//

#include "tools/lib/Compiler.h"

#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "tools/lib/Diagnostics.h"
#include "tools/lib/SourceNotes.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace mlir;
using namespace gpuopt;

static gpu::GPUFuncOp findKernel(ModuleOp module, StringRef symbol) {
  gpu::GPUFuncOp found;
  module->walk([&](gpu::GPUFuncOp function) {
    if (function.getName() == symbol)
      found = function;
  });
  return found;
}

gpu::GPUFuncOp Compilation::tunedKernel(const KernelInfo &kernel) const {
  return findKernel(*tunedModule, kernel.symbol);
}

gpu::GPUFuncOp Compilation::raisedKernel(const KernelInfo &kernel) const {
  return findKernel(*raisedModule, kernel.symbol);
}

/// Evaluates an extent, the largest result of a map over the kernel's
/// arguments. Nothing where there is no map, or an argument it needs is
/// unknown.
static std::optional<int64_t>
foldExtent(Attribute extent, const KernelInfo &kernel, const SizeMap &scalars) {
  auto map = dyn_cast_or_null<AffineMapAttr>(extent);
  if (!map)
    return std::nullopt;
  SmallVector<Attribute> arguments;
  auto indexType = IndexType::get(map.getContext());
  for (unsigned i = 0; i < map.getValue().getNumSymbols(); ++i) {
    auto value = i < kernel.parameters.size()
                     ? scalars.find(kernel.parameters[i].name)
                     : scalars.end();
    bool isUsed = map.getValue().isFunctionOfSymbol(i);
    if (isUsed && value == scalars.end())
      return std::nullopt;
    arguments.push_back(
        IntegerAttr::get(indexType, isUsed ? value->second : 0));
  }
  SmallVector<Attribute> results;
  if (failed(map.getValue().constantFold(arguments, results)))
    return std::nullopt;
  int64_t largest = 0;
  for (auto [index, result] : llvm::enumerate(results)) {
    int64_t value = cast<IntegerAttr>(result).getInt();
    largest = index ? std::max(largest, value) : value;
  }
  return largest;
}

std::optional<LaunchGeometry>
Compilation::geometry(const KernelInfo &kernel, const SizeMap &scalars) const {
  gpu::GPUFuncOp function = tunedKernel(kernel);
  auto attribute =
      function ? function->getAttrOfType<GeometryAttr>(kGeometryAttrName)
               : GeometryAttr();
  if (!attribute)
    return std::nullopt;
  LaunchGeometry geometry;
  llvm::copy(attribute.getBlock(), geometry.block.begin());
  llvm::copy(attribute.getItemsPerThread(), geometry.itemsPerThread.begin());
  llvm::copy(attribute.getItemsPerBlock(), geometry.itemsPerBlock.begin());
  if (ArrayAttr extents = attribute.getExtents())
    for (auto [dim, extent] : llvm::enumerate(extents))
      geometry.extents[dim] = foldExtent(extent, kernel, scalars);
  for (auto [dim, size] : llvm::enumerate(attribute.getOriginalBlock()))
    if (size != 0)
      geometry.originalBlock[dim] = size;
  return geometry;
}

SizeMap Compilation::specializedSizes(const KernelInfo &kernel) const {
  SizeMap sizes;
  gpu::GPUFuncOp function = tunedKernel(kernel);
  auto record =
      function ? function->getAttrOfType<DictionaryAttr>(kSpecializedAttrName)
               : DictionaryAttr();
  if (record)
    for (NamedAttribute size : record)
      if (auto value = dyn_cast<IntegerAttr>(size.getValue()))
        sizes[size.getName().str()] = value.getInt();
  return sizes;
}

/// Says which block size `geometry` needs in the place of the original one's;
/// nothing where that is not the matter.
static std::string describeWrongBlock(const LaunchGeometry &geometry,
                                      const LaunchConfig &original) {
  std::optional<unsigned> dim = findWrongBlock(geometry, original);
  if (!dim)
    return "";
  return "it is for blocks of size " +
         std::to_string(*geometry.originalBlock[*dim]) + " along " +
         std::string(1, static_cast<char>('x' + *dim));
}

std::vector<ArrayUse>
Compilation::arraysToCompare(const KernelInfo &kernel,
                             const SizeMap &scalars) const {
  std::vector<ArrayUse> arrays;
  gpu::GPUFuncOp function = tunedKernel(kernel);
  bool compares = false;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    if (!function || index >= function.getNumArguments())
      break;
    Attribute extent = function.getArgAttr(index, kExtentAttrName);
    if (!extent)
      continue;
    bool mustBeDistinct =
        function.getArgAttr(index, kDistinctAttrName) != nullptr;
    compares |= mustBeDistinct;
    int64_t elementBytes = int64_t(std::max(1u, parameter.element.bytes)) *
                           std::max(1u, parameter.element.lanes);
    arrays.push_back({parameter.name, foldExtent(extent, kernel, scalars),
                      elementBytes, mustBeDistinct});
  }
  if (!compares)
    arrays.clear();
  return arrays;
}

/// Whether the elements of two arrays that a kernel uses may be the same.
static bool mayOverlap(const ArrayUse &left, const ArrayUse &right,
                       const AddressMap &addresses) {
  auto leftStart = addresses.find(left.name);
  auto rightStart = addresses.find(right.name);
  if (leftStart == addresses.end() || rightStart == addresses.end())
    return false;
  const auto &[low, high] = leftStart->second <= rightStart->second
                                ? std::pair(leftStart, rightStart)
                                : std::pair(rightStart, leftStart);
  const ArrayUse &lower = low == leftStart ? left : right;
  if (!lower.elements)
    return true;
  uint64_t distance = high->second - low->second;
  return *lower.elements > 0 &&
         uint64_t(*lower.elements) > distance / lower.elementBytes;
}

/// Says which arrays of a launch overlap although they must not; nothing where
/// none do.
static std::string describeOverlap(ArrayRef<ArrayUse> arrays,
                                   const AddressMap &addresses) {
  for (const ArrayUse &array : arrays)
    for (const ArrayUse &other : arrays)
      if (array.mustBeDistinct && &array != &other &&
          mayOverlap(array, other, addresses))
        return "'" + array.name + "' overlaps with '" + other.name + "'";
  return "";
}

KernelLaunch Compilation::launch(const KernelInfo &kernel,
                                 const SizeMap &scalars,
                                 const LaunchConfig &original,
                                 const AddressMap &addresses) const {
  bool isForSizes =
      llvm::all_of(specializedSizes(kernel), [&](const auto &size) {
        auto argument = scalars.find(size.getKey());
        return argument != scalars.end() && argument->second == size.getValue();
      });
  if (!isForSizes)
    return {fallbackSymbol(kernel), original, true, "it is for other sizes"};
  if (std::string overlap =
          describeOverlap(arraysToCompare(kernel, scalars), addresses);
      !overlap.empty())
    return {fallbackSymbol(kernel), original, true, overlap};
  std::optional<LaunchGeometry> tuned = geometry(kernel, scalars);
  if (!tuned)
    return {kernel.symbol, original, false, ""};
  if (std::optional<LaunchConfig> config = computeLaunch(*tuned, original))
    return {kernel.symbol, *config, false, ""};
  return {fallbackSymbol(kernel), original, true,
          describeWrongBlock(*tuned, original)};
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

Dim3 Compilation::defaultBlock(const KernelInfo &kernel) const {
  static constexpr Dim3 blocks[] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
  std::array<bool, 3> used = {true, true, true};
  if (gpu::GPUFuncOp function = raisedKernel(kernel))
    used = dimensionsOfThreads(function);
  size_t dimensions = used[2] ? 3 : used[1] ? 2 : 1;
  if (kernel.pragma)
    dimensions = kernel.pragma->domain.size();
  while (dimensions > 1 && dimensions <= 3 && !used[dimensions - 1])
    --dimensions;
  Dim3 block = blocks[std::clamp<size_t>(dimensions, 1, 3) - 1];
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
  return llvm::createStringError("the kernels cannot be lowered to LLVM IR");
}

llvm::Expected<std::unique_ptr<llvm::Module>>
Compilation::lowered(llvm::LLVMContext &llvmContext) const {
  return lower(*tunedModule, targetAttr, llvmContext);
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
  return llvm::createStringError("the kernels have no source form");
}

llvm::Expected<std::string> Compilation::emit(OutputKind kind) const {
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

  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = lowered(llvmContext);
  if (!module)
    return module.takeError();
  expandGridBarriers(**module, targetAttr);
  if (llvm::Error error =
          optimizeForTarget(**module, targetAttr, EmitOptions()))
    return error;
  if (kind == OutputKind::LLVM)
    return printModule(**module);
  if (kind == OutputKind::HSACO)
    return emitHSACO(**module, targetAttr);
  llvm::Expected<std::string> ptx = emitAssembly(**module, targetAttr);
  if (!ptx || kind == OutputKind::PTX)
    return ptx;
  llvm::Expected<Cubin> cubin = assemblePTX(*ptx, targetAttr);
  if (!cubin)
    return cubin.takeError();
  return std::move(cubin->bytes);
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

/// The kernels in LLVM's assembly for the target.
static llvm::Expected<std::string> emitText(const Compilation &compilation) {
  llvm::LLVMContext llvmContext;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      compilation.lowered(llvmContext);
  if (!module)
    return module.takeError();
  expandGridBarriers(**module, compilation.target());
  if (llvm::Error error =
          optimizeForTarget(**module, compilation.target(), EmitOptions()))
    return error;
  return emitAssembly(**module, compilation.target());
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
