//===- BadAccess.cpp - a kernel that leaves its memory --------------------===//

#include "runtime/CUDA/BadAccess.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

using namespace gpuopt::cuda;

/// Made before the kernel runs: a handler cannot allocate.
static std::string message;
static struct sigaction previous;

/// The access is made again behind it, and meets the handler of before.
static void sayKernel(int) {
  (void)!write(STDERR_FILENO, message.data(), message.size());
  sigaction(SIGSEGV, &previous, nullptr);
}

NameBadAccesses::NameBadAccesses(const std::string &kernel) {
  message = "gpuopt: kernel '" + kernel +
            "' accesses what is no memory of the device\n";
  struct sigaction action = {};
  action.sa_handler = sayKernel;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, &previous);
}

NameBadAccesses::~NameBadAccesses() { sigaction(SIGSEGV, &previous, nullptr); }
