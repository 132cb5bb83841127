//===- ImportToMLIR.cpp - the imported module as MLIR ---------------------===//

#include "conversion/ImportSource/ImportSource.h"
#include "conversion/ImportSource/SourceNames.h"
#include "conversion/PTX/Divisions.h"
#include "conversion/PTX/UnsetRegisters.h"

#include "conversion/ImportSource/BlockUse.h"
#include "conversion/ImportSource/CleanUp.h"
#include "conversion/ImportSource/DeviceCompilation.h"
#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMIRToLLVMTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/LLVMIRToNVVMTranslation.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace gpuopt;

/// Drops metadata that MLIR does not know and would warn of.
static void dropUnknownMetadata(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      instruction.dropUnknownNonDebugMetadata(
          {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_loop,
           llvm::LLVMContext::MD_prof, llvm::LLVMContext::MD_noalias,
           llvm::LLVMContext::MD_alias_scope,
           llvm::LLVMContext::MD_access_group});
  for (llvm::StringRef name :
       {"opencl.ocl.version", "llvm.ident", "amdhsa.printf", "nvvmir.version"})
    if (llvm::NamedMDNode *node = module.getNamedMetadata(name))
      node->eraseFromParent();
}

/// The functions whose positions in arrays have 32 bits; takes that note from
/// them.
static llvm::StringSet<> takeNarrowPositions(llvm::Module &module) {
  llvm::StringSet<> narrow;
  for (llvm::Function &function : module) {
    if (function.getFnAttribute(kPositionsAttrName).getValueAsString() ==
        "narrow")
      narrow.insert(function.getName());
    function.removeFnAttr(kPositionsAttrName);
  }
  return narrow;
}

using LaunchBlocks = llvm::StringMap<std::array<int32_t, 3>>;

/// The blocks that kernels are launched with; takes that note from them.
static LaunchBlocks takeLaunchBlocks(llvm::Module &module) {
  LaunchBlocks blocks;
  for (llvm::Function &function : module)
    if (std::optional<std::array<int32_t, 3>> block = takeLaunchBlock(function))
      blocks[function.getName()] = *block;
  return blocks;
}

/// Moves what the importer made, except its attributes, into a `gpu.module`.
static void wrapInGPUModule(ModuleOp module) {
  OpBuilder builder(module.getContext());
  SmallVector<Operation *> imported(
      llvm::make_pointer_range(module.getBody()->getOperations()));
  builder.setInsertionPointToEnd(module.getBody());
  auto gpuModule =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  for (Operation *op : imported)
    op->moveBefore(gpuModule.getBody(), gpuModule.getBody()->end());
}

static ArrayAttr hintsOf(const KernelPragma &pragma, Builder &builder) {
  return builder.getArrayAttr(llvm::map_to_vector(
      pragma.share, [&](const ShareHint &hint) -> Attribute {
        return builder.getStringAttr(hint.toString());
      }));
}

/// The outputs that a pragma names, each with the extents of what counts.
static DictionaryAttr outputsOf(const KernelPragma &pragma, Builder &builder) {
  SmallVector<NamedAttribute> outputs;
  for (const auto &[name, extents] : pragma.outputs) {
    SmallVector<StringRef> texts(extents.begin(), extents.end());
    outputs.push_back(
        builder.getNamedAttr(name, builder.getStrArrayAttr(texts)));
  }
  return builder.getDictionaryAttr(outputs);
}

/// The type of one element in MLIR.
static Type typeOf(ElementType element, Builder &builder) {
  if (element.kind == ElementKind::BFloat)
    return builder.getBF16Type();
  if (element.kind == ElementKind::Float)
    return element.bytes == 2   ? Type(builder.getF16Type())
           : element.bytes == 4 ? Type(builder.getF32Type())
                                : Type(builder.getF64Type());
  return builder.getIntegerType(element.bytes * 8);
}

/// A structure that is passed by value, see `kStructureAttrName`.
static NamedAttrList structureOf(const KernelParameter &parameter,
                                 Builder &builder) {
  SmallVector<Attribute> members;
  for (const StructureMember &member : parameter.members) {
    NamedAttrList parts;
    parts.set("name", builder.getStringAttr(member.name));
    parts.set("offset", builder.getI64IntegerAttr(member.offset));
    parts.set("element",
              TypeAttr::get(member.element.kind == ElementKind::Opaque
                                ? builder.getIntegerType(8)
                                : typeOf(member.element, builder)));
    if (!member.pointee.empty())
      parts.set("pointee", builder.getStringAttr(member.pointee));
    if (!member.extents.empty())
      parts.set("extents", builder.getDenseI64ArrayAttr(member.extents));
    if (member.isPointer)
      parts.set("pointer", builder.getUnitAttr());
    if (member.pointeeIsConst)
      parts.set("const", builder.getUnitAttr());
    if (member.element.kind == ElementKind::UnsignedInt)
      parts.set("unsigned", builder.getUnitAttr());
    members.push_back(parts.getDictionary(builder.getContext()));
  }
  NamedAttrList structure;
  structure.set("type", builder.getStringAttr(parameter.structure));
  structure.set("members", builder.getArrayAttr(members));
  return structure;
}

/// The structures of `kernel` that are split, see `kStructuresAttrName`.
static ArrayAttr structuresOf(const KernelInfo &kernel, Builder &builder) {
  SmallVector<Attribute> structures;
  for (const auto &[whole, first, count] : kernel.structures) {
    SmallVector<int64_t> offsets;
    for (unsigned i = 0; i < count; ++i)
      offsets.push_back(kernel.parameters[first + i].offset);
    NamedAttrList structure = structureOf(whole, builder);
    structure.set("name", builder.getStringAttr(whole.name));
    structure.set("first", builder.getI64IntegerAttr(first));
    structure.set("offsets", builder.getDenseI64ArrayAttr(offsets));
    structure.set("bytes", builder.getI64IntegerAttr(whole.bytes));
    structure.set("align", builder.getI64IntegerAttr(whole.alignment));
    structures.push_back(structure.getDictionary(builder.getContext()));
  }
  return builder.getArrayAttr(structures);
}

