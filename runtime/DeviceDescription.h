//===- DeviceDescription.h - what a program may ask of a device -*- C++ -*-===//

#ifndef RUNTIME_DEVICEDESCRIPTION_H
#define RUNTIME_DEVICEDESCRIPTION_H

#include "runtime/LaunchRules.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace gpuopt {

/// The facts of a machine description (`TargetAttr`) that the CUDA API tells a
/// program.
struct DeviceDescription {
  std::string name = "sm_90";
  /// `sm_90`.
  std::string arch = "sm_90";
  int64_t subgroupSize = 32;
  int64_t multiprocessors = 1;
  int64_t threadsPerWorkgroup = 1024;
  int64_t threadsPerMultiprocessor = 2048;
  int64_t workgroupsPerMultiprocessor = 32;
  int64_t registersPerMultiprocessor = 65536;
  int64_t workgroupMemoryPerWorkgroupBytes = 48 << 10;
  int64_t workgroupMemoryPerMultiprocessorBytes = 48 << 10;
  int64_t l2Bytes = 0;
  /// Of its caches.
  int64_t lineBytes = 128;
  int64_t sectorBytes = 32;

  /// Major and minor number of an architecture of NVIDIA's.
  std::pair<int, int> capability() const;
};

/// What travels beside the kernels of an object file.
struct DeviceCodeRules {
  DeviceDescription device;
  std::vector<LaunchRules> kernels;
};

llvm::json::Value toJSON(const DeviceCodeRules &rules);
bool fromJSON(const llvm::json::Value &value, DeviceCodeRules &rules,
              llvm::json::Path path);

} // namespace gpuopt

#endif // RUNTIME_DEVICEDESCRIPTION_H
