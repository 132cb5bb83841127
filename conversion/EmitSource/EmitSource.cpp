//===- EmitSource.cpp - kernels as source code ----------------------------===//

#include "conversion/EmitSource/EmitSource.h"

#include "conversion/EmitSource/ArrayNames.h"
#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LaunchHelper.h"
#include "conversion/EmitSource/LaunchSequence.h"
#include "conversion/EmitSource/LaunchTexts.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/ModuleVariables.h"
#include "conversion/EmitSource/Printer.h"
#include "conversion/EmitSource/Structures.h"
#include "conversion/EmitSource/TreePasses.h"
#include "conversion/EmitSource/UnifySequences.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "clang/Format/Format.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

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

/// Forgets ids that nothing reads any more.
static void dropUnreadIds(Kernel &kernel) {
  llvm::SmallPtrSet<const Variable *, 16> read;
  forEachStmt(kernel.body, [&](Stmt &stmt) {
    forEachRoot(stmt, [&](const Expr *root) {
      forEachPart(root, [&](const Expr *part) { read.insert(part->variable); });
    });
  });
  for (Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Builtin && !read.contains(&variable))
      variable.initializer.clear();
}

/// Has numbers of blocks that are read once no variable of their own.
static void inlineGridSizes(Kernel &kernel, const Spelling &spelling) {
  Uses reads = countUses(kernel.body);
  for (Variable &variable : kernel.allVariables()) {
    StringRef source = variable.initializer;
    if (variable.kind != Variable::Builtin || reads.lookup(&variable) != 1 ||
        !source.starts_with("gridDim"))
      continue;
    variable.name = "(int)" + spelling.builtin(source);
  }
}

/// The structures that `functions` are given, with their members.
static FailureOr<std::string>
declareStructures(ArrayRef<gpu::GPUFuncOp> functions,
                  const Spelling &spelling) {
  llvm::MapVector<StringRef, DictionaryAttr> structures;
  for (gpu::GPUFuncOp function : functions)
    for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i)
      if (auto structure = function.getArgAttrOfType<DictionaryAttr>(
              i, kStructureAttrName)) {
        auto hasPointer = [](DictionaryAttr member) {
          return member.contains("pointer");
        };
        if (spelling.isOpenCL() &&
            llvm::any_of(membersOf(structure), hasPointer)) {
          emitError(function.getLoc(),
                    "a structure with a pointer has no form in OpenCL C");
          return failure();
        }
        structures.insert({typeNameOf(structure), structure});
      }
  std::string text;
  for (auto [name, structure] : structures) {
    // Vectors are known.
    if (llvm::Regex("^u?(char|short|int|long|longlong|float|double)[1-4]$")
            .match(name))
      continue;
    text += spelling.isOpenCL() ? "\ntypedef struct {"
                                : "\nstruct " + name.str() + " {";
    for (DictionaryAttr member : membersOf(structure)) {
      Type element = cast<TypeAttr>(member.get("element")).getValue();
      Variable variable;
      variable.kind = Variable::Parameter;
      variable.name = source::nameOf(member).str();
      for (int64_t extent : extentsOf(member))
        variable.name += "[" + std::to_string(extent) + "]";
      variable.type = {element.isBF16()              ? CType::BFloat
                       : isa<FloatType>(element)     ? CType::Float
                       : member.contains("unsigned") ? CType::Unsigned
                                                     : CType::Signed,
                       element.getIntOrFloatBitWidth(), 1};
      variable.isPointer = member.contains("pointer");
      variable.isConst = member.contains("const");
      text += spelling.parameter(variable) + "; ";
    }
    text += spelling.isOpenCL() ? "} " + name.str() + ";\n" : "};\n";
  }
  return text;
}

/// The name of `function` in the source, or its symbol where that is not known.
/// A launch of several is called after the kernel and its part in it:
/// `rd_last_steps`.
static std::string nameOf(gpu::GPUFuncOp function) {
  auto source = function->getAttrOfType<StringAttr>(kSourceNameAttrName);
  StringRef symbol = function.getName();
  std::string name = source ? source.str() : symbol.str();
  auto host = function->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName);
  if (host && symbol.consume_front(host.getValue()) &&
      symbol.consume_front("__"))
    name += "_" + symbol.str();
  return name;
}

/// Whether `language` has the types of all variables.
static LogicalResult checkTypes(const Kernel &kernel, OutputLanguage language) {
  auto isBFloat = [](const Variable &variable) {
    return variable.type.kind == CType::BFloat;
  };
  if (language != OutputLanguage::OpenCL ||
      llvm::none_of(kernel.allVariables(), isBFloat))
    return success();
  return emitError(kernel.place, "numbers of type bf16 have no form in OpenCL "
                                 "C");
}

