//===- MLIRKernels.cpp - kernels in MLIR modules --------------------------===//

#include "tools/lib/compile/MLIRKernels.h"

#include "conversion/ImportSource/NestingLimit.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Raising/Passes.h"
#include "tools/lib/compile/MLIRLimits.h"
#include "tools/lib/compile/Steps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace gpuopt;

bool gpuopt::isKernel(FunctionOpInterface function) {
  if (auto gpuFunction = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return gpuFunction.isKernel();
  return isa<LLVM::LLVMFuncOp>(function.getOperation()) &&
         function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName());
}

/// The scalar kind that `type` stands for; signless integers read as signed.
/// Rows of vectors lie as far apart as LLVM has them: three lanes take four.
static ElementType elementType(Type type) {
  ElementType element;
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.getRank()) {
    element = elementType(vector.getElementType());
    for (int64_t extent : vector.getShape().drop_back())
      element.lanes *= extent;
    element.lanes *= llvm::PowerOf2Ceil(vector.getShape().back());
    return element;
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    element = elementType(complex.getElementType());
    element.lanes *= 2;
    return element;
  }
  if (type.isIndex())
    return {ElementKind::SignedInt, 8, 1};
  if (!type.isIntOrFloat())
    return element;
  element.bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  if (type.isBF16())
    element.kind = ElementKind::BFloat;
  else if (isa<FloatType>(type))
    element.kind = ElementKind::Float;
  else if (type.isInteger(1))
    element.kind = ElementKind::Bool;
  else
    element.kind = type.isUnsignedInteger() ? ElementKind::UnsignedInt
                                            : ElementKind::SignedInt;
  return element;
}

static KernelParameter parameterOf(FunctionOpInterface function,
                                   unsigned index) {
  KernelParameter parameter;
  Type type = function.getArgumentTypes()[index];
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttrName);
  parameter.name = name ? name.str() : "arg" + std::to_string(index);
  llvm::raw_string_ostream(parameter.typeName) << type;
  parameter.isRestrict =
      function.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()) !=
      nullptr;
  parameter.pointeeIsConst =
      function.getArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName()) !=
      nullptr;
  auto memref = dyn_cast<MemRefType>(type);
  parameter.isPointer = memref || isa<LLVM::LLVMPointerType>(type);
  if (memref)
    parameter.element = elementType(memref.getElementType());
  else if (!parameter.isPointer)
    parameter.element = elementType(type);
  parameter.bytes = parameter.isPointer ? 8 : parameter.element.bytes;
  return parameter;
}

static std::vector<std::string> toStrings(Attribute attribute) {
  std::vector<std::string> texts;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute))
    for (Attribute text : array)
      if (auto string = dyn_cast<StringAttr>(text))
        texts.push_back(string.str());
  return texts;
}

/// The extents of the memory that an array of `type` lies in, if that is known:
/// as many elements as the last one is from the start of a part of an array.
static std::vector<std::string> extentsOf(MemRefType type) {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return {};
  std::vector<std::string> extents;
  if (type.getLayout().isIdentity()) {
    for (int64_t extent : type.getShape())
      extents.push_back(std::to_string(extent));
    return extents.empty() ? std::vector<std::string>{"1"} : extents;
  }
  int64_t last = offset;
  for (auto [extent, stride] : llvm::zip(type.getShape(), strides)) {
    if (ShapedType::isDynamic(stride) || stride < 0)
      return {};
    last += std::max<int64_t>(extent - 1, 0) * stride;
  }
  if (ShapedType::isDynamic(offset))
    return {};
  return {std::to_string(last + 1)};
}

/// The structures that `function` takes in the place of parameters, see
/// `kStructuresAttrName`.
static std::vector<SplitStructure>
structuresOf(FunctionOpInterface function,
             std::vector<KernelParameter> &parameters) {
  std::vector<SplitStructure> structures;
  auto attribute = function->getAttrOfType<ArrayAttr>(kStructuresAttrName);
  if (!attribute || function->hasAttr(kPhaseOfAttrName))
    return structures;
  for (auto structure : attribute.getAsRange<DictionaryAttr>()) {
    SplitStructure &split = structures.emplace_back();
    auto number = [&](StringRef part) {
      return unsigned(structure.getAs<IntegerAttr>(part).getInt());
    };
    split.whole.name = structure.getAs<StringAttr>("name").str();
    split.whole.structure = structure.getAs<StringAttr>("type").str();
    split.whole.typeName = split.whole.structure;
    split.whole.bytes = number("bytes");
    split.whole.alignment = number("align");
    split.first = number("first");
    auto offsets = structure.getAs<DenseI64ArrayAttr>("offsets").asArrayRef();
    split.count = offsets.size();
    for (auto [index, offset] : llvm::enumerate(offsets))
      parameters[split.first + index].offset = offset;
    for (auto member :
         structure.getAs<ArrayAttr>("members").getAsRange<DictionaryAttr>()) {
      StructureMember &known = split.whole.members.emplace_back();
      known.name = member.getAs<StringAttr>("name").str();
      known.offset = member.getAs<IntegerAttr>("offset").getInt();
      known.element = elementType(member.getAs<TypeAttr>("element").getValue());
      if (member.contains("unsigned"))
        known.element.kind = ElementKind::UnsignedInt;
      if (auto extents = member.getAs<DenseI64ArrayAttr>("extents"))
        known.extents = extents.asArrayRef().vec();
      known.isPointer = member.contains("pointer");
      known.pointeeIsConst = member.contains("const");
    }
  }
  return structures;
}

