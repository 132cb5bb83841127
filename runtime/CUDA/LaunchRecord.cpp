//===- LaunchRecord.cpp - what became of a launch -------------------------===//

#include "runtime/CUDA/LaunchRecord.h"
#include "runtime/LaunchLog.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;

static llvm::json::Array shapeOf(const Dim3 &shape) {
  return llvm::json::Array{shape[0], shape[1], shape[2]};
}

void cuda::addToLog(llvm::json::Object line) {
  static const char *path = std::getenv(kLaunchLogVariable);
  if (!path)
    return;
  std::error_code error;
  llvm::raw_fd_ostream log(path, error, llvm::sys::fs::OF_Append);
  if (error)
    return report(llvm::Twine(path) + ": " + error.message());
  log << llvm::json::Value(std::move(line)) << '\n';
}

static llvm::json::Array faultsOf(llvm::ArrayRef<ExecutionFault> faults) {
  llvm::json::Array all;
  for (const ExecutionFault &fault : faults)
    all.push_back(llvm::json::Object{{"kind", faultName(fault.kind)},
                                     {"location", fault.location},
                                     {"message", fault.message}});
  return all;
}

void cuda::note(const LaunchRecord &record) {
  llvm::json::Object line{{"kernel", record.kernel},
                          {"launch", record.number},
                          {"grid", shapeOf(record.original.grid)},
                          {"block", shapeOf(record.original.block)},
                          {"tuned", record.isTuned},
                          {"reason", record.decision.reason},
                          {"place", record.place},
                          {"sampled", record.isSampled}};
  if (record.error != cudaSuccess)
    line["error"] = cudaGetErrorName(record.error);
  if (record.differingBytes)
    line["differing_bytes"] = *record.differingBytes;
  if (!record.position.empty())
    line["location"] = record.position;
  if (!record.faults.empty())
    line["faults"] = faultsOf(record.faults);
  if (record.skippedRaces)
    line["skipped_races"] = true;
  addToLog(std::move(line));
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// What a device does not notice is success.
static cudaError_t errorOf(ExecutionFault::Kind kind) {
  switch (kind) {
  case ExecutionFault::Kind::Stray:
  case ExecutionFault::Kind::BarrierDivergence:
  case ExecutionFault::Kind::DataRace:
  case ExecutionFault::Kind::Uninitialised:
  case ExecutionFault::Kind::UnsetRegister:
    return cudaSuccess;
  case ExecutionFault::Kind::OutOfBounds:
    return cudaErrorIllegalAddress;
  case ExecutionFault::Kind::Misaligned:
    return cudaErrorMisalignedAddress;
  case ExecutionFault::Kind::Assertion:
    return cudaErrorAssert;
  case ExecutionFault::Kind::Timeout:
  case ExecutionFault::Kind::Interrupted:
    return cudaErrorLaunchTimeout;
  case ExecutionFault::Kind::Deadlock:
  case ExecutionFault::Kind::Stall:
  case ExecutionFault::Kind::Trap:
  case ExecutionFault::Kind::StepLimit:
  case ExecutionFault::Kind::FaultLimit:
  case ExecutionFault::Kind::Unsupported:
    return cudaErrorLaunchFailure;
  }
  llvm_unreachable("all kinds have an error");
}

cudaError_t cuda::errorOf(llvm::ArrayRef<ExecutionFault> faults) {
  for (const ExecutionFault &fault : faults)
    if (cudaError_t error = ::errorOf(fault.kind); error != cudaSuccess)
      return error;
  return cudaSuccess;
}

/// Races of one access with several others are several.
static std::string placeOf(const ExecutionFault &fault) {
  if (!fault.race)
    return fault.location;
  return fault.race->first.location + fault.race->second.location +
         fault.race->array;
}

void cuda::sayFaults(const LaunchRecord &record) {
  using Place = std::tuple<std::string, ExecutionFault::Kind, std::string>;
  static std::set<Place> &said = *new std::set<Place>();
  std::string at = record.position.empty() ? "" : " at " + record.position;
  for (const ExecutionFault &fault : record.faults) {
    // The text of an assertion has been printed by the kernel.
    if (fault.kind == ExecutionFault::Kind::Assertion ||
        !said.insert({record.kernel, fault.kind, placeOf(fault)}).second)
      continue;
    std::string place = fault.location.empty() ? "" : fault.location + ": ";
    report(place + "kernel '" + llvm::demangle(record.kernel) + "', launch " +
           llvm::Twine(record.number) + at + ": " + faultName(fault.kind) +
           ": " + fault.message);
  }
}
