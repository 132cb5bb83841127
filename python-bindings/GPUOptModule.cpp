//===- GPUOptModule.cpp - the library for Python --------------------------===//
//
// A thin layer over tools/lib/compile/Compiler.h and what runs its kernels;
// python-bindings/gpuopt is what users see.
//
//===----------------------------------------------------------------------===//

#include "python-bindings/Module.h"

#include "conversion/ImportSource/DiagnosticStream.h"
#include "tools/lib/compile/Formats.h"
#include "tools/lib/launch/GivenExtents.h"
#include "tools/lib/launch/Problem.h"
#include "tools/lib/report/Explain.h"
#include "tools/lib/report/Report.h"

#include "llvm/Support/FormatVariadic.h"

#include <nanobind/stl/unique_ptr.h>

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

CompiledFile::CompiledFile(std::unique_ptr<Compilation> made)
    : compilation(std::move(made)), runner(*compilation, [this] {
        if (!serveSignals())
          runner.interrupt();
      }) {}

std::string
python::runOn(const CompiledFile &file,
              llvm::function_ref<llvm::Error(std::atomic<bool> &)> work) {
  Owner owner(file.use);
  std::string said, problem;
  std::atomic<bool> stop = false;
  runLong(
      [&] {
        llvm::raw_string_ostream stream(said);
        OwnDiagnostics own(stream);
        problem = llvm::toString(work(stop));
      },
      stop);
  if (!problem.empty())
    throw nb::value_error((said + problem).c_str());
  return said;
}

static void refuse(llvm::Error error) {
  if (error)
    throw nb::value_error(llvm::toString(std::move(error)).c_str());
}

namespace {
/// The arguments of `gpuopt.compile`.
struct Settings {
  std::string target;
  std::vector<std::string> kernels;
  bool optimize = true, assumeNoalias = false, reassociate = false;
  Numbers sizes, specialize;
  std::vector<std::string> clangArguments;
  std::optional<std::string> text, kind;
  /// The design of each kernel that has one of its own, by its symbol.
  std::map<std::string, std::string> designs;

  CompileOptions options() const {
    CompileOptions options;
    options.text = text;
    if (kind) {
      options.inputKind = findInputKind(*kind);
      if (!options.inputKind)
        throw nb::value_error("kind: expected cu, hip, cl or mlir");
    }
    options.target = target;
    options.kernels = kernels;
    options.optimize = optimize;
    options.assumeNoalias = assumeNoalias;
    options.reassociate = reassociate;
    options.sizes = integersOf(toNumberMap(sizes));
    options.specialize = integersOf(toNumberMap(specialize));
    options.import.clangArguments = clangArguments;
    for (const auto &[symbol, design] : designs)
      refuse(Design::parse(design).moveInto(options.designs[symbol]));
    return options;
  }
};
} // namespace

/// The compiled file, or None where the input is wrong, and the diagnostics.
static std::tuple<std::unique_ptr<CompiledFile>, std::string>
compile(const std::string &path, const Settings &settings) {
  CompileOptions options = settings.options();
  std::unique_ptr<Compilation> compilation;
  std::string diagnostics;
  // A compilation is not ended: it has its own limits of time.
  std::atomic<bool> stop = false;
  runLong(
      [&] {
        llvm::raw_string_ostream stream(diagnostics);
        OwnDiagnostics own(stream);
        compilation = Compilation::create(path, options);
      },
      stop);
  if (!compilation)
    return {nullptr, diagnostics};
  NumberMap sizes = toNumberMap(settings.sizes);
  for (const KernelInfo &kernel : compilation->kernels()) {
    refuse(checkSizeValues(kernel, sizes));
    refuse(checkExtents(kernel, sizes));
  }
  return {std::make_unique<CompiledFile>(std::move(compilation)), diagnostics};
}

/// What was asked for, and the diagnostics.
static std::tuple<nb::bytes, std::string> emit(const CompiledFile &file,
                                               const std::string &name) {
  const OutputFormat *format = findOutputFormat(name);
  if (!format)
    throw nb::value_error(("expected " + outputFormatNames()).c_str());
  std::string text;
  std::string diagnostics = runOn(file, [&](std::atomic<bool> &) {
    return file.compilation->emit(format->kind).moveInto(text);
  });
  return {nb::bytes(text.data(), text.size()), diagnostics};
}

/// Made once.
static std::string report(CompiledFile &file) {
  runOn(file, [&](std::atomic<bool> &) {
    if (file.report.empty())
      file.report = llvm::formatv(
          "{0}", llvm::json::Value(makeReport(*file.compilation)));
    return llvm::Error(llvm::Error::success());
  });
  return file.report;
}

static std::string explain(const CompiledFile &file, size_t index) {
  std::string text;
  runOn(file, [&](std::atomic<bool> &) {
    llvm::raw_string_ostream stream(text);
    printExplanation(*file.compilation, file.kernel(index), stream);
    return llvm::Error(llvm::Error::success());
  });
  return text;
}

/// Name, symbol, position and parameters of each kernel.
static nb::list kernels(const CompiledFile &file) {
  nb::list found;
  for (const KernelInfo &kernel : file.compilation->kernels()) {
    nb::list parameters;
    for (const SourceArgument &source : kernel.sourceArguments())
      parameters.append(nb::make_tuple(source.parameter->name,
                                       source.parameter->typeName,
                                       source.parameter->isPointer));
    found.append(nb::make_tuple(kernel.displayName, kernel.name, kernel.symbol,
                                kernel.position.file, kernel.position.line,
                                parameters));
  }
  return found;
}

static void defineSettings(nb::module_ &module) {
  nb::class_<Settings>(module, "Settings")
      .def(nb::init<>())
      .def_rw("target", &Settings::target)
      .def_rw("kernels", &Settings::kernels)
      .def_rw("optimize", &Settings::optimize)
      .def_rw("assume_noalias", &Settings::assumeNoalias)
      .def_rw("reassociate", &Settings::reassociate)
      .def_rw("sizes", &Settings::sizes)
      .def_rw("specialize", &Settings::specialize)
      .def_rw("clang_arguments", &Settings::clangArguments)
      .def_rw("designs", &Settings::designs)
      .def_rw("text", &Settings::text, nb::arg().none())
      .def_rw("kind", &Settings::kind, nb::arg().none());
}

NB_MODULE(_gpuopt, module) {
  defineSettings(module);
  module.def("compile", compile, nb::arg("path"), nb::arg("settings"));
  nb::class_<CompiledFile> file(module, "CompiledFile");
  file.def("kernels", kernels)
      .def("emit", emit, nb::arg("kind"))
      .def("report", report)
      .def("explain", explain, nb::arg("kernel"));
  defineLaunches(file);
  defineChecks(file);
  defineSearch(file);
}