/// What types and attributes say about sizes, in the form of a pragma.
static std::optional<KernelPragma> sizesOf(FunctionOpInterface function,
                                           const KernelInfo &kernel) {
  KernelPragma sizes;
  sizes.domain = toStrings(function->getAttr(kDomainAttrName));
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    std::vector<std::string> extents =
        toStrings(function.getArgAttr(index, kExtentsAttrName));
    auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[index]);
    if (extents.empty() && type)
      extents = extentsOf(type);
    if (!extents.empty())
      sizes.arrays[parameter.name] = std::move(extents);
  }
  if (sizes.domain.empty() && sizes.arrays.empty())
    return std::nullopt;
  return sizes;
}

std::vector<KernelInfo> gpuopt::collectKernels(ModuleOp module) {
  std::vector<KernelInfo> kernels;
  module.walk([&](FunctionOpInterface function) {
    if (!isKernel(function))
      return;
    KernelInfo kernel;
    kernel.symbol = function.getName().str();
    auto name = function->getAttrOfType<StringAttr>(kSourceNameAttrName);
    kernel.name = kernel.displayName = name ? name.str() : kernel.symbol;
    kernel.position = sourcePosition(function.getLoc());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      kernel.parameters.push_back(parameterOf(function, i));
    kernel.structures = structuresOf(function, kernel.parameters);
    kernel.pragma = sizesOf(function, kernel);
    function.walk([&](GridBarrierOp) { kernel.usesGlobalSync = true; });
    kernels.push_back(std::move(kernel));
  });
  return kernels;
}

/// Keeps the names that the text has for arguments: `%alpha` becomes
/// `gpuopt.name = "alpha"`; numbers make no name.
static void keepArgumentNames(FunctionOpInterface function,
                              const AsmParserState &state) {
  if (function.isExternal())
    return;
  Block &entry = function.getFunctionBody().front();
  const auto *definition = state.getBlockDef(&entry);
  if (!definition)
    return;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (i >= definition->arguments.size() ||
        function.getArgAttr(i, kNameAttrName))
      continue;
    SMRange range = definition->arguments[i].loc;
    StringRef text(range.Start.getPointer(),
                   range.End.getPointer() - range.Start.getPointer());
    text.consume_front("%");
    if (!text.empty() && !llvm::isDigit(text.front()))
      function.setArgAttr(i, kNameAttrName,
                          StringAttr::get(function.getContext(), text));
  }
}

OwningOpRef<ModuleOp>
gpuopt::parseMLIRInput(StringRef path, const std::optional<std::string> &text,
                       MLIRContext *context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      text ? llvm::MemoryBuffer::getMemBufferCopy(*text, path)
           : openInputFile(path, &message);
  if (!buffer) {
    emitError(FileLineColLoc::get(context, path, 0, 0)) << message;
    return nullptr;
  }
  llvm::SourceMgr sources;
  StringRef contents = buffer->getBuffer();
  unsigned file = sources.AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (std::optional<size_t> at = findTooDeep(contents)) {
    auto [line, column] = sources.getLineAndColumn(
        SMLoc::getFromPointer(contents.data() + *at), file);
    emitError(FileLineColLoc::get(context, path, line, column))
        << "nested too deeply";
    return nullptr;
  }
  Block top;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &top, ParserConfig(context), &state)))
    return nullptr;
  top.walk([&](FunctionOpInterface function) {
    if (isa<func::FuncOp, gpu::GPUFuncOp>(function.getOperation()))
      keepArgumentNames(function, state);
  });
  auto location = FileLineColLoc::get(context, path, 1, 1);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &top, context, location);
}

LogicalResult gpuopt::prepareMLIRInput(ModuleOp module) {
  if (failed(checkParallelLoops(module)))
    return failure();
  PassManager manager(module.getContext());
  buildImportMLIRPipeline(manager);
  if (failed(manager.run(module)))
    return failure();
  // The host's part has said all that it knows.
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (!isa<gpu::GPUModuleOp>(op))
      op.erase();
  return checkKernelModules(module);
}
