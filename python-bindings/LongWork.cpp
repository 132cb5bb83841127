//===- LongWork.cpp - work during which Python goes on --------------------===//

#include "python-bindings/LongWork.h"

#include "runtime/Interrupt.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <future>

namespace nb = nanobind;
using namespace gpuopt;

void python::serveSignals() {
  nb::gil_scoped_acquire lock;
  // The error stays with this thread until `raiseServed`.
  if (!PyErr_Occurred() && PyErr_CheckSignals())
    interruptLaunches();
}

void python::raiseServed() {
  if (!PyErr_Occurred())
    return;
  allowLaunches();
  throw nb::python_error();
}

void python::runLong(llvm::function_ref<void()> work) {
  constexpr std::chrono::milliseconds pause(50);
  {
    nb::gil_scoped_release released;
    std::future<void> done = std::async(std::launch::async, work);
    while (done.wait_for(pause) != std::future_status::ready)
      serveSignals();
    done.get();
  }
  raiseServed();
}
