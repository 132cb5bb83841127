//===- EmitSource.cpp - kernels as source code ----------------------------===//

#include "conversion/EmitSource/EmitSource.h"

#include "conversion/EmitSource/ArrangeKernel.h"
#include "conversion/EmitSource/ArrayNames.h"
#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LaunchHelper.h"
#include "conversion/EmitSource/LaunchSequence.h"
#include "conversion/EmitSource/LaunchTexts.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/ModuleVariables.h"
#include "conversion/EmitSource/OriginalForm.h"
#include "conversion/EmitSource/Printer.h"
#include "conversion/EmitSource/ScalarForm.h"
#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// The structure that parameter `number` of `function` is, or begins.
static DictionaryAttr structureAt(gpu::GPUFuncOp function, unsigned number) {
  DictionaryAttr split = structureAround(function, number);
  if (split)
    return firstOf(split) == number ? split : DictionaryAttr();
  return function.getArgAttrOfType<DictionaryAttr>(number, kStructureAttrName);
}

/// Why `structure` cannot be declared; nothing where it can.
static StringRef whyNotDeclarable(DictionaryAttr structure, bool isOpenCL) {
  int64_t end = 0, alignment = 1;
  for (DictionaryAttr member : membersOf(structure)) {
    if (isOpenCL && member.contains("pointer"))
      return "a structure with a pointer has no form in OpenCL C";
    if (source::nameOf(member).contains('.'))
      return "a structure in a structure has no source form";
    int64_t bytes = bytesOf(member);
    if (offsetOf(member) != int64_t(llvm::alignTo(end, bytes)))
      return "a structure that says how its members are aligned has no source "
             "form";
    alignment = std::max(alignment, bytes);
    for (int64_t extent : extentsOf(member))
      bytes *= extent;
    end = offsetOf(member) + bytes;
  }
  auto whole = structure.getAs<IntegerAttr>("bytes");
  if (whole && (whole.getInt() != int64_t(llvm::alignTo(end, alignment)) ||
                structure.getAs<IntegerAttr>("align").getInt() != alignment))
    return "a structure that says how it is aligned has no source form";
  return "";
}

/// Vectors are known.
static bool isVector(StringRef name) {
  return llvm::Regex("^u?(char|short|int|long|longlong|float|double)[1-4]$")
      .match(name);
}

static std::string declarationOf(DictionaryAttr structure,
                                 const Spelling &spelling) {
  StringRef name = typeNameOf(structure);
  std::string text = spelling.isOpenCL() ? "\ntypedef struct {"
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
    if (auto pointee = member.getAs<StringAttr>("pointee"))
      variable.pointee = pointee.str();
    text += spelling.parameter(variable) + "; ";
  }
  return text + (spelling.isOpenCL() ? "} " + name.str() + ";\n" : "};\n");
}

