//===- Registration.cpp - what object files tell when a program starts ----===//
//
// The interface between the code that Clang generates for the host and a CUDA
// runtime: constructors register the device code of each object file, its
// kernels and its variables.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Program.h"

using namespace gpuopt;
using namespace gpuopt::cuda;

namespace {
/// What `__cudaRegisterFatBinary` gets.
struct FatBinaryWrapper {
  int32_t magic;
  int32_t version;
  const char *section;
  void *unused;
};
} // namespace

// Generated code declares none of these.
extern "C" {
void **__cudaRegisterFatBinary(const FatBinaryWrapper *wrapper);
void __cudaRegisterFatBinaryEnd(void **code);
void __cudaUnregisterFatBinary(void **code);
int __cudaRegisterFunction(void **code, const void *stub, char *name,
                           const char *deviceName, int threadLimit, void *tid,
                           void *bid, void *blockDim, void *gridDim, int *size);
void __cudaRegisterVar(void **code, void *shadow, char *name,
                       const char *deviceName, int isExternal, size_t bytes,
                       int isConstant, int isGlobal);
void __cudaRegisterManagedVar(void **code, void **pointer, void *own,
                              const char *deviceName, size_t bytes,
                              unsigned alignment);
}

static DeviceCode *codeOf(void **code) {
  return reinterpret_cast<DeviceCode *>(code);
}

void **__cudaRegisterFatBinary(const FatBinaryWrapper *wrapper) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  return reinterpret_cast<void **>(program.addCode(wrapper->section));
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **code) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  program.removeCode(codeOf(code));
}

int __cudaRegisterFunction(void **code, const void *stub, char *,
                           const char *deviceName, int, void *, void *, void *,
                           void *, int *) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  program.addKernel(codeOf(code), stub, deviceName);
  return 0;
}

void __cudaRegisterVar(void **code, void *shadow, char *,
                       const char *deviceName, int, size_t bytes, int, int) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  program.addVariable(codeOf(code), shadow, deviceName, bytes);
}

void __cudaRegisterManagedVar(void **code, void **pointer, void *own,
                              const char *deviceName, size_t bytes, unsigned) {
  Program &program = Program::get();
  std::lock_guard lock(program.mutex);
  program.addManagedVariable(
      codeOf(code),
      {deviceName, pointer, {static_cast<uint8_t *>(own), bytes}});
}
