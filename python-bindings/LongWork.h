//===- LongWork.h - work during which Python goes on ------------*- C++ -*-===//

#ifndef PYTHON_BINDINGS_LONGWORK_H
#define PYTHON_BINDINGS_LONGWORK_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace gpuopt::python {

/// What one thread at a time may use.
class Owned {
public:
  /// Waits until nobody else uses it, without Python's lock, and serves signals
  /// meanwhile; raises what these raise. Raises RuntimeError where this thread
  /// uses it already: a handler of signals cannot wait for what it interrupts.
  /// Called with Python's lock, which it has again behind it.
  std::unique_lock<std::timed_mutex> take();

private:
  friend class Owner;

  std::timed_mutex mutex;
  std::atomic<std::thread::id> owner;
};

/// Says that this thread uses `owned` while it lives.
class Owner {
public:
  explicit Owner(Owned &owned) : owned(owned), lock(owned.take()) {
    owned.owner = std::this_thread::get_id();
  }
  Owner(const Owner &) = delete;
  ~Owner() { owned.owner = std::thread::id(); }

private:
  Owned &owned;
  std::unique_lock<std::timed_mutex> lock;
};

/// Runs `work`, which must not touch Python, in a thread of its own; other
/// threads of Python go on meanwhile. A signal, such as Ctrl-C, is served while
/// it runs; where that raises something, `stop` becomes true, and it is raised
/// once `work` is done.
void runLong(llvm::function_ref<void()> work, std::atomic<bool> &stop);

/// Serves signals in the middle of work that this thread does without Python's
/// lock. False where that raises something, which `raiseServed` then raises.
/// Only the main thread of Python serves any.
bool serveSignals();
void raiseServed();

} // namespace gpuopt::python

#endif // PYTHON_BINDINGS_LONGWORK_H