/// The structures that `functions` are given, with their members.
static FailureOr<std::string>
declareStructures(ArrayRef<gpu::GPUFuncOp> functions,
                  const Spelling &spelling) {
  llvm::StringMap<ArrayAttr> declared;
  std::string text;
  for (gpu::GPUFuncOp function : functions)
    for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i) {
      DictionaryAttr structure = structureAt(function, i);
      if (!structure || isVector(typeNameOf(structure)))
        continue;
      auto members = structure.getAs<ArrayAttr>("members");
      auto [known, isNew] =
          declared.try_emplace(typeNameOf(structure), members);
      StringRef problem = whyNotDeclarable(structure, spelling.isOpenCL());
      if (problem.empty() && known->second != members)
        problem = "another structure of the same name has no source form";
      if (!problem.empty()) {
        emitError(function.getLoc(), problem);
        return failure();
      }
      if (isNew)
        text += declarationOf(structure, spelling);
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

std::vector<std::string> gpuopt::workgroupArrayNames(gpu::GPUFuncOp function) {
  std::vector<std::string> names(function.getNumWorkgroupAttributions());
  // What has no source form has no names there; that is no error here.
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  Headers headers;
  Spelling spelling(OutputLanguage::CUDA, headers);
  Kernel kernel(function.getLoc());
  ScalarForm form(function);
  if (failed(KernelBuilder(kernel, form.get(), spelling.isOpenCL()).build()))
    return names;
  std::vector<Variable *> arrays = kernel.shared;
  arrangeKernel(kernel, spelling);
  for (auto [name, array] : llvm::zip(names, arrays))
    if (llvm::is_contained(kernel.shared, array))
      name = array->name;
  return names;
}

namespace {
/// What is left out or emitted as a whole: a kernel, or those that it was split
/// into and the host function that launches them.
struct Unit {
  /// For the user.
  std::string name;
  SmallVector<gpu::GPUFuncOp, 1> kernels;
  func::FuncOp host;
};

/// Why a unit has no source form.
struct Problem {
  std::string symbol;
  std::string name;
  Location location;
  std::string reason;
};

/// Emits the kernels under one operation.
class Emitter {
public:
  Emitter(Operation *root, const EmitSourceOptions &options)
      : root(root), options(options), spelling(options.language, headers) {}

  FailureOr<std::string> emit(std::vector<FormlessKernel> *formless);

private:
  void collect();
  void nameKernels();
  bool isWanted(StringRef symbol) const {
    return options.kernels.empty() ||
           llvm::is_contained(options.kernels, symbol.str());
  }
  void printNotes(gpu::GPUFuncOp function);
  LogicalResult emitKernel(gpu::GPUFuncOp function);
  LogicalResult emitWithFallback(gpu::GPUFuncOp function);
  LogicalResult emitUnit(const Unit &unit);
  void tryUnit(StringRef symbol, const Unit &unit);
  LogicalResult report(std::vector<FormlessKernel> *formless);

  Operation *root;
  const EmitSourceOptions &options;
  Headers headers;
  Spelling spelling;
  std::string text;
  /// By symbol, in the order of the source.
  llvm::MapVector<StringRef, Unit> units;
  SmallVector<Problem> problems;
  /// The kernels that are in `text`.
  SmallVector<gpu::GPUFuncOp> emitted;
  llvm::StringMap<gpu::GPUFuncOp> bySymbol;
  /// By the symbol of what a kernel falls back to, that kernel.
  llvm::StringMap<gpu::GPUFuncOp> tuned;
  llvm::StringMap<std::string> names;
  /// What launches a kernel: `launch_mm`, or the kernel itself.
  llvm::StringMap<std::string> launchers;
};
} // namespace

/// The kernel that `function` is, or is a part of.
static StringRef unitOf(gpu::GPUFuncOp function) {
  auto host = function->getAttrOfType<FlatSymbolRefAttr>(kPhaseOfAttrName);
  return host ? host.getValue() : function.getName();
}

static std::string sourceNameOf(FunctionOpInterface function) {
  auto name = function->getAttrOfType<StringAttr>(kSourceNameAttrName);
  return name ? name.str() : function.getName().str();
}

void Emitter::collect() {
  root->walk([&](FunctionOpInterface function) {
    if (auto raised = dyn_cast<gpu::GPUFuncOp>(function.getOperation())) {
      if (!raised.isKernel())
        return;
      bySymbol[raised.getName()] = raised;
      if (auto fallback =
              raised->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName))
        tuned.try_emplace(fallback.getValue(), raised);
    } else if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) &&
               isWanted(function.getName())) {
      problems.push_back({function.getName().str(), sourceNameOf(function),
                          function.getLoc(),
                          "a kernel that is not raised has no source form"});
    }
  });
  root->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel() || tuned.contains(kernel.getName()) ||
        !isWanted(unitOf(kernel)))
      return;
    Unit &unit = units[unitOf(kernel)];
    unit.name = sourceNameOf(kernel);
    unit.kernels.push_back(kernel);
  });
  root->walk([&](func::FuncOp host) {
    if (auto *unit = units.find(host.getName()); unit != units.end())
      unit->second.host = host;
  });
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
  for (bool isFallback : {false, true})
    root->walk([&](gpu::GPUFuncOp function) {
      gpu::GPUFuncOp of = tuned.lookup(function.getName());
      if (function.isKernel() && isFallback == (of != nullptr))
        choose(function, of ? nameOf(of) + "_original" : nameOf(function));
    });
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

