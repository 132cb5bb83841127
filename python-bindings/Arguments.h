//===- Arguments.h - arguments of a kernel from Python ----------*- C++ -*-===//

#ifndef PYTHON_BINDINGS_ARGUMENTS_H
#define PYTHON_BINDINGS_ARGUMENTS_H

#include "conversion/ImportSource/KernelInfo.h"
#include "runtime/Executor.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <deque>

namespace gpuopt::python {

/// The arguments of one call, and what keeps their memory. Arrays are anything
/// in the host's memory that has DLPack or the buffer protocol, or None, the
/// null pointer; scalars anything that Python takes for a number; structures
/// are a dictionary of their members or their bytes. Raises TypeError or
/// ValueError, which name the parameter, before anything runs.
class Arguments {
public:
  /// `values` are in the order of the kernel's parameters.
  Arguments(const KernelInfo &kernel, nanobind::tuple values);
  Arguments(const Arguments &) = delete;

  llvm::ArrayRef<KernelArgument> get() const { return arguments; }

private:
  /// Memory that its owner keeps in place.
  struct Held {
    Held() = default;
    Held(const Held &) = delete;
    ~Held() { PyBuffer_Release(&buffer); }

    Py_buffer buffer = {};
  };

  void add(const KernelParameter &parameter, nanobind::handle value);
  void addArray(const KernelParameter &parameter, nanobind::handle value);
  void addBuffer(const KernelParameter &parameter, nanobind::handle value);
  void addDLPack(const KernelParameter &parameter, nanobind::handle value);
  void addScalar(const KernelParameter &parameter, nanobind::handle value);
  void addStructure(const KernelParameter &whole,
                    llvm::ArrayRef<KernelParameter> parts,
                    nanobind::handle value);

  std::vector<KernelArgument> arguments;
  std::vector<nanobind::ndarray<>> arrays;
  std::deque<Held> buffers;
  std::deque<std::vector<uint8_t>> scalars;
};

} // namespace gpuopt::python

#endif // PYTHON_BINDINGS_ARGUMENTS_H
