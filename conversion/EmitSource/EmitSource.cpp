//===- EmitSource.cpp - kernels as source code ----------------------------===//

#include "conversion/EmitSource/EmitSource.h"

#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LaunchHelper.h"
#include "conversion/EmitSource/Printer.h"
#include "conversion/EmitSource/TreePasses.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "clang/Format/Format.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// `text` in LLVM's style.
static FailureOr<std::string> format(StringRef text) {
  clang::format::FormatStyle style = clang::format::getLLVMStyle();
  clang::tooling::Range all(0, text.size());
  clang::tooling::Replacements changes =
      clang::format::reformat(style, text, {all}, "kernel.cu");
  llvm::Expected<std::string> formatted =
      clang::tooling::applyAllReplacements(text, changes);
  if (formatted)
    return *formatted;
  llvm::consumeError(formatted.takeError());
  return text.str();
}

/// Marks what the head of the file and the arrays depend on.
static void noteProperties(Kernel &kernel) {
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) {
        kernel.alignsShared |= part->kind == Expr::Access &&
                               part->variable->kind == Variable::Shared &&
                               part->type.lanes > part->variable->type.lanes;
      });
    });
  });
}

/// What a file must include, by what its kernels use.
static std::string includesFor(StringRef text, OutputLanguage language) {
  std::string includes;
  if (language == OutputLanguage::CUDA) {
    if (text.contains("__nv_bfloat16"))
      includes += "#include <cuda_bf16.h>\n";
    if (text.contains("__half"))
      includes += "#include <cuda_fp16.h>\n";
    if (text.contains("__pipeline_"))
      includes += "#include <cuda_pipeline.h>\n";
    includes += "#include <cuda_runtime.h>\n";
  } else if (language == OutputLanguage::HIP) {
    if (text.contains("__hip_bfloat16"))
      includes += "#include <hip/hip_bf16.h>\n";
    if (text.contains("__half"))
      includes += "#include <hip/hip_fp16.h>\n";
    includes += "#include <hip/hip_runtime.h>\n";
  } else {
    if (text.contains("double"))
      includes += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    if (text.contains("half"))
      includes += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  }
  return includes;
}

/// The name of `function` in the source, or its symbol where another kernel has
/// that name.
static std::string nameOf(gpu::GPUFuncOp function, llvm::StringSet<> &names) {
  auto source = function->getAttrOfType<StringAttr>(kSourceNameAttrName);
  std::string name = source ? source.str() : function.getName().str();
  if (function.getName().ends_with("__original"))
    name += "_original";
  std::string unique = name;
  for (unsigned next = 2; !names.insert(unique).second; ++next)
    unique = name + "_" + std::to_string(next);
  return unique;
}

/// "16 x 16", without the dimensions at the end that are 1.
static std::string dims(ArrayRef<int64_t> extents) {
  while (extents.size() > 1 && extents.back() == 1)
    extents = extents.drop_back();
  return llvm::join(
      llvm::map_range(extents,
                      [](int64_t extent) { return std::to_string(extent); }),
      " x ");
}

static LogicalResult emitKernel(gpu::GPUFuncOp function, std::string name,
                                Spelling spelling, llvm::raw_ostream &stream) {
  Kernel kernel(function.getLoc());
  kernel.name = std::move(name);
  if (failed(KernelBuilder(kernel, function).build()))
    return failure();
  rerollCopies(kernel);
  collapseLoops(kernel);
  nameIndices(kernel);
  noteProperties(kernel);
  placeDeclarations(kernel);
  chooseNames(kernel);
  return Printer(kernel, spelling, stream).print();
}

FailureOr<std::string> gpuopt::emitSource(Operation *root,
                                          const EmitSourceOptions &options) {
  SmallVector<gpu::GPUFuncOp> functions;
  LogicalResult isRaised = success();
  auto isWanted = [&](StringRef symbol) {
    return options.kernels.empty() ||
           llvm::any_of(options.kernels, [&](const std::string &kernel) {
             return kernel == symbol;
           });
  };
  root->walk([&](FunctionOpInterface function) {
    if (auto raised = dyn_cast<gpu::GPUFuncOp>(function.getOperation())) {
      if (raised.isKernel())
        functions.push_back(raised);
    } else if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) &&
               isWanted(function.getName())) {
      function->emitError("a kernel that is not raised has no source form");
      isRaised = failure();
    }
  });
  if (failed(isRaised))
    return failure();
  if (functions.empty()) {
    root->emitError("no raised kernel to emit: expected a 'gpu.func' kernel");
    return failure();
  }

  Spelling spelling(options.language);
  llvm::StringSet<> names;
  llvm::StringMap<std::string> namesBySymbol;
  // The kernels themselves come before what they fall back to.
  for (bool isOriginal : {false, true})
    for (gpu::GPUFuncOp function : functions)
      if (function.getName().ends_with("__original") == isOriginal)
        namesBySymbol[function.getName()] = nameOf(function, names);
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::StringSet<> fallbacks;
  for (gpu::GPUFuncOp function : functions)
    if (auto fallback =
            function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
      fallbacks.insert(fallback.getValue());
  for (gpu::GPUFuncOp function : functions) {
    if (fallbacks.contains(function.getName()) || !isWanted(function.getName()))
      continue;
    StringRef name = namesBySymbol[function.getName()];
    stream << '\n';
    if (auto geometry =
            function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
      stream << "// A block of " << dims(geometry.getBlock())
             << " threads does the work of "
             << dims(geometry.getItemsPerBlock()) << " work items.\n";
    for (const auto &[symbol, note] : options.notes)
      if (symbol == function.getName())
        stream << "// - " << note << '\n';
    if (failed(emitKernel(function, name.str(), spelling, stream)))
      return failure();
    auto fallback =
        function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
    gpu::GPUFuncOp original;
    if (fallback)
      for (gpu::GPUFuncOp candidate : functions)
        if (candidate.getName() == fallback.getValue())
          original = candidate;
    if (!original)
      continue;
    StringRef originalName = namesBySymbol[original.getName()];
    stream << "\n// The kernel as it was written, for launches that " << name
           << " cannot cover.\n";
    if (failed(emitKernel(original, originalName.str(), spelling, stream)))
      return failure();
    printLaunchHelper(function, name, originalName, spelling, stream);
  }
  return format(includesFor(text, options.language) + text);
}
