//===- Search.cpp - the search over designs from Python -------------------===//

#include "python-bindings/Module.h"

#include "tools/lib/cache/CacheKey.h"
#include "tools/search/Search.h"

#include "llvm/Support/FormatVariadic.h"

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

/// Has Python measure a variant. What it raises ends the search, and is raised
/// behind it.
static std::optional<double> measure(const nb::callable &measurer,
                                     const VariantCode &variant) {
  nb::gil_scoped_acquire lock;
  if (PyErr_Occurred())
    return std::nullopt;
  const LaunchConfig &launch = variant.launch;
  auto toTuple = [](const Dim3 &extents) {
    return nb::make_tuple(extents[0], extents[1], extents[2]);
  };
  try {
    nb::object seconds = measurer(
        nb::bytes(variant.code.data(), variant.code.size()), variant.symbol,
        toTuple(launch.grid), toTuple(launch.block), launch.dynamicSharedBytes);
    if (seconds.is_none())
      return std::nullopt;
    return nb::cast<double>(seconds);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (nb::cast_error &) {
    PyErr_SetString(PyExc_TypeError, "expected seconds, or None, of a measure");
  }
  return std::nullopt;
}

/// The best design, the variants as JSON, the table, and why there is nothing
/// to search.
static std::tuple<std::optional<std::string>, std::string, std::string,
                  std::string>
search(const CompiledFile &file, size_t index, double budgetSeconds,
       std::optional<nb::callable> measurer, bool usesCache) {
  const KernelInfo &kernel = file.kernel(index);
  SearchOptions options;
  options.budgetSeconds = budgetSeconds;
  // Python's measures are called in the thread that searches.
  if (measurer)
    options.measure = [&](const VariantCode &variant) {
      return measure(*measurer, variant);
    };
  SearchResult result;
  std::string table;
  {
    Owner owner(file.use);
    nb::gil_scoped_release released;
    std::unique_ptr<DesignCache> cache;
    if (usesCache)
      cache = DesignCache::open(cacheDirectory());
    options.cache = cache.get();
    options.progress = [](int64_t, int64_t) { serveSignals(); };
    result = searchDesigns(*file.compilation, kernel, options);
    llvm::raw_string_ostream stream(table);
    printTable(result, kernel, file.compilation->target(), stream);
  }
  raiseServed();
  std::optional<std::string> design;
  if (const Variant *chosen = result.chosen())
    design = chosen->design.toString();
  return {design, llvm::formatv("{0}", llvm::json::Value(toJSON(result))),
          table, result.reason};
}

void python::defineSearch(nb::class_<CompiledFile> &file) {
  file.def("search", search, nb::arg("kernel"), nb::arg("budget"),
           nb::arg("measure").none(), nb::arg("cache"));
}
