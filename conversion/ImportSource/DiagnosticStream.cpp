//===- DiagnosticStream.cpp - where diagnostics go ------------------------===//

#include "conversion/ImportSource/DiagnosticStream.h"

using namespace gpuopt;

static thread_local llvm::raw_ostream *ownStream = nullptr;

llvm::raw_ostream &gpuopt::diagnosticStream() {
  return ownStream ? *ownStream : llvm::errs();
}

OwnDiagnostics::OwnDiagnostics(llvm::raw_ostream &stream)
    : previous(ownStream) {
  ownStream = &stream;
}

OwnDiagnostics::~OwnDiagnostics() { ownStream = previous; }
