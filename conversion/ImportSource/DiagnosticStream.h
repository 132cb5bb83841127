//===- DiagnosticStream.h - where diagnostics go ----------------*- C++ -*-===//
//
// Diagnostics are for whoever started the compiler: a person at a terminal, or
// a program that embeds it and has several files in work at once, each in a
// thread.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_DIAGNOSTICSTREAM_H
#define CONVERSION_IMPORTSOURCE_DIAGNOSTICSTREAM_H

#include "llvm/Support/raw_ostream.h"

namespace gpuopt {

/// Where diagnostics of this thread go: standard error, or what an
/// `OwnDiagnostics` has set. Threads that `runOnLargeStack` starts have that of
/// the thread that calls it.
llvm::raw_ostream &diagnosticStream();

/// Sends the diagnostics of this thread to `stream` while it lives.
class OwnDiagnostics {
public:
  explicit OwnDiagnostics(llvm::raw_ostream &stream);
  OwnDiagnostics(const OwnDiagnostics &) = delete;
  OwnDiagnostics &operator=(const OwnDiagnostics &) = delete;
  ~OwnDiagnostics();

private:
  llvm::raw_ostream *previous;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_DIAGNOSTICSTREAM_H
