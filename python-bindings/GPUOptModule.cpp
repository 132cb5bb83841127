//===- GPUOptModule.cpp - the library for Python --------------------------===//
//
// A thin layer over tools/lib/compile/Compiler.h;
// python-bindings/gpuopt/__init__.py is what users see.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/compile/Compiler.h"
#include "tools/lib/compile/Formats.h"
#include "tools/lib/launch/GivenExtents.h"
#include "tools/lib/launch/Problem.h"
#include "tools/lib/report/Report.h"

#include "llvm/Support/FormatVariadic.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using gpuopt::Compilation;

/// Integers of 64 bits and either sign.
using Sizes = std::map<std::string, std::variant<int64_t, uint64_t>>;

static gpuopt::SizeMap toSizeMap(const Sizes &sizes) {
  gpuopt::SizeMap map;
  for (const auto &[name, size] : sizes)
    std::visit([&](auto value) { map[name] = static_cast<int64_t>(value); },
               size);
  return map;
}

static gpuopt::NumberMap toNumbers(const Sizes &sizes) {
  gpuopt::NumberMap numbers;
  for (const auto &[name, size] : sizes)
    std::visit([&](auto value) { numbers[name] = value; }, size);
  return numbers;
}

static void refuse(llvm::Error error) {
  if (error)
    throw nb::value_error(llvm::toString(std::move(error)).c_str());
}

static std::unique_ptr<Compilation>
compile(const std::string &path, const std::string &target,
        const std::vector<std::string> &kernels, bool optimize,
        const Sizes &sizes, const Sizes &specialize,
        const std::vector<std::string> &clangArguments,
        const std::optional<std::string> &text,
        const std::optional<std::string> &kind) {
  gpuopt::CompileOptions options;
  options.text = text;
  if (kind) {
    options.inputKind = gpuopt::findInputKind(*kind);
    if (!options.inputKind)
      throw nb::value_error("kind: expected cu, hip, cl or mlir");
  }
  options.target = target;
  options.kernels = kernels;
  options.optimize = optimize;
  options.sizes = toSizeMap(sizes);
  options.specialize = toSizeMap(specialize);
  options.import.clangArguments = clangArguments;
  auto compilation = Compilation::create(path, options);
  if (!compilation)
    throw nb::value_error("the input cannot be compiled; see standard error");
  for (const gpuopt::KernelInfo &kernel : compilation->kernels()) {
    refuse(gpuopt::checkSizeValues(kernel, toNumbers(sizes)));
    refuse(gpuopt::checkExtents(kernel, toNumbers(sizes)));
  }
  return compilation;
}

static nb::bytes emit(const Compilation &compilation, const std::string &name) {
  const gpuopt::OutputFormat *format = gpuopt::findOutputFormat(name);
  if (!format)
    throw nb::value_error(("expected " + gpuopt::outputFormatNames()).c_str());
  llvm::Expected<std::string> output = compilation.emit(format->kind);
  if (!output)
    throw nb::value_error(llvm::toString(output.takeError()).c_str());
  return nb::bytes(output->data(), output->size());
}

NB_MODULE(_gpuopt, module) {
  nb::class_<Compilation>(module, "Compilation")
      .def("kernels",
           [](const Compilation &compilation) {
             std::vector<std::string> names;
             for (const gpuopt::KernelInfo &kernel : compilation.kernels())
               names.push_back(kernel.displayName);
             return names;
           })
      .def("emit", emit)
      .def("report", [](const Compilation &compilation) {
        return llvm::formatv("{0}",
                             llvm::json::Value(gpuopt::makeReport(compilation)))
            .str();
      });
  module.def("compile", compile, nb::arg("path"), nb::arg("target"),
             nb::arg("kernels"), nb::arg("optimize"), nb::arg("sizes"),
             nb::arg("specialize"), nb::arg("clang_arguments"),
             nb::arg("text").none(), nb::arg("kind").none());
}