/// Makes of a kernel, as it is built, what a person would write.
static void arrangeKernel(Kernel &kernel, Spelling &spelling) {
  leaveLoops(kernel);
  reuseUpdated(kernel);
  branchOnSelects(kernel);
  chooseValues(kernel);
  joinBranches(kernel);
  joinArrays(kernel);
  rollFills(kernel);
  storeByElements(kernel);
  rerollTrees(kernel);
  rerollCopies(kernel);
  spreadVectors(kernel);
  collapseLoops(kernel);
  arrangeArrays(kernel);
  // In another order of dimensions more copies differ evenly.
  rerollCopies(kernel);
  collapseLoops(kernel);
  joinFills(kernel);
  joinLanes(kernel);
  hoistCleared(kernel);
  dropImplied(kernel);
  nameIndices(kernel);
  noteProperties(kernel);
  // C has no local functions. Their parameters may choose lanes.
  if (!spelling.isOpenCL()) {
    outlineRepeats(kernel);
    spreadVectors(kernel);
  }
  nameStages(kernel);
  reuseNamed(kernel);
  placeDeclarations(kernel);
  dropUnreadIds(kernel);
  viewParameters(kernel, spelling);
  chooseNames(kernel);
  inlineGridSizes(kernel, spelling);
  pairDeclarations(kernel);
}

static LogicalResult emitKernel(gpu::GPUFuncOp function, std::string name,
                                Spelling spelling, llvm::raw_ostream &stream) {
  Kernel kernel(function.getLoc());
  kernel.name = std::move(name);
  if (failed(KernelBuilder(kernel, function, spelling.isOpenCL()).build()))
    return failure();
  if (failed(checkTypes(kernel, spelling.getLanguage())))
    return failure();
  arrangeKernel(kernel, spelling);
  return Printer(kernel, spelling, stream).print();
}

std::vector<std::string> gpuopt::workgroupArrayNames(gpu::GPUFuncOp function) {
  std::vector<std::string> names(function.getNumWorkgroupAttributions());
  // What has no source form has no names there; that is no error here.
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  Headers headers;
  Spelling spelling(OutputLanguage::CUDA, headers);
  Kernel kernel(function.getLoc());
  if (failed(KernelBuilder(kernel, function, spelling.isOpenCL()).build()))
    return names;
  std::vector<Variable *> arrays = kernel.shared;
  arrangeKernel(kernel, spelling);
  for (auto [name, array] : llvm::zip(names, arrays))
    if (llvm::is_contained(kernel.shared, array))
      name = array->name;
  return names;
}

namespace {
/// Emits the kernels under one operation.
class Emitter {
public:
  Emitter(Operation *root, const EmitSourceOptions &options)
      : root(root), options(options), spelling(options.language, headers),
        stream(text) {}

  FailureOr<std::string> emit();

private:
  LogicalResult collect();
  void nameKernels();
  bool isWanted(gpu::GPUFuncOp function) const;
  bool isWanted(StringRef symbol) const {
    return options.kernels.empty() ||
           llvm::is_contained(options.kernels, symbol.str());
  }
  void printNotes(gpu::GPUFuncOp function);
  LogicalResult emitWithFallback(gpu::GPUFuncOp function);

  Operation *root;
  const EmitSourceOptions &options;
  Headers headers;
  Spelling spelling;
  std::string text;
  llvm::raw_string_ostream stream;
  SmallVector<gpu::GPUFuncOp> functions;
  llvm::StringMap<gpu::GPUFuncOp> bySymbol;
  /// By the symbol of what a kernel falls back to, that kernel.
  llvm::StringMap<gpu::GPUFuncOp> tuned;
  llvm::StringMap<std::string> names;
  /// What launches a kernel: `launch_mm`, or the kernel itself.
  llvm::StringMap<std::string> launchers;
};
} // namespace

bool Emitter::isWanted(gpu::GPUFuncOp function) const {
  auto host = function->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName);
  return isWanted(host ? host.getValue() : function.getName());
}

LogicalResult Emitter::collect() {
  LogicalResult isRaised = success();
  root->walk([&](FunctionOpInterface function) {
    if (auto raised = dyn_cast<gpu::GPUFuncOp>(function.getOperation())) {
      if (raised.isKernel()) {
        functions.push_back(raised);
        bySymbol[raised.getName()] = raised;
        if (auto fallback =
                raised->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
          tuned.try_emplace(fallback.getValue(), raised);
      }
    } else if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) &&
               isWanted(function.getName())) {
      function->emitError("a kernel that is not raised has no source form");
      isRaised = failure();
    }
  });
  if (succeeded(isRaised) && functions.empty()) {
    root->emitError("no raised kernel to emit: expected a 'gpu.func' kernel");
    return failure();
  }
  return isRaised;
}

