//===- BackendErrors.cpp - LLVM's fatal errors as llvm::Error -------------===//

#include "conversion/EmitBinary/BackendErrors.h"

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <mutex>

namespace gpuopt {
namespace {

/// Where a fatal error on this thread continues, and what it said.
struct Recovery {
  std::jmp_buf resume;
  std::string message;
};

thread_local Recovery *activeRecovery = nullptr;

/// Returning lets LLVM do what it does without a handler.
void onFatalError(void *, const char *reason, bool) {
  if (!activeRecovery) {
    llvm::errs() << "LLVM ERROR: " << reason << "\n";
    return;
  }
  activeRecovery->message = reason;
  std::longjmp(activeRecovery->resume, 1);
}

/// Installs the process-wide handler while any thread is inside `work`.
class FatalErrorScope {
public:
  FatalErrorScope() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ == 0) {
      llvm::remove_fatal_error_handler();
      llvm::install_fatal_error_handler(onFatalError);
    }
  }
  ~FatalErrorScope() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users == 0)
      llvm::remove_fatal_error_handler();
  }

private:
  static inline std::mutex mutex;
  static inline unsigned users = 0;
};

/// Collects the text of error diagnostics; drops the rest.
struct CollectErrors : llvm::DiagnosticHandler {
  explicit CollectErrors(std::string &text) : text(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream stream(text);
    if (!text.empty())
      stream << "; ";
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

  std::string &text;
};

/// False where `work` was left by a fatal error. Kept free of objects with
/// destructors: the jump skips them.
bool runGuarded(Recovery &recovery, llvm::function_ref<void()> work) {
  Recovery *outer = activeRecovery;
  activeRecovery = &recovery;
  if (setjmp(recovery.resume) != 0) {
    activeRecovery = outer;
    return false;
  }
  work();
  activeRecovery = outer;
  return true;
}

} // namespace

llvm::Error catchBackendErrors(llvm::LLVMContext &context,
                               llvm::function_ref<void()> work) {
  std::string text;
  std::unique_ptr<llvm::DiagnosticHandler> outer =
      context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectErrors>(text));
  Recovery recovery;
  bool finished;
  {
    FatalErrorScope scope;
    finished = runGuarded(recovery, work);
  }
  context.setDiagnosticHandler(std::move(outer));
  if (!finished)
    return llvm::createStringError(recovery.message);
  if (!text.empty())
    return llvm::createStringError(text);
  return llvm::Error::success();
}

} // namespace gpuopt
