//===- LongWork.h - work during which Python goes on ------------*- C++ -*-===//

#ifndef PYTHON_BINDINGS_LONGWORK_H
#define PYTHON_BINDINGS_LONGWORK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <mutex>

namespace gpuopt::python {

/// Runs `work`, which must not touch Python, in a thread of its own; other
/// threads of Python go on meanwhile. A signal, such as Ctrl-C, is served while
/// it runs: it ends kernels that run, and is raised once `work` is done.
void runLong(llvm::function_ref<void()> work);
/// The same for work on a file, which one thread at a time may use.
template <typename File>
void runLong(const File &file, llvm::function_ref<void()> work) {
  runLong([&] {
    std::lock_guard<std::mutex> lock(file.mutex);
    work();
  });
}

/// Serves signals in the middle of work that this thread does without Python's
/// lock; ends kernels that run where one raises something.
void serveSignals();

/// Raises what `serveSignals` has left.
void raiseServed();

} // namespace gpuopt::python

#endif // PYTHON_BINDINGS_LONGWORK_H