/// Gives each kernel a name of its own, those that others fall back to last.
void Emitter::nameKernels() {
  llvm::StringSet<> taken;
  auto choose = [&](gpu::GPUFuncOp function, const std::string &name) {
    std::string unique =
        legalKernelName(name, spelling.isOpenCL(),
                        [&](StringRef other) { return taken.contains(other); });
    taken.insert(unique);
    names[function.getName()] = unique;
  };
  for (gpu::GPUFuncOp function : functions)
    if (!tuned.contains(function.getName()))
      choose(function, nameOf(function));
  for (gpu::GPUFuncOp function : functions)
    if (gpu::GPUFuncOp of = tuned.lookup(function.getName()))
      choose(function, nameOf(of) + "_original");
}

/// An item of a list in a comment, its lines under each other.
static void printNote(StringRef note, llvm::raw_ostream &stream) {
  constexpr size_t columns = 80;
  std::string line = "// -";
  while (!note.empty()) {
    auto [word, rest] = note.split(' ');
    if (line.size() + 1 + word.size() > columns) {
      stream << line << '\n';
      line = "//  ";
    }
    line += " " + word.str();
    note = rest;
  }
  stream << line << '\n';
}

void Emitter::printNotes(gpu::GPUFuncOp function) {
  stream << '\n';
  if (auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    stream << "// A block of " << joinDims(geometry.getBlock(), " x ")
           << " threads does the work of "
           << joinDims(geometry.getItemsPerBlock(), " x ") << " work items.\n";
  for (const auto &[symbol, note] : options.notes)
    if (symbol == function.getName())
      printNote(note, stream);
}

LogicalResult Emitter::emitWithFallback(gpu::GPUFuncOp function) {
  StringRef name = names[function.getName()];
  printNotes(function);
  if (failed(emitKernel(function, name.str(), spelling, stream)))
    return failure();
  auto fallback = function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  gpu::GPUFuncOp original =
      fallback ? bySymbol.lookup(fallback.getValue()) : gpu::GPUFuncOp();
  if (!original || !hasLaunchHelper(function, spelling))
    return success();
  StringRef originalName = names[original.getName()];
  if (launchesOriginal(function, original, spelling)) {
    stream << "\n// The kernel as it was written, for launches that " << name
           << " cannot cover.\n";
    if (failed(emitKernel(original, originalName.str(), spelling, stream)))
      return failure();
  }
  printLaunchHelper(function, name, original, originalName, spelling, stream);
  if (!spelling.isOpenCL())
    launchers[function.getName()] = ("launch_" + name).str();
  return success();
}

FailureOr<std::string> Emitter::emit() {
  if (failed(collect()))
    return failure();
  nameKernels();
  for (gpu::GPUFuncOp function : functions) {
    launchers[function.getName()] = "<<<" + names[function.getName()];
    if (!tuned.contains(function.getName()) && isWanted(function) &&
        failed(emitWithFallback(function)))
      return failure();
  }
  LogicalResult isPrinted = success();
  root->walk([&](func::FuncOp host) {
    auto isPhase = [&](gpu::GPUFuncOp function) {
      auto of = function->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName);
      return of && of.getValue() == host.getName();
    };
    auto *phase = llvm::find_if(functions, isPhase);
    if (phase == functions.end() || !isWanted(host.getName()))
      return;
    auto source = (*phase)->getAttrOfType<StringAttr>(kSourceNameAttrName);
    isPrinted = success(
        succeeded(isPrinted) &&
        succeeded(printLaunchSequence(host, source ? source : host.getName(),
                                      launchers, spelling, stream)));
  });
  if (failed(isPrinted))
    return failure();
  llvm::erase_if(functions, [&](gpu::GPUFuncOp function) {
    return !isWanted(function) && !tuned.contains(function.getName());
  });
  FailureOr<std::string> structures = declareStructures(functions, spelling);
  FailureOr<std::string> variables = declareVariables(functions, spelling);
  if (failed(structures) || failed(variables))
    return failure();
  return format(headers.text(options.language) + *structures + *variables +
                text);
}

FailureOr<std::string> gpuopt::emitSource(Operation *root,
                                          const EmitSourceOptions &options) {
  return Emitter(root, options).emit();
}
