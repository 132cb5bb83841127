//===- LargeStack.cpp - room for deeply nested input ----------------------===//

#include "conversion/ImportSource/LargeStack.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace gpuopt;

/// Memory is taken page by page, as the stack grows.
static constexpr size_t kStackBytes = size_t(512) << 20;
/// Larger than the frame of any function: a stack that overflows touches it.
static constexpr size_t kGuardBytes = size_t(1) << 20;
/// The signal handler cannot run on the stack that has overflowed.
static constexpr size_t kSignalStackBytes = size_t(64) << 10;

namespace {
/// What the signal handler needs to know. It has no argument for that.
struct Guard {
  /// Locked while a thread is watched.
  std::mutex isTaken;
  /// The first byte of the guard, behind which the stack lies; null while no
  /// thread is watched.
  char *begin = nullptr;
  llvm::StringRef message;
  struct sigaction previous = {};
  alignas(16) char signalStack[kSignalStackBytes];
};
} // namespace

static Guard guard;

static void onFault(int signal, siginfo_t *info, void *) {
  auto *address = static_cast<char *>(info->si_addr);
  if (address < guard.begin || address >= guard.begin + kGuardBytes) {
    // Another kind of crash. The instruction runs again when this returns, and
    // then the handler that was there before gets the signal.
    sigaction(signal, &guard.previous, nullptr);
    return;
  }
  // There is nobody left to tell where that fails.
  (void)!write(STDERR_FILENO, guard.message.data(), guard.message.size());
  llvm::sys::RunInterruptHandlers();
  _exit(1);
}

static void watchForOverflow() {
  stack_t stack = {};
  stack.ss_sp = guard.signalStack;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
  // Installs its handlers now, so that it does not replace this one later.
  llvm::CrashRecoveryContext::Enable();
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &guard.previous);
}

static void *runWatched(void *body) {
  watchForOverflow();
  (*static_cast<llvm::function_ref<void()> *>(body))();
  sigaction(SIGSEGV, &guard.previous, nullptr);
  return nullptr;
}

static void *runUnwatched(void *body) {
  (*static_cast<llvm::function_ref<void()> *>(body))();
  return nullptr;
}

/// Runs `body` in a thread with the stack behind `guardBegin`.
static void runInThread(llvm::function_ref<void()> body, char *guardBegin,
                        bool isWatched) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, guardBegin + kGuardBytes, kStackBytes);
  int failed = pthread_create(&thread, &attributes,
                              isWatched ? runWatched : runUnwatched, &body);
  pthread_attr_destroy(&attributes);
  if (failed)
    return body();
  pthread_join(thread, nullptr);
}

/// Whether this thread runs on the stack that is watched.
static bool isOnLargeStack() {
  char here;
  return guard.begin && &here > guard.begin &&
         &here < guard.begin + kGuardBytes + kStackBytes;
}

void gpuopt::runOnLargeStack(llvm::function_ref<void()> body,
                             llvm::StringRef message) {
  if (isOnLargeStack())
    return body();
  void *memory =
      mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // The memory of a program may be limited to less.
  if (memory == MAP_FAILED)
    return body();
  mprotect(memory, kGuardBytes, PROT_NONE);
  auto *begin = static_cast<char *>(memory);
  if (std::unique_lock lock(guard.isTaken, std::try_to_lock); lock) {
    guard.begin = begin;
    guard.message = message;
    runInThread(body, begin, /*isWatched=*/true);
    guard.begin = nullptr;
  } else {
    runInThread(body, begin, /*isWatched=*/false);
  }
  munmap(memory, kGuardBytes + kStackBytes);
}
