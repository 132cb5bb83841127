//===- Launches.cpp - calls of kernels from Python ------------------------===//

#include "python-bindings/Arguments.h"
#include "python-bindings/Module.h"

#include "conversion/ImportSource/DiagnosticStream.h"
#include "tools/lib/launch/Problem.h"

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

static WantedLaunch wantedLaunch(const std::optional<Shape> &grid,
                                 const std::optional<Shape> &block,
                                 int64_t sharedBytes) {
  if (sharedBytes < 0)
    throw nb::value_error("shared_bytes must not be negative");
  return {toDim3(grid), toDim3(block), sharedBytes};
}

static nb::list launch(CompiledFile &file, size_t index, nb::tuple values,
                       const std::optional<Shape> &grid,
                       const std::optional<Shape> &block, int64_t sharedBytes) {
  const KernelInfo &kernel = file.kernel(index);
  Arguments arguments(kernel, std::move(values));
  WantedLaunch wanted = wantedLaunch(grid, block, sharedBytes);
  ExecutionResult done;
  std::string said, problem;
  {
    // In this thread: another one takes longer to start than a small kernel.
    Owner owner(file.use);
    nb::gil_scoped_release released;
    llvm::raw_string_ostream stream(said);
    OwnDiagnostics own(stream);
    problem = llvm::toString(
        file.runner.launch(kernel, wanted, arguments.get()).moveInto(done));
  }
  raiseServed();
  if (!problem.empty())
    throw nb::value_error((said + problem).c_str());
  nb::list faults;
  for (const ExecutionFault &fault : done.faults)
    faults.append(nb::make_tuple(faultName(fault.kind).str(), fault.message,
                                 fault.location));
  return faults;
}

/// The launches that do what one of the source does, as dictionaries.
static nb::list launches(CompiledFile &file, size_t index, const Shape &grid,
                         const Shape &block, int64_t sharedBytes,
                         const Numbers &scalars) {
  const KernelInfo &kernel = file.kernel(index);
  NumberMap numbers = toNumberMap(scalars);
  WantedLaunch wanted = wantedLaunch(grid, block, sharedBytes);
  std::vector<KernelLaunch> decided;
  runOn(file, [&](std::atomic<bool> &) -> llvm::Error {
    if (llvm::Error error = checkSizeValues(kernel, numbers))
      return error;
    return file.runner.decide(kernel, wanted, integersOf(numbers))
        .moveInto(decided);
  });
  auto toTuple = [](const Dim3 &extents) {
    return nb::make_tuple(extents[0], extents[1], extents[2]);
  };
  nb::list found;
  for (const KernelLaunch &launch : decided) {
    nb::dict entry;
    entry["symbol"] = launch.symbol;
    entry["grid"] = toTuple(launch.config.grid);
    entry["block"] = toTuple(launch.config.block);
    entry["shared_bytes"] = launch.config.dynamicSharedBytes;
    entry["is_fallback"] = launch.isFallback;
    entry["reason"] = launch.fallbackReason;
    found.append(entry);
  }
  return found;
}

/// The storage of a variable, which Python keeps the file alive for.
static nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>
variable(nb::handle_t<CompiledFile> self, const std::string &name) {
  auto &file = *nb::inst_ptr<CompiledFile>(self);
  llvm::MutableArrayRef<uint8_t> bytes;
  runOn(file, [&](std::atomic<bool> &) {
    return file.runner.variable(name).moveInto(bytes);
  });
  return nb::ndarray<nb::numpy, uint8_t, nb::ndim<1>>(bytes.data(),
                                                      {bytes.size()}, self);
}

void python::defineLaunches(nb::class_<CompiledFile> &file) {
  file.def("launch", launch, nb::arg("kernel"), nb::arg("arguments"),
           nb::arg("grid").none(), nb::arg("block").none(),
           nb::arg("shared_bytes"));
  file.def("launches", launches, nb::arg("kernel"), nb::arg("grid"),
           nb::arg("block"), nb::arg("shared_bytes"), nb::arg("scalars"));
  file.def("seconds_of_kernels", [](const CompiledFile &self) {
    Owner owner(self.use);
    return self.runner.secondsOfKernels();
  });
  file.def("variable", variable, nb::arg("name"));
}
