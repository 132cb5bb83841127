//===- Errors.cpp - what the API returns ----------------------------------===//

#include "runtime/CUDA/Program.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

static thread_local cudaError_t lastError = cudaSuccess;

/// Whether a device does nothing more behind it.
static bool endsAll(cudaError_t error) {
  switch (error) {
  case cudaErrorECCUncorrectable:
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
    return true;
  default:
    return false;
  }
}

cudaError_t cuda::remember(cudaError_t error) {
  if (endsAll(error)) {
    Program &program = Program::get();
    program.stickyError = error;
    program.isErrorKnown = true;
  }
  // Success does not make up for an earlier failure, and not being ready is
  // none.
  if (error != cudaSuccess && error != cudaErrorNotReady)
    lastError = error;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  const Program &program = Program::get();
  return program.isErrorKnown ? program.stickyError.load() : lastError;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t error = cudaPeekAtLastError();
  lastError = cudaSuccess;
  return error;
}

namespace {
/// Numbers of the API's errors.
class ErrorNumbers : public std::error_category {
public:
  const char *name() const noexcept override { return "CUDA"; }
  std::string message(int number) const override {
    return cudaGetErrorString(cudaError_t(number));
  }
};
} // namespace

static const ErrorNumbers &errorNumbers() {
  static const ErrorNumbers numbers;
  return numbers;
}

std::error_code cuda::codeOf(cudaError_t error) {
  return {error, errorNumbers()};
}

cudaError_t cuda::report(llvm::Error error, cudaError_t code) {
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    std::error_code own = info.convertToErrorCode();
    if (own.category() == errorNumbers())
      code = cudaError_t(own.value());
    report(info.message());
  });
  return code;
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define GPUOPT_ERROR(NAME, NUMBER, MEANING)                                    \
  case cuda##NAME:                                                             \
    return MEANING;
#include "gpuopt/Errors.def"
#undef GPUOPT_ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define GPUOPT_ERROR(NAME, NUMBER, MEANING)                                    \
  case cuda##NAME:                                                             \
    return "cuda" #NAME;
#include "gpuopt/Errors.def"
#undef GPUOPT_ERROR
  }
  return "unrecognized error code";
}