/// Marks the kernels and says what the source calls them and their parameters.
static void annotateKernels(ModuleOp module, ArrayRef<KernelInfo> kernels,
                            const llvm::StringSet<> &narrow) {
  Builder builder(module.getContext());
  llvm::StringMap<const KernelInfo *> bySymbol;
  for (const KernelInfo &kernel : kernels)
    bySymbol[kernel.symbol] = &kernel;
  module.walk([&](LLVM::LLVMFuncOp function) {
    const KernelInfo *kernel = bySymbol.lookup(function.getSymName());
    if (!kernel)
      return;
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    function->setAttr(kSourceNameAttrName, builder.getStringAttr(kernel->name));
    if (kernel->pragma && !kernel->pragma->outputs.empty())
      function->setAttr(kOutputsAttrName, outputsOf(*kernel->pragma, builder));
    if (kernel->pragma && !kernel->pragma->share.empty())
      function->setAttr(kShareAttrName, hintsOf(*kernel->pragma, builder));
    size_t count =
        std::min<size_t>(function.getNumArguments(), kernel->parameters.size());
    for (size_t i = 0; i < count; ++i) {
      const KernelParameter &parameter = kernel->parameters[i];
      function.setArgAttr(i, kNameAttrName,
                          builder.getStringAttr(parameter.name));
      if (parameter.element.kind == ElementKind::UnsignedInt)
        function.setArgAttr(i, kUnsignedAttrName, builder.getUnitAttr());
      if (!parameter.pointee.empty())
        function.setArgAttr(i, kPointeeAttrName,
                            builder.getStringAttr(parameter.pointee));
      if (!parameter.members.empty())
        function.setArgAttr(
            i, kStructureAttrName,
            structureOf(parameter, builder).getDictionary(module.getContext()));
    }
    if (!kernel->structures.empty())
      function->setAttr(kStructuresAttrName, structuresOf(*kernel, builder));
    if (narrow.contains(kernel->symbol))
      function->setAttr(kNarrowPositionsAttrName, builder.getUnitAttr());
  });
}

/// Upstream's import forgets of which variables the host sets the contents:
/// what they are initialised with would be taken for that. Nor does it know
/// which are unsigned.
static void markVariables(ModuleOp module, const llvm::StringSet<> &setByHost,
                          const llvm::StringSet<> &unsignedOnes) {
  module.walk([&](LLVM::GlobalOp variable) {
    if (setByHost.contains(variable.getSymName()))
      variable.setExternallyInitialized(true);
    if (unsignedOnes.contains(variable.getSymName()))
      variable->setAttr(kUnsignedAttrName,
                        UnitAttr::get(variable.getContext()));
  });
}

static llvm::StringSet<>
findVariables(const llvm::Module &module,
              llvm::function_ref<bool(const llvm::GlobalVariable &)> isMeant) {
  llvm::StringSet<> names;
  for (const llvm::GlobalVariable &variable : module.globals())
    if (isMeant(variable))
      names.insert(variable.getName());
  return names;
}

OwningOpRef<ModuleOp> gpuopt::importToMLIR(const ImportedSource &source,
                                           TargetAttr target,
                                           MLIRContext *context) {
  DialectRegistry registry;
  registry.insert<DLTIDialect, gpu::GPUDialect, LLVM::LLVMDialect>();
  registerLLVMDialectImport(registry);
  registerNVVMDialectImport(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<DLTIDialect, gpu::GPUDialect, GPUOptDialect,
                       LLVM::LLVMDialect>();

  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(*source.module);
  ptx::resolveDivisions(*clone, /*areAllMeant=*/true);
  ptx::resolveUnsetRegisters(*clone);
  dropUnknownMetadata(*clone);
  llvm::StringSet<> narrow = takeNarrowPositions(*clone);
  llvm::StringSet<> setByHost =
      findVariables(*clone, [](const llvm::GlobalVariable &variable) {
        return variable.isExternallyInitialized();
      });
  llvm::StringSet<> unsignedOnes =
      findVariables(*clone, [](const llvm::GlobalVariable &variable) {
        return variable.hasAttribute(kUnsignedVariable);
      });
  LaunchBlocks launchBlocks = takeLaunchBlocks(*clone);
  hideNamesInLocations(*clone);
  // MLIR warns of every part of the data layout that it has no word for.
  ScopedDiagnosticHandler handler(context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Warning);
  });
  OwningOpRef<ModuleOp> module = translateLLVMIRToModule(
      std::move(clone), context, /*emitExpensiveWarnings=*/false,
      /*dropDICompositeTypeElements=*/true, /*loadAllDialects=*/false);
  if (!module)
    return nullptr;
  markVariables(*module, setByHost, unsignedOnes);
  takeNamesFromLocations(*module);
  wrapInGPUModule(*module);
  annotateKernels(*module, source.kernels, narrow);
  module->walk([&](LLVM::LLVMFuncOp function) {
    if (auto block = launchBlocks.find(function.getSymName());
        block != launchBlocks.end())
      function->setAttr(kLaunchBlockAttrName,
                        DenseI32ArrayAttr::get(context, block->second));
  });
  module.get()->setAttr(kTargetAttrName, target);
  return module;
}
