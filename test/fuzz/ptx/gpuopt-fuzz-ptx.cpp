//===- gpuopt-fuzz-ptx.cpp - the PTX importer on any text -----------------===//
//
// For tests only. Whatever a file of PTX says, the importer makes a valid
// module of it, or prints one error with the line and column. libFuzzer has the
// `main`; the importer is built with Clang's sanitizers here.
//
//   gpuopt-fuzz-ptx -runs=100000 DIRECTORY     mutations of the files in it
//   gpuopt-fuzz-ptx FILE                       one file again
//   gpuopt-fuzz-ptx -minimize_crash=1 FILE     what of it matters
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportPTX/ImportPTX.h"
#include "conversion/ImportSource/DiagnosticStream.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "test/fuzz/ptx/Mutations.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Regex.h"

#include <cstring>

using namespace gpuopt;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// LLVM's own libraries have no sanitizers, and do not unpoison what others
/// have poisoned.
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0";
}

extern "C" const char *__ubsan_default_options() {
  return "print_stacktrace=1";
}

static TargetAttr anyTarget() {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  static TargetAttr target = [] {
    context.loadDialect<GPUOptDialect>();
    return cantFail(lookUpTarget(&context, "sm_90"));
  }();
  return target;
}

[[noreturn]] static void report(StringRef what, StringRef diagnostics) {
  llvm::errs() << "gpuopt-fuzz-ptx: " << what << "\n" << diagnostics;
  abort();
}

static bool isValid(const ImportedSource &source) {
  return !verifyModule(*source.module, &llvm::errs()) &&
         llvm::all_of(source.kernels, [&](const KernelInfo &kernel) {
           return source.module->getFunction(kernel.symbol);
         });
}

/// Whether it is one error that says where it is, but for what has no place;
/// warnings may stand before it.
static bool isOneError(StringRef diagnostics) {
  static const llvm::Regex placed("^a\\.ptx:[0-9]+:[0-9]+: error: ",
                                  llvm::Regex::Newline);
  return diagnostics.count("a.ptx:") - diagnostics.count(": warning: ") == 1 &&
         (placed.match(diagnostics) ||
          diagnostics.contains("no kernel found in this file") ||
          diagnostics.contains("it holds null bytes"));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  PTXImportOptions options;
  options.text = std::string(reinterpret_cast<const char *>(data), size);
  options.leaveOutUnsupported = size % 2;
  std::string diagnostics;
  llvm::raw_string_ostream stream(diagnostics);
  OwnDiagnostics own(stream);
  mlir::FailureOr<ImportedSource> source =
      importPTX("a.ptx", anyTarget(), options);
  if (succeeded(source) ? !isValid(*source) : !isOneError(diagnostics))
    report(succeeded(source) ? "the module is not valid"
                             : "expected one error with its place",
           diagnostics);
  return 0;
}

static size_t give(StringRef text, uint8_t *data, size_t maxSize) {
  text = text.take_front(maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

static StringRef textOf(const uint8_t *data, size_t size) {
  return StringRef(reinterpret_cast<const char *>(data), size);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  fuzz::Random random(seed);
  if (random.oneIn(8))
    return LLVMFuzzerMutate(data, size, maxSize);
  return give(fuzz::mutate(textOf(data, size).str(), random), data, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size,
                                            const uint8_t *other,
                                            size_t otherSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  fuzz::Random random(seed);
  return give(
      fuzz::splice(textOf(data, size).str(), textOf(other, otherSize), random),
      out, maxSize);
}
