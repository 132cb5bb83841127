//===- Executor.cpp - run a kernel ----------------------------------------===//

#include "runtime/Executor.h"

#include "llvm/Support/ErrorHandling.h"

using namespace gpuopt;

llvm::StringRef gpuopt::faultName(ExecutionFault::Kind kind) {
  switch (kind) {
  case ExecutionFault::Kind::OutOfBounds:
  case ExecutionFault::Kind::Stray:
    return "out of bounds";
  case ExecutionFault::Kind::Misaligned:
    return "misaligned access";
  case ExecutionFault::Kind::BarrierDivergence:
  case ExecutionFault::Kind::Deadlock:
    return "barrier divergence";
  case ExecutionFault::Kind::Stall:
    return "deadlock";
  case ExecutionFault::Kind::DataRace:
    return "data race";
  case ExecutionFault::Kind::Uninitialised:
  case ExecutionFault::Kind::UnsetRegister:
    return "uninitialised read";
  case ExecutionFault::Kind::Trap:
    return "trap";
  case ExecutionFault::Kind::Assertion:
    return "failed assertion";
  case ExecutionFault::Kind::Timeout:
    return "timeout";
  case ExecutionFault::Kind::Interrupted:
    return "interrupted";
  case ExecutionFault::Kind::StepLimit:
    return "endless loop";
  case ExecutionFault::Kind::FaultLimit:
    return "too many faults";
  case ExecutionFault::Kind::Unsupported:
    return "unsupported";
  }
  llvm_unreachable("all kinds have a name");
}