/// Whether it matters to `function` which threads are a subgroup.
static bool usesLanes(gpu::GPUFuncOp function) {
  auto names = [](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    return isa<gpu::ShuffleOp>(op) ||
           (call &&
            call.getCallee().value_or("").starts_with("__gpuopt_shuffle"));
  };
  return function
      .walk([&](Operation *op) {
        return names(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static int64_t subgroupSizeOf(gpu::GPUFuncOp function) {
  for (Operation *op = function; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target.getSubgroupSize();
  return 32;
}

void Emitter::printNotes(gpu::GPUFuncOp function) {
  llvm::raw_string_ostream stream(text);
  stream << '\n';
  if (auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    stream << "// A block of " << joinDims(geometry.getBlock(), " x ")
           << " threads does the work of "
           << joinDims(geometry.getItemsPerBlock(), " x ") << " work items.\n";
  for (const auto &[symbol, note] : options.notes)
    if (symbol == function.getName())
      printNote(note, stream);
  // CUDA and HIP say for which GPU they are compiled.
  if (spelling.isOpenCL() && usesLanes(function))
    stream << "// Takes subgroups of " << subgroupSizeOf(function)
           << " work items.\n";
}

LogicalResult Emitter::emitKernel(gpu::GPUFuncOp function) {
  Kernel kernel(function.getLoc());
  kernel.name = names[function.getName()];
  ScalarForm form(function);
  if (failed(KernelBuilder(kernel, form.get(), spelling.isOpenCL()).build()) ||
      failed(checkTypes(kernel, spelling.getLanguage())))
    return failure();
  Spelling words = spelling;
  arrangeKernel(kernel, words);
  emitted.push_back(function);
  llvm::raw_string_ostream stream(text);
  return Printer(kernel, words, stream).print();
}

LogicalResult Emitter::emitWithFallback(gpu::GPUFuncOp function) {
  StringRef name = names[function.getName()];
  launchers[function.getName()] = ("<<<" + name).str();
  printNotes(function);
  if (failed(emitKernel(function)))
    return failure();
  auto fallback = function->getAttrOfType<FlatSymbolRefAttr>(kFallbackAttrName);
  gpu::GPUFuncOp original =
      fallback ? bySymbol.lookup(fallback.getValue()) : gpu::GPUFuncOp();
  if (!original || !hasLaunchHelper(function, spelling))
    return success();
  StringRef originalName = names[original.getName()];
  if (launchesOriginal(function, original, spelling)) {
    text += ("\n// The kernel as it was written, for launches that " + name +
             " cannot cover.\n")
                .str();
    if (failed(emitKernel(OriginalForm(original).get())))
      return failure();
    // In the place of the copy that was printed.
    emitted.back() = original;
  }
  llvm::raw_string_ostream stream(text);
  printLaunchHelper(function, name, original, originalName, spelling, stream);
  if (!spelling.isOpenCL())
    launchers[function.getName()] = ("launch_" + name).str();
  return success();
}

LogicalResult Emitter::emitUnit(const Unit &unit) {
  size_t first = emitted.size();
  for (gpu::GPUFuncOp kernel : unit.kernels)
    if (failed(emitWithFallback(kernel)))
      return failure();
  auto here = ArrayRef(emitted).drop_front(first);
  if (failed(declareStructures(here, spelling)) ||
      failed(declareVariables(here, spelling)))
    return failure();
  llvm::raw_string_ostream stream(text);
  return unit.host ? printLaunchSequence(unit.host, unit.name, launchers,
                                         spelling, stream)
                   : success();
}

/// Emits `unit`, or leaves everything as it was.
void Emitter::tryUnit(StringRef symbol, const Unit &unit) {
  size_t length = text.size(), count = emitted.size();
  Headers needed = headers;
  std::optional<Problem> problem;
  ScopedDiagnosticHandler handler(
      root->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !problem)
          problem = {symbol.str(), unit.name, diagnostic.getLocation(),
                     diagnostic.str()};
        return success();
      });
  if (succeeded(emitUnit(unit)))
    return;
  assert(problem && "a unit that fails says why");
  text.resize(length);
  emitted.truncate(count);
  headers = needed;
  problems.push_back(std::move(*problem));
}

/// Says what is left out; fails where that is an error.
LogicalResult Emitter::report(std::vector<FormlessKernel> *formless) {
  for (const Problem &problem : problems) {
    if (formless) {
      formless->push_back({problem.symbol, problem.reason});
    } else if (options.strict || emitted.empty()) {
      emitError(problem.location) << problem.reason;
      return failure();
    } else {
      emitWarning(problem.location)
          << "kernel '" << problem.name << "' is left out: " << problem.reason;
    }
  }
  if (emitted.empty() && problems.empty())
    root->emitError("no raised kernel to emit: expected a 'gpu.func' kernel");
  return success(!emitted.empty());
}

FailureOr<std::string> Emitter::emit(std::vector<FormlessKernel> *formless) {
  collect();
  nameKernels();
  for (auto &[symbol, unit] : units)
    tryUnit(symbol, unit);
  if (failed(report(formless)))
    return failure();
  return formatSource(headers.text(options.language) +
                      *declareStructures(emitted, spelling) +
                      *declareVariables(emitted, spelling) + text);
}

FailureOr<std::string>
gpuopt::emitSource(Operation *root, const EmitSourceOptions &options,
                   std::vector<FormlessKernel> *formless) {
  return Emitter(root, options).emit(formless);
}
