//===- LargeStack.cpp - room for deeply nested input ----------------------===//

#include "conversion/ImportSource/LargeStack.h"

#include "conversion/ImportSource/DiagnosticStream.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/Threading.h"

#include <array>
#include <atomic>
#include <csignal>
#include <deque>
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
/// A thread with a stack of its own. In memory it begins with the signal
/// handler's stack, which the guard and then the stack follow.
class LargeStack {
public:
  LargeStack(llvm::function_ref<void()> body, llvm::StringRef message)
      : body(body), message(message), diagnostics(diagnosticStream()) {}

  /// False where there is no memory for it, or no thread.
  bool start();
  /// Waits for the end of what `start` has begun.
  void join();

  bool isGuard(const char *address) const {
    const char *begin = memory + kSignalStackBytes;
    return address >= begin && address < begin + kGuardBytes;
  }
  llvm::StringRef overflowMessage() const { return message; }

private:
  static constexpr size_t kBytes =
      kSignalStackBytes + kGuardBytes + kStackBytes;

  static void *run(void *stack);

  llvm::function_ref<void()> body;
  llvm::StringRef message;
  /// Of the thread that waits for this one.
  llvm::raw_ostream &diagnostics;
  char *memory = nullptr;
  pthread_t thread = {};
};

/// What the signal handler needs to know. It has no argument for that.
struct WatchedStacks {
  /// Null where there is none. An overflow of those for which there is no room
  /// is a crash like others.
  std::array<std::atomic<LargeStack *>, 1024> stacks = {};
  std::mutex mutex;
  size_t users = 0;
  struct sigaction previous = {};
};
} // namespace

static WatchedStacks watched;
static thread_local bool isOnLargeStack = false;

static void onFault(int signal, siginfo_t *info, void *) {
  for (std::atomic<LargeStack *> &place : watched.stacks) {
    const LargeStack *stack = place;
    if (!stack || !stack->isGuard(static_cast<char *>(info->si_addr)))
      continue;
    llvm::StringRef message = stack->overflowMessage();
    // There is nobody left to tell where that fails.
    (void)!write(STDERR_FILENO, message.data(), message.size());
    llvm::sys::RunInterruptHandlers();
    _exit(1);
  }
  // Another kind of crash. The instruction runs again when this returns, and
  // then the handler that was there before gets the signal.
  sigaction(signal, &watched.previous, nullptr);
}

static void watch(LargeStack &stack) {
  std::lock_guard<std::mutex> lock(watched.mutex);
  for (std::atomic<LargeStack *> &place : watched.stacks)
    if (!place) {
      place = &stack;
      break;
    }
  if (watched.users++)
    return;
  // Installs its handlers now, so that it does not replace this one later.
  llvm::CrashRecoveryContext::Enable();
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &watched.previous);
}

static void unwatch(LargeStack &stack) {
  std::lock_guard<std::mutex> lock(watched.mutex);
  for (std::atomic<LargeStack *> &place : watched.stacks)
    if (place == &stack)
      place = nullptr;
  if (--watched.users)
    return;
  sigaction(SIGSEGV, &watched.previous, nullptr);
  // A program that embeds the compiler has handlers of its own.
  llvm::CrashRecoveryContext::Disable();
}

void *LargeStack::run(void *argument) {
  auto &stack = *static_cast<LargeStack *>(argument);
  stack_t signalStack = {};
  signalStack.ss_sp = stack.memory;
  signalStack.ss_size = kSignalStackBytes;
  sigaltstack(&signalStack, nullptr);
  isOnLargeStack = true;
  OwnDiagnostics own(stack.diagnostics);
  stack.body();
  // It is about to be unmapped, and others look for it when a thread ends.
  signalStack.ss_flags = SS_DISABLE;
  sigaltstack(&signalStack, nullptr);
  return nullptr;
}

bool LargeStack::start() {
  void *mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // The memory of a program may be limited to less.
  if (mapped == MAP_FAILED)
    return false;
  memory = static_cast<char *>(mapped);
  mprotect(memory + kSignalStackBytes, kGuardBytes, PROT_NONE);
  watch(*this);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory + kSignalStackBytes + kGuardBytes,
                        kStackBytes);
  int failed = pthread_create(&thread, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (!failed)
    return true;
  unwatch(*this);
  munmap(memory, kBytes);
  return false;
}

void LargeStack::join() {
  pthread_join(thread, nullptr);
  unwatch(*this);
  munmap(memory, kBytes);
}

void gpuopt::runOnLargeStack(llvm::function_ref<void()> body,
                             llvm::StringRef message) {
  LargeStack stack(body, message);
  if (isOnLargeStack || !stack.start())
    return body();
  stack.join();
}

void gpuopt::runOnLargeStacks(size_t count,
                              llvm::function_ref<void(size_t)> work,
                              llvm::StringRef message) {
  std::atomic<size_t> next = 0;
  auto takeAll = [&] {
    for (size_t index = next++; index < count; index = next++)
      work(index);
  };
  size_t threads = std::min<size_t>(
      count, llvm::hardware_concurrency().compute_thread_count());
  // The handler of signals knows them by their addresses.
  std::deque<LargeStack> others;
  while (others.size() + 1 < threads) {
    others.emplace_back(takeAll, message);
    if (others.back().start())
      continue;
    others.pop_back();
    break;
  }
  runOnLargeStack(takeAll, message);
  for (LargeStack &other : others)
    other.join();
}
