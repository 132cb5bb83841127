//===- LongWork.cpp - work during which Python goes on --------------------===//

#include "python-bindings/LongWork.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

/// Between two looks for signals.
static constexpr std::chrono::milliseconds kPause(50);

/// Asked once, with Python's lock.
static unsigned long mainThread() {
  static const auto main = nb::cast<unsigned long>(
      nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  return main;
}

static bool isMainThread() {
  return PyThread_get_thread_ident() == mainThread();
}

/// Serves signals where `isMain`; false where something was raised.
static bool serveSignals(bool isMain) {
  if (!isMain)
    return true;
  nb::gil_scoped_acquire lock;
  return !PyErr_Occurred() && !PyErr_CheckSignals();
}

bool python::serveSignals() {
  // Known since the first work of this process began, with Python's lock.
  return ::serveSignals(isMainThread());
}

void python::raiseServed() {
  if (PyErr_Occurred())
    throw nb::python_error();
}

std::unique_lock<std::timed_mutex> Owned::take() {
  if (owner == std::this_thread::get_id())
    throw std::runtime_error("the module is in use: a handler of signals "
                             "cannot call what it interrupts");
  bool isMain = isMainThread();
  std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) {
    nb::gil_scoped_release released;
    while (!lock.try_lock_for(kPause) && ::serveSignals(isMain)) {
    }
  }
  raiseServed();
  return lock;
}

void python::runLong(llvm::function_ref<void()> work, std::atomic<bool> &stop) {
  bool isMain = isMainThread();
  std::exception_ptr failure;
  {
    nb::gil_scoped_release released;
    std::future<void> done = std::async(std::launch::async, work);
    while (done.wait_for(kPause) != std::future_status::ready)
      if (!::serveSignals(isMain))
        stop = true;
    try {
      done.get();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  raiseServed();
  if (failure)
    std::rethrow_exception(failure);
}
