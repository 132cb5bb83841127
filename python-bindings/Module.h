//===- Module.h - the parts of the Python module ----------------*- C++ -*-===//

#ifndef PYTHON_BINDINGS_MODULE_H
#define PYTHON_BINDINGS_MODULE_H

#include "python-bindings/LongWork.h"

#include "tools/lib/compile/Compiler.h"
#include "tools/lib/launch/HostRunner.h"
#include "tools/lib/launch/Number.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace gpuopt::python {

/// Numbers by name, as Python has them.
using Numbers = std::map<std::string, std::variant<int64_t, uint64_t, double>>;

/// Blocks of a grid, or threads of a block, along x, y and z.
using Shape = std::vector<int64_t>;

inline NumberMap toNumberMap(const Numbers &numbers) {
  return {numbers.begin(), numbers.end()};
}

/// One, two or three numbers; the others are 1.
inline std::optional<Dim3> toDim3(const std::optional<Shape> &shape) {
  if (!shape)
    return std::nullopt;
  if (shape->empty() || shape->size() > 3)
    throw nanobind::value_error("a grid or a block has one to three extents");
  Dim3 extents = {1, 1, 1};
  std::copy(shape->begin(), shape->end(), extents.begin());
  return extents;
}

/// A file that was compiled, and what runs its kernels.
struct CompiledFile {
  explicit CompiledFile(std::unique_ptr<Compilation> made);

  const KernelInfo &kernel(size_t index) const {
    return compilation->kernels().at(index);
  }

  std::unique_ptr<Compilation> compilation;
  HostRunner runner;
  /// What `report` has made.
  std::string report;
  /// Of whoever uses either.
  mutable Owned use;
};

/// Runs `work` on `file` as `runLong` does. Raises ValueError where that fails,
/// with what was said about it, else returns what was said.
std::string
runOn(const CompiledFile &file,
      llvm::function_ref<llvm::Error(std::atomic<bool> &stop)> work);

/// Launches: `launch`, `launches`, `variable`.
void defineLaunches(nanobind::class_<CompiledFile> &file);
/// What runs kernels to say something about them: `check`, `profile`,
/// `sanitize`.
void defineChecks(nanobind::class_<CompiledFile> &file);
/// `search`.
void defineSearch(nanobind::class_<CompiledFile> &file);

} // namespace gpuopt::python

#endif // PYTHON_BINDINGS_MODULE_H
